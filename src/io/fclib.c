/* fclib.c: friction problems in the HDF5 files of FCLib (Acary et al. 2014)
 *
 * The library itself ends the program if a file is broken, so this file reads and writes the
 * layout on its own. A matrix is a group with the datasets m, n, nzmax, nz, p, i and x:
 *
 *   nz >= 0    p columns and i rows of nz entries, as CSparse has them and all files do; the comment
 *              in the header of FCLib has them the other way round
 *   nz = -1    compressed columns: p has n + 1 starts, i the rows
 *   nz = -2    compressed rows: p has m + 1 starts, i the columns
 *
 * fclib.h says what the groups mean. */
#include <perp/fclib.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/message.h"
#include "io/file.h"
#include "operator/operator.h"

#ifdef PERP_HAVE_FCLIB

#include "io/fclib_file.h"
#include "io/structure.h"
#include "linalg/dense.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const perp_fclib_groups[PERP_FCLIB_GROUPS] = {"fclib_local", "fclib_global",
                                                          "fclib_global_rolling"};

PERP_CHECK_FORMAT(3, 4)
static perp_error fail(const fclib_file *f, const char *dataset, const char *format, ...)
{
  char text[300];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return perp_fail(f->why, PERP_ERROR_FILE, "%s: /%s/%s %s", perp_path_shown(f->path), f->group,
                   dataset, text);
}

/* ---- Datasets ---- */

/* Returns true if the dataset exists, and all groups above it. */
static bool has(const fclib_file *f, const char *name)
{
  char path[96];
  snprintf(path, sizeof path, "/%s/%s", f->group, name);
  for (char *c = path + 1;; c++) {
    const char end = *c;
    if (end && end != '/')
      continue;
    *c = 0;
    if (H5Lexists(f->id, path, H5P_DEFAULT) <= 0)
      return false;
    *c = end;
    if (!end)
      return true;
  }
}

/* Reads `count` numbers of a type into the arena. */
static perp_error read_array(fclib_file *f, const char *name, int64_t count, hid_t type,
                             size_t size, void **values)
{
  char path[96];
  snprintf(path, sizeof path, "/%s/%s", f->group, name);
  if (!has(f, name))
    return fail(f, name, "is missing");
  const hid_t set = H5Dopen2(f->id, path, H5P_DEFAULT);
  if (set < 0)
    return fail(f, name, "is not a dataset");
  perp_error error = PERP_OK;
  const hid_t space = H5Dget_space(set), own = H5Dget_type(set);
  const int64_t there = space < 0 ? -1 : (int64_t)H5Sget_simple_extent_npoints(space);
  const H5T_class_t kind = H5Tget_class(own);
  if (kind != H5T_INTEGER && kind != H5T_FLOAT)
    error = fail(f, name, "does not hold numbers");
  else if (there != count)
    error = fail(f, name, "has %lld numbers instead of %lld", (long long)there, (long long)count);
  else if (!(*values = perp_arena_alloc(&f->arena, (size_t)count, size)))
    error = perp_path_no_memory(f->path, f->why);
  else if (count > 0 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *values) < 0)
    error = fail(f, name, "cannot be read");
  H5Tclose(own);
  H5Sclose(space);
  H5Dclose(set);
  return error;
}

static perp_error read_reals(fclib_file *f, const char *name, int64_t count, double **values)
{
  const perp_error error =
      read_array(f, name, count, H5T_NATIVE_DOUBLE, sizeof **values, (void **)values);
  for (int64_t k = 0; k < count && !error; k++)
    if (!isfinite((*values)[k]))
      return fail(f, name, "has %g at %lld, which is not finite", (*values)[k], (long long)k);
  return error;
}

static perp_error read_integers(fclib_file *f, const char *name, int64_t count, int **values)
{
  return read_array(f, name, count, H5T_NATIVE_INT, sizeof **values, (void **)values);
}

