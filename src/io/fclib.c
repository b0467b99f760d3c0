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

#include "io/structure.h"
#include "linalg/dense.h"

#include <hdf5.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* An open file, and the group of its problem. After an error nothing more is read: arrays are then NULL,
 * numbers and sizes 0. */
typedef struct fclib_file {
  const char *path, *group;
  hid_t id;
  perp_arena arena;
  perp_error error;
  perp_message *why;
} fclib_file;

enum { LOCAL, GLOBAL, ROLLING, GROUPS };
static const char *const groups[GROUPS] = {"fclib_local", "fclib_global", "fclib_global_rolling"};

/* The datasets of a matrix, in this order; part: their names within its group `name`. */
enum { MATRIX_PARTS = 7 };

static void name_parts(const char *name, char part[MATRIX_PARTS][32])
{
  static const char *const parts[MATRIX_PARTS] = {"m", "n", "nzmax", "nz", "p", "i", "x"};
  for (int k = 0; k < MATRIX_PARTS; k++)
    snprintf(part[k], sizeof part[k], "%s/%s", name, parts[k]);
}

/* Notes the first error. */
PERP_CHECK_FORMAT(3, 4)
static void fail(fclib_file *f, const char *dataset, const char *format, ...)
{
  char text[300];
  va_list arguments;
  if (f->error)
    return;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  f->error = perp_fail(f->why, PERP_ERROR_FILE, "%s: /%s/%s %s", perp_path_shown(f->path), f->group,
                       dataset, text);
}

