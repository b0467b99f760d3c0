/* team_host.h: a team of one lane, on the CPU */
#pragma once

#include "base/elementary.h"
#include "device/team.h"

#define TEAM static inline
#define TEAM_SHORT
#define TEAM_TWICE
#define TEAM_LONG
#define TEAM_LONGER
#define TEAM_ALL

static const perp_team perp_team_alone = {.lanes = 1, .rows = 1, .columns = 1};

TEAM void perp_team_sync(perp_team t)
{
  (void)t;
}

TEAM perp_team perp_team_head(perp_team t)
{
  return t;
}

TEAM perp_vote perp_team_vote(perp_team t, bool flag)
{
  (void)t;
  return (perp_vote){flag ? 1 : 0, 0, flag ? 0 : 1};
}

enum { PERP_GROUP = 1 };

TEAM float perp_group_float(float value, int lane, int group)
{
  (void)lane, (void)group;
  return value;
}

TEAM int perp_group_int(int value, int lane, int group)
{
  (void)lane, (void)group;
  return value;
}

TEAM double perp_team_max(perp_team t, double value)
{
  (void)t;
  return value;
}

TEAM int64_t perp_team_least(perp_team t, int64_t value)
{
  (void)t;
  return value;
}

/* Files with kernels are compiled without contraction. */
TEAM double perp_rounded_product(double a, double b)
{
  return a * b;
}

TEAM double perp_team_stream(const double *from)
{
  return *from;
}

TEAM void perp_team_stream_to(double *to, double value)
{
  *to = value;
}

TEAM void perp_team_load_pair(const double *from, double *to)
{
  to[0] = from[0];
  to[1] = from[1];
}

TEAM void perp_team_store_pair(double *to, const double *from)
{
  to[0] = from[0];
  to[1] = from[1];
}

TEAM void perp_team_load_four(const float *from, float *to)
{
  for (int k = 0; k < 4; k++)
    to[k] = from[k];
}

TEAM void perp_team_store_four(float *to, const float *from)
{
  for (int k = 0; k < 4; k++)
    to[k] = from[k];
}

TEAM void perp_team_await(void)
{
}

TEAM void perp_team_await_turn(void)
{
}

TEAM double perp_team_hypot(double a, double b)
{
  return perp_hypot(a, b);
}

TEAM double perp_team_pow(double a, double b)
{
  return perp_pow(a, b);
}

TEAM float perp_team_inverse_root(float a)
{
  return 1 / sqrtf(a);
}
