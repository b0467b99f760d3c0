/* simulate/simulate.h: what a scene is, and what the stepper does for it
 *
 * A scene is one perp_scene: a typed parameter table, create, step, view, destroy. Its step finds
 * the contacts or cells, makes a problem, hands it to perp_stepper_solve and moves what is to be
 * moved. The stepper owns the solver, the options, the clock and the account. */
#pragma once

#include "base/memory.h"
#include "base/message.h"
#include "base/parameter.h"
#include "base/random.h"
#include <perp/frame.h>
#include <perp/simulate.h>

typedef struct perp_stepper {
  perp_solver *solver;
  perp_options options;
  bool warm;             /* scenes start from the forces of the last frame; else from 0 */
  perp_islands *islands; /* solved one by one by them; NULL: all together */
  perp_step *frame;      /* of the step in progress */
  perp_problem problem;  /* of the last solve; A is NULL if there was none */
  const double *x;
  bool keeps_start;     /* what that solve began with is kept; its owner frees it */
  double *start;        /* NULL also if memory ran out */
  size_t room;          /* of it */
  bool taken;           /* the method took an earlier problem of this scene */
  perp_message trouble; /* why the last step is not solved; "" if it is */
} perp_stepper;

/* Solves p from x and enters rows, active, outcome, residual, iterations and seconds in the frame
 * (added up if a step solves several problems, the worst residual kept). p, its arrays and x are
 * the scene's and stay until its next step. If the solve ends with a greater residual than x = 0
 * has, x is 0. An error if the method refuses the first problem it sees; if it refuses a later one
 * the scene goes on with x as it is. */
perp_error perp_stepper_solve(perp_stepper *stepper, const perp_problem *p, double *x,
                              perp_message *why);

typedef struct perp_scene {
  const char *name;
  const char *title;
  const char *family;
  const perp_parameter *parameters; /* ends with {0} */
  size_t parameter_bytes;
  /* Parameters are copied by the scene if it keeps them. On an error *state is NULL. */
  perp_error (*create)(const void *parameters, uint64_t seed, void **state, perp_message *why);
  void (*destroy)(void *state);
  /* Fills time, contacts, energies and what else it knows of stepper->frame; the rest is done. */
  perp_error (*step)(void *state, perp_stepper *stepper, perp_message *why);
  void (*view)(const void *state, perp_view *view);
  /* What a person does to it; NULL: nothing is possible. */
  perp_error (*act)(void *state, const perp_action *action, perp_message *why);
  /* The state of `from`, of the same scene; PERP_ERROR_ARGUMENT if the two do not fit. */
  perp_error (*follow)(void *state, const void *from, perp_message *why);
} perp_scene;
