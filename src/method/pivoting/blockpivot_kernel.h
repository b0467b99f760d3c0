/* blockpivot_kernel.h: block principal pivoting of one dense problem by one team
 *
 * Written once for all devices (device/team.h); the method is that of blockpivot.c. Every row is
 * basic (in F: y_i = 0) or at a bound, which fixes x:
 *
 *   x_i = lo_i or hi_i  (i not in F),   A_FF x_F = -(b_F + A_FN x_N),   y = A x + b
 *
 * and a row is wrong if the other one of x_i and y_i is outside its range. All wrong rows change
 * their places at once; after `trials` steps that do not bring their number below the least so far
 * only the first of them does, Murty's finite rule, until the number falls (Kostreva 1978; Judice,
 * Pires 1994). Finite for P-matrices.
 *
 * A basis and its factor are in blockpivot_basis_kernel.h.
 *
 * One step: m^3 / 6 multiply-adds for the factor of m rows (m^3 / 3 if A is not symmetric) and n m
 * for y. Workspace of a team: perp_pivot_bytes. */
#pragma once

#include "method/pivoting/blockpivot_basis_kernel.h"

/* Pivots from the basis of s->at to a basis without wrong rows. evaluated: x and y belong to the
 * basis. */
TEAM void pivot_steps(perp_team t, perp_pivot *s, const perp_job *job, bool evaluated,
                      bool symmetric, perp_job_end *end)
{
  int least = s->n + 1, left = job->trials;
  end->state = PERP_JOB_LIMIT;
  TEAM_SHORT
  while (end->iterations < job->most) {
    const int failed = evaluated ? PIVOT_FINE : pivot_evaluate(t, s, symmetric);
    evaluated = false;
    end->iterations++;
    if (failed != PIVOT_FINE) {
      end->state = failed == PIVOT_CROWDED ? PERP_JOB_CROWDED : PERP_JOB_SINGULAR;
      end->row = failed;
      return;
    }
    const int wrong = pivot_count_wrong(t, s);
    if (wrong == 0) {
      end->state = PERP_JOB_CLAIMED;
      return;
    }
    if (wrong < least) {
      least = wrong;
      left = job->trials;
    }
    pivot_exchange(t, s, left <= 0);
    left = left > 0 ? left - 1 : 0;
  }
}

/* Computes y of the start x. Returns true if x is a solution. */
TEAM bool pivot_start_solves(perp_team t, perp_pivot *s, double target, bool symmetric)
{
  pivot_gradient(t, s, s->list, pivot_nonzeros(t, s), symmetric);
  return perp_verdict_solved(pivot_residual(t, s), target);
}

/* s->x <- x */
TEAM void pivot_load(perp_team t, perp_pivot *s, const double *x)
{
  TEAM_SHORT
  for (int i = t.lane; i < s->n; i += t.lanes)
    s->x[i] = x[i];
  perp_team_sync(t);
}

/* Judges x, refines it while that helps if the target is not met, and returns to the start if that
 * is better. */
TEAM void pivot_settle(perp_team t, perp_pivot *s, const double *start, double target,
                       int refinements, bool symmetric, perp_job_end *end)
{
  enum { LAST, START, AGAIN };
  int candidate = LAST;
  double best = HUGE_VAL;
  TEAM_SHORT
  for (;;) {
    end->residual = pivot_judge(t, s, symmetric);
    if (perp_verdict_solved(end->residual, target))
      return;
    const bool better = end->residual < best;
    if (candidate == LAST && refinements > 0 && better) {
      best = end->residual;
      refinements--;
      pivot_refine(t, s);
    } else if (candidate == LAST) {
      candidate = START;
      best = end->residual;
      for (int i = t.lane; i < s->n; i += t.lanes)
        s->z[i] = s->x[i];
      perp_team_sync(t);
      pivot_load(t, s, start);
    } else if (candidate == START && !better) {
      candidate = AGAIN;
      pivot_load(t, s, s->z);
    } else {
      return;
    }
  }
}

