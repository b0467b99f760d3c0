/* vertex.c: from a ray that holds up to rounding to one that holds exactly
 *
 * For l <= G x <= u, lb <= x <= ub: z with
 *
 *   sup { z^T t : l <= t <= u } < inf { g^T x : lb <= x <= ub },   g = G^T z,
 *
 * proves that these x do not exist (Farkas 1902). Interior points give a z with many entries, and
 * g_j that are 0 only up to rounding: but g_j = 0 must hold exactly for an x_j without bounds, and
 * for any g_j with the wrong sign for its only bound.
 *
 * So z moves to a vertex of the cone of rays. Rows S are those with z_i != 0, and columns J ("tight")
 * those with g_j = 0. Gauss-Jordan elimination of G_SJ^T z = 0 gives the basic entries as functions of
 * the others, z_B = -T z_N. An entry k of N moves, in the direction in which the gap sup - inf does not
 * grow, until
 *
 *   z_k = 0                k leaves N
 *   z_b = 0, b basic       k becomes basic instead of b
 *   g_j = 0                j becomes tight, k becomes basic in its equation
 *   nothing ends it        the direction is a ray itself: all other entries of N are 0
 *
 * until one entry of N is left (Megiddo 1991). Then the equations of J determine z up to its length, and
 * mostly few rows are left. These equations are solved in integers (linalg/exact_lp.c), which gives z
 * rounded once, and the signs of its entries. The other g_j and the gap are far from 0: their sums are
 * computed in doubles, with a bound of their rounding.
 *
 * All in the units of the scaled program, powers of two. Cost: |J| |S| numbers for each entry of S that
 * moves, and |S|^3 products of integers at the vertex. */

#include "base/elementary.h"
#include "linalg/exact_lp.h"
#include "linalg/vector.h"

#include <float.h>

/* Rows at a vertex, entries of its equations and of all its columns, bits */
enum { MOST_EXACT = 160, MOST_EQUATIONS = 50000, MOST_SIGNS = 2500, MOST_EXACT_BITS = 16000 };
static const double MOST_ENTRIES = 1e7, PIVOT = 1e-9;

typedef struct {
  const perp_inequalities *s;
  int rows, tight;   /* |S|; rows of T */
  int *row;          /* |S|: rows of G, ascending */
  int *place;        /* m: in S, or -1 */
  double *z;         /* |S| */
  double *cost;      /* |S|: the gap is cost^T z while no sign changes */
  bool *out;         /* |S|: neither basic nor in N any more */
  int *basis;        /* |S|: the row of T in which an entry is basic, or -1 */
  double *T;         /* rows of |S| numbers */
  int *basic;        /* the entry that is basic in a row of T */
  signed char *side; /* n: the sign of g_j; 0: tight or not in a row of S */
  double *g, *size;  /* n: G^T z and the sum of its terms' sizes */
  double *d, *dg;    /* |S| and n: the direction */
} vertex;

static double unit_of(const perp_inequalities *s, int k)
{
  return s->D ? s->D[k] : 1;
}

static double bound_of(const perp_inequalities *s, int k, bool upper)
{
  const double bound = upper ? s->U[k] : s->L[k];
  return k < s->n ? bound / unit_of(s, k) : bound * unit_of(s, k);
}

/* The scaled entry e of row i. */
static double entry(const perp_inequalities *s, int i, int64_t e)
{
  return s->value[e] * unit_of(s, s->n + i) * unit_of(s, s->column[e]);
}

/* g <- G_S^T z, and size <- |G_S|^T |z| if it is not NULL */
static void multiply(const vertex *v, const double *z, double *g, double *size)
{
  const perp_inequalities *s = v->s;
  perp_fill(s->n, 0, g);
  if (size)
    perp_fill(s->n, 0, size);
  for (int i = 0; i < v->rows; i++)
    for (int64_t e = s->start[v->row[i]]; e < s->start[v->row[i] + 1] && z[i] != 0; e++) {
      const double term = entry(s, v->row[i], e) * z[i];
      g[s->column[e]] += term;
      if (size)
        size[s->column[e]] += fabs(term);
    }
}

/* Returns true if g_j of this sign has a bound of x_j to act on. */
static bool has_bound(const perp_inequalities *s, int j, double g)
{
  return !isinf(g > 0 ? s->L[j] : s->U[j]);
}

