"""`sparring games`."""

import json

from sparring.app.options import Games
from sparring.games.game import load, names


def run(options: Games) -> None:
    """List the games with the first line of what their rules say."""
    rows = []
    for name in names():
        game = load(name)
        said = (game.module.__doc__ or "").strip().splitlines()[0]
        rows.append({"name": name.replace("_", "-"), "about": said, "file": str(game.path)})
    if options.json:
        print(json.dumps(rows))
        return
    width = max(len(row["name"]) for row in rows)
    for row in rows:
        print(f"{row['name']:{width}}  {row['about']}")
