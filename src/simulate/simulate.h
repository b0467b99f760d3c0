/* simulate/simulate.h: the interface of a scene, and the stepper that solves its problems
 *
 * A scene is one perp_scene: a typed parameter table, and the simulator that creates, steps and shows
 * it. A step finds the contacts or cells, sets up a problem, passes it to perp_stepper_solve and moves the bodies or
 * the liquid. The stepper owns the solver, the options, the clock and the statistics. */
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
  bool warm;             /* warm-start from the impulses of the last frame; else from 0 */
  perp_islands *islands; /* solves the islands separately; NULL: solves them together */
  perp_step *frame;      /* of the current step */
  perp_problem problem;  /* of the last solve; A is NULL if there was none */
  const double *x;
  bool keeps_start;     /* keep the starting point of the solve; its owner frees it */
  double *start;        /* NULL also when out of memory */
  size_t room;          /* of it */
  bool taken;           /* the method accepted an earlier problem of this scene */
  perp_message trouble; /* why the last step is not solved; "" if it is */
} perp_stepper;

/* Solves p from x and records rows, active, outcome, residual, iterations and seconds in the frame.
 * If a step solves several problems, counts add up and the worst residual is kept. The scene owns
 * p, its arrays and x, and keeps them until its next step. If the residual is greater than at
 * x = 0, sets x to 0. v, unless NULL, is the velocities of the bodies without contacts, and A a
 * contact operator: an x that is not a solution then adds no kinetic energy. Returns an error if the method refuses the first problem; if it refuses a
 * later one, the scene continues with x unchanged. */
perp_error perp_stepper_solve(perp_stepper *stepper, const perp_problem *p, const double *v,
                              double *x, perp_message *why);

struct perp_world;
struct perp_setting;
struct perp_fluid_scene;
struct perp_scene;

/* What the scenes of one kind have in common. */
typedef struct perp_simulator {
  const char *family;
  size_t parameter_bytes;
  /* A scene that keeps the parameters copies them. On an error *state is NULL. */
  perp_error (*create)(const struct perp_scene *scene, const void *parameters, uint64_t seed,
                       void **state, perp_message *why);
  void (*destroy)(void *state);
  /* Fills time, contacts, energies and any other known fields of stepper->frame; the caller fills
   * the rest. */
  perp_error (*step)(void *state, perp_stepper *stepper, perp_message *why);
  void (*view)(const void *state, perp_view *view);
  /* Performs a user action; NULL: none are possible. */
  perp_error (*act)(void *state, const perp_action *action, perp_message *why);
  /* Copies the state of `from`, of the same scene; PERP_ERROR_ARGUMENT if the two do not fit. */
  perp_error (*follow)(void *state, const void *from, perp_message *why);
  const void *kind; /* the simulator's own; NULL: it needs none */
} perp_simulator;

typedef struct perp_scene {
  const char *name, *title;
  const perp_simulator *simulator;
  const perp_parameter *parameters; /* ends with {0} */
  /* adds the bodies to an empty world, which notes a failure; or the liquid */
  void (*build)(struct perp_world *world, const struct perp_setting *par);
  const struct perp_fluid_scene *liquid;
} perp_scene;