/* ---- The error of a ray ---- */

static int root_of(int *part, int k)
{
  for (; part[k] != k; k = part[k])
    part[k] = part[part[k]];
  return k;
}

double perp_ray_error(const perp_inequalities *s, double *z, int *part, double *const work[4])
{
  const int n = s->n, m = s->m;
  double *g = work[0], *left = work[1], *size = work[2], *gap = work[3], least = INFINITY;
  int best = -1;
  for (int k = 0; k < n + m; k++) {
    part[k] = k;
    g[k] = left[k] = size[k] = gap[k] = 0;
  }
  for (int i = 0; i < m; i++) {
    if (isinf(z[i] > 0 ? s->U[n + i] : s->L[n + i]))
      z[i] = 0;
    for (int64_t e = s->start[i]; e < s->start[i + 1] && z[i] != 0; e++) {
      g[s->column[e]] += entry(s, i, e) * z[i] / unit_of(s, n + i);
      part[root_of(part, s->column[e])] = root_of(part, n + i);
    }
  }
  for (int i = 0; i < m; i++) {
    const int at = root_of(part, n + i);
    const double scaled = z[i] / unit_of(s, n + i);
    size[at] = perp_max(size[at], fabs(scaled));
    gap[at] += z[i] != 0 ? scaled * bound_of(s, n + i, z[i] > 0) : 0;
  }
  for (int j = 0; j < n; j++) {
    const int at = root_of(part, j);
    if (g[j] != 0 && has_bound(s, j, g[j]))
      gap[at] -= g[j] * bound_of(s, j, g[j] < 0);
    else
      left[at] = perp_max(left[at], fabs(g[j]));
  }
  for (int k = 0; k < n + m; k++)
    if (gap[k] < 0 && left[k] / perp_min(size[k], -gap[k]) < least) {
      least = left[k] / perp_min(size[k], -gap[k]);
      best = k;
    }
  for (int i = 0; i < m; i++)
    z[i] = root_of(part, n + i) == best ? z[i] : 0;
  return least;
}

/* ---- The vertex ---- */

/* Sets the signs of g, which is 0 within `tiny` of its terms. Returns the number of tight columns. */
static int find_tight(const vertex *v, double tiny)
{
  int tight = 0;
  for (int j = 0; j < v->s->n; j++) {
    const bool bounded = has_bound(v->s, j, 1) && has_bound(v->s, j, -1);
    const bool zero = fabs(v->g[j]) <= (bounded ? PIVOT : tiny) * v->size[j];
    v->side[j] = 0;
    if (v->size[j] > 0 && !zero && has_bound(v->s, j, v->g[j]))
      v->side[j] = v->g[j] > 0 ? 1 : -1;
    tight += v->size[j] > 0 && v->side[j] == 0;
  }
  return tight;
}

static void find_cost(const vertex *v)
{
  const perp_inequalities *s = v->s;
  for (int i = 0; i < v->rows; i++) {
    v->cost[i] = bound_of(s, s->n + v->row[i], v->z[i] > 0);
    for (int64_t e = s->start[v->row[i]]; e < s->start[v->row[i] + 1]; e++) {
      const int j = s->column[e];
      if (v->side[j] != 0)
        v->cost[i] -= entry(s, v->row[i], e) * bound_of(s, j, v->side[j] < 0);
    }
  }
}

static double *row_of(const vertex *v, int r)
{
  return v->T + (size_t)r * (size_t)v->rows;
}

/* Makes entry k basic in row r, and removes it from the other rows. */
static void eliminate(const vertex *v, int r, int k)
{
  double *from = row_of(v, r);
  perp_multiply(v->rows, 1 / from[k], from);
  from[k] = 1;
  for (int i = 0; i < v->tight; i++) {
    double *to = row_of(v, i);
    const double factor = to[k];
    if (i == r || factor == 0)
      continue;
    perp_axpy(v->rows, -factor, from, to);
    to[k] = 0;
  }
  v->basic[r] = k;
  v->basis[k] = r;
}

/* The entries of column j of G in the rows of S. */
static void take_column(const vertex *v, int j, double *to)
{
  const perp_inequalities *s = v->s;
  perp_fill(v->rows, 0, to);
  for (int64_t e = s->t_start[j]; e < s->t_start[j + 1]; e++)
    if (v->place[s->t_column[e]] >= 0)
      to[v->place[s->t_column[e]]] = s->t_value[e] * s->D[s->n + s->t_column[e]] * s->D[j];
}

