/* step.c: the linear systems of ssn, in the velocities of bodies, by a dense factor or by GMRES
 *
 * Bodies. A = A' + diag(own). With F = diag(own) + E the unknowns e of a contact are
 *
 *   (L^T F T + S) e = r - L^T F w - L^T A' d,   so   d = T e + w = s - B A' d,
 *   B = T (L^T F T + S)^-1 L^T,   s = w + T (L^T F T + S)^-1 (r - L^T F w),
 *
 * with matrices of at most the rows of the contact. With a small E entries of B are large, and the
 * solution is refined.
 *
 * GMRES. The matrix has about the number of entries that A has between free rows; each row and
 * column combines at most three of A. It is assembled for every step and preconditioned by its
 * ILU(0). If A has no rows, products use A itself,
 *
 *   e -> L^T (A + E) T e + S e,
 *
 * and the preconditioner is diag(rho): 1 / A_ii in rows whose diagonal is known. */

#include "method/newton/ssn/ssn.h"

#include "base/elementary.h"
#include "linalg/dense.h"
#include "linalg/krylov.h"
#include "linalg/vector.h"
#include "method/system/gather.h"
#include "operator/contact/contact.h"
#include "set/set.h"

/* ---- GMRES ---- */

enum { RESTART = 60, PRODUCTS = 600, LEAST_PRODUCTS = 20 };

static perp_error open_krylov(perp_ssn_step *s)
{
  perp_run *run = s->run;
  const size_t n = (size_t)s->model->n;
  s->restart = s->model->n < RESTART ? s->model->n + 1 : RESTART;
  s->work = perp_run_reals(run, (size_t)perp_gmres_work(s->model->n, s->restart));
  if (!s->work)
    return perp_run_no_memory(run);
  if (s->kind == PERP_SSN_PRODUCT)
    return PERP_OK;
  if (!PERP_TAKE(run->arena, PERP_ARRAY(s->start, n + 1), PERP_ARRAY(s->diagonal, n),
                 PERP_ARRAY(s->place, n), PERP_ARRAY(s->in, n)))
    return perp_run_no_memory(run);
  for (size_t k = 0; k < n; k++) {
    s->place[k] = -1;
    s->in[k] = true;
  }
  return PERP_OK;
}

/* ---- The sparse matrix ---- */

/* Ensures room for `more` entries after the first `used`, which are copied. Returns false if out of
 * memory. */
static bool make_room(perp_ssn_step *s, int64_t used, int64_t more)
{
  if (used + more <= s->room)
    return true;
  const int64_t room = 2 * (used + more);
  int *columns;
  double *values;
  if (!PERP_TAKE(s->run->arena, PERP_ARRAY(columns, room), PERP_ARRAY(values, room),
                 PERP_ARRAY(s->LU, room)))
    return false;
  if (used > 0)
    memcpy(columns, s->columns, (size_t)used * sizeof *columns);
  perp_copy(used, s->values, values);
  s->columns = columns;
  s->values = values;
  s->room = room;
  return true;
}

/* Adds a to entry (., k) of the row that began at `first`. Returns the new end. */
static int64_t add_entry(perp_ssn_step *s, int64_t first, int64_t end, int k, double a)
{
  if (s->place[k] < first) {
    s->place[k] = end;
    s->columns[end] = k;
    s->values[end] = 0;
    end++;
  }
  s->values[s->place[k]] += a;
  return end;
}

/* Sorts by column. Rows are short and consist of a few ascending pieces. */
static void sort_row(int *column, double *value, int64_t count)
{
  for (int64_t i = 1; i < count; i++) {
    const int c = column[i];
    const double v = value[i];
    int64_t j = i;
    for (; j > 0 && column[j - 1] > c; j--) {
      column[j] = column[j - 1];
      value[j] = value[j - 1];
    }
    column[j] = c;
    value[j] = v;
  }
}

