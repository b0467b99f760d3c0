/* team.h: a team of lanes that work on one problem together
 *
 * A kernel is written once, for a team of any number of lanes. On a GPU the lanes are threads, and
 * team_cuda.cuh has the functions below; on the CPU a team is one lane, and team_host.h has them.
 * This header includes the one that the compiler needs. A kernel obeys these rules:
 *
 *   - A loop over rows reads for (i = t.lane; i < n; i += t.lanes), or, over a matrix, by t.row and
 *     t.column.
 *   - Data that one lane writes is read by others only after TEAM perp_team_sync.
 *   - Every sum runs in an order that does not depend on the number of lanes, so that every device
 *     does the same arithmetic.
 *   - All lanes take the same branch around a function of this list:
 *
 *   void perp_team_sync(perp_team t)
 *   perp_vote perp_team_vote(perp_team t, bool flag)
 *   double perp_team_max(perp_team t, double value)         at least 0, no NaN
 *   int64_t perp_team_least(perp_team t, int64_t value)
 *
 * The head of a team, perp_team perp_team_head(perp_team t), is a team of its first lanes, for short steps
 * that follow one another: at most a warp, which needs no barrier of a block. Only lanes below
 * its `lanes` work in it, and the whole team goes on after perp_team_sync.
 *
 * A group is PERP_GROUP adjacent lanes, 8 on a GPU and 1 on the CPU, or one lane. All lanes of a
 * group take the same branch around
 *
 *   float perp_group_float(float value, int lane, int group)   value of that lane of the group
 *   int perp_group_int(int value, int lane, int group)
 *
 * These functions have no such rules:
 *
 *   double perp_rounded_product(double a, double b)         never part of a fused multiply-add
 *   double perp_team_hypot(double a, double b), perp_team_pow(double a, double b)
 *   float perp_team_inverse_root(float a)                   1 / sqrt(a), a > 0
 *   double perp_team_stream(const double *from)             a load that bypasses caches
 *   void perp_team_stream_to(double *to, double value)
 *   void perp_team_load_pair(const double *from, double *to)   two numbers, aligned to 16 bytes
 *   void perp_team_store_pair(double *to, const double *from)
 *   void perp_team_load_four(const float *from, float *to)     four numbers, aligned to 16 bytes
 *   void perp_team_store_four(float *to, const float *from)
 *   void perp_team_await(void)          data written by earlier kernels may be read only after it
 *   void perp_team_await_turn(void)     likewise; if the previous kernel waited this way, data
 *                                       written before that kernel may be read earlier
 *
 * TEAM precedes a function. TEAM_SHORT, TEAM_TWICE, TEAM_LONG, TEAM_LONGER and TEAM_ALL precede a
 * loop: one or two iterations for most lanes; a few; enough that loads should overlap; dozens, each
 * a load from global memory and little else; a constant number of iterations, all of whose loads
 * should overlap. A kernel that exceeds the instruction cache is slow, so short loops are never
 * unrolled. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct perp_team {
  int lane, lanes;
  int row, rows, column, columns; /* the same lanes as a grid: lane = row * columns + column */
  int64_t *scratch;               /* a word for each group of 32 lanes, if there are several */
} perp_team;

/* Lanes whose flag is set. */
typedef struct perp_vote {
  int count;
  int before; /* the number of such lanes before this one */
  int first;  /* the first such lane; the number of lanes if there is none */
} perp_vote;

#ifdef __CUDACC__
#include "device/team_cuda.cuh"
#else
#include "device/team_host.h"
#endif