/* Eliminates the tight columns: pivots are large, in entries that are large. Equations that depend on
 * others are dropped. */
static void reduce(vertex *v, int tight)
{
  for (int j = 0, at = 0; j < v->s->n; j++)
    if (v->side[j] == 0 && v->size[j] > 0)
      take_column(v, j, row_of(v, at++));
  v->tight = tight;
  for (int r = 0; r < v->tight;) {
    double *row = row_of(v, r), most = 0;
    int best = -1;
    for (int c = 0; c < v->rows; c++)
      if (v->basis[c] < 0 && fabs(row[c]) > PIVOT && fabs(row[c] * v->z[c]) > most) {
        best = c;
        most = fabs(row[c] * v->z[c]);
      }
    if (best >= 0)
      eliminate(v, r++, best);
    else if (--v->tight > r)
      perp_copy(v->rows, row_of(v, v->tight), row);
  }
  for (int r = 0; r < v->tight; r++) {
    double sum = 0;
    for (int c = 0; c < v->rows; c++)
      sum += v->basis[c] < 0 ? row_of(v, r)[c] * v->z[c] : 0;
    v->z[v->basic[r]] = -sum;
  }
}

/* Adds the equation of column j, in which k becomes basic. */
static void add_equation(vertex *v, int j, int k)
{
  double *row = row_of(v, v->tight);
  take_column(v, j, row);
  for (int r = 0; r < v->tight; r++) {
    const double factor = row[v->basic[r]];
    if (factor != 0)
      perp_axpy(v->rows, -factor, row_of(v, r), row);
    row[v->basic[r]] = 0;
  }
  v->tight++;
  eliminate(v, v->tight - 1, k);
}

/* Moves entry k of N until something ends it. */
static void move(vertex *v, int k)
{
  double slope = v->cost[k];
  perp_fill(v->rows, 0, v->d);
  v->d[k] = 1;
  for (int r = 0; r < v->tight; r++) {
    v->d[v->basic[r]] = -row_of(v, r)[k];
    slope -= row_of(v, r)[k] * v->cost[v->basic[r]];
  }
  if (slope > 0 || (slope == 0 && v->z[k] > 0))
    perp_multiply(v->rows, -1, v->d);
  multiply(v, v->d, v->dg, NULL);
  double length = INFINITY;
  int hit = -1, column = -1;
  for (int i = 0; i < v->rows; i++)
    if (!v->out[i] && v->d[i] * v->z[i] < 0 && -v->z[i] / v->d[i] < length &&
        (i == k || fabs(v->d[i]) > PIVOT)) {
      length = -v->z[i] / v->d[i];
      hit = i;
    }
  for (int j = 0; j < v->s->n; j++)
    if (v->side[j] * v->dg[j] < -PIVOT && v->side[j] * v->g[j] < -v->side[j] * v->dg[j] * length) {
      length = perp_max(-v->g[j] / v->dg[j], 0);
      column = j;
    }
  if (isinf(length)) {
    for (int i = 0; i < v->rows; i++) {
      v->z[i] = v->d[i];
      v->out[i] = v->out[i] || (v->basis[i] < 0 && i != k);
    }
  } else {
    perp_axpy(v->rows, length, v->d, v->z);
    if (column >= 0) {
      v->side[column] = 0;
      add_equation(v, column, k);
    } else {
      v->z[hit] = 0;
      v->out[hit] = true;
      if (hit != k) {
        const int r = v->basis[hit];
        v->basis[hit] = -1;
        eliminate(v, r, k);
      }
    }
  }
  multiply(v, v->z, v->g, NULL);
  find_cost(v);
}

/* Returns the entry of N that is the smallest, and the number of them. */
static int smallest(const vertex *v, int *count)
{
  int best = -1;
  *count = 0;
  for (int i = 0; i < v->rows; i++)
    if (!v->out[i] && v->basis[i] < 0) {
      ++*count;
      if (best < 0 || fabs(v->z[i]) < fabs(v->z[best]))
        best = i;
    }
  return best;
}

