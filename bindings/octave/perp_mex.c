/* perp_mex.c: matrices, options and results of Octave and MATLAB */
#include "perp_mex.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void call_begin(call *c)
{
  memset(c, 0, sizeof *c);
  c->options = perp_options_default();
  strcpy(c->method, "auto");
}

void call_end(call *c)
{
  perp_solver_destroy(c->solver);
  perp_operator_destroy(c->A);
  free(c->dense);
  free(c->start);
  free(c->column);
  free(c->findex);
  free(c->ray);
  free(c->traced);
  memset(c, 0, sizeof *c);
}

/* Returns true if the number that begins at text[at] is the second of a pair: (3,4) or P[3, 4]. */
static bool is_second(const char *text, size_t at, size_t end)
{
  size_t k = at;
  while (k > 0 && text[k - 1] == ' ')
    k--;
  if (k == 0 || text[k - 1] != ',')
    return false;
  const size_t comma = --k;
  while (k > 0 && isdigit((unsigned char)text[k - 1]))
    k--;
  return k > 0 && k < comma &&
         ((text[k - 1] == '(' && text[end] == ')') || (text[k - 1] == '[' && text[end] == ']'));
}

/* Returns true if the number at text[at] is a row: b[3], A[3][4], P[3, 4], A(3,4), (3,4), row 3. */
static bool names_a_row(const char *text, size_t at)
{
  if (at == 0)
    return false;
  const char before = text[at - 1];
  if (before == '[')
    return at >= 2 && (isalpha((unsigned char)text[at - 2]) || text[at - 2] == ']');
  size_t end = at;
  while (isdigit((unsigned char)text[end]))
    end++;
  if (before == '(')
    return text[end] == ',';
  return is_second(text, at, end) || (at >= 4 && strncmp(text + at - 4, "row ", 4) == 0);
}

void count_from_one(const char *text, char *to, size_t room)
{
  size_t used = 0;
  for (size_t k = 0; text[k] && used + 24 < room;) {
    if (isdigit((unsigned char)text[k]) && names_a_row(text, k)) {
      char *end;
      const long row = strtol(text + k, &end, 10);
      used += (size_t)snprintf(to + used, room - used, "%ld", row + 1);
      k = (size_t)(end - text);
    } else {
      to[used++] = text[k++];
    }
  }
  to[used] = '\0';
}

void call_fail(call *c, const char *id, const char *text)
{
  static char message[600]; /* outlives the jump */
  static char name[64];
  count_from_one(text, message, sizeof message);
  snprintf(name, sizeof name, "perp:%s", id);
  call_end(c);
  mexErrMsgIdAndTxt(name, "%s", message);
}

static void call_fail_by(call *c, perp_error error, const perp_message *why)
{
  perp_message text = *why; /* a copy: why may be in memory that is freed */
  call_fail(c, perp_error_name(error), text.text);
}

/* ---- The matrix ---- */

static bool is_symmetric(const double *a, size_t n)
{
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < j; i++)
      if (!(a[i + j * n] == a[j + i * n]))
        return false;
  return true;
}

/* By columns in Octave, by rows here; a symmetric matrix is both. */
static void read_dense(call *c, const mxArray *a, size_t n)
{
  const double *from = mxGetPr(a);
  perp_message why = {""};
  if (!is_symmetric(from, n)) {
    c->dense = malloc((n * n + 1) * sizeof *c->dense);
    if (!c->dense)
      call_fail(c, "memory", "not enough memory");
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++)
        c->dense[i * n + j] = from[i + j * n];
    from = c->dense;
  }
  const perp_error error = perp_operator_dense((int)n, from, (int64_t)n, PERP_BORROW, &c->A, &why);
  if (error)
    call_fail_by(c, error, &why);
}

/* Row numbers and starts of Octave are of other types; the numbers are taken as they are. */
static void read_sparse(call *c, const mxArray *a, size_t n)
{
  const mwIndex *jc = mxGetJc(a), *ir = mxGetIr(a);
  const double *from = mxGetPr(a);
  const size_t entries = (size_t)jc[n];
  c->start = malloc((n + 1) * sizeof *c->start);
  c->column = malloc((entries + 1) * sizeof *c->column);
  if (!c->start || !c->column)
    call_fail(c, "memory", "not enough memory");
  for (size_t j = 0; j <= n; j++)
    c->start[j] = (int64_t)jc[j];
  for (size_t k = 0; k < entries; k++)
    c->column[k] = (int)ir[k];
  perp_message why = {""};
  const perp_error error =
      perp_operator_csc((int)n, c->start, c->column, from, PERP_BORROW, &c->A, &why);
  if (error)
    call_fail_by(c, error, &why);
}