static perp_error read_integer(fclib_file *f, const char *name, int *value)
{
  int *one;
  const perp_error error = read_integers(f, name, 1, &one);
  if (!error)
    *value = *one;
  return error;
}

/* ---- Matrices ---- */

/* A matrix by entries in any order, in the arena. */
typedef struct triplets {
  int m, n;
  perp_triplets e;
} triplets;

/* Expands the starts p of `lines` compressed lines into the line of each entry. */
static perp_error expand(fclib_file *f, const char *name, int lines, int64_t count, const int *p,
                         int *line)
{
  for (int k = 0; k <= lines; k++)
    if (p[k] < (k > 0 ? p[k - 1] : 0) || p[k] > (k > 0 ? count : 0) || (k == lines && p[k] < count))
      return fail(f, name, "has %d at %d, but it must ascend from 0 to %lld", p[k], k,
                  (long long)count);
  for (int k = 0; k < lines; k++)
    for (int e = p[k]; e < p[k + 1]; e++)
      line[e] = k;
  return PERP_OK;
}

static perp_error check_indices(fclib_file *f, const char *name, int64_t count, const int *index,
                                int most)
{
  for (int64_t e = 0; e < count; e++)
    if (index[e] < 0 || index[e] >= most)
      return fail(f, name, "has %d at %lld, which is not in 0 .. %d", index[e], (long long)e,
                  most - 1);
  return PERP_OK;
}

static perp_error read_matrix(fclib_file *f, const char *name, triplets *a)
{
  char part[7][32];
  static const char *const parts[7] = {"m", "n", "nzmax", "nz", "p", "i", "x"};
  for (int k = 0; k < 7; k++)
    snprintf(part[k], sizeof part[k], "%s/%s", name, parts[k]);
  int nzmax = 0, nz = 0, *p, *i;
  perp_error error = PERP_OK;
  if ((error = read_integer(f, part[0], &a->m)) || (error = read_integer(f, part[1], &a->n)) ||
      (error = read_integer(f, part[2], &nzmax)) || (error = read_integer(f, part[3], &nz)))
    return error;
  if (a->m < 0 || a->n < 0 || nzmax < 0)
    return fail(f, name, "has m = %d, n = %d and nzmax = %d: none may be negative", a->m, a->n,
                nzmax);
  if (nz < -2 || nz > nzmax)
    return fail(f, part[3], "is %d; it must be -2 (rows), -1 (columns) or 0 .. %d (triplets)", nz,
                nzmax);
  const int lines = nz == -1 ? a->n : a->m;
  a->e.count = nz >= 0 ? nz : nzmax;
  if ((error = read_integers(f, part[4], nz >= 0 ? nz : (int64_t)lines + 1, &p)) ||
      (error = read_integers(f, part[5], a->e.count, &i)) ||
      (error = read_reals(f, part[6], a->e.count, &a->e.value)))
    return error;
  if (nz >= 0) {
    a->e.row = i;
    a->e.column = p;
  } else {
    int *line = perp_arena_alloc(&f->arena, (size_t)a->e.count, sizeof *line);
    if (!line)
      return perp_path_no_memory(f->path, f->why);
    if ((error = expand(f, part[4], lines, a->e.count, p, line)))
      return error;
    a->e.row = nz == -1 ? i : line;
    a->e.column = nz == -1 ? line : i;
  }
  error = check_indices(f, part[nz == -2 ? 4 : 5], a->e.count, a->e.row, a->m);
  return error ? error : check_indices(f, part[nz == -2 ? 5 : 4], a->e.count, a->e.column, a->n);
}

/* Appends the entries of `a`, or of its transpose, at an offset. */
static void append(triplets *to, const triplets *a, bool transposed, int row, int column)
{
  for (int64_t e = 0; e < a->e.count; e++)
    perp_triplets_add(&to->e, row + (transposed ? a->e.column : a->e.row)[e],
                      column + (transposed ? a->e.row : a->e.column)[e], a->e.value[e]);
}