/* Keeps the rows in which z is more than `tiny` of its largest entry. */
static void keep(vertex *v, double tiny)
{
  const double most = perp_norm_inf(v->rows, v->z);
  int at = 0;
  for (int i = 0; i < v->rows; i++) {
    const int row = v->row[i];
    const double z = v->z[i];
    v->place[row] = -1;
    if (!(fabs(z) > tiny * most) || isinf(bound_of(v->s, v->s->n + row, z > 0)))
      continue;
    v->place[row] = at;
    v->row[at] = row;
    v->z[at++] = z / most;
  }
  v->rows = at;
  multiply(v, v->z, v->g, v->size);
}

typedef struct {
  const perp_inequalities *s;
  int64_t left;
} budget;

static bool may_go_on(void *context)
{
  budget *b = context;
  return b->left-- > 0 && b->s->go_on(b->s->context);
}

/* Finds z in integers. Equations: g_j = 0 in tight columns, and the signs of z are those of the
 * vertex. Otherwise any z on these rows with a gap of about -1: g_j has the sign of its bound in all
 * columns. This is for decimal numbers rounded to doubles: the equations of a vertex may then
 * contradict one another. */
static bool solve_exactly(vertex *v, bool equations, perp_arena *arena)
{
  const perp_inequalities *s = v->s;
  const int stride = v->rows + 1;
  int count = 0, at = 0;
  double *a;
  perp_lp *lp;
  for (int j = 0; j < s->n; j++)
    count += v->size[j] > 0 && (v->side[j] == 0 || !equations);
  if (v->rows > MOST_EXACT || count * v->rows > (equations ? MOST_EQUATIONS : MOST_SIGNS) ||
      !PERP_TAKE_ZERO(arena, PERP_ARRAY(a, (count + 1) * stride)))
    return false;
  for (int j = 0; j < s->n; j++)
    if (v->size[j] > 0 && (v->side[j] == 0 || !equations))
      take_column(v, j, a + stride * at++);
  for (int i = 0; i < count * stride; i++)
    if (a[i] != 0 && fabs(a[i]) < DBL_MIN) /* scaling has rounded it */
      return false;
  int largest = 0;
  for (int i = 1; i < v->rows; i++)
    largest = fabs(v->z[i]) > fabs(v->z[largest]) ? i : largest;
  for (int i = 0; i < v->rows && !equations; i++)
    a[count * stride + i] = (float)v->cost[i]; /* few bits: the gap is checked later */
  if (equations)
    a[count * stride + largest] = v->z[largest] > 0 ? -1 : 1;
  a[count * stride + v->rows] = 1;
  const double none[1] = {0};
  if (perp_lp_create(arena, count + 1, v->rows, a, stride, 1, none, MOST_EXACT_BITS, &lp))
    return false;
  perp_lp_set_bounds(lp, v->rows + count, 0, 0);
  for (int j = 0, r = v->rows; j < s->n; j++) {
    const bool up = has_bound(s, j, 1), down = has_bound(s, j, -1), both = up && down;
    if (v->size[j] > 0 && (v->side[j] == 0 || !equations))
      perp_lp_set_bounds(lp, r++, equations || !down || (both && v->side[j] >= 0) ? 0 : -INFINITY,
                         equations || !up || (both && v->side[j] <= 0) ? 0 : INFINITY);
  }
  for (int i = 0; i < v->rows && !equations; i++)
    perp_lp_set_bounds(lp, i, v->z[i] > 0 ? 0 : -INFINITY, v->z[i] > 0 ? INFINITY : 0);
  int64_t pivots = 0;
  budget b = {s, 4 * (count + v->rows)};
  perp_lp_watch(lp, may_go_on, &b);
  if (!perp_lp_feasible(lp, &pivots) || perp_lp_was_stopped(lp) ||
      (equations && !perp_lp_is_point(lp)))
    return false;
  for (int i = 0; i < v->rows; i++) {
    if (equations && perp_lp_compare(lp, i, 0) != (v->z[i] > 0 ? 1 : -1))
      return false;
    v->z[i] = perp_lp_value(lp, i);
  }
  return true;
}

/* Returns true if the gap is below 0, and if signs are to be checked, all g_j that are not tight have
 * theirs, whatever rounding does: a sum is off by less than `rounding` times the sizes of its terms. */
