/* step.c: the linear systems of ssn: contact by contact, by a dense factor, or by GMRES
 *
 * Contacts. A = A' + diag(own). With F = diag(own) + E the unknowns e of a contact are
 *
 *   (L^T F T + S) e = r - L^T F w - L^T A' d,   so   d = T e + w = s - B A' d,
 *   B = T (L^T F T + S)^-1 L^T,   s = w + T (L^T F T + S)^-1 (r - L^T F w),
 *
 * with matrices of at most the rows of the contact. With a small E entries of B are large, and the
 * solution is refined.
 *
 * GMRES uses products with A itself,
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

enum { RESTART = 60, PRODUCTS = 600 };

static perp_error open_krylov(perp_ssn_step *s)
{
  perp_run *run = s->run;
  s->restart = s->model->n < RESTART ? s->model->n + 1 : RESTART;
  s->work = perp_run_reals(run, (size_t)perp_gmres_work(s->model->n, s->restart));
  return s->work ? PERP_OK : perp_run_no_memory(run);
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

static bool solve_krylov(perp_ssn_step *s, double tol)
{
  const int count = s->model->unknowns;
  const double norm = perp_norm2(count, s->r);
  const perp_krylov k = {
      .n = count,
      .product = multiply_through,
      .context = s,
      .precondition = precondition_diagonal,
      .precondition_context = s,
      .alarm = perp_run_alarm(s->run),
      .target = tol * norm,
      .limit = PRODUCTS,
  };
  perp_fill(count, 0, s->e);
  const perp_krylov_end end = perp_gmres(&k, s->restart, s->r, s->e, s->work);
  s->run->count.solves += end.products;
  /* half the residual is still a direction; more means that the shift is too small for the solver */
  return end.residual <= perp_max(tol, 0.5) * norm;
}

/* ---- Opening ---- */

static bool has_friction(const perp_set *K)
{
  for (int i = 3 * K->cones; i < K->n; i++)
    if (perp_set_is_friction(K, i))
      return true;
  return perp_set_has_cones(K);
}

static perp_ssn_kind choose(const perp_run *run, perp_linear_solver solver)
{
  enum { SMALL = 150 };
  const perp_operator *A = run->problem->A;
  const double n = A->n, *a;
  int64_t stride;
  if (!has_friction(&run->problem->K))
    return PERP_SSN_REDUCED;
  if (!A->table->row || solver > PERP_LINEAR_DIRECT)
    return PERP_SSN_PRODUCT;
  const bool full = A->n <= SMALL || perp_operator_dense_array(A, &a, &stride) == PERP_OK;
  return full && perp_run_allows(run, n * n * sizeof n) ? PERP_SSN_DENSE : PERP_SSN_CONTACTS;
}

static perp_error open_dense(perp_ssn_step *s)
{
  const size_t n = (size_t)s->model->n, row = (size_t)s->run->problem->A->row_capacity;
  return PERP_TAKE(s->run->arena, PERP_ARRAY(s->column, row), PERP_ARRAY(s->value, row),
                   PERP_ARRAY(s->M, n * n))
             ? PERP_OK
             : perp_run_no_memory(s->run);
}

static perp_error open_contacts(perp_ssn_step *s)
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

perp_error perp_ssn_step_open(perp_run *run, const perp_ssn_model *model, perp_linear_solver solver,
                              perp_linear_preconditioner preconditioner, perp_ssn_step *step)
{
  const size_t n = (size_t)model->n;
  *step = (perp_ssn_step){.run = run, .model = model, .kind = choose(run, solver)};
  if (!PERP_TAKE_REALS(run->arena, n, &step->E, &step->r, &step->e, &step->Te, &step->ATe) ||
      !PERP_TAKE(run->arena, PERP_ARRAY(step->swap, n)))
    return perp_run_no_memory(run);
  switch (step->kind) {
  case PERP_SSN_REDUCED:
    return perp_linear_open(
        run,
        &(perp_linear_plan){.solver = solver, .preconditioner = preconditioner, .sparse_lu = true},
        &step->system);
  case PERP_SSN_DENSE:
    return open_dense(step);
  case PERP_SSN_CONTACTS:
    return open_contacts(step);
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

/* ---- Contacts ---- */

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
static bool solve_contacts(perp_ssn_step *s, double tol, double *d)
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

bool perp_ssn_step_solve(perp_ssn_step *s, double epsilon, double tol, double *d)
{
  const perp_ssn_model *m = s->model;
  for (int i = 0; i < m->n; i++)
    s->E[i] = epsilon / m->own[i];
  if (s->kind == PERP_SSN_CONTACTS)
    return solve_contacts(s, tol, d) && perp_all_finite(m->n, d);
  set_right(s);
  bool found = true;
  if (m->unknowns > 0)
    found = s->kind == PERP_SSN_REDUCED ? solve_reduced(s, tol)
            : s->kind == PERP_SSN_DENSE ? solve_dense(s)
                                        : solve_krylov(s, tol);
  perp_ssn_expand(m, s->e, d);
  return found && perp_all_finite(m->n, d);
}
