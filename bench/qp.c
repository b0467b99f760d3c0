/* qp.c: quadratic programs by perp and by other libraries, and a warm loop of model predictive control
 *
 * A time is the CPU time from the arrays to the solution; for perp, of a solver that is created, used
 * once and destroyed. perp_qp_judge judges all x, z and w. A peer whose own stopping test ends too early
 * runs again with a hundredth of the tolerance, at most twice, and the failed attempts are not counted. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"
#include "kit/numbers.h"
#include "peers/qp_client.h"
#include "suite.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 7, START = 10 }; /* START: seconds in which a peer's program must start */

typedef struct answer {
  double *x, *z, *w;
} answer;

static bool answer_make(answer *a, int n, int m)
{
  const size_t rows = (size_t)n + 1, columns = (size_t)m + 1;
  a->x = calloc(2 * rows + columns, sizeof *a->x);
  a->w = a->x ? a->x + rows : NULL;
  a->z = a->x ? a->x + 2 * rows : NULL;
  return a->x != NULL;
}

/* The worst of primal, dual and gap: what the peers themselves test. Ours go on until
 * complementarity is at the tolerance too. */
static double judge(const perp_qp *qp, const answer *a)
{
  perp_qp_result r = perp_qp_result_empty();
  if (perp_qp_judge(qp, a->x, a->z, a->w, 0, &r))
    return INFINITY;
  const double worst = fmax(r.primal, fmax(r.dual, r.gap));
  return isnan(worst) ? INFINITY : worst;
}

/* ---- Ours ---- */

static double solve_once(const perp_qp *qp, const char *method, double tol, double limit,
                         const answer *a, perp_qp_result *r)
{
  perp_qp_options o = perp_qp_options_default();
  o.tol = tol;
  o.time_limit = limit;
  o.z = a->z;
  o.w = a->w;
  *r = perp_qp_result_empty();
  const double began = bench_processor();
  const perp_error error = perp_qp_solve(method, qp, &o, a->x, r);
  const double spent = bench_processor() - began;
  if (error)
    r->outcome = PERP_NOT_RUN;
  return spent;
}

static void time_ours(const bench_task *t, const perp_qp *qp, const answer *a, const char *method,
                      int rounds, bench_row *row)
{
  perp_qp_result r;
  row->status = "solved";
  row->residual = INFINITY;
  for (int tol = 0; tol < BENCH_TOLS; tol++) {
    double sample[MOST_ROUNDS];
    row->seconds[tol] = INFINITY;
    const double once = solve_once(qp, method, bench_tols[tol], t->s->seconds, a, &r);
    const double residual = r.outcome == PERP_NOT_RUN ? INFINITY : judge(qp, a);
    row->residual = fmin(row->residual, residual);
    if (!(residual <= bench_tols[tol])) {
      row->status = perp_outcome_name(r.outcome);
      continue;
    }
    row->counts = r.counts;
    const int batch = once < 1e-3 ? 1 + (int)(1e-3 / fmax(once, 1e-6)) : 1;
    for (int k = 0; k < rounds; k++) {
      const double began = bench_processor();
      for (int b = 0; b < batch; b++)
        solve_once(qp, method, bench_tols[tol], t->s->seconds, a, &r);
      sample[k] = (bench_processor() - began) / batch;
    }
    row->seconds[tol] = kit_median(rounds, sample);
  }
}

/* ---- Peers ---- */

/* program, method, and the most rows and unknowns: those with dense matrices are asked for small
 * programs only */
static const struct peer {
  const char *program, *method;
  int most;
} peers[] = {
    {"qp-ipopt", "default", INT_MAX}, {"qp-ipopt", "mehrotra", INT_MAX},
    {"qp-clp", "barrier", INT_MAX},   {"qp-clp", "primal", INT_MAX},
    {"qp-cvxopt", "chol", INT_MAX},   {"qp-quadprog", "dual", 2500},
    {"qp-quadprog", "shifted", 2500},
};
enum { PEERS = sizeof peers / sizeof *peers };

static bool peer_takes(const bench_task *t, const struct peer *peer, const perp_qp *qp)
{
  return t->s->peers && qp->n + qp->m <= peer->most && qp_peer_exists(t->s->peers, peer->program);
}

/* "ipopt default" */
static void peer_label(const struct peer *peer, char label[32])
{
  snprintf(label, 32, "%s %s", peer->program + strlen("qp-"), peer->method);
}