static bool is_proof(const vertex *v, bool signs)
{
  const double rounding = 4 * DBL_EPSILON * (v->s->n + v->rows + 8);
  double gap = 0, size = 0;
  multiply(v, v->z, v->g, v->size);
  for (int i = 0; i < v->rows; i++) {
    const double bound = bound_of(v->s, v->s->n + v->row[i], v->z[i] > 0);
    const double term = v->z[i] != 0 ? v->z[i] * bound : 0;
    gap += term;
    size += fabs(term);
  }
  for (int j = 0; j < v->s->n; j++) {
    const bool up = has_bound(v->s, j, 1), down = has_bound(v->s, j, -1), tight = v->side[j] == 0;
    if (!(v->size[j] > 0) || (!up && !down)) /* no bounds: g_j = 0 */
      continue;
    const double bound = bound_of(v->s, j, tight ? !up : v->side[j] < 0);
    if (signs && !tight && !(v->side[j] * v->g[j] > rounding * v->size[j]))
      return false;
    gap -= v->g[j] * bound;
    size += v->size[j] * fabs(bound);
  }
  return gap < -2 * rounding * size;
}

/* Moves z to a vertex. Returns true if it is one up to rounding. */
static bool find_vertex(vertex *v, double tiny, perp_arena *arena)
{
  const int tight = find_tight(v, tiny);
  const size_t rows = (size_t)v->rows;
  int count;
  if (rows == 0 || (double)rows * (double)(tight + v->rows) > MOST_ENTRIES ||
      !PERP_TAKE(arena, PERP_ARRAY(v->T, ((size_t)tight + rows) * rows)) ||
      !PERP_TAKE_ZERO(arena, PERP_ARRAY(v->cost, rows), PERP_ARRAY(v->out, rows),
                      PERP_ARRAY(v->basis, rows), PERP_ARRAY(v->basic, (size_t)tight + rows),
                      PERP_ARRAY(v->d, rows)))
    return false;
  perp_fill_integers(v->rows, -1, v->basis);
  reduce(v, tight);
  multiply(v, v->z, v->g, NULL);
  find_cost(v);
  for (int k = smallest(v, &count); count > 1 && v->s->go_on(v->s->context);
       k = smallest(v, &count))
    move(v, k);
  keep(v, PIVOT);
  return count == 1 && v->rows > 0;
}

/* z <- the proof, in the units of the data. Returns true if its doubles hold. */
static bool offer(const vertex *v, double *z)
{
  perp_fill(v->s->m, 0, z);
  for (int i = 0; i < v->rows; i++)
    z[v->row[i]] = v->z[i] * v->s->D[v->s->n + v->row[i]];
  return v->s->holds(v->s->context, z);
}

static bool prove_at(const perp_inequalities *s, const double *z, double tiny, perp_arena *arena)
{
  enum { PASSES = 3 }; /* the later ones without the rounding of the first */
  const size_t n = (size_t)s->n, m = (size_t)s->m;
  bool proven = false, held = false;
  double *ray;
  vertex v = {.s = s, .rows = s->m};
  if (!PERP_TAKE(arena, PERP_ARRAY(v.row, m), PERP_ARRAY(v.place, m), PERP_ARRAY(v.z, m),
                 PERP_ARRAY(v.side, n), PERP_ARRAY(v.g, n), PERP_ARRAY(v.size, n),
                 PERP_ARRAY(v.dg, n), PERP_ARRAY(ray, m)))
    return false;
  for (int i = 0; i < s->m; i++) {
    v.row[i] = i;
    v.z[i] = z[i] / s->D[s->n + i];
  }
  keep(&v, tiny);
  for (int pass = 0; pass < PASSES && !proven; pass++) {
    if (!find_vertex(&v, pass == 0 ? tiny : PIVOT, arena))
      break;
    find_tight(&v, PIVOT);
    find_cost(&v);
    for (int way = 0; way < 2 && !held; way++)
      if (solve_exactly(&v, way == 0, arena) && is_proof(&v, way == 0)) {
        held = offer(&v, ray);
        proven = true;
      }
  }
  return proven;
}

bool perp_vertex_prove(const perp_inequalities *s, const double *z)
{
  static const double tiny[] = {1e-7, 1e-5, 1e-3};
  bool proven = false;
  for (size_t k = 0; k < sizeof tiny / sizeof *tiny && !proven; k++) {
    perp_arena arena = {0};
    proven = prove_at(s, z, tiny[k], &arena);
    perp_arena_free(&arena);
  }
  return proven;
}
