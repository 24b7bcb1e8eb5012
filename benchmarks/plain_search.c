/* Plain alpha-beta on Connect Four in C, the measure for src/sparring/search/plain.py: the same order of moves, the same
   window, the same positions. Three forms of it, each as fast as we could make it:

   stack    made for the game, an explicit stack of arrays
   game     made for the game, recursive with the position in registers, the last ply in a loop of its own
   record   what plain.py does: a record, a list of moves, copy and play; functions that know the game, a search that
            does not

   cc -O3 -march=native -fno-tree-slp-vectorize plain_search.c -o plain_search && ./plain_search stack|game|record DEPTH
   prints score, positions, seconds. Without that flag GCC copies records by vectors, and `record` is an eighth slower. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WIN 1010000
#define LOW -2000000000
#define CELLS 42
#define BOTTOM 0x40810204081u

typedef uint64_t bits;

static uint64_t nodes;
static int depth;

static inline int larger(int a, int b) { return a > b ? a : b; }

static inline int four(bits b) {
    bits m = b & (b >> 7);
    if (m & (m >> 14)) return 1;
    m = b & (b >> 6);
    if (m & (m >> 12)) return 1;
    m = b & (b >> 8);
    if (m & (m >> 16)) return 1;
    m = b & (b >> 1);
    return (m & (m >> 2)) != 0;
}

static inline int full(bits all, int column) { return all >> (7 * column + 5) & 1; }

static inline bits dropped(bits own, bits all, int column) {
    return own | ((all + ((bits)1 << 7 * column)) & ((bits)0x3f << 7 * column));
}

/* --- stack ------------------------------------------------------------------------------------------------------- */

static bits own_at[CELLS + 1], other_at[CELLS + 1];
static int column_at[CELLS + 1], alpha_at[CELLS + 1], beta_at[CELLS + 1], best_at[CELLS + 1];

static int by_stack(void) {
    int ply = 0, score;
    own_at[0] = other_at[0] = 0;
    column_at[0] = 0;
    alpha_at[0] = best_at[0] = LOW;
    beta_at[0] = -LOW;
    for (;;) {
        if (column_at[ply] == 7 || best_at[ply] >= beta_at[ply]) {
            if (ply == 0) return best_at[0];
            score = -best_at[ply--];
        } else {
            int column = column_at[ply]++;
            bits all = own_at[ply] | other_at[ply];
            if (full(all, column)) continue;
            bits own = dropped(own_at[ply], all, column);
            nodes++;
            if (four(own)) {
                score = WIN - (ply + 1);
            } else if (ply + 1 == CELLS || ply + 1 == depth) {
                score = 0;
            } else {
                int low = larger(alpha_at[ply], best_at[ply]);
                own_at[ply + 1] = other_at[ply];
                other_at[ply + 1] = own;
                ply++;
                alpha_at[ply] = -beta_at[ply - 1];
                beta_at[ply] = -low;
                best_at[ply] = LOW;
                column_at[ply] = 0;
                continue;
            }
        }
        best_at[ply] = larger(best_at[ply], score);
    }
}

/* --- game -------------------------------------------------------------------------------------------------------- */

static int last_ply(bits own, bits other, int ply, int beta) {
    int best = LOW;
    bits all = own | other;
    for (int column = 0; column < 7; column++) {
        if (full(all, column)) continue;
        nodes++;
        int score = four(dropped(own, all, column)) ? WIN - ply : 0;
        if (score > best) {
            best = score;
            if (best >= beta) break;
        }
    }
    return best;
}

static int by_game(bits own, bits other, int ply, int alpha, int beta) {
    int best = LOW;
    bits all = own | other;
    for (int column = 0; column < 7; column++) {
        if (full(all, column)) continue;
        bits after = dropped(own, all, column);
        int score, low = larger(alpha, best);
        nodes++;
        if (four(after)) score = WIN - ply;
        else if (ply == CELLS || ply == depth) score = 0;
        else if (ply + 1 == depth) score = -last_ply(other, after, ply + 1, -low);
        else score = -by_game(other, after, ply + 1, -beta, -low);
        if (score > best) {
            best = score;
            if (best >= beta) break;
        }
    }
    return best;
}

