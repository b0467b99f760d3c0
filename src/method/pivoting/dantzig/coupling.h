/* coupling.h: friction bounds that follow their normals, on given index sets; coupling.c has the
 * mathematics */
#pragma once

#include "linalg/dense.h"
#include "linalg/wide.h"
#include "method/pivoting/principal.h"
#include "method/system/active_set.h"
#include "set/set.h"
#include "verdict/natural.h"

enum {
  PERP_COUPLING_SMALL = 64,   /* rows up to which block pivots come first */
  PERP_COUPLING_NORMALS = 16, /* most normals with sliding friction that are solved for directly */
};

/* The side of a friction row that does not move, its bounds being unknown yet; and of all rows
 * before the first examination. */
enum { PERP_SIDE_HELD = 2 };

typedef struct perp_coupling {
  perp_run *run;
  const perp_problem *p;
  perp_principal e; /* the box problem with frozen bounds; its C is the set of all solves */
  bool skew;        /* A is not symmetric: A - S is frozen with the bounds */
  bool cold;        /* the point does not suggest sets */
  bool current;     /* for the owner */
  bool coupled;     /* skew, or there are friction rows */
  double *point;    /* n: the iterate, not necessarily within its bounds */
  double *y;        /* n: A point + b */
  double *before;   /* n: the point that y belongs to, for updates */
  double *relax;    /* n: 1 / A_ii, 1 if A_ii = 0 */
  double *lo, *hi;  /* n: the bounds of the problem, friction rows for a normal of 1 */
  double *best;     /* n: the best point of some steps, for the owner */
  double *scratch;  /* n */
  double *r;        /* n */
  int *side;        /* n: -1 and 1 at the bounds, 0 inside, or held */
  int changes;      /* sides that changed at the last examination */
  int *rows;        /* F: the friction rows at a bound that moves, `count` of them */
  int count;
  double *ratio;                     /* x of row rows[k] over x of its normal */
  double *krylov;                    /* vectors of GMRES, or A_CC^-1 U */
  bool direct;                       /* the next four belong to the current sets */
  int normals;                       /* m */
  int normal[PERP_COUPLING_NORMALS]; /* their positions in C */
  perp_lu lu;                        /* the factor of I + Z_J, in the next two */
  int exchange[PERP_COUPLING_NORMALS];
  double *schur;
} perp_coupling;

/* Takes all memory from the run's arena; the engine works on x. */
perp_error perp_coupling_create(perp_run *run, const perp_problem *p, double *x, perp_coupling *c);

/* Reads bounds and 1 / A_ii of c->p for an examination; all sides are held. */
void perp_coupling_take_rows(perp_coupling *c, const double *A, int64_t ld);
/* Sets the bounds of the box problem, and its b if A is not symmetric, from the engine's x.
 * Afterwards w is up to date only if A is not symmetric. */
void perp_coupling_freeze(perp_coupling *c);
/* Makes projected Gauss-Seidel sweeps with true bounds on the engine's x and w; with `guess` they
 * end when all sides have stayed for two sweeps. Returns true if they stayed in the last. */
bool perp_coupling_sweep(perp_coupling *c, int sweeps, bool guess);
/* Returns the natural residual of the point, by y. The same pass prepares the next step: the sides
 * by the natural map, with friction bounds at the projected normals, the number of changed sides,
 * and the engine's x at those bounds. `cold`: friction rows are held, since the point does not
 * determine their bounds. */
KERNEL double perp_coupling_examine(perp_coupling *c, bool cold)
{
  const int n = c->e.n, *findex = c->p->K.findex;
  const double *point = c->point, *gradient = c->y, *relax = c->relax, *los = c->lo, *his = c->hi;
  double *to = c->e.x, worst = 0, doubt = 0;
  int *sides = c->side, changes = 0;
  for (int i = 0; i < n; i++) {
    const double x = point[i], y = gradient[i];
    const int j = findex ? findex[i] : -1;
    double lo = los[i], hi = his[i], below = x - lo, above = x - hi;
    if (j >= 0) {
      const double at = point[j], lo_one = lo, hi_one = hi;
      lo = perp_bound_times(lo_one, fabs(at)), hi = perp_bound_times(hi_one, fabs(at));
      below = x - lo, above = x - hi;
      if (!(los[j] <= at && at <= his[j])) {
        const double inside = fabs(perp_clamp(at, los[j], his[j]));
        lo = perp_bound_times(lo_one, inside), hi = perp_bound_times(hi_one, inside);
      }
    }
    const double r = perp_natural_mid(y, below, above);
    worst = r > worst ? r : worst;
    doubt += perp_natural_nan(x, y);
    const int side =
        cold && j >= 0 ? PERP_SIDE_HELD : (int)perp_side_guess(x - y * relax[i], lo, hi);
    changes += side != sides[i];
    sides[i] = side;
    to[i] = side == -1 ? lo : side == 1 ? hi : perp_clamp(x, lo, hi);
  }
  c->changes = changes;
  return perp_natural_settle(worst, doubt);
}

/* Makes one block principal pivot from the examination: C from the sides, then the next point with
 * its y, examined. Returns its residual. */
double perp_coupling_step(perp_coupling *c);
