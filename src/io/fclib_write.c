/* fclib_write.c: writes friction problems as FCLib files; fclib.c describes the layout */
#include <perp/fclib.h>

#include "io/file.h"
#include "operator/operator.h"

#ifdef PERP_HAVE_FCLIB

#include "io/fclib_file.h"
#include "io/mtx.h"
#include "linalg/dense.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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
  char part[7][32];
  static const char *const parts[7] = {"m", "n", "nzmax", "nz", "p", "i", "x"};
  for (int k = 0; k < 7; k++)
    snprintf(part[k], sizeof part[k], "%s/%s", name, parts[k]);
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
  const int m = range[1] - range[0];
  perp_mtx part = {0};
  const int64_t most = a->start[range[1]] - a->start[range[0]];
  if (!PERP_TAKE(&f->arena, PERP_ARRAY(part.start, m + 1), PERP_ARRAY(part.column, most),
                 PERP_ARRAY(part.value, most)))
    return false;
  int64_t used = 0;
  for (int i = 0; i < m; i++) {
    part.start[i] = used;
    for (int64_t e = a->start[range[0] + i]; e < a->start[range[0] + i + 1]; e++)
      if (a->column[e] >= range[2] && a->column[e] < range[3]) {
        part.column[used] = a->column[e] - range[2];
        part.value[used++] = a->value[e];
      }
  }
  part.start[m] = used;
  return write_matrix(f, name, -2, m, range[3] - range[2], part.start, part.column, part.value);
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
  f->group = perp_fclib_groups[rolling  ? PERP_FCLIB_ROLLING
                               : global ? PERP_FCLIB_GLOBAL
                                        : PERP_FCLIB_LOCAL];
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

#endif