static void time_peer(const bench_task *t, const perp_qp *qp, const answer *a,
                      const struct peer *peer, int rounds, bench_row *row)
{
  row->status = "solved";
  row->residual = INFINITY;
  row->peer = true;
  for (int tol = 0; tol < BENCH_TOLS; tol++) {
    double asked = bench_tols[tol];
    row->seconds[tol] = INFINITY;
    for (int attempt = 0; attempt < 3 && isinf(row->seconds[tol]); attempt++, asked *= 1e-2) {
      double seconds;
      const char *status = qp_peer_solve(t->s->peers, peer->program, peer->method, qp, asked, 1,
                                         2 * t->s->seconds + START, &seconds, a->x, a->z, a->w);
      if (status) {
        row->status = status;
        break;
      }
      const double residual = judge(qp, a);
      row->residual = fmin(row->residual, residual);
      if (!(residual <= bench_tols[tol]))
        continue;
      const int batch = seconds < 5e-2 ? rounds : 1;
      if (batch > 1)
        qp_peer_solve(t->s->peers, peer->program, peer->method, qp, asked, 3 * batch,
                      3 * batch * (seconds + 0.1) + 5, &seconds, a->x, a->z, a->w);
      row->seconds[tol] = seconds;
    }
    if (isinf(row->seconds[tol]) && !strcmp(row->status, "solved"))
      row->status = "inaccurate";
  }
}

/* ---- The contest ---- */

static bench_row *new_row(const bench_task *t, const perp_qp *qp, const char *label)
{
  bench_row *row = bench_add_row(t->table);
  if (!row)
    return NULL;
  row->suite = t->suite->name;
  row->series = t->series;
  snprintf(row->problem, sizeof row->problem, "%s", t->text);
  snprintf(row->method, sizeof row->method, "%s", label);
  row->n = qp->n;
  row->form = "qp";
  return row;
}

/* Methods that look at every pair of rows are asked for small programs only. */
static bool takes(const char *method, const perp_qp *qp)
{
  enum { SMALL = 400 };
  return qp->n + qp->m <= SMALL || !strchr(method, ':');
}

const char *const bench_qp_methods[] = {"auto",      "ipm",      "active", "admm",
                                        "kkt:lemke", "kkt:auto", NULL};

perp_error bench_qp(const bench_task *t)
{
  const char *const *ours = bench_qp_methods;
  const int rounds = t->s->size == BENCH_QUICK ? 3 : MOST_ROUNDS;
  perp_qp_instance instance;
  perp_error error = perp_qp_generate(t->text, &instance, t->why);
  if (error)
    return error;
  const perp_qp qp = perp_qp_instance_program(&instance);
  answer a;
  error = answer_make(&a, qp.n, qp.m) ? PERP_OK : PERP_ERROR_MEMORY;
  for (int k = 0; ours[k] && !error; k++) {
    if (!takes(ours[k], &qp) || (t->s->methods && !strstr(t->s->methods, ours[k])))
      continue;
    bench_row *row = new_row(t, &qp, ours[k]);
    if (row)
      time_ours(t, &qp, &a, ours[k], rounds, row);
    else
      error = PERP_ERROR_MEMORY;
  }
  for (int k = 0; k < PEERS && !error; k++) {
    if (!peer_takes(t, &peers[k], &qp))
      continue;
    char label[32];
    peer_label(&peers[k], label);
    bench_row *row = new_row(t, &qp, label);
    if (row)
      time_peer(t, &qp, &a, &peers[k], rounds, row);
    else
      error = PERP_ERROR_MEMORY;
  }
  free(a.x);
  perp_qp_instance_destroy(&instance);
  return error;
}

/* ---- A warm loop ---- */

enum { STATES = 8, INPUTS = 4, STEPS = 100 };

/* Of each step: another reference in q, and the state that the last input led to, with some noise,
 * in l and u of the first equations. */
typedef struct loop {
  perp_qp_instance instance;
  double A[STATES * STATES];
  double *q, *l;
  uint64_t noise;
} loop;

static double draw(loop *p)
{
  p->noise = p->noise * 6364136223846793005u + 1442695040888963407u;
  return (double)(p->noise >> 40) / (1 << 24) - 0.5;
}

/* -A is in the rows of the second step. */
static void read_dynamics(loop *p)
{
  for (int i = 0; i < STATES; i++)
    for (int64_t e = p->instance.G_start[STATES + i]; e < p->instance.G_start[STATES + i + 1];
         e++) {
      const int j = p->instance.G_column[e] - INPUTS;
      if (j >= 0 && j < STATES)
        p->A[i * STATES + j] = -p->instance.G_value[e];
    }
}

static void set_reference(loop *p, int step)
{
  for (int i = 0; i < p->instance.n; i++) {
    const int within = i % (STATES + INPUTS);
    p->q[i] = within < INPUTS ? p->instance.q[i] : p->instance.q[i] * sin(0.07 * step + within);
  }
}

static void move_on(loop *p, const double *x)
{
  double next[STATES];
  for (int j = 0; j < STATES; j++)
    next[j] = x[INPUTS + j] + 0.02 * draw(p);
  for (int i = 0; i < STATES; i++) {
    p->l[i] = 0;
    for (int j = 0; j < STATES; j++)
      p->l[i] += p->A[i * STATES + j] * next[j];
  }
}

/* A solver kept from step to step, one that is kept but starts cold, one made for each step, and
 * the peers. */
enum { WARM, COLD, FRESH, OURS, CONTESTANTS = OURS + PEERS };