void call_matrix(call *c, const mxArray *a)
{
  char text[120];
  const size_t n = mxGetM(a), columns = mxGetN(a);
  if (!mxIsDouble(a) || mxIsComplex(a))
    call_fail(c, "argument", "A: a real matrix of doubles is needed");
  if (n != columns || mxGetNumberOfDimensions(a) != 2 || n > INT32_MAX) {
    snprintf(text, sizeof text, "A is %zu x %zu: a square matrix is needed", n, columns);
    call_fail(c, "argument", text);
  }
  if (mxIsSparse(a))
    read_sparse(c, a, n);
  else
    read_dense(c, a, n);
}

const double *call_vector(call *c, int nrhs, const mxArray *prhs[], int at, int n, const char *name)
{
  if (at >= nrhs || mxIsEmpty(prhs[at]))
    return NULL;
  char text[120];
  const mxArray *v = prhs[at];
  if (!mxIsDouble(v) || mxIsComplex(v) || mxIsSparse(v)) {
    snprintf(text, sizeof text, "%s: a real vector of doubles is needed", name);
    call_fail(c, "argument", text);
  }
  const size_t length = mxGetNumberOfElements(v);
  if (length == 1 && n > 1) {
    double *all = mxMalloc((size_t)n * sizeof *all); /* freed at the end of the MEX file */
    for (int i = 0; i < n; i++)
      all[i] = mxGetScalar(v);
    return all;
  }
  if (length != (size_t)n || (mxGetM(v) != 1 && mxGetN(v) != 1)) {
    snprintf(text, sizeof text, "%s is %zu x %zu, but a vector of %d numbers is needed", name,
             mxGetM(v), mxGetN(v), n);
    call_fail(c, "argument", text);
  }
  return mxGetPr(v);
}

/* ---- Options ---- */

/* One that mxGetScalar reads: a sparse zero stores nothing that could be read. */
static bool is_number(const mxArray *v)
{
  return (mxIsNumeric(v) || mxIsLogical(v)) && mxGetNumberOfElements(v) == 1 && !mxIsComplex(v) &&
         !mxIsSparse(v);
}

double call_number(call *c, const mxArray *v, const char *name)
{
  char text[120];
  if (!is_number(v)) {
    snprintf(text, sizeof text, "%.60s: a real number is needed, not sparse", name);
    call_fail(c, "argument", text);
  }
  return mxGetScalar(v);
}

/* From 1 on, 0 for none; here from 0 on, -1 for none. */
static void read_findex(call *c, const mxArray *v, int n)
{
  char text[160];
  if (n == 0 || !mxIsDouble(v) || mxIsComplex(v) || mxIsSparse(v) ||
      mxGetNumberOfElements(v) != (size_t)n) {
    snprintf(text, sizeof text, "findex: a full real vector of %d numbers is needed", n);
    call_fail(c, "argument", text);
  }
  const double *from = mxGetPr(v);
  c->findex = malloc(((size_t)n + 1) * sizeof *c->findex);
  if (!c->findex)
    call_fail(c, "memory", "not enough memory");
  for (int i = 0; i < n; i++) {
    if (!(from[i] >= 0 && from[i] <= n) || from[i] != (int)from[i] || from[i] == i + 1) {
      /* the row is written as the library does, and counted from 1 later */
      snprintf(text, sizeof text,
               "findex[%d] = %g must be 0 or the number of another row, at most %d", i, from[i], n);
      call_fail(c, "problem", text);
    }
    c->findex[i] = (int)from[i] - 1;
  }
}

/* A quadratic program takes the first OPTIONS_OF_A_PROGRAM of them. */
enum { OPTIONS_OF_A_PROGRAM = 5, OPTIONS = 10 };
static const char *const options_of_a_solve[OPTIONS] = {
    "method", "tol",   "time_limit", "max_iterations", "verbose", "threads",
    "seed",   "trace", "x0",         "findex",
};

static bool is_among(const char *name, int count)
{
  for (int k = 0; k < count; k++)
    if (strcmp(name, options_of_a_solve[k]) == 0)
      return true;
  return false;
}

/* All other names are parameters of the method. */
static bool is_option(const char *name)
{
  return is_among(name, OPTIONS);
}

static void print_line(void *context, perp_log_level level, const char *line)
{
  (void)context;
  mexPrintf(level == PERP_LOG_WARNING ? "warning: %s\n" : "%s\n", line);
}