static bool take(fclib_file *f, triplets *a, int m, int n, int64_t count)
{
  *a = (triplets){.m = m, .n = n};
  return PERP_TAKE(&f->arena, PERP_ARRAY(a->e.row, count), PERP_ARRAY(a->e.column, count),
                   PERP_ARRAY(a->e.value, count));
}

/* Compressed rows; repeated entries are added up. */
static bool compress(const triplets *a, perp_mtx *rows)
{
  const bool done = perp_mtx_compress(&a->e, a->m, a->n, rows);
  if (done)
    perp_mtx_merge(rows);
  return done;
}

/* ---- Reading ---- */

/* A and b of a local problem; *rows of contacts, *equations after them. */
static perp_error read_local(fclib_file *f, perp_instance *p, int *rows, int *equations)
{
  triplets W, V = {0}, R = {0}, A;
  double *q, *s = NULL;
  perp_error error = read_matrix(f, "W", &W);
  if (!error && W.m != W.n)
    error = fail(f, "W", "is %d x %d, not square", W.m, W.n);
  const bool mixed = !error && has(f, "V");
  if (!error && mixed && !(error = read_matrix(f, "V", &V)) && !(error = read_matrix(f, "R", &R)) &&
      (V.m != W.m || R.m != V.n || R.n != V.n))
    error = fail(f, "V", "is %d x %d, but W has %d rows and R %d", V.m, V.n, W.m, R.m);
  if (!error)
    error = read_reals(f, "vectors/q", W.m, &q);
  if (!error && mixed)
    error = read_reals(f, "vectors/s", V.n, &s);
  if (error)
    return error;
  perp_mtx c = {.path = f->path};
  const int n = W.m + V.n;
  if (!take(f, &A, n, n, W.e.count + 2 * V.e.count + R.e.count))
    return perp_path_no_memory(f->path, f->why);
  append(&A, &W, false, 0, 0);
  append(&A, &V, false, 0, W.m);
  append(&A, &V, true, W.m, 0);
  append(&A, &R, false, W.m, W.m);
  p->b = perp_alloc((size_t)n, sizeof *p->b);
  error = p->b && compress(&A, &c) ? perp_structure_plain(&c, &p->A, f->why)
                                   : perp_path_no_memory(f->path, f->why);
  for (int i = 0; i < n && p->b; i++)
    p->b[i] = i < W.m ? q[i] : s[i - W.m];
  *rows = W.m;
  *equations = V.n;
  perp_mtx_free(&c);
  return error;
}

/* Adds the other triangle if M has only one, as files of LMGC do. Returns false when out of memory. */
static bool complete(fclib_file *f, triplets *M)
{
  bool upper = false, lower = false;
  for (int64_t e = 0; e < M->e.count; e++) {
    upper = upper || M->e.column[e] > M->e.row[e];
    lower = lower || M->e.column[e] < M->e.row[e];
  }
  if (upper == lower)
    return true;
  triplets whole;
  if (!take(f, &whole, M->m, M->n, 2 * M->e.count))
    return false;
  append(&whole, M, false, 0, 0);
  for (int64_t e = 0; e < M->e.count; e++)
    if (M->e.row[e] != M->e.column[e])
      perp_triplets_add(&whole.e, M->e.column[e], M->e.row[e], M->e.value[e]);
  *M = whole;
  return true;
}

/* Returns true if M is symmetric up to rounding of its rows, as perp_operator_contact requires. */
static bool is_symmetric(const perp_mtx *M)
{
  for (int i = 0; i < M->rows; i++) {
    double largest = 0;
    for (int64_t e = M->start[i]; e < M->start[i + 1]; e++)
      largest = perp_max(largest, fabs(M->value[e]));
    for (int64_t e = M->start[i]; e < M->start[i + 1]; e++)
      if (fabs(perp_mtx_entry(M, M->column[e], i) - M->value[e]) > 1e-12 * largest)
        return false;
  }
  return true;
}