/* Appends row k of L^T (A + E) T + S. Returns the new end, -1 when out of memory. */
static int64_t add_sparse_row(perp_ssn_step *s, int k, int64_t first)
{
  const perp_ssn_model *m = s->model;
  const perp_operator *A = m->p->A;
  if (!make_room(s, first, 1))
    return -1;
  int64_t end = add_entry(s, first, first, k, m->shift[k]);
  for (int t = m->L_width * k, t_end = t + m->L_width; t < t_end; t++) {
    const int i = m->row[t];
    if (i < 0)
      continue;
    const int count = A->table->row(A, i, s->column, s->value);
    if (!make_room(s, end, m->T_width * ((int64_t)count + 1)))
      return -1;
    for (int c = -1; c < count; c++) {
      const int j = c < 0 ? i : s->column[c];
      const double a = m->weight[t] * (c < 0 ? s->E[i] : s->value[c]);
      for (int q = m->T_width * j, q_end = q + m->T_width; q < q_end; q++)
        if (m->column[q] >= 0)
          end = add_entry(s, first, end, m->column[q], a * m->factor[q]);
    }
  }
  sort_row(s->columns + first, s->values + first, end - first);
  return end;
}

/* Assembles the matrix until time runs out. Returns false if out of memory. */
static bool assemble(perp_ssn_step *s)
{
  const int count = s->model->unknowns;
  s->start[0] = 0;
  for (int k = 0; k < s->model->n; k++)
    s->place[k] = -1;
  for (int k = 0; k < count && !perp_run_expired_at(s->run, k); k++) {
    s->start[k + 1] = add_sparse_row(s, k, s->start[k]);
    if (s->start[k + 1] < 0)
      return false;
    s->diagonal[k] = s->start[k];
    while (s->columns[s->diagonal[k]] != k)
      s->diagonal[k]++;
  }
  for (int k = 0; k < s->model->n; k++)
    s->place[k] = -1;
  s->ilu = (perp_ilu){.n = count,
                      .start = s->start,
                      .column = s->columns,
                      .value = s->values,
                      .diagonal = s->diagonal,
                      .in = s->in,
                      .alarm = perp_run_alarm(s->run),
                      .LU = s->LU,
                      .place = s->place};
  return true;
}

/* ---- Products ---- */

static void multiply_sparse(void *context, const double *e, double *y)
{
  const perp_ssn_step *s = context;
  for (int k = 0; k < s->ilu.n; k++)
    y[k] = perp_add_row(0, s->start[k], s->start[k + 1], s->values, s->columns, e);
}

static void precondition_sparse(void *context, const double *r, double *z)
{
  const perp_ssn_step *s = context;
  perp_ilu_solve(&s->ilu, r, z);
}

static void multiply_through(void *context, const double *e, double *y)
{
  perp_ssn_step *s = context;
  const perp_ssn_model *m = s->model;
  for (int i = 0; i < m->n; i++) {
    s->Te[i] = 0;
    for (int q = m->T_width * i, q_end = q + m->T_width; q < q_end; q++)
      if (m->column[q] >= 0)
        s->Te[i] += m->factor[q] * e[m->column[q]];
  }
  perp_run_apply(s->run, s->Te, s->ATe);
  for (int k = 0; k < m->unknowns; k++) {
    y[k] = m->shift[k] * e[k];
    for (int t = m->L_width * k, t_end = t + m->L_width; t < t_end; t++)
      if (m->row[t] >= 0) {
        const int i = m->row[t];
        y[k] += m->weight[t] * (s->ATe[i] + s->E[i] * s->Te[i]);
      }
  }
}

/* (1 / rho + S)^-1 */
static void precondition_diagonal(void *context, const double *r, double *z)
{
  const perp_ssn_step *s = context;
  const perp_ssn_model *m = s->model;
  for (int k = 0; k < m->unknowns; k++)
    z[k] = r[k] / (1 / m->rho[m->row[m->L_width * k]] + m->shift[k]);
}