static void read_option(call *c, const char *name, const mxArray *v, int n)
{
  perp_options *o = &c->options;
  if (strcmp(name, "method") == 0) {
    if (!mxIsChar(v) || mxGetString(v, c->method, sizeof c->method) != 0)
      call_fail(c, "argument", "method: a name is needed");
  } else if (strcmp(name, "findex") == 0) {
    read_findex(c, v, n);
  } else if (strcmp(name, "x0") == 0) {
    c->x0 = v;
  } else {
    const double number = call_number(c, v, name);
    char text[120];
    if (strcmp(name, "tol") == 0) {
      o->tol = number;
    } else if (strcmp(name, "time_limit") == 0) {
      o->time_limit = number;
    } else if (strcmp(name, "trace") == 0) {
      c->trace = number != 0;
    } else if (!(number >= 0 && number <= 9007199254740992.0) ||
               number != (double)(int64_t)number ||
               (strcmp(name, "threads") == 0 && !(number >= 1 && number <= 4096))) {
      snprintf(text, sizeof text, "%.60s = %g is out of range", name, number);
      call_fail(c, "argument", text);
    } else if (strcmp(name, "threads") == 0) {
      o->threads = (int)number;
    } else if (strcmp(name, "verbose") == 0) {
      o->verbose = (int64_t)number;
      o->logger = number > 0 ? print_line : NULL;
    } else if (strcmp(name, "seed") == 0) {
      o->seed = (uint64_t)number;
    } else {
      o->max_iterations = (int64_t)number;
    }
  }
}

/* The k-th field that is given, or NULL. */
static const mxArray *field(const mxArray *options, int k)
{
  const mxArray *v = mxGetFieldByNumber(options, 0, k);
  return v && !mxIsEmpty(v) ? v : NULL;
}

static int fields(const mxArray *options)
{
  return options && !mxIsEmpty(options) ? mxGetNumberOfFields(options) : 0;
}

void call_options(call *c, const mxArray *options, int n)
{
  if (options && !mxIsEmpty(options) && !mxIsStruct(options))
    call_fail(c, "argument", "options: a struct is needed, such as struct('tol', 1e-6)");
  for (int k = 0; k < fields(options); k++) {
    const char *name = mxGetFieldNameByNumber(options, k);
    if (field(options, k) && is_option(name))
      read_option(c, name, field(options, k), n);
  }
}

void call_program_options(call *c, const mxArray *options)
{
  call_options(c, options, 0);
  for (int k = 0; k < fields(options); k++) {
    const char *name = mxGetFieldNameByNumber(options, k);
    char text[120];
    if (!is_among(name, OPTIONS_OF_A_PROGRAM)) {
      snprintf(text, sizeof text, "perp_qp has no option '%.60s'", name);
      call_fail(c, "argument", text);
    }
  }
}

perp_error call_parameters(const mxArray *options, perp_solver *solver, perp_message *why)
{
  perp_error error = PERP_OK;
  for (int k = 0; k < fields(options) && !error; k++) {
    const char *name = mxGetFieldNameByNumber(options, k);
    const mxArray *v = field(options, k);
    char word[64] = "";
    if (!v || is_option(name))
      continue;
    if (mxIsChar(v)) {
      mxGetString(v, word, sizeof word);
      error = perp_solver_set_text(solver, name, word, why);
    } else if (is_number(v)) {
      error = perp_solver_set(solver, name, mxGetScalar(v), why);
    } else {
      snprintf(why->text, sizeof why->text, "%.60s: a number or a word is needed", name);
      error = PERP_ERROR_PARAMETER;
    }
  }
  return error;
}

void call_solver(call *c, const mxArray *options)
{
  perp_message why = {""};
  perp_error error = perp_solver_create(c->method, &c->solver, &why);
  if (!error)
    error = call_parameters(options, c->solver, &why);
  if (error)
    call_fail_by(c, error, &why);
}

/* ---- The solve ---- */

static bool observe(void *context, const perp_progress *p)
{
  call *c = context;
  if (!p->checked)
    return true;
  if (c->rows == c->room) {
    const size_t room = 2 * c->room + 64;
    double *grown = realloc(c->traced, room * 3 * sizeof *grown);
    if (!grown)
      return true; /* the trace ends here, the solve does not */
    c->traced = grown;
    c->room = room;
  }
  double *row = c->traced + 3 * c->rows++;
  row[0] = (double)p->iteration;
  row[1] = p->seconds;
  row[2] = p->residual;
  return true;
}

