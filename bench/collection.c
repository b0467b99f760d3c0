/* collection.c: a folder of linear and quadratic programs, by perp and by other libraries
 *
 * The judge is independent of the library: it has only the definitions, and sums in long double. For
 * the answer x, z, w of minimise 1/2 x'P x + q'x subject to l <= G x <= u, lb <= x <= ub, with t = (x, G x)
 * and v = (w, z),
 *
 *   primal   max_k dist(t_k, [L_k, U_k])  over  max(1, |t|, the finite bounds of violated rows)
 *   dual     max |P x + q + G'z + w|      over  max(1, |P x|, |q|, |G'z|, |w|)
 *   gap      |p - d|                      over  max(1, min(|p|, |d|)),
 *            p = 1/2 x'P x + q'x,   d = -1/2 x'P x - sum_k v_k (U_k if v_k > 0, else L_k)
 *
 * in maximum norms; a v_k that pushes against an infinite bound counts as 0. These are the relative
 * residuals of OSQP, PIQP and Clarabel. An answer is verified if each is at most 10 tol. */
#define _POSIX_C_SOURCE 200809L
#include "collection.h"

#include "bench.h"
#include "peers/qp_client.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* START: seconds in which a peer's program must start; SHARED: how much longer than its CPU time a
 * peer may take on a machine with other work */
enum { START = 10, SHARED = 5, SOLVERS = 12 };

typedef struct {
  const char *program, *method;
} peer;

static const peer peers[] = {
    {"qp-piqp", "sparse"}, {"qp-ipopt", "mehrotra"}, {"qp-clp", "barrier"}};

typedef struct {
  double objective, primal, dual, gap;
} judgement;

/* Result of a solver on the whole collection. */
typedef struct {
  char name[32];
  int runs, solved, verified, wrong, no_point, rays;
  double logs; /* of seconds + 1 */
} tally;

typedef struct {
  const collection_settings *s;
  perp_qp qp;
  const perp_qp_instance *instance;
  const char *problem;
  const int64_t *P_start;
  const int *P_column;
  const double *P_value;
  double *x, *z, *w;
  long double *g; /* n: a gradient */
  tally *tallies;
} contest;

/* ---- The judge ---- */

static double bound_of(const double *bounds, int k, double missing)
{
  const double b = bounds ? bounds[k] : missing;
  return fabs(b) >= 1e300 ? copysign(INFINITY, b) : b;
}

/* Adds row k of t to the judgement, and v's part of the dual objective. */
static void judge_row(long double t, double *v, double L, double U, long double *size,
                      long double *violated, long double *support)
{
  const long double over = fmaxl(0, fmaxl((long double)L - t, t - (long double)U));
  if (!isinf(L) || !isinf(U))
    *size = fmaxl(*size, fabsl(t));
  if (over > 0)
    *size = fmaxl(*size, fabsl(t > (long double)U ? (long double)U : (long double)L));
  *violated = fmaxl(*violated, over);
  if (*v != 0 && isinf(*v > 0 ? U : L))
    *v = 0;
  if (*v != 0)
    *support += (long double)*v * (*v > 0 ? U : L);
}

static judgement judge(contest *c)
{
  const perp_qp *qp = &c->qp;
  long double size = 1, violated = 0, support = 0, xPx = 0, qx = 0, scale = 1, worst = 0;
  for (int i = 0; i < qp->m; i++) {
    long double t = 0;
    for (int64_t e = qp_row_start(qp, i); e < qp_row_end(qp, i); e++)
      t += (long double)qp->G_value[e] * c->x[qp_column_of(qp, i, e)];
    judge_row(t, &c->z[i], bound_of(qp->l, i, -INFINITY), bound_of(qp->u, i, INFINITY), &size,
              &violated, &support);
  }
  for (int j = 0; j < qp->n; j++) {
    judge_row(c->x[j], &c->w[j], bound_of(qp->lb, j, -INFINITY), bound_of(qp->ub, j, INFINITY),
              &size, &violated, &support);
    c->g[j] = 0;
  }
  for (int i = 0; i < qp->m; i++)
    for (int64_t e = qp_row_start(qp, i); e < qp_row_end(qp, i); e++)
      c->g[qp_column_of(qp, i, e)] += (long double)qp->G_value[e] * c->z[i];
  for (int j = 0; j < qp->n; j++) {
    long double Px = 0;
    const long double q = qp->q ? qp->q[j] : 0;
    for (int64_t e = c->P_start ? c->P_start[j] : 0; c->P_start && e < c->P_start[j + 1]; e++)
      Px += (long double)c->P_value[e] * c->x[c->P_column[e]];
    xPx += c->x[j] * Px;
    qx += c->x[j] * q;
    scale = fmaxl(scale, fmaxl(fmaxl(fabsl(Px), fabsl(q)), fmaxl(fabsl(c->g[j]), fabs(c->w[j]))));
    worst = fmaxl(worst, fabsl(Px + q + c->g[j] + c->w[j]));
  }
  const long double p = xPx / 2 + qx, d = -xPx / 2 - support;
  judgement t = {.objective = (double)p,
                 .primal = (double)(violated / size),
                 .dual = (double)(worst / scale),
                 .gap = (double)(fabsl(p - d) / fmaxl(1, fminl(fabsl(p), fabsl(d))))};
  for (int j = 0; j < qp->n; j++)
    if (!isfinite(c->x[j]))
      t.primal = INFINITY;
  return t;
}