/* If the dense factor is available as a fallback, GMRES may take about as long as it does: m^3 2/3
 * flops, about eight times faster per flop than sparse products. */
static int most_products(const perp_ssn_step *s)
{
  if (!s->rescue)
    return PRODUCTS;
  const double m = s->model->unknowns, entries = (double)s->start[s->model->unknowns];
  const double count = m * m * m / (12 * (4 * entries + 4 * RESTART * m));
  return count < LEAST_PRODUCTS ? LEAST_PRODUCTS : count > PRODUCTS ? PRODUCTS : (int)count;
}

static perp_error solve_krylov(perp_ssn_step *s, double tol, bool *found)
{
  const bool sparse = s->kind == PERP_SSN_SPARSE;
  const int count = s->model->unknowns;
  if (sparse) {
    if (!assemble(s))
      return perp_run_no_memory(s->run);
    if (perp_run_expired(s->run))
      return PERP_OK;
    s->run->count.factorisations++;
    *found = perp_ilu_factor(&s->ilu, NULL);
    if (!*found)
      return PERP_OK;
  }
  const double norm = perp_norm2(count, s->r);
  const perp_krylov k = {
      .n = count,
      .product = sparse ? multiply_sparse : multiply_through,
      .context = s,
      .precondition = sparse ? precondition_sparse : precondition_diagonal,
      .precondition_context = s,
      .alarm = perp_run_alarm(s->run),
      .target = tol * norm,
      .limit = most_products(s),
  };
  perp_fill(count, 0, s->e);
  const perp_krylov_end end = perp_gmres(&k, s->restart, s->r, s->e, s->work);
  s->run->count.solves += end.products;
  /* without a fallback half the residual is still a direction; more means that the shift is too
   * small for the solver */
  *found = end.residual <= (s->rescue ? tol : perp_max(tol, 0.5)) * norm;
  return PERP_OK;
}

enum {
  SMALL = 150,        /* rows up to which a sparse matrix is made dense at once */
  DENSE_LIMIT = 2000, /* rows up to which it is made dense if GMRES fails */
  MOST_PAUSE = 32,    /* steps without GMRES */
};

/* ---- Opening ---- */

static bool has_friction(const perp_set *K)
{
  for (int i = 3 * K->cones; i < K->n; i++)
    if (perp_set_is_friction(K, i))
      return true;
  return perp_set_has_cones(K);
}

static bool have_bodies(const perp_operator *A)
{
  return perp_operator_is_contact(A) && perp_contact_of(A)->C_is_diagonal;
}

static bool allows_dense(const perp_run *run)
{
  const double n = run->problem->K.n;
  return perp_run_allows(run, n * n * sizeof(double));
}

static perp_ssn_kind choose(const perp_run *run, perp_linear_solver solver)
{
  const perp_operator *A = run->problem->A;
  const double *a;
  int64_t stride;
  if (!has_friction(&run->problem->K))
    return PERP_SSN_REDUCED;
  if (!A->table->row)
    return PERP_SSN_PRODUCT;
  const bool full = A->n <= SMALL || perp_operator_dense_array(A, &a, &stride) == PERP_OK;
  const bool direct =
      solver == PERP_LINEAR_AUTO ? full && allows_dense(run) : solver == PERP_LINEAR_DIRECT;
  return direct                                         ? PERP_SSN_DENSE
         : solver == PERP_LINEAR_AUTO && have_bodies(A) ? PERP_SSN_BODIES
                                                        : PERP_SSN_SPARSE;
}

