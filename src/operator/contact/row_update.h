/* row_update.h: the projected update of a contact row, one text for every layout and number type
 *
 *   y_t += sum of A_ts d_s over the rows s of the contact that were relaxed before t
 *   d_t  = P_t(x_t - step_t y_t) - x_t,   x_t <- x_t + d_t,       step_t = omega / A_tt
 *
 * The caller computes y = A x + b of all rows of the contact from the velocities, relaxes the rows
 * in order, and adds the changes d to the velocities. This gives the values of a row-by-row sweep,
 * rounded differently.
 *
 * A number is a double, a float, or a pair of doubles for two contacts (lanes.h). A layout defines
 * where the numbers of a contact are: rows of J scaled by a factor of Minv, rigid bodies or planar
 * bodies, in the memory of the CPU or of a team of threads. It is a type L with the functions
 *
 *   number L_step(const L *l, int t)         omega / A_tt
 *   number L_coupling(const L *l, int t)     A_ts with the next row s; row 0 follows row 2
 *   bool L_bounds(const L *l, int t, const number *x, number *lower, number *upper)
 *                                           false: there is no upper bound. x: rows before t are new
 *
 * Infinity times a normal of 0 is NaN, for which every comparison is false: the bound stays
 * infinite. */
#pragma once

#include <stdbool.h>

enum { PERP_CONTACT_ROWS = 3 }; /* most rows of a contact */

/* Fields of a packed row after the 2 width numbers of G_i = J_i L, on the CPU and on devices; the
 * CPU omits the bounds if K is x >= 0. */
enum {
  PERP_CONTACT_INVERSE,  /* 1 / A_ii */
  PERP_CONTACT_OWN,      /* C_ii, if C is diagonal */
  PERP_CONTACT_RHS,      /* b_i */
  PERP_CONTACT_COUPLING, /* G_i . G_j, j the next row of the contact; the first row follows the
                          * last */
  PERP_CONTACT_LOWER,    /* lo_i */
  PERP_CONTACT_UPPER,    /* hi_i */
  PERP_CONTACT_EXTRA,    /* their number */
};

/* Fields of a contact of rigid bodies, on the CPU and on devices. The fields after RHS depend on K:
 * mu of Coulomb bounds or of a cone; three lower and three upper bounds of a box. Three numbers of
 * C come last, if there is one. */
enum {
  PERP_RIGID_D,             /* 9: row t of the contact acts along d_t */
  PERP_RIGID_A = 9,         /* 3: lever arm at body a */
  PERP_RIGID_B = 12,        /* 3: at body b */
  PERP_RIGID_STEP = 15,     /* 3: omega / A_tt; on devices 1 / A_tt */
  PERP_RIGID_COUPLING = 18, /* 3: A_01, A_12, A_20 */
  PERP_RIGID_RHS = 21,      /* 3: b_t */
  PERP_RIGID_BOUNDS = 24,
  PERP_RIGID_BODY =
      8, /* numbers per body: velocity, angular velocity, 1/m, I_00; and per inertia */
};

/* Defines, for row t of a contact,
 *
 *   number L_project(l, t, z, x)                              P_t(z)
 *   void L_update(l, t, count, descending, y, x, d)           the update, of count <= 3 rows
 *
 * x and d point to the values of row 0. `qualifier` precedes the functions. not_below(z, lower) and
 * not_above(z, upper) return z or the bound; NaN in z stays. */
#define PERP_ROW_UPDATE(qualifier, number, L, not_below, not_above)                                \
  qualifier number L##_project(const L *l, int t, number z, const number *x)                       \
  {                                                                                                \
    number lower, upper;                                                                           \
    const bool bounded = L##_bounds(l, t, x, &lower, &upper);                                      \
    const number above = not_below(z, lower);                                                      \
    return bounded ? not_above(above, upper) : above;                                              \
  }                                                                                                \
  qualifier void L##_update(const L *l, int t, int count, bool descending, number y, number *x,    \
                            number *d)                                                             \
  {                                                                                                \
    for (int k = 1; k < count; k++) {                                                              \
      const int s = descending ? count - k : k - 1;                                                \
      if (descending ? s > t : s < t)                                                              \
        y += L##_coupling(l, t == (s + 1) % 3 ? s : t) * d[s];                                     \
    }                                                                                              \
    const number z = L##_project(l, t, x[t] - L##_step(l, t) * y, x);                              \
    d[t] = z - x[t];                                                                               \
    x[t] = z;                                                                                      \
  }

/* The comparisons of scalars; CPUs have an instruction for each. */
#define PERP_ROW_NOT_BELOW(z, lower) ((z) < (lower) ? (lower) : (z))
#define PERP_ROW_NOT_ABOVE(z, upper) ((z) > (upper) ? (upper) : (z))