/* ---- One solver, one program ---- */

static void record(contest *c, tally *y, const char *outcome, bool claims, double seconds)
{
  const collection_settings *s = c->s;
  const judgement t = judge(c);
  const bool verified = claims && t.primal <= 10 * s->tol && t.dual <= 10 * s->tol &&
                        t.gap <= 10 * s->tol && seconds <= s->seconds;
  const double f = t.objective + c->instance->constant;
  y->runs++;
  y->solved += claims;
  y->verified += verified;
  y->wrong += claims && !verified;
  y->no_point += !strcmp(outcome, "infeasible");
  y->rays += !strcmp(outcome, "infeasible-ray") || !strcmp(outcome, "infeasible ray");
  y->logs += log(1 + (verified ? fmin(seconds, s->seconds) : s->seconds));
  fprintf(s->out, "%s,%s,%d,%d,%lld,%g,%s,%.6g,%.15g,%.3g,%.3g,%.3g,%s\n", c->problem, y->name,
          c->qp.n, c->qp.m,
          (long long)(c->qp.G_start ? c->qp.G_start[c->qp.m] : (int64_t)c->qp.m * c->qp.n), s->tol,
          outcome, seconds, c->instance->maximised ? -f : f, t.primal, t.dual, t.gap,
          verified ? "yes" : "no");
  fflush(s->out);
}

typedef struct {
  double began, seconds;
} budget;

/* CPU time, so that other programs on the machine do not decide. */
static bool is_spent(void *context)
{
  const budget *b = context;
  return bench_processor() - b->began > b->seconds;
}

static void run_ours(contest *c, tally *y)
{
  perp_qp_options o = perp_qp_options_default();
  perp_qp_result r = perp_qp_result_empty();
  o.tol = c->s->tol;
  budget b = {.seconds = c->s->seconds};
  o.interrupted = is_spent;
  o.interrupted_context = &b;
  o.z = c->z;
  o.w = c->w;
  memset(c->x, 0, (size_t)c->qp.n * sizeof *c->x);
  b.began = bench_processor();
  const perp_error error = perp_qp_solve(y->name, &c->qp, &o, c->x, &r);
  const double seconds = bench_processor() - b.began;
  record(c, y, error ? perp_error_name(error) : perp_outcome_name(r.outcome),
         !error && r.outcome == PERP_SOLVED, seconds);
}

static void run_peer(contest *c, tally *y, const peer *p)
{
  double seconds = c->s->seconds;
  memset(c->x, 0, (size_t)c->qp.n * sizeof *c->x);
  memset(c->z, 0, (size_t)c->qp.m * sizeof *c->z);
  memset(c->w, 0, (size_t)c->qp.n * sizeof *c->w);
  const char *status = qp_peer_solve(c->s->peers, p->program, p->method, &c->qp, c->s->tol, 1,
                                     SHARED * c->s->seconds + START, &seconds, c->x, c->z, c->w);
  record(c, y, status ? status : "solved", !status, seconds);
}

static perp_error run_program(contest *c, perp_message *why)
{
  perp_operator *P = NULL;
  perp_error error = PERP_OK;
  c->qp = perp_qp_instance_program(c->instance);
  c->P_start = NULL;
  const size_t n = (size_t)c->qp.n + 1, m = (size_t)c->qp.m + 1;
  c->x = calloc(2 * n + m, sizeof *c->x);
  c->g = calloc(n, sizeof *c->g);
  if (c->qp.P && !(error = perp_operator_to_csr(c->qp.P, 0, &P, why)))
    error = perp_operator_csr_arrays(P, &c->P_start, &c->P_column, &c->P_value);
  if (!c->x || !c->g)
    error = PERP_ERROR_MEMORY;
  int k = 0;
  for (const char *at = c->s->methods; !error && *at; k++) {
    const size_t length = strcspn(at, ",");
    snprintf(c->tallies[k].name, sizeof c->tallies[k].name, "%.*s", (int)length, at);
    c->w = c->x + n;
    c->z = c->x + 2 * n;
    run_ours(c, &c->tallies[k]);
    at += length + (at[length] == ',');
  }
  for (size_t p = 0; !error && c->s->peers && p < sizeof peers / sizeof *peers; p++)
    if (qp_peer_exists(c->s->peers, peers[p].program)) {
      snprintf(c->tallies[k].name, sizeof c->tallies[k].name, "%s %s",
               peers[p].program + strlen("qp-"), peers[p].method);
      run_peer(c, &c->tallies[k++], &peers[p]);
    }
  perp_operator_destroy(P);
  free(c->x);
  free(c->g);
  return error;
}