static perp_error open_bodies(perp_ssn_step *s)
{
  perp_run *run = s->run;
  const perp_error error = perp_contact_list_create(run, &s->contacts);
  if (error)
    return error;
  const perp_contact_list *g = &s->contacts;
  size_t largest = 0;
  for (int c = 0; c < g->count; c++)
    largest = perp_contact_rows(g, c) > (int)largest ? (size_t)perp_contact_rows(g, c) : largest;
  if (!PERP_TAKE(run->arena, PERP_ARRAY(s->blocks, g->block[g->count]),
                 PERP_ARRAY(s->small, largest * (2 * largest + 1)),
                 PERP_ARRAY(s->unknown, largest)))
    return perp_run_no_memory(run);
  return perp_coupled_open(run, g, &s->coupled);
}

static perp_error open_dense(perp_ssn_step *s)
{
  const size_t n = (size_t)s->model->n;
  if (s->M)
    return PERP_OK;
  if (!allows_dense(s->run))
    return perp_run_fail(
        s->run, PERP_ERROR_MEMORY,
        "a factor of %zu rows needs more than memory_limit; solver = gmres needs none", n);
  s->M = perp_run_reals(s->run, n * n);
  return s->M ? PERP_OK : perp_run_no_memory(s->run);
}

perp_error perp_ssn_step_open(perp_run *run, const perp_ssn_model *model, perp_linear_solver solver,
                              perp_linear_preconditioner preconditioner, perp_ssn_step *step)
{
  const size_t n = (size_t)model->n, capacity = (size_t)perp_operator_row_capacity(run->problem->A);
  *step = (perp_ssn_step){
      .run = run,
      .model = model,
      .kind = choose(run, solver),
      .next_pause = 1,
      .rescue = solver == PERP_LINEAR_AUTO && model->n <= DENSE_LIMIT &&
                run->problem->A->table->row && allows_dense(run),
  };
  if (!PERP_TAKE_REALS(run->arena, n, &step->E, &step->r, &step->e, &step->Te, &step->ATe) ||
      !PERP_TAKE(run->arena, PERP_ARRAY(step->swap, n), PERP_ARRAY(step->column, capacity),
                 PERP_ARRAY(step->value, capacity)))
    return perp_run_no_memory(run);
  switch (step->kind) {
  case PERP_SSN_REDUCED:
    return perp_linear_open(
        run,
        &(perp_linear_plan){.solver = solver, .preconditioner = preconditioner, .sparse_lu = true},
        &step->system);
  case PERP_SSN_DENSE:
    return open_dense(step);
  case PERP_SSN_BODIES:
    return open_bodies(step);
  default:
    return open_krylov(step);
  }
}

void perp_ssn_step_close(perp_ssn_step *step)
{
  perp_linear_close(step->system);
  perp_coupled_close(step->coupled);
}

/* ---- Dense ---- */

/* Adds `weight` times row i of (A + E) T to a row of the matrix. */
static void add_dense_row(const perp_ssn_step *s, int i, double weight, double *row)
{
  const perp_ssn_model *m = s->model;
  const perp_operator *A = m->p->A;
  const int count = A->table->row(A, i, s->column, s->value);
  for (int t = -1; t < count; t++) {
    const int j = t < 0 ? i : s->column[t];
    const double a = weight * (t < 0 ? s->E[i] : s->value[t]);
    for (int k = m->T_width * j, k_end = k + m->T_width; k < k_end; k++)
      if (m->column[k] >= 0)
        row[m->column[k]] += a * m->factor[k];
  }
}

static bool solve_dense(perp_ssn_step *s)
{
  const perp_ssn_model *m = s->model;
  const int count = m->unknowns;
  if (!perp_run_affords(s->run, 2 * (double)count * count * count / 3))
    return false;
  for (int k = 0; k < count; k++) {
    if (perp_run_expired_at(s->run, k))
      return false;
    double *row = s->M + (int64_t)k * count;
    perp_fill(count, 0, row);
    row[k] = m->shift[k];
    for (int t = m->L_width * k, t_end = t + m->L_width; t < t_end; t++)
      if (m->row[t] >= 0)
        add_dense_row(s, m->row[t], m->weight[t], row);
  }
  const perp_lu lu = perp_lu_factor(count, s->M, count, s->swap);
  s->run->count.factorisations++;
  if (lu.singular >= 0)
    return false;
  perp_copy(count, s->r, s->e);
  perp_lu_solve(&lu, s->e);
  s->run->count.solves++;
  return true;
}