/* A and b of a global problem whose M is not symmetric, as some files have it: A = J M^-1 J^T is
 * assembled, column by column. b has (w, b) on entry. */
static perp_error assemble(fclib_file *f, const perp_mtx *M, const perp_mtx *J, const double *force,
                           perp_instance *p)
{
  enum { MOST = 3000 };
  const int m = M->rows, n = J->rows;
  if (m > MOST)
    return fail(f, "M", "is not symmetric and has more than %d rows", MOST);
  double *dense, *z, *A;
  int *swap;
  if (!PERP_TAKE_ZERO(&f->arena, PERP_ARRAY(dense, (size_t)m * (size_t)m), PERP_ARRAY(z, m),
                      PERP_ARRAY(A, (size_t)n * (size_t)n), PERP_ARRAY(swap, m)))
    return perp_path_no_memory(f->path, f->why);
  for (int i = 0; i < m; i++)
    for (int64_t e = M->start[i]; e < M->start[i + 1]; e++)
      dense[(size_t)i * (size_t)m + (size_t)M->column[e]] = M->value[e];
  const perp_lu lu = perp_lu_factor(m, dense, m, swap);
  if (lu.singular >= 0)
    return fail(f, "M", "is singular: column %d has no pivot", lu.singular);
  for (int j = 0; j <= n; j++) { /* z <- M^-1 J_j^T, in the end M^-1 f */
    for (int k = 0; k < m; k++)
      z[k] = j < n ? 0 : force[k];
    for (int64_t e = J->start[j]; j < n && e < J->start[j + 1]; e++)
      z[J->column[e]] = J->value[e];
    perp_lu_solve(&lu, z);
    for (int i = 0; i < n; i++) {
      double *sum = j < n ? A + (size_t)i * (size_t)n + j : p->b + i;
      for (int64_t e = J->start[i]; e < J->start[i + 1]; e++)
        *sum += J->value[e] * z[J->column[e]];
    }
  }
  return perp_operator_dense(n, A, n, PERP_COPY, &p->A, f->why);
}

/* A contact operator, and b + J M^-1 f. */
static perp_error make_contact(fclib_file *f, const perp_mtx *M, const perp_mtx *J,
                               const double *force, perp_instance *p)
{
  perp_contact_data data = perp_contact_data_default();
  data.rows = J->rows;
  data.velocities = M->rows;
  data.J_start = J->start;
  data.J_column = J->column;
  data.J_value = J->value;
  data.M_start = M->start;
  data.M_column = M->column;
  data.M_value = M->value;
  perp_message inner;
  perp_error error = perp_operator_contact(&data, PERP_COPY, &p->A, &inner);
  if (error)
    return fail(f, "M", "is not a mass matrix: %.200s", inner.text);
  double *v = perp_arena_alloc(&f->arena, (size_t)M->rows, sizeof *v);
  if (!v)
    return perp_path_no_memory(f->path, f->why);
  error = perp_contact_accelerate(p->A, force, v, f->why);
  return error ? error : perp_contact_bias(p->A, v, p->b, p->b, f->why);
}