/* ---- The folder ---- */

static bool is_program(const char *name)
{
  static const char *const endings[] = {".qps", ".mps", ".sif"};
  size_t length = strlen(name);
  if (length > 3 && !strcmp(name + length - 3, ".gz"))
    length -= 3;
  for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
    if (length > 4 && !strncasecmp(name + length - 4, endings[k], 4))
      return true;
  return false;
}

static int by_name(const void *a, const void *b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names of the programs in the folder, sorted; NULL when out of memory or unreadable. */
static char **list_programs(const char *folder, int *count)
{
  DIR *open = opendir(folder);
  char **names = NULL;
  *count = 0;
  for (const struct dirent *d; open && (d = readdir(open));) {
    char path[4096];
    struct stat found;
    snprintf(path, sizeof path, "%s/%s", folder, d->d_name);
    if (d->d_name[0] == '.' || stat(path, &found) ||
        !(S_ISDIR(found.st_mode) || is_program(d->d_name)))
      continue;
    char **more = realloc(names, (size_t)(*count + 1) * sizeof *names);
    names = more ? more : names;
    if (more && (names[*count] = strdup(d->d_name)))
      ++*count;
  }
  if (open)
    closedir(open);
  if (names)
    qsort(names, (size_t)*count, sizeof *names, by_name);
  return names;
}

static void show_tallies(const collection_settings *s, const tally *t)
{
  printf("%-16s %8s %8s %8s %8s %10s %8s  %s\n", "solver", "programs", "solved", "verified",
         "wrong", "infeasible", "rays", "shifted geometric mean of seconds");
  for (int k = 0; k < SOLVERS && t[k].runs > 0; k++)
    printf("%-16s %8d %8d %8d %8d %10d %8d  %.3g\n", t[k].name, t[k].runs, t[k].solved,
           t[k].verified, t[k].wrong, t[k].no_point, t[k].rays, exp(t[k].logs / t[k].runs) - 1);
  printf("an answer is verified if primal, dual and gap are at most %g; others count %g s\n",
         10 * s->tol, s->seconds);
}

perp_error bench_collection(const collection_settings *s, perp_message *why)
{
  int count;
  char **names = list_programs(s->folder, &count);
  tally tallies[SOLVERS] = {0};
  perp_error error = PERP_OK;
  if (count == 0) {
    snprintf(why->text, sizeof why->text, "%.300s: no .qps, .mps or .sif file, and no folder",
             s->folder);
    error = PERP_ERROR_FILE;
  }
  if (!error)
    fprintf(s->out, "problem,solver,n,rows,entries,tol,outcome,seconds,objective,primal,dual,gap,"
                    "verified\n");
  for (int k = 0; k < count && !error && s->progress(names[k], k, count); k++) {
    char path[4096], problem[256];
    struct stat found;
    perp_qp_instance instance = {0};
    perp_message reason = {""};
    snprintf(path, sizeof path, "%s/%s", s->folder, names[k]);
    snprintf(problem, sizeof problem, "%.*s", (int)strcspn(names[k], "."), names[k]);
    if ((s->only && !strstr(names[k], s->only)) || (s->share == 1 && k % 2) ||
        (s->share == 2 && k % 2 == 0))
      continue;
    const perp_error unread = stat(path, &found) == 0 && S_ISDIR(found.st_mode)
                                  ? perp_qp_folder_read(path, &instance, &reason)
                                  : perp_qp_mps_read(path, &instance, &reason);
    if (unread) {
      fprintf(stderr, "%s\n", reason.text);
      continue;
    }
    contest c = {.s = s, .instance = &instance, .problem = problem, .tallies = tallies};
    error = run_program(&c, why);
    perp_qp_instance_destroy(&instance);
  }
  for (int k = 0; k < count; k++)
    free(names[k]);
  free(names);
  s->progress("", 0, 0);
  if (!error)
    show_tallies(s, tallies);
  return error;
}