static mxArray *column(int n, const double *from)
{
  mxArray *v = mxCreateDoubleMatrix((mwSize)(from ? n : 0), from ? 1 : 0, mxREAL);
  if (from && n > 0)
    memcpy(mxGetPr(v), from, (size_t)n * sizeof *from);
  return v;
}

static mxArray *trace_of(const call *c)
{
  mxArray *t = mxCreateDoubleMatrix((mwSize)c->rows, c->rows ? 3 : 0, mxREAL);
  for (size_t k = 0; k < c->rows; k++)
    for (size_t j = 0; j < 3; j++)
      mxGetPr(t)[k + j * c->rows] = c->traced[3 * k + j];
  return t;
}

static mxArray *attempts_of(const perp_result *r)
{
  static const char *names[] = {"method", "status", "residual", "iterations", "seconds"};
  mxArray *all = mxCreateStructMatrix((mwSize)r->attempts, 1, 5, names);
  for (int k = 0; k < r->attempts; k++) {
    const perp_attempt *a = &r->attempt[k];
    const mwIndex at = (mwIndex)k;
    mxSetField(all, at, "method", mxCreateString(a->method));
    mxSetField(all, at, "status", mxCreateString(perp_outcome_name(a->outcome)));
    mxSetField(all, at, "residual", mxCreateDoubleScalar(a->residual));
    mxSetField(all, at, "iterations", mxCreateDoubleScalar((double)a->iterations));
    mxSetField(all, at, "seconds", mxCreateDoubleScalar(a->seconds));
  }
  return all;
}

static mxArray *info_of(const call *c, const perp_result *r, int n)
{
  static const char *names[] = {"status",  "solved",   "residual",   "relative_residual", "scale",
                                "seconds", "method",   "iterations", "message",           "ray",
                                "trace",   "attempts", "certificate"};
  char message[600];
  count_from_one(r->message.text, message, sizeof message);
  mxArray *info = mxCreateStructMatrix(1, 1, sizeof names / sizeof *names, names);
  mxSetField(info, 0, "status", mxCreateString(perp_outcome_name(r->outcome)));
  mxSetField(info, 0, "solved", mxCreateLogicalScalar(r->outcome == PERP_SOLVED));
  mxSetField(info, 0, "residual", mxCreateDoubleScalar(r->residual));
  mxSetField(info, 0, "relative_residual", mxCreateDoubleScalar(r->relative_residual));
  mxSetField(info, 0, "scale", mxCreateDoubleScalar(r->scale));
  mxSetField(info, 0, "seconds", mxCreateDoubleScalar(r->seconds));
  mxSetField(info, 0, "method", mxCreateString(r->method ? r->method : c->method));
  mxSetField(info, 0, "iterations", mxCreateDoubleScalar((double)r->counts.iterations));
  mxSetField(info, 0, "message", mxCreateString(message));
  mxSetField(info, 0, "ray", column(n, r->ray));
  mxSetField(info, 0, "trace", trace_of(c));
  mxSetField(info, 0, "attempts", attempts_of(r));
  mxSetField(info, 0, "certificate", column(n, r->outcome == PERP_INFEASIBLE ? r->ray : NULL));
  return info;
}

void call_solve(call *c, const perp_problem *p, int nlhs, mxArray *plhs[])
{
  const int n = p->K.n;
  mxArray *x = mxCreateDoubleMatrix((mwSize)n, 1, mxREAL);
  mxArray *y = mxCreateDoubleMatrix((mwSize)n, 1, mxREAL);
  c->ray = malloc(((size_t)n + 1) * sizeof *c->ray);
  if (!c->ray)
    call_fail(c, "memory", "not enough memory");
  if (c->x0) {
    const mxArray *given[] = {c->x0};
    memcpy(mxGetPr(x), call_vector(c, 1, given, 0, n, "x0"), (size_t)n * sizeof(double));
  }
  c->options.y = mxGetPr(y);
  c->options.ray = c->ray;
  if (c->trace) {
    c->options.observer = observe;
    c->options.observer_context = c;
  }
  perp_result r = perp_result_empty();
  const perp_error error = perp_solver_solve(c->solver, p, &c->options, mxGetPr(x), &r);
  if (error)
    call_fail_by(c, error, &r.message);
  plhs[0] = x;
  if (nlhs > 1)
    plhs[1] = y;
  if (nlhs > 2)
    plhs[2] = info_of(c, &r, n);
  call_end(c);
}