static void no_memory(fclib_file *f)
{
  if (!f->error)
    f->error = perp_path_no_memory(f->path, f->why);
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
static void *read_array(fclib_file *f, const char *name, int64_t count, hid_t type, size_t size)
{
  char path[96];
  void *values = NULL;
  if (f->error)
    return NULL;
  snprintf(path, sizeof path, "/%s/%s", f->group, name);
  const hid_t set = has(f, name) ? H5Dopen2(f->id, path, H5P_DEFAULT) : -1;
  if (set < 0) {
    fail(f, name, has(f, name) ? "is not a dataset" : "is missing");
    return NULL;
  }
  const hid_t space = H5Dget_space(set), own = H5Dget_type(set);
  const int64_t there = space < 0 ? -1 : (int64_t)H5Sget_simple_extent_npoints(space);
  const H5T_class_t kind = H5Tget_class(own);
  if (kind != H5T_INTEGER && kind != H5T_FLOAT)
    fail(f, name, "does not hold numbers");
  else if (there != count)
    fail(f, name, "has %lld numbers instead of %lld", (long long)there, (long long)count);
  else if (!(values = perp_arena_alloc(&f->arena, (size_t)count, size)))
    no_memory(f);
  else if (count > 0 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    fail(f, name, "cannot be read");
  H5Tclose(own);
  H5Sclose(space);
  H5Dclose(set);
  return f->error ? NULL : values;
}

static double *read_reals(fclib_file *f, const char *name, int64_t count)
{
  double *values = read_array(f, name, count, H5T_NATIVE_DOUBLE, sizeof *values);
  for (int64_t k = 0; k < count && values; k++)
    if (!isfinite(values[k]))
      fail(f, name, "has %g at %lld, which is not finite", values[k], (long long)k);
  return f->error ? NULL : values;
}

static int *read_integers(fclib_file *f, const char *name, int64_t count)
{
  return read_array(f, name, count, H5T_NATIVE_INT, sizeof(int));
}

static int read_integer(fclib_file *f, const char *name)
{
  const int *one = read_integers(f, name, 1);
  return one ? *one : 0;
}

/* ---- Matrices ---- */

/* Where the entries of a matrix go: a list, at an offset, perhaps of the transpose. */
typedef struct target {
  perp_triplets *to;
  bool transposed;
  int row, column;
} target;

typedef struct shape {
  int m, n;
} shape;

/* Expands the starts p of `lines` compressed lines into the line of each entry. */
static int *expand(fclib_file *f, const char *name, int lines, int64_t count, const int *p)
{
  int *line = perp_arena_alloc(&f->arena, (size_t)count, sizeof *line);
  if (!line)
    no_memory(f);
  for (int k = 0; k <= lines && !f->error; k++)
    if (p[k] < (k > 0 ? p[k - 1] : 0) || p[k] > (k > 0 ? count : 0) || (k == lines && p[k] < count))
      fail(f, name, "has %d at %d, but it must ascend from 0 to %lld", p[k], k, (long long)count);
  for (int k = 0; k < lines && !f->error; k++)
    for (int e = p[k]; e < p[k + 1]; e++)
      line[e] = k;
  return line;
}

static void check_indices(fclib_file *f, const char *name, int64_t count, const int *index,
                          int most)
{
  for (int64_t e = 0; e < count && !f->error; e++)
    if (index[e] < 0 || index[e] >= most)
      fail(f, name, "has %d at %lld, which is not in 0 .. %d", index[e], (long long)e, most - 1);
}

/* Adds the entries of a matrix to a list. */
static shape read_matrix(fclib_file *f, const char *name, target at)
{
  char part[MATRIX_PARTS][32];
  name_parts(name, part);
  const int m = read_integer(f, part[0]), n = read_integer(f, part[1]);
  const int nzmax = read_integer(f, part[2]), nz = read_integer(f, part[3]);
  if (m < 0 || n < 0 || nzmax < 0)
    fail(f, name, "has m = %d, n = %d and nzmax = %d: none may be negative", m, n, nzmax);
  const int most = INT_MAX - (at.row > at.column ? at.row : at.column);
  if (m > most || n > most)
    fail(f, name, "is %d x %d, which is too large", m, n);
  if (nz < -2 || nz > nzmax)
    fail(f, part[3], "is %d; it must be -2 (rows), -1 (columns) or 0 .. %d (triplets)", nz, nzmax);
  const int lines = nz == -1 ? n : m, count = nz >= 0 ? nz : nzmax;
  int *p = read_integers(f, part[4], nz >= 0 ? nz : (int64_t)lines + 1);
  int *i = read_integers(f, part[5], count);
  double *value = read_reals(f, part[6], count);
  int *line = nz >= 0 || f->error ? p : expand(f, part[4], lines, count, p);
  const int *row = nz == -2 ? line : i, *column = nz == -2 ? i : line;
  check_indices(f, part[nz == -2 ? 4 : 5], count, row, m);
  check_indices(f, part[nz == -2 ? 5 : 4], count, column, n);
  for (int e = 0; e < count && !f->error; e++)
    if (!perp_triplets_push(at.to, at.row + (at.transposed ? column : row)[e],
                            at.column + (at.transposed ? row : column)[e], value[e]))
      no_memory(f);
  return f->error ? (shape){0} : (shape){m, n};
}

/* Compressed rows; repeated entries are added up. */
static bool compress(const perp_triplets *t, int m, int n, perp_mtx *rows)
{
  const bool done = perp_mtx_compress(t, m, n, rows);
  if (done)
    perp_mtx_merge(rows);
  return done;
}

/* ---- Reading ---- */

/* *joined <- (first, second), of m and n numbers. */
static void join(fclib_file *f, int m, const double *first, int n, const double *second,
                 double **joined)
{
  *joined = f->error ? NULL : perp_alloc((size_t)m + (size_t)n, sizeof **joined);
  for (int i = 0; *joined && i < m + n; i++)
    (*joined)[i] = i < m ? first[i] : second[i - m];
  if (!*joined)
    no_memory(f);
}

/* A and b of a local problem; *rows of contacts, *equations after them. */
static void read_local(fclib_file *f, perp_instance *p, int *rows, int *equations)
{
  perp_triplets A = {0};
  perp_mtx c = {.path = f->path};
  shape V = {0}, R = {0};
  const shape W = read_matrix(f, "W", (target){&A, false, 0, 0});
  if (W.m != W.n)
    fail(f, "W", "is %d x %d, not square", W.m, W.n);
  const bool mixed = !f->error && has(f, "V");
  if (mixed) {
    V = read_matrix(f, "V", (target){&A, false, 0, W.m});
    read_matrix(f, "V", (target){&A, true, W.m, 0});
    R = read_matrix(f, "R", (target){&A, false, W.m, W.m});
  }
  if (mixed && (V.m != W.m || R.m != V.n || R.n != V.n))
    fail(f, "V", "is %d x %d, but W has %d rows and R %d", V.m, V.n, W.m, R.m);
  const double *q = read_reals(f, "vectors/q", W.m);
  join(f, W.m, q, V.n, mixed ? read_reals(f, "vectors/s", V.n) : NULL, &p->b);
  if (!f->error && !compress(&A, W.m + V.n, W.m + V.n, &c))
    no_memory(f);
  if (!f->error)
    f->error = perp_structure_plain(&c, &p->A, f->why);
  *rows = W.m;
  *equations = V.n;
  perp_triplets_free(&A);
  perp_mtx_free(&c);
}

/* Adds the other triangle if M has only one, as files of LMGC do. */
static void complete(fclib_file *f, perp_triplets *M)
{
  const int64_t count = M->count;
  bool upper = false, lower = false;
  for (int64_t e = 0; e < count; e++) {
    upper = upper || M->column[e] > M->row[e];
    lower = lower || M->column[e] < M->row[e];
  }
  for (int64_t e = 0; e < count && upper != lower && !f->error; e++)
    if (M->row[e] != M->column[e] && !perp_triplets_push(M, M->column[e], M->row[e], M->value[e]))
      no_memory(f);
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
static void assemble(fclib_file *f, const perp_mtx *M, const perp_mtx *J, const double *force,
                     perp_instance *p)
{
  enum { MOST = 3000 };
  const int m = M->rows, n = J->rows;
  if (m > MOST) {
    fail(f, "M", "is not symmetric and has more than %d rows", MOST);
    return;
  }
  double *dense, *z, *A;
  int *swap;
  if (!PERP_TAKE_ZERO(&f->arena, PERP_ARRAY(dense, (size_t)m * (size_t)m), PERP_ARRAY(z, m),
                      PERP_ARRAY(A, (size_t)n * (size_t)n), PERP_ARRAY(swap, m))) {
    no_memory(f);
    return;
  }
  for (int i = 0; i < m; i++)
    for (int64_t e = M->start[i]; e < M->start[i + 1]; e++)
      dense[(size_t)i * (size_t)m + (size_t)M->column[e]] = M->value[e];
  const perp_lu lu = perp_lu_factor(m, dense, m, swap);
  if (lu.singular >= 0)
    fail(f, "M", "is singular: column %d has no pivot", lu.singular);
  for (int j = 0; j <= n && !f->error; j++) { /* z <- M^-1 J_j^T, in the end M^-1 f */
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
  if (!f->error)
    f->error = perp_operator_dense(n, A, n, PERP_COPY, &p->A, f->why);
}

/* A contact operator, and b + J M^-1 f. */
static void make_contact(fclib_file *f, const perp_mtx *M, const perp_mtx *J, const double *force,
                         perp_instance *p)
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
  double *v = perp_arena_alloc(&f->arena, (size_t)M->rows, sizeof *v);
  if (perp_operator_contact(&data, PERP_COPY, &p->A, &inner))
    fail(f, "M", "is not a mass matrix: %.200s", inner.text);
  else if (!v)
    no_memory(f);
  else if (!(f->error = perp_contact_accelerate(p->A, force, v, f->why)))
    f->error = perp_contact_bias(p->A, v, p->b, p->b, f->why);
}

/* A contact operator with J = [H G]^T, and b = J M^-1 f + (w, b). */
static void read_global(fclib_file *f, perp_instance *p, int *rows, int *equations)
{
  perp_triplets mass = {0}, j = {0};
  perp_mtx mass_rows = {0}, j_rows = {0};
  shape G = {0};
  const shape M = read_matrix(f, "M", (target){&mass, false, 0, 0});
  const shape H = read_matrix(f, "H", (target){&j, true, 0, 0});
  if (M.m != M.n || H.m != M.n)
    fail(f, "H", "has %d rows, but M is %d x %d", H.m, M.m, M.n);
  const bool mixed = !f->error && has(f, "G");
  if (mixed)
    G = read_matrix(f, "G", (target){&j, true, H.n, 0});
  if (mixed && G.m != M.n)
    fail(f, "G", "has %d rows, but M has %d", G.m, M.n);
  const double *force = read_reals(f, "vectors/f", M.m), *w = read_reals(f, "vectors/w", H.n);
  join(f, H.n, w, G.n, mixed ? read_reals(f, "vectors/b", G.n) : NULL, &p->b);
  complete(f, &mass);
  *rows = H.n;
  *equations = G.n;
  if (!f->error &&
      !(compress(&mass, M.m, M.m, &mass_rows) && compress(&j, H.n + G.n, M.m, &j_rows)))
    no_memory(f);
  if (!f->error)
    (is_symmetric(&mass_rows) ? make_contact : assemble)(f, &mass_rows, &j_rows, force, p);
  perp_triplets_free(&mass);
  perp_triplets_free(&j);
  perp_mtx_free(&mass_rows);
  perp_mtx_free(&j_rows);
}

/* Returns a coefficient per contact. */
static double *read_friction(fclib_file *f, const char *name, int contacts)
{
  double *mu = read_reals(f, name, contacts);
  for (int c = 0; c < contacts && mu; c++)
    if (!(mu[c] >= 0 && mu[c] <= 1e100))
      fail(f, name, "has %g at %d; friction coefficients are from 0 to 1e100", mu[c], c);
  return f->error ? NULL : mu;
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

/* The equations have no bounds. */
static bool take_bounds(perp_instance *p, int n)
{
  p->lo = perp_alloc((size_t)n, sizeof *p->lo);
  p->hi = perp_alloc((size_t)n, sizeof *p->hi);
  for (int i = 0; i < n && p->lo && p->hi; i++) {
    p->lo[i] = -INFINITY;
    p->hi[i] = INFINITY;
  }
  return p->lo && p->hi;
}

/* The contact law by spacedim, 2, 3 or 5 rows. */
static void read_law(fclib_file *f, perp_instance *p, int rows, int equations)
{
  const bool rolling = strcmp(f->group, groups[ROLLING]) == 0;
  const int dimension = read_integer(f, "spacedim");
  if (rolling ? dimension != 5 : dimension != 2 && dimension != 3)
    fail(f, "spacedim", "is %d, but contacts have %s rows", dimension, rolling ? "5" : "2 or 3");
  else if (rows % dimension != 0)
    fail(f, "spacedim", "is %d, which does not divide the %d rows of contacts", dimension, rows);
  if (f->error)
    return;
  const int contacts = rows / dimension, n = rows + equations;
  const double *mu = read_friction(f, "vectors/mu", contacts);
  const double *mu_r = rolling ? read_friction(f, "vectors/mu_r", contacts) : NULL;
  if (f->error)
    return;
  bool taken = (dimension > 2 && equations == 0) || take_bounds(p, n);
  p->cones = dimension == 2 ? 0 : contacts;
  if (dimension == 2)
    taken = taken && take_planar(p, contacts, n, mu);
  else if (rolling)
    taken = taken && take_rolling(p, contacts, mu, mu_r);
  else
    taken = (p->mu = perp_alloc_copy(mu, (size_t)contacts, sizeof *mu)) && taken;
  if (!taken)
    no_memory(f);
}

/* x <- (r, l) of /solution, if it is there. */
static void read_solution(fclib_file *f, perp_instance *p, int rows, int equations)
{
  f->group = "solution";
  if (f->error || !has(f, "r"))
    return;
  const double *r = read_reals(f, "r", rows);
  join(f, rows, r, equations, equations > 0 ? read_reals(f, "l", equations) : NULL, &p->x);
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
  while (kind < GROUPS && H5Lexists(f.id, groups[kind], H5P_DEFAULT) <= 0)
    kind++;
  if (kind == GROUPS) {
    f.error = perp_fail(why, PERP_ERROR_FILE,
                        "%s: has none of the groups fclib_local, fclib_global and "
                        "fclib_global_rolling",
                        perp_path_shown(path));
  } else {
    f.group = groups[kind];
    (kind == LOCAL ? read_local : read_global)(&f, instance, &rows, &equations);
    if (!f.error)
      read_law(&f, instance, rows, equations);
    read_solution(&f, instance, rows, equations);
  }
  perp_arena_free(&f.arena);
  H5Fclose(f.id);
  if (f.error)
    perp_instance_destroy(instance);
  return f.error;
}

/* ---- Writing ---- */

static bool write_array(fclib_file *f, const char *name, int64_t count, hid_t type,
                        const void *values)
{
  char path[96];
  snprintf(path, sizeof path, "/%s/%s", f->group, name);
  const hsize_t size = (hsize_t)count;
  const hid_t space = H5Screate_simple(1, &size, NULL);
  const hid_t set = H5Dcreate2(f->id, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const bool done =
      set >= 0 && (count == 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Dclose(set);
  H5Sclose(space);
  return done;
}

static bool write_group(fclib_file *f, const char *name)
{
  char path[96];
  snprintf(path, sizeof path, "/%s%s%s", f->group, *name ? "/" : "", name);
  const hid_t group = H5Gcreate2(f->id, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  return group >= 0 && H5Gclose(group) >= 0;
}

static bool write_integer(fclib_file *f, const char *name, int value)
{
  return write_array(f, name, 1, H5T_NATIVE_INT, &value);
}

static bool write_reals(fclib_file *f, const char *name, int64_t count, const double *values)
{
  return write_array(f, name, count, H5T_NATIVE_DOUBLE, values);
}

/* Rows first .. first + m - 1 and columns of a matrix; compressed rows if nz = -2, the same arrays
 * as compressed columns of the transpose if nz = -1. */
static bool write_matrix(fclib_file *f, const char *name, int nz, int lines, int width,
                         const int64_t *start, const int *column, const double *value)
{
  char part[MATRIX_PARTS][32];
  name_parts(name, part);
  const int64_t first = start[0], count = start[lines] - first;
  int *p = perp_arena_alloc(&f->arena, (size_t)lines + 1, sizeof *p);
  if (!p || count > INT_MAX)
    return false;
  for (int k = 0; k <= lines; k++)
    p[k] = (int)(start[k] - first);
  return write_group(f, name) && write_integer(f, part[0], nz == -2 ? lines : width) &&
         write_integer(f, part[1], nz == -2 ? width : lines) &&
         write_integer(f, part[2], (int)count) && write_integer(f, part[3], nz) &&
         write_array(f, part[4], (int64_t)lines + 1, H5T_NATIVE_INT, p) &&
         write_array(f, part[5], count, H5T_NATIVE_INT, column + first) &&
         write_reals(f, part[6], count, value + first);
}

/* The contacts of an instance that FCLib can hold. */
typedef struct contact_law {
  int dimension, contacts, equations;
  double *mu, *mu_r; /* mu_r: rolling contacts */
} contact_law;

static perp_error refuse(const fclib_file *f, int row, const char *reason)
{
  return perp_fail(f->why, PERP_ERROR_UNSUPPORTED,
                   "%s: row %d %s; FCLib has only contacts and, "
                   "after them, equations",
                   perp_path_shown(f->path), row, reason);
}

/* mu and mu_r of contacts of five rows with discs. */
static perp_error find_rolling(const fclib_file *f, const perp_instance *p, contact_law *law)
{
  law->dimension = 5;
  for (int c = 0; c < p->cones; c++) {
    const double *mu = p->mu + 5 * (size_t)c;
    if (p->dim[c] != 5 || !p->law || p->law[c] != PERP_FRICTION_DISCS || mu[0] != mu[1] ||
        mu[3] != mu[4])
      return refuse(f, 5 * c,
                    "does not begin a contact of five rows with a disc for the slides "
                    "and one for the rolls");
    law->mu[c] = mu[0];
    law->mu_r[c] = mu[3];
  }
  return PERP_OK;
}

/* mu of planar contacts. */
static perp_error find_planar(const fclib_file *f, const perp_instance *p, contact_law *law)
{
  law->dimension = 2;
  for (int c = 0; c < law->contacts; c++) {
    const int n = 2 * c;
    law->mu[c] = p->hi ? p->hi[n + 1] : NAN;
    if (!p->lo || p->lo[n] != 0 || p->hi[n] < 1e300 || p->lo[n + 1] != -law->mu[c] ||
        !(law->mu[c] >= 0))
      return refuse(f, n, "does not begin a contact of two rows with x_n >= 0 and lo = -hi");
  }
  return PERP_OK;
}

static perp_error find_law(fclib_file *f, const perp_instance *p, contact_law *law)
{
  const int n = perp_operator_size(p->A);
  *law = (contact_law){.dimension = 3, .contacts = p->cones};
  if (p->cone)
    return refuse(f, 0, "may not begin the first cone, because `cone` is given");
  if (p->cones == 0 && p->findex)
    while (2 * law->contacts + 1 < n && p->findex[2 * law->contacts + 1] == 2 * law->contacts)
      law->contacts++;
  if (!PERP_TAKE(&f->arena, PERP_ARRAY(law->mu, law->contacts),
                 PERP_ARRAY(law->mu_r, law->contacts)))
    return perp_path_no_memory(f->path, f->why);
  perp_error error = PERP_OK;
  if (p->dim)
    error = find_rolling(f, p, law);
  else if (p->cones == 0 && law->contacts > 0)
    error = find_planar(f, p, law);
  else if (p->cones > 0)
    memcpy(law->mu, p->mu, (size_t)p->cones * sizeof *law->mu);
  law->equations = n - law->dimension * law->contacts;
  for (int i = n - law->equations; i < n && !error; i++)
    if (!p->lo || !p->hi || p->lo[i] > -1e300 || p->hi[i] < 1e300 ||
        (p->findex && p->findex[i] >= 0))
      error = refuse(f, i, "has bounds");
  return error;
}

/* M_start, M_column and M_value <- the inverses of the blocks of Minv. Returns false if one is
 * singular or out of memory. */
static bool invert_blocks(fclib_file *f, perp_contact_data *d)
{
  int64_t *start, entries = 0;
  int *column;
  double *value;
  for (int b = 0; b < d->blocks; b++) {
    const int64_t size = d->block_start[b + 1] - d->block_start[b];
    entries += size * size;
  }
  if (!PERP_TAKE(&f->arena, PERP_ARRAY(start, d->velocities + 1), PERP_ARRAY(column, entries),
                 PERP_ARRAY(value, entries)))
    return false;
  int64_t at = 0;
  for (int b = 0; b < d->blocks; b++) {
    const int first = d->block_start[b], size = d->block_start[b + 1] - first;
    const double *Minv = d->Minv + at;
    double *work, *M = value + at;
    int *swap;
    if (!PERP_TAKE(&f->arena, PERP_ARRAY(work, size * size), PERP_ARRAY(swap, size)))
      return false;
    memcpy(work, Minv, (size_t)size * (size_t)size * sizeof *work);
    for (int i = 0; i < size * size; i++)
      M[i] = i % (size + 1) == 0;
    const perp_lu lu = perp_lu_factor(size, work, size, swap);
    if (lu.singular >= 0)
      return false;
    for (int i = 0; i < size; i++) {
      perp_lu_solve_t(&lu, M + (size_t)i * (size_t)size);  /* row i of the inverse */
      if (!(M[i * size + i] * Minv[i * size + i] <= 1e14)) /* 1 over a pivot, relative */
        return false;
      start[first + i] = at;
      for (int j = 0; j < size; j++)
        column[at++] = first + j;
    }
  }
  start[d->velocities] = at;
  d->M_start = start;
  d->M_column = column;
  d->M_value = value;
  return true;
}

/* Finds J and M of a contact operator without C. */
static bool find_global(fclib_file *f, const perp_instance *p, perp_contact_data *d)
{
  perp_contact_data own = perp_contact_data_default();
  if (perp_operator_contact_data(p->A, &own) || perp_operator_contact_source(p->A, d))
    return false;
  for (int64_t e = 0; own.C_start && e < own.C_start[own.rows]; e++)
    if (own.C_value[e] != 0)
      return false;
  if (d->apply_Minv)
    return false;
  return d->M_start || invert_blocks(f, d);
}

static bool write_global(fclib_file *f, const perp_instance *p, const contact_law *law,
                         const perp_contact_data *d)
{
  const int rows = law->dimension * law->contacts;
  double *zero = perp_arena_alloc_zero(&f->arena, (size_t)d->velocities, sizeof *zero);
  return zero && write_group(f, "") &&
         write_matrix(f, "M", -2, d->velocities, d->velocities, d->M_start, d->M_column,
                      d->M_value) &&
         write_matrix(f, "H", -1, rows, d->velocities, d->J_start, d->J_column, d->J_value) &&
         (law->equations == 0 || write_matrix(f, "G", -1, law->equations, d->velocities,
                                              d->J_start + rows, d->J_column, d->J_value)) &&
         write_group(f, "vectors") && write_reals(f, "vectors/f", d->velocities, zero) &&
         write_reals(f, "vectors/w", rows, p->b) &&
         (law->equations == 0 || write_reals(f, "vectors/b", law->equations, p->b + rows));
}

/* Rows begin .. end - 1 and columns from .. to - 1 of compressed rows. */
static bool write_part(fclib_file *f, const char *name, const perp_mtx *a, const int range[4])
{
  const int m = range[1] - range[0], n = range[3] - range[2];
  perp_triplets t = {0};
  perp_mtx part = {0};
  bool done = true;
  for (int i = range[0]; i < range[1]; i++)
    for (int64_t e = a->start[i]; e < a->start[i + 1] && done; e++)
      if (a->column[e] >= range[2] && a->column[e] < range[3])
        done = perp_triplets_push(&t, i - range[0], a->column[e] - range[2], a->value[e]);
  done = done && perp_mtx_compress(&t, m, n, &part) &&
         write_matrix(f, name, -2, m, n, part.start, part.column, part.value);
  perp_triplets_free(&t);
  perp_mtx_free(&part);
  return done;
}

static perp_error write_local(fclib_file *f, const perp_instance *p, const contact_law *law,
                              bool *done)
{
  const int n = perp_operator_size(p->A), rows = law->dimension * law->contacts;
  perp_operator *csr = NULL;
  const int64_t *start;
  const int *column;
  const double *value;
  *done = false;
  perp_error error = perp_operator_to_csr(p->A, 0, &csr, f->why);
  if (!error && !perp_operator_csr_arrays(csr, &start, &column, &value)) {
    const perp_mtx a = {.sparse = true,
                        .rows = n,
                        .columns = n,
                        .start = (int64_t *)start,
                        .column = (int *)column,
                        .value = (double *)value};
    /* the equations of FCLib have V^T in their rows */
    for (int i = rows; i < n && !error; i++)
      for (int64_t e = start[i]; e < start[i + 1] && !error; e++) {
        const int j = column[e];
        const double mirror = perp_mtx_entry(&a, j, i);
        if (j < rows && mirror != value[e])
          error = perp_fail(f->why, PERP_ERROR_UNSUPPORTED,
                            "%s: equation %d is not symmetric: (%d,%d) = %g, but (%d,%d) = %g",
                            perp_path_shown(f->path), i, i, j, value[e], j, i, mirror);
      }
    if (!error)
      *done = write_group(f, "") && write_part(f, "W", &a, (int[]){0, rows, 0, rows}) &&
              (law->equations == 0 || (write_part(f, "V", &a, (int[]){0, rows, rows, n}) &&
                                       write_part(f, "R", &a, (int[]){rows, n, rows, n}))) &&
              write_group(f, "vectors") && write_reals(f, "vectors/q", rows, p->b) &&
              (law->equations == 0 || write_reals(f, "vectors/s", law->equations, p->b + rows));
  }
  perp_operator_destroy(csr);
  return error;
}

/* /solution: v, u, r, l */
static bool write_solution(fclib_file *f, const perp_instance *p, const contact_law *law,
                           const perp_contact_data *d)
{
  const int n = perp_operator_size(p->A), rows = law->dimension * law->contacts;
  double *y, *scratch, *v;
  if (!PERP_TAKE(&f->arena, PERP_ARRAY(y, n), PERP_ARRAY(scratch, perp_operator_scratch(p->A)),
                 PERP_ARRAY(v, d ? d->velocities : 0)) ||
      perp_operator_apply(p->A, p->x, y, scratch, f->why) ||
      (d && perp_contact_velocities(p->A, NULL, p->x, v, f->why)))
    return false;
  for (int i = 0; i < n; i++)
    y[i] += p->b[i];
  f->group = "solution";
  return write_group(f, "") && (!d || write_reals(f, "v", d->velocities, v)) &&
         write_reals(f, "u", rows, y) && write_reals(f, "r", rows, p->x) &&
         (law->equations == 0 || write_reals(f, "l", law->equations, p->x + rows));
}

static perp_error write_file(fclib_file *f, const perp_instance *p)
{
  contact_law law;
  perp_contact_data d = perp_contact_data_default();
  perp_error error = find_law(f, p, &law);
  if (error)
    return error;
  const bool global = find_global(f, p, &d), rolling = law.dimension == 5;
  if (rolling && !global)
    return perp_fail(f->why, PERP_ERROR_UNSUPPORTED,
                     "%s: rolling contacts of FCLib need J and M, but A is %s or has C",
                     perp_path_shown(f->path), perp_operator_kind(p->A));
  f->group = groups[rolling ? ROLLING : global ? GLOBAL : LOCAL];
  bool done = false;
  if (global)
    done = write_global(f, p, &law, &d);
  else
    error = write_local(f, p, &law, &done);
  done = done && write_integer(f, "spacedim", law.dimension) &&
         write_reals(f, "vectors/mu", law.contacts, law.mu) &&
         (!rolling || write_reals(f, "vectors/mu_r", law.contacts, law.mu_r)) &&
         (!p->x || write_solution(f, p, &law, global ? &d : NULL));
  if (!error && !done)
    error = perp_fail(f->why, PERP_ERROR_FILE, "%s: cannot be written", perp_path_shown(f->path));
  return error;
}

perp_error perp_fclib_write(const char *path, const perp_instance *instance, perp_message *why)
{
  if (!path || !instance || !instance->A || !instance->b)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_fclib_write: path, A or b is NULL");
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  char part[4096];
  if (snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part)
    return perp_fail(why, PERP_ERROR_FILE, "%s: the name is too long", perp_path_shown(path));
  fclib_file f = {
      .path = path, .id = H5Fcreate(part, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), .why = why};
  if (f.id < 0)
    return perp_fail(why, PERP_ERROR_FILE, "%s: cannot be created", perp_path_shown(path));
  perp_error error = write_file(&f, instance);
  perp_arena_free(&f.arena);
  if (H5Fclose(f.id) < 0 && !error)
    error = perp_fail(why, PERP_ERROR_FILE, "%s: cannot be written", perp_path_shown(path));
  if (!error && rename(part, path) != 0)
    error = perp_fail(why, PERP_ERROR_FILE, "%s: cannot be replaced", perp_path_shown(path));
  if (error)
    remove(part);
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