/* A contact operator with J = [H G]^T, and b = J M^-1 f + (w, b). */
static perp_error read_global(fclib_file *f, perp_instance *p, int *rows, int *equations)
{
  triplets M, H, G = {0}, J;
  double *force, *w, *b = NULL;
  perp_error error = read_matrix(f, "M", &M);
  if (!error)
    error = read_matrix(f, "H", &H);
  if (!error && (M.m != M.n || H.m != M.n))
    error = fail(f, "H", "has %d rows, but M is %d x %d", H.m, M.m, M.n);
  const bool mixed = !error && has(f, "G");
  if (!error && mixed && !(error = read_matrix(f, "G", &G)) && G.m != M.n)
    error = fail(f, "G", "has %d rows, but M has %d", G.m, M.n);
  if (!error && !(error = read_reals(f, "vectors/f", M.m, &force)))
    error = read_reals(f, "vectors/w", H.n, &w);
  if (!error && mixed)
    error = read_reals(f, "vectors/b", G.n, &b);
  if (error)
    return error;
  perp_mtx mass = {0}, j = {0};
  const int n = H.n + G.n;
  if (!take(f, &J, n, M.m, H.e.count + G.e.count))
    return perp_path_no_memory(f->path, f->why);
  append(&J, &H, true, 0, 0);
  append(&J, &G, true, H.n, 0);
  p->b = perp_alloc((size_t)n, sizeof *p->b);
  for (int i = 0; i < n && p->b; i++)
    p->b[i] = i < H.n ? w[i] : b[i - H.n];
  *rows = H.n;
  *equations = G.n;
  if (!p->b || !complete(f, &M) || !compress(&M, &mass) || !compress(&J, &j))
    error = perp_path_no_memory(f->path, f->why);
  else
    error = (is_symmetric(&mass) ? make_contact : assemble)(f, &mass, &j, force, p);
  perp_mtx_free(&mass);
  perp_mtx_free(&j);
  return error;
}

/* mu <- a coefficient per contact */
static perp_error read_friction(fclib_file *f, const char *name, int contacts, double **mu)
{
  perp_error error = read_reals(f, name, contacts, mu);
  for (int c = 0; c < contacts && !error; c++)
    if (!((*mu)[c] >= 0 && (*mu)[c] <= 1e100))
      error = fail(f, name, "has %g at %d; friction coefficients are from 0 to 1e100", (*mu)[c], c);
  return error;
}

/* Planar contacts: friction indices. */
static bool take_planar(perp_instance *p, int contacts, int n, const double *mu)
{
  p->findex = perp_alloc((size_t)n, sizeof *p->findex);
  for (int i = 0; i < n && p->findex; i++)
    p->findex[i] = -1;
  for (int c = 0; c < contacts && p->findex; c++)
    perp_set_planar(2 * c, 2 * c + 1, mu[c], p->lo, p->hi, p->findex);
  return p->findex != NULL;
}

/* Rolling contacts: normal, two slides, two rolls, a disc for each. */
static bool take_rolling(perp_instance *p, int contacts, const double *mu, const double *mu_r)
{
  p->mu = perp_alloc_zero(5 * (size_t)contacts, sizeof *p->mu);
  p->dim = perp_alloc((size_t)contacts, sizeof *p->dim);
  p->law = perp_alloc((size_t)contacts, sizeof *p->law);
  if (!p->mu || !p->dim || !p->law)
    return false;
  for (int c = 0; c < contacts; c++) {
    p->dim[c] = 5;
    p->law[c] = PERP_FRICTION_DISCS;
    p->mu[5 * c] = p->mu[5 * c + 1] = mu[c];
    p->mu[5 * c + 3] = p->mu[5 * c + 4] = mu_r[c];
  }
  return true;
}

/* The contact law by spacedim, 2, 3 or 5 rows. The equations have no bounds. */
static perp_error read_law(fclib_file *f, perp_instance *p, int rows, int equations)
{
  int dimension = 0;
  const bool rolling = strcmp(f->group, perp_fclib_groups[PERP_FCLIB_ROLLING]) == 0;
  perp_error error = read_integer(f, "spacedim", &dimension);
  if (!error && (rolling ? dimension != 5 : dimension != 2 && dimension != 3))
    error = fail(f, "spacedim", "is %d, but contacts have %s rows", dimension,
                 rolling ? "5" : "2 or 3");
  if (!error && rows % dimension != 0)
    error = fail(f, "spacedim", "is %d, which does not divide the %d rows of contacts", dimension,
                 rows);
  if (error)
    return error;
  const int contacts = rows / dimension, n = rows + equations;
  double *mu, *mu_r = NULL;
  error = read_friction(f, "vectors/mu", contacts, &mu);
  if (!error && rolling)
    error = read_friction(f, "vectors/mu_r", contacts, &mu_r);
  if (error)
    return error;
  if (dimension == 2 || equations > 0) {
    p->lo = perp_alloc((size_t)n, sizeof *p->lo);
    p->hi = perp_alloc((size_t)n, sizeof *p->hi);
    if (!p->lo || !p->hi)
      return perp_path_no_memory(f->path, f->why);
    for (int i = 0; i < n; i++) {
      p->lo[i] = -INFINITY;
      p->hi[i] = INFINITY;
    }
  }
  p->cones = dimension == 2 ? 0 : contacts;
  if (dimension == 2)
    return take_planar(p, contacts, n, mu) ? PERP_OK : perp_path_no_memory(f->path, f->why);
  if (rolling)
    return take_rolling(p, contacts, mu, mu_r) ? PERP_OK : perp_path_no_memory(f->path, f->why);
  p->mu = perp_alloc_copy(mu, (size_t)contacts, sizeof *mu);
  return p->mu ? PERP_OK : perp_path_no_memory(f->path, f->why);
}