/* ---- Bodies ---- */

/* unknown <- the unknowns of contact c. Returns their number. */
static int list_unknowns(const perp_ssn_step *s, int c)
{
  const perp_contact_list *g = &s->contacts;
  const perp_ssn_model *m = s->model;
  int count = 0;
  for (int p = g->start[c]; p < g->start[c + 1]; p++)
    for (int q = m->T_width * g->row[p], q_end = q + m->T_width; q < q_end; q++) {
      int k = 0;
      while (k < count && s->unknown[k] != s->model->column[q])
        k++;
      if (k == count && s->model->column[q] >= 0)
        s->unknown[count++] = s->model->column[q];
    }
  return count;
}

static int index_of(const int *list, int value)
{
  int k = 0;
  while (list[k] != value)
    k++;
  return k;
}

/* Sets B of contact c, and s in e. Returns false if its matrix is singular. */
static bool set_block(perp_ssn_step *s, int c)
{
  const perp_contact_list *g = &s->contacts;
  const perp_ssn_model *m = s->model;
  const double *own = perp_coupled_own(s->coupled);
  const int size = perp_contact_rows(g, c), *row = g->row + g->start[c];
  const int count = list_unknowns(s, c);
  double *B = s->blocks + g->block[c], *matrix = s->small, *right = matrix + size * size;
  perp_fill((int64_t)size * size, 0, B);
  for (int p = 0; p < size; p++)
    s->e[row[p]] = m->w[row[p]];
  if (count == 0)
    return true;
  /* column j < size of the right-hand sides is L^T e_j, column `size` is r - L^T F w */
  perp_fill((int64_t)count * count, 0, matrix);
  perp_fill((int64_t)(size + 1) * count, 0, right);
  for (int a = 0; a < count; a++) {
    const int k = s->unknown[a];
    matrix[a * count + a] = m->shift[k];
    right[size * count + a] = m->right[k];
    for (int t = m->L_width * k, t_end = t + m->L_width; t < t_end; t++) {
      const int i = m->row[t];
      if (i < 0)
        continue;
      const double F = m->weight[t] * (s->E[i] + own[i]);
      right[index_of(row, i) * count + a] += m->weight[t];
      right[size * count + a] -= F * m->w[i];
      for (int q = m->T_width * i, q_end = q + m->T_width; q < q_end; q++)
        if (m->column[q] >= 0)
          matrix[a * count + index_of(s->unknown, m->column[q])] += F * m->factor[q];
    }
  }
  const perp_lu lu = perp_lu_factor(count, matrix, count, s->swap);
  if (lu.singular >= 0)
    return false;
  for (int j = 0; j <= size; j++)
    perp_lu_solve(&lu, right + j * count);
  for (int p = 0; p < size; p++)
    for (int q = m->T_width * row[p], q_end = q + m->T_width; q < q_end; q++) {
      if (m->column[q] < 0)
        continue;
      const int a = index_of(s->unknown, m->column[q]);
      for (int j = 0; j < size; j++)
        B[p * size + j] += m->factor[q] * right[j * count + a];
      s->e[row[p]] += m->factor[q] * right[size * count + a];
    }
  return true;
}