/* --- record ------------------------------------------------------------------------------------------------------ */

typedef struct { bits own, other; int64_t placed; } State;
typedef struct { State state; int32_t moves[7]; } Frame;

enum { ONGOING = -1 };
static const int scores[3] = {-WIN, 0, WIN};

static inline int mover(const State *state) { return state->placed & 1; }

static inline int legal(const State *state, int32_t *moves) {
    bits all = state->own | state->other;
    int n = 0;
    for (int column = 0; column < 7; column++) {
        moves[n] = column;
        n += !full(all, column);
    }
    return n;
}

static inline void play(State *state, int move) {
    bits own = state->own, other = state->other;
    state->own = other;
    state->other = own | (((own | other) + BOTTOM) & ((bits)0x3f << 7 * move));
    state->placed++;
}

static inline int result(const State *state) {
    if (four(state->other)) return 2 * (state->placed & 1);
    return state->placed == CELLS ? 1 : ONGOING;
}

static inline int end_score(int end, int who, int ply) {
    int score = scores[end];
    score -= score > 0 ? ply : score < 0 ? -ply : 0;
    return who == 0 ? score : -score;
}

static int last_of_record(Frame *frame, int ply, int beta) {
    int n = legal(&frame->state, frame->moves), who = mover(&frame->state), best = LOW;
    for (int i = 0; i < n; i++) {
        State child = frame->state;
        play(&child, frame->moves[i]);
        nodes++;
        int end = result(&child), score = end == ONGOING ? 0 : end_score(end, who, ply);
        if (score > best) {
            best = score;
            if (best >= beta) break;
        }
    }
    return best;
}

static int by_record(Frame *frame, int ply, int left, int alpha, int beta) {
    int n = legal(&frame->state, frame->moves), who = mover(&frame->state), best = LOW;
    Frame *below = frame + 1;
    State *child = &below->state;
    for (int i = 0; i < n && best < beta; i++) {
        int score;
        child->own = frame->state.own; /* field by field: wider copies would wait for what was just written */
        child->other = frame->state.other;
        child->placed = frame->state.placed;
        play(child, frame->moves[i]);
        nodes++;
        int end = result(child);
        if (end != ONGOING) {
            score = end_score(end, who, ply);
        } else if (left == 1) {
            score = 0;
        } else {
            int same = mover(child) == who, low = larger(alpha, best);
            int bottom = same ? low : -beta, top = same ? beta : -low;
            score = left == 2 ? last_of_record(below, ply + 1, top) : by_record(below, ply + 1, left - 1, bottom, top);
            score = same ? score : -score;
        }
        best = larger(best, score);
    }
    return best;
}

int main(int count, char **words) {
    if (count != 3) return 2;
    depth = atoi(words[2]);
    Frame frames[CELLS + 1];
    memset(frames, 0, sizeof frames);
    for (int warm = 0; warm < 2; warm++) {
        struct timespec began, ended;
        int score;
        nodes = 1;
        clock_gettime(CLOCK_MONOTONIC, &began);
        if (!strcmp(words[1], "stack")) score = by_stack();
        else if (!strcmp(words[1], "game")) score = by_game(0, 0, 1, LOW, -LOW);
        else score = by_record(frames, 1, depth, LOW, -LOW);
        clock_gettime(CLOCK_MONOTONIC, &ended);
        double seconds = (double)(ended.tv_sec - began.tv_sec) + 1e-9 * (double)(ended.tv_nsec - began.tv_nsec);
        if (warm) printf("%d %llu %.9f\n", score, (unsigned long long)nodes, seconds);
    }
    return 0;
}
