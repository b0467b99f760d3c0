/* traffic.c: drivers on a ring of roads (Bertsekas, Gafni 1982)
 *
 * Five towns lie on a ring. demand_i drivers go from town i to town i + 3: x_i of them by the outer
 * road, over three highways, z_i by the inner one the other way round, over two. At a town a driver
 * passes by a bypass, enters by an on-ramp and leaves by an off-ramp. With g(f) = 1 + f + f^2 a link
 * that carries the flow f takes
 *
 *   on-ramp   g(f) + gamma g(flow on the bypass that it joins)
 *   highway   10 g(f) + 2 gamma g(flow that leaves at its end)
 *   bypass, off-ramp   g(f)
 *
 * so that the Jacobian is not symmetric. Nobody can do better alone (Wardrop 1952):
 *
 *   x_i >= 0  ⊥  time of the outer way - y_i >= 0,     z_i the same inside,     x_i + z_i = demand_i
 *
 * with y_i, free, the time from i to i + 3. Demands and gamma are those of Dirkse and Ferris 1995. */
#include "generate/ncp/ncp.h"

enum { TOWNS = 5, X_ = 0, Z_ = TOWNS, Y_ = 2 * TOWNS, UNKNOWNS = 3 * TOWNS };

static int town(int k)
{
  return (k % TOWNS + TOWNS) % TOWNS;
}

static perp_dual g(perp_dual flow)
{
  return 1 + flow + flow * flow;
}

/* The flow of those who have gone first..highways - 1 highways when they come to town k. */
static perp_dual flow_at(const perp_dual *f, int k, int step, int first, int highways)
{
  perp_dual sum = 0;
  for (int j = first; j < highways; j++)
    sum += f[town(k - j * step)];
  return sum;
}

/* time_i of the way from town i over so many highways, step = 1 or -1 */
static void add_times(const perp_dual *f, int step, int highways, double gamma, perp_dual *time)
{
  for (int i = 0; i < TOWNS; i++) {
    time[i] += g(f[i]) + gamma * g(flow_at(f, i, step, 1, highways)); /* on-ramp */
    for (int j = 0; j < highways; j++) {
      const int k = town(i + j * step);
      time[i] += 10 * g(flow_at(f, k, step, 0, highways)) +
                 2 * gamma * g(f[town(k - (highways - 1) * step)]);
      if (j > 0)
        time[i] += g(flow_at(f, k, step, 1, highways)); /* bypass */
    }
    time[i] += g(f[i]); /* off-ramp */
  }
}

static void drive(const perp_dual *x, const double *demand, double gamma, perp_dual *F)
{
  for (int i = 0; i < TOWNS; i++) {
    F[X_ + i] = F[Z_ + i] = -x[Y_ + i];
    F[Y_ + i] = x[X_ + i] + x[Z_ + i] - demand[i];
  }
  add_times(x + X_, 1, 3, gamma, F + X_);
  add_times(x + Z_, -1, 2, gamma, F + Z_);
}

static void light_traffic(const perp_dual *x, perp_dual *F)
{
  drive(x, (const double[]){0.1, 0.2, 0.3, 0.4, 0.5}, 0.5, F);
}

static void heavy_traffic(const perp_dual *x, perp_dual *F)
{
  drive(x, (const double[]){1, 8, 1, 8, 1}, 4, F);
}

static void traffic_bounds(double *lo, double *hi)
{
  (void)hi;
  for (int i = 0; i < TOWNS; i++)
    lo[Y_ + i] = -INFINITY;
}

static void traffic_starts(int k, double *x)
{
  static const double flows[] = {0, 0.5, 100, 0, 0}, times[] = {0, 0.5, 100, 100, 1};
  for (int i = 0; i < UNKNOWNS; i++)
    x[i] = (i < Y_ ? flows : times)[k];
}

const perp_ncp_kind perp_ncp_traffic[] = {
    {"bertsekas-gafni", "drivers on a ring of roads", "bertsekas-gafni-1982", UNKNOWNS, 5,
     traffic_bounds, traffic_starts, light_traffic, NULL},
    {"bertsekas-gafni-heavy", "the same with more drivers, who are more in the way",
     "bertsekas-gafni-1982", UNKNOWNS, 5, traffic_bounds, traffic_starts, heavy_traffic, NULL},
    {0},
};