/* Reports the fault of the data in the job's end. */
TEAM void pivot_tell(const perp_pivot *s, const double *x, int64_t fault, perp_job_end *end)
{
  const int index = (int)(fault & 0x7fffffff);
  end->state = (int)(fault >> 32);
  end->row = end->state == PERP_JOB_BAD_A ? index / s->n : index;
  end->column = end->state == PERP_JOB_BAD_A ? index % s->n : 0;
  end->value = end->state == PERP_JOB_BAD_A       ? pivot_entry(s, end->row, end->column)
               : end->state == PERP_JOB_BAD_B     ? s->b[index]
               : end->state == PERP_JOB_BAD_START ? x[index]
                                                  : 0;
}

/* Solves one checked problem: pivots, x and its residual. */
TEAM void pivot_checked(perp_team t, perp_pivot *s, const perp_job *job, double *x, bool symmetric,
                        perp_job_end *end)
{
  double scale = 0;
  TEAM_SHORT
  for (int i = t.lane; i < s->n; i += t.lanes)
    scale = perp_value_greater(scale, fabs(s->b[i]));
  scale = perp_team_max(t, scale);
  end->scale = scale = perp_verdict_scale(scale);
  const double target = perp_verdict_target(job->tol, scale);
  s->slack = perp_value_greater(0.01 * target, 4 * DBL_EPSILON * scale);
  pivot_load(t, s, x);
  int refinements = 0;
  if (pivot_start_solves(t, s, target, symmetric)) {
    end->state = PERP_JOB_CLAIMED;
  } else {
    const bool evaluated = pivot_begin(t, s);
    pivot_steps(t, s, job, evaluated, symmetric, end);
    if (end->state == PERP_JOB_CROWDED) {
      pivot_load(t, s, x);
      return;
    }
    if (end->state == PERP_JOB_CLAIMED && symmetric)
      refinements = PERP_PIVOT_REFINEMENTS;
  }
  pivot_settle(t, s, x, target, refinements, symmetric, end);
}

/* Solves problem k of the job, with a factor of at most `room` rows; plain: no problem has its own
 * bounds. A problem that the kernel cannot solve gets a state for another kernel: PERP_JOB_SKEW if
 * A is not symmetric, PERP_JOB_CROWDED if the factor would have more rows. `left`: the state of the
 * problems for this kernel, PERP_JOB_NOT_RUN for all. memory: perp_pivot_bytes. */
TEAM void perp_pivot_one(perp_team t, const perp_job *job, int k, int left, int room,
                         bool symmetric, bool plain, double *memory)
{
  if (left != PERP_JOB_NOT_RUN && job->end[k].state != left)
    return;
  const int64_t begin = job->rows ? job->rows[k] : (int64_t)k * job->n;
  const int n = job->rows ? (int)(job->rows[k + 1] - begin) : job->n;
  const int64_t lead = job->lead > 0 ? job->lead : n;
  const int64_t matrix = job->same_A ? 0 : job->matrix ? job->matrix[k] : k * lead * n;
  const int64_t set = job->same_K ? 0 : begin;
  double *x = job->x + begin;
  perp_job_end end = {HUGE_VAL, 1, 0, PERP_JOB_TOO_LARGE, 0, 0, 0, 0, 0};
  if (n <= PERP_JOB_ROWS) {
    perp_pivot s;
    s.n = n;
    s.m = 0;
    s.lead = lead;
    s.room = room < n ? room : n;
    s.A = job->A + matrix;
    s.b = job->b + begin;
    s.lo = !plain && job->lo ? job->lo + set : NULL;
    s.hi = !plain && job->hi ? job->hi + set : NULL;
    pivot_share(&s, memory, symmetric);
    bool is_symmetric = false;
    int64_t fault = symmetric ? pivot_check_matrix(t, &s, &is_symmetric) : INT64_MAX;
    fault = perp_value_least(fault, pivot_check_vectors(t, &s, x));
    if (perp_team_vote(t, fault != INT64_MAX).count > 0)
      fault = perp_team_least(t, fault);
    if (fault != INT64_MAX) {
      pivot_tell(&s, x, fault, &end);
    } else if (symmetric && !is_symmetric) {
      end.state = PERP_JOB_SKEW;
    } else {
      end.state = PERP_JOB_NOT_RUN;
      pivot_checked(t, &s, job, x, symmetric, &end);
      perp_team_sync(t);
      for (int i = t.lane; i < n; i += t.lanes) {
        x[i] = s.x[i];
        if (job->y)
          job->y[begin + i] = s.y[i];
      }
    }
  }
  if (t.lane == 0) {
    perp_job_judge(&end, job->tol);
    job->end[k] = end;
  }
}