typedef struct race {
  int runs[CONTESTANTS], solved[CONTESTANTS];
  int64_t factors[CONTESTANTS];
  double seconds[CONTESTANTS][STEPS];
  perp_qp_solver *solver[2]; /* of WARM and COLD */
} race;

static void note(race *r, int k, double seconds, bool solved, int64_t factors)
{
  r->seconds[k][r->runs[k]++] = seconds;
  r->solved[k] += solved;
  r->factors[k] += factors;
}

/* The warm one is the last: its x is that of the step. */
static perp_error run_ours(const bench_task *t, race *r, const loop *p, const perp_qp *qp,
                           double *x)
{
  perp_error error = PERP_OK;
  for (int k = OURS - 1; k >= 0 && !error; k--) {
    perp_qp_options o = perp_qp_options_default();
    perp_qp_result result = perp_qp_result_empty();
    o.cold = k == COLD;
    const double began = bench_processor();
    if (k == FRESH)
      error = perp_qp_solve(NULL, qp, &o, x, &result);
    else if (!(error = perp_qp_solver_set(r->solver[k], p->q, p->l, p->l, NULL, NULL, t->why)))
      error = perp_qp_solver_solve(r->solver[k], &o, x, &result);
    note(r, k, bench_processor() - began, result.outcome == PERP_SOLVED,
         result.counts.factorisations);
  }
  return error;
}

static perp_error run_peers(const bench_task *t, race *r, const perp_qp *qp)
{
  answer b;
  if (!answer_make(&b, qp->n, qp->m))
    return PERP_ERROR_MEMORY;
  for (int k = 0; k < PEERS; k++) {
    double seconds, residual = INFINITY;
    bool answered = peer_takes(t, &peers[k], qp);
    for (double asked = 1e-8; answered && residual > 1e-8 && asked >= 1e-12; asked *= 1e-2) {
      answered = !qp_peer_solve(t->s->peers, peers[k].program, peers[k].method, qp, asked, 3, 60,
                                &seconds, b.x, b.z, b.w);
      residual = judge(qp, &b);
    }
    if (answered)
      note(r, OURS + k, seconds, residual <= 1e-8, 0);
  }
  free(b.x);
  return PERP_OK;
}

/* Medians over the steps. */
static perp_error show_race(const bench_task *t, race *r, int n)
{
  static const char *const names[] = {"n", "solved", "us", "times warm", "factors"};
  static const char *const labels[OURS] = {"warm", "cold", "fresh"};
  const double warm = kit_median(r->runs[WARM], r->seconds[WARM]);
  perp_error error = PERP_OK;
  for (int k = 0; k < CONTESTANTS && !error; k++) {
    const int runs = r->runs[k];
    if (runs == 0)
      continue;
    char label[32];
    if (k < OURS)
      snprintf(label, sizeof label, "%s", labels[k]);
    else
      peer_label(&peers[k - OURS], label);
    const double median = kit_median(runs, r->seconds[k]);
    const double figures[] = {n, (double)r->solved[k] / runs, 1e6 * median, median / warm,
                              k < OURS ? (double)r->factors[k] / runs : NAN};
    error = bench_add_figures(t, label, 5, names, figures);
  }
  return error;
}

static perp_error run_loop(const bench_task *t, loop *p, race *r)
{
  perp_qp qp = perp_qp_instance_program(&p->instance);
  answer a = {0};
  perp_error error = answer_make(&a, qp.n, qp.m) ? PERP_OK : PERP_ERROR_MEMORY;
  for (int k = 0; k < 2 && !error; k++)
    error = perp_qp_solver_create(NULL, &qp, &r->solver[k], t->why);
  qp.q = p->q;
  qp.l = qp.u = p->l;
  for (int step = 0; step < STEPS && !error; step++) {
    set_reference(p, step);
    error = run_ours(t, r, p, &qp, a.x);
    /* a peer's process is started anew for each program: every tenth is enough for a median */
    if (step % 10 == 5 && !error)
      error = run_peers(t, r, &qp);
    move_on(p, a.x);
  }
  if (!error)
    error = show_race(t, r, qp.n);
  free(a.x);
  for (int k = 0; k < 2; k++)
    perp_qp_solver_destroy(r->solver[k]);
  return error;
}

perp_error bench_qp_loop(const bench_task *t)
{
  loop p = {.noise = 1};
  perp_error error = perp_qp_generate(t->text, &p.instance, t->why);
  if (error)
    return error;
  p.q = calloc((size_t)p.instance.n + 1, sizeof *p.q);
  p.l = calloc((size_t)p.instance.m + 1, sizeof *p.l);
  race *r = calloc(1, sizeof *r);
  if (p.q && p.l && r) {
    memcpy(p.l, p.instance.l, (size_t)p.instance.m * sizeof *p.l);
    read_dynamics(&p);
    error = run_loop(t, &p, r);
  } else {
    error = PERP_ERROR_MEMORY;
  }
  free(r);
  free(p.q);
  free(p.l);
  perp_qp_instance_destroy(&p.instance);
  return error;
}