/* d <- the step: (I + B A') d = s */
static bool solve_bodies(perp_ssn_step *s, double tol, double *d)
{
  enum { REFINEMENTS = 3 };
  const int n = s->model->n;
  for (int c = 0; c < s->contacts.count; c++)
    if (!set_block(s, c))
      return false;
  if (!perp_coupled_set(s->coupled, s->blocks) || !perp_coupled_solve(s->coupled, s->e, d))
    return false;
  const double size = perp_norm_inf(n, d);
  double before = INFINITY;
  for (int k = 0; k < REFINEMENTS; k++) {
    perp_coupled_apply(s->coupled, d, s->ATe);
    perp_coupled_times(&s->contacts, s->blocks, s->ATe, s->Te);
    for (int i = 0; i < n; i++)
      s->r[i] = s->e[i] - d[i] - s->Te[i];
    const double error = perp_norm_inf(n, s->r);
    if (error <= tol * size || !(error < 0.5 * before))
      break;
    before = error;
    if (!perp_coupled_solve(s->coupled, s->r, s->r))
      return false;
    perp_axpy(n, 1, s->r, d);
  }
  s->run->count.solves++;
  return true;
}

/* ---- Rows without friction or cones ---- */

/* Unknown k is row F_k. By rows, ATe holds the right-hand side and Te the solution. */
static bool solve_reduced(perp_ssn_step *s, double tol)
{
  const perp_ssn_model *m = s->model;
  for (int k = 0; k < m->unknowns; k++) {
    s->swap[k] = m->row[m->L_width * k];
    s->ATe[s->swap[k]] = s->r[k];
  }
  if (!perp_linear_set(s->system, m->unknowns, s->swap, s->E))
    return false;
  const double reached = perp_linear_solve(s->system, s->ATe, tol, s->Te);
  for (int k = 0; k < m->unknowns; k++)
    s->e[k] = s->Te[s->swap[k]];
  return reached < 1;
}

/* ---- A step ---- */

/* r <- right - L^T (A + E) w */
static void set_right(perp_ssn_step *s)
{
  const perp_ssn_model *m = s->model;
  perp_run_apply(s->run, m->w, s->ATe);
  for (int i = 0; i < m->n; i++)
    s->ATe[i] += s->E[i] * m->w[i];
  for (int k = 0; k < m->unknowns; k++) {
    s->r[k] = m->right[k];
    for (int t = m->L_width * k, t_end = t + m->L_width; t < t_end; t++)
      if (m->row[t] >= 0)
        s->r[k] -= m->weight[t] * s->ATe[m->row[t]];
  }
}

/* Solves by GMRES; if that fails, by the dense factor, for this and some later steps. */
static perp_error solve_sparse(perp_ssn_step *s, double tol, bool *found)
{
  *found = false;
  if (!s->rescue || s->pause == 0) {
    const perp_error error = solve_krylov(s, tol, found);
    if (error || *found || !s->rescue) {
      s->next_pause = *found && s->next_pause > 1 ? s->next_pause / 2 : s->next_pause;
      return error;
    }
    s->pause = s->next_pause;
    s->next_pause *= s->next_pause < MOST_PAUSE ? 2 : 1;
  } else {
    s->pause--;
  }
  if (perp_run_expired(s->run))
    return PERP_OK;
  const perp_error error = open_dense(s);
  *found = !error && solve_dense(s);
  return error;
}

perp_error perp_ssn_step_solve(perp_ssn_step *s, double epsilon, double tol, double *d, bool *found)
{
  const perp_ssn_model *m = s->model;
  for (int i = 0; i < m->n; i++)
    s->E[i] = epsilon / m->own[i];
  if (s->kind == PERP_SSN_BODIES) {
    *found = solve_bodies(s, tol, d) && perp_all_finite(m->n, d);
    return PERP_OK;
  }
  set_right(s);
  perp_error error = PERP_OK;
  *found = true;
  if (m->unknowns > 0) {
    if (s->kind == PERP_SSN_REDUCED)
      *found = solve_reduced(s, tol);
    else if (s->kind == PERP_SSN_DENSE)
      *found = solve_dense(s);
    else
      error = solve_sparse(s, tol, found);
  }
  if (error)
    return error;
  perp_ssn_expand(m, s->e, d);
  *found = *found && perp_all_finite(m->n, d);
  return PERP_OK;
}
