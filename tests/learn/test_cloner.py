"""What a teacher's games teach: how they ended, and how far off that was."""

import numpy as np

from sparring.learn.cloner import decisions_left


def test_decisions_left_are_those_of_the_same_player_in_the_same_game():
    owners = np.array([0, 1, 0, 1, 0, 3, 2, 3])  # game 0: three and two decisions; game 1 begins with player 1
    assert decisions_left(owners).tolist() == [2, 1, 1, 0, 0, 1, 0, 0]
