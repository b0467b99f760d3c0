/* perp_simulate.c: s = perp_simulate(scene, steps, options); perp_simulate.m has its text */
#include "perp_mex.h"

#include <string.h>

enum { SERIES = 9 };
static const char *const series[SERIES] = {"time",       "rows",        "contacts",
                                           "iterations", "residual",    "kinetic",
                                           "potential",  "penetration", "seconds"};

/* The struct that is returned, to be filled step by step. */
static mxArray *new_struct(size_t steps, const perp_view *view)
{
  static const char *names[SERIES + 2];
  for (int k = 0; k < SERIES; k++)
    names[k] = series[k];
  names[SERIES] = "solved";
  names[SERIES + 1] = "pose";
  mxArray *s = mxCreateStructMatrix(1, 1, SERIES + 2, names);
  for (int k = 0; k < SERIES; k++)
    mxSetField(s, 0, series[k], mxCreateDoubleMatrix((mwSize)steps, 1, mxREAL));
  mxSetField(s, 0, "solved", mxCreateLogicalMatrix((mwSize)steps, 1));
  const mwSize shape[] = {view->dimension == 3 ? 7 : 3, (mwSize)view->shapes, (mwSize)steps + 1};
  mxSetField(s, 0, "pose", mxCreateNumericArray(3, shape, mxDOUBLE_CLASS, mxREAL));
  return s;
}

static void keep_pose(mxArray *s, const perp_simulation *simulation, size_t frame)
{
  perp_view view;
  perp_simulation_view(simulation, &view);
  const size_t numbers = (view.dimension == 3 ? 7u : 3u) * (size_t)view.shapes;
  if (numbers)
    memcpy(mxGetPr(mxGetField(s, 0, "pose")) + frame * numbers, view.pose,
           numbers * sizeof(double));
}

static void keep_step(mxArray *s, const perp_step *f, size_t k)
{
  const double numbers[SERIES] = {
      f->time,    f->rows,      f->contacts,    (double)f->iterations, f->relative_residual,
      f->kinetic, f->potential, f->penetration, f->solve_seconds};
  for (int j = 0; j < SERIES; j++)
    mxGetPr(mxGetField(s, 0, series[j]))[k] = numbers[j];
  mxGetLogicals(mxGetField(s, 0, "solved"))[k] = f->rows == 0 || f->outcome == PERP_SOLVED;
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  (void)nlhs;
  call c;
  call_begin(&c);
  char scene[400];
  if (nrhs < 2 || nrhs > 3 || !mxIsChar(prhs[0]) || mxGetString(prhs[0], scene, sizeof scene) != 0)
    call_fail(&c, "usage", "s = perp_simulate(scene, steps, options)");
  const double count = call_number(&c, prhs[1], "steps");
  if (!(count >= 0 && count <= 1e7) || count != (double)(int)count)
    call_fail(&c, "argument", "steps: a whole number is needed, at most 1e7");
  c.options.tol = 1e-6;
  const mxArray *options = nrhs > 2 ? prhs[2] : NULL;
  call_options(&c, options, 0);
  perp_simulation *simulation = NULL;
  perp_message why = {""};
  perp_error error = perp_simulation_create(scene, c.method, &c.options, &simulation, &why);
  if (!error)
    error = call_parameters(options, perp_simulation_solver(simulation), &why);
  if (error) {
    perp_simulation_destroy(simulation);
    call_fail(&c, perp_error_name(error), why.text);
  }
  perp_view view;
  perp_simulation_view(simulation, &view);
  const size_t steps = (size_t)count;
  mxArray *s = new_struct(steps, &view);
  keep_pose(s, simulation, 0);
  for (size_t k = 0; k < steps && !error; k++) {
    perp_step f;
    error = perp_simulation_step(simulation, &f, &why);
    if (!error) {
      keep_step(s, &f, k);
      keep_pose(s, simulation, k + 1);
    }
  }
  perp_simulation_destroy(simulation);
  if (error)
    call_fail(&c, perp_error_name(error), why.text);
  plhs[0] = s;
  call_end(&c);
}