/* x <- (r, l) of /solution, if it is there. */
static perp_error read_solution(fclib_file *f, perp_instance *p, int rows, int equations)
{
  fclib_file g = *f;
  g.group = "solution";
  double *r, *l;
  if (!has(&g, "r"))
    return PERP_OK;
  perp_error error = read_reals(&g, "r", rows, &r);
  if (!error && equations > 0)
    error = read_reals(&g, "l", equations, &l);
  f->arena = g.arena;
  if (error)
    return error;
  p->x = perp_alloc((size_t)(rows + equations), sizeof *p->x);
  for (int i = 0; i < rows + equations && p->x; i++)
    p->x[i] = i < rows ? r[i] : l[i - rows];
  return p->x ? PERP_OK : perp_path_no_memory(f->path, f->why);
}

perp_error perp_fclib_read(const char *path, perp_instance *instance, perp_message *why)
{
  if (!path || !instance)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_fclib_read: a pointer is NULL");
  *instance = (perp_instance){0};
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  fclib_file f = {.path = path, .id = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), .why = why};
  if (f.id < 0)
    return perp_fail(why, PERP_ERROR_FILE, "%s: %s", perp_path_shown(path),
                     perp_file_exists(path) ? "is not an HDF5 file, or cannot be read"
                                            : "there is no such file");
  int kind = 0, rows = 0, equations = 0;
  while (kind < PERP_FCLIB_GROUPS && H5Lexists(f.id, perp_fclib_groups[kind], H5P_DEFAULT) <= 0)
    kind++;
  perp_error error = PERP_OK;
  if (kind == PERP_FCLIB_GROUPS) {
    error = perp_fail(why, PERP_ERROR_FILE,
                      "%s: has none of the groups fclib_local, fclib_global and "
                      "fclib_global_rolling",
                      perp_path_shown(path));
  } else {
    f.group = perp_fclib_groups[kind];
    error = kind == PERP_FCLIB_LOCAL ? read_local(&f, instance, &rows, &equations)
                                     : read_global(&f, instance, &rows, &equations);
    if (!error)
      error = read_law(&f, instance, rows, equations);
    if (!error)
      error = read_solution(&f, instance, rows, equations);
  }
  perp_arena_free(&f.arena);
  H5Fclose(f.id);
  if (error)
    perp_instance_destroy(instance);
  return error;
}

#else

static perp_error missing(const char *path, perp_message *why)
{
  return perp_fail(why, PERP_ERROR_BACKEND,
                   "%.200s: perp was built without HDF5, which FCLib files need", path);
}

perp_error perp_fclib_read(const char *path, perp_instance *instance, perp_message *why)
{
  if (instance)
    *instance = (perp_instance){0};
  return missing(path ? path : "?", why);
}

perp_error perp_fclib_write(const char *path, const perp_instance *instance, perp_message *why)
{
  (void)instance;
  return missing(path ? path : "?", why);
}

#endif
