/* perp/simulate.h: scenes that make and solve their own problems, frame after frame
 *
 *   perp_simulation *sim;
 *   perp_simulation_create("discs:n=50,mu=0.3", "auto", NULL, &sim, &why);
 *   for (int k = 0; k < 300; k++) {
 *     perp_step frame;
 *     perp_simulation_step(sim, &frame, &why);
 *   }
 *   perp_simulation_destroy(sim);
 */
#ifndef PERP_SIMULATE_H
#define PERP_SIMULATE_H

#include <perp/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct perp_scene_info {
  size_t size; /* set by the call below */
  const char *name;
  const char *title;
  const char *family;               /* the simulator: "rigid2d", "rigid3d", "fluid", "particle" */
  const perp_parameter *parameters; /* ends with an entry whose name is NULL */
} perp_scene_info;

PERP_API int perp_scene_count(void);
PERP_API void perp_scene_at_sized(int index, perp_scene_info *info, size_t size);

/* Returns the scene of this index; its name is NULL if there is none. */
static inline perp_scene_info perp_scene_at(int index)
{
  perp_scene_info info;
  perp_scene_at_sized(index, &info, sizeof info);
  return info;
}

/* Returns the index of the scene of this name, or -1. */
PERP_API int perp_scene_find(const char *name);

/* A scene in motion, with the solver that moves it. */
typedef struct perp_simulation perp_simulation;

/* `scene` is NAME or NAME:key=value,...; every scene has the key seed besides its own. The method's
 * parameters are its defaults; options may be NULL for the defaults. */
PERP_API perp_error perp_simulation_create(const char *scene, const char *method,
                                           const perp_options *options,
                                           perp_simulation **simulation, perp_message *why);
PERP_API void perp_simulation_destroy(perp_simulation *simulation); /* may be NULL */
/* Returns the simulation's solver, to set parameters before the first step. */
PERP_API perp_solver *perp_simulation_solver(perp_simulation *simulation);
/* Returns the simulation's copy of the options it was created with; a change takes effect at the next
 * step. */
PERP_API perp_options *perp_simulation_options(perp_simulation *simulation);
/* Switches warm starts on (the default) or off. A warm frame starts from the impulses of the last one. */
PERP_API void perp_simulation_set_warm(perp_simulation *simulation, bool warm);
/* Solves the islands of a problem one by one (perp_islands_solve) or not (the default). With islands,
 * perp_simulation_solver returns the solver that holds the parameters of all islands, at first the
 * defaults. */
PERP_API perp_error perp_simulation_set_islands(perp_simulation *simulation, bool islands,
                                                perp_message *why);

/* The numbers of one step; a number that the scene does not have is NaN. */
typedef struct perp_step {
  size_t size;        /* set by perp_simulation_step */
  int64_t index;      /* 1 after the first step */
  double time;        /* seconds in the scene */
  int rows, contacts; /* of the problem; 0 rows: no problem, or not solved by perp */
  int active;         /* rows with x_i != 0 */
  perp_outcome outcome;
  double residual;          /* natural; if a step has several problems, the largest */
  double relative_residual; /* residual / scale, the largest */
  int64_t iterations;       /* of the method */
  double solve_seconds, step_seconds;
  double kinetic, potential; /* energy of bodies, both at the middle of the step: without contacts
                                their sum is constant */
  double penetration;        /* largest depth by which two bodies overlap; 0 if none do */
  double volume;             /* of liquid, relative to the first frame */
} perp_step;

/* Makes one step. If its problem is not solved, the step uses the best iterate, and frame->outcome says
 * why: PERP_NOT_RUN if the method refused this problem although it took earlier ones. A step that ODE
 * made (the parameter engine of 3D scenes) has no problem: rows, active and iterations are 0, the
 * residual is NaN, and the outcome PERP_NOT_RUN, or PERP_STAGNATED if ODE reported an error. */
PERP_API perp_error perp_simulation_step_sized(perp_simulation *simulation, perp_step *frame,
                                               size_t size, perp_message *why);

static inline perp_error perp_simulation_step(perp_simulation *simulation, perp_step *frame,
                                              perp_message *why)
{
  return perp_simulation_step_sized(simulation, frame, sizeof *frame, why);
}

/* The problem of the last step, its solution, and the start of the solve; valid until the next step.
 * NULL if there was no problem; the start is NULL also if memory ran out. */
PERP_API const perp_problem *perp_simulation_problem(const perp_simulation *simulation);
PERP_API const double *perp_simulation_solution(const perp_simulation *simulation);
PERP_API const double *perp_simulation_start(const perp_simulation *simulation);
/* Returns one line that says why the last step is not solved, and reports other events: bodies that left
 * the world are reported once. Returns "" if there are none, also for a step that ODE made without an
 * error. */
PERP_API const char *perp_simulation_trouble(const perp_simulation *simulation);

/* ---- Views ---- */

typedef enum perp_shape_kind {
  PERP_SHAPE_DISC,    /* size: radius */
  PERP_SHAPE_POLYGON, /* corners around the origin of its pose, counterclockwise */
  PERP_SHAPE_SPHERE,  /* size: radius */
  PERP_SHAPE_BOX,     /* size: half of each edge */
  PERP_SHAPE_CAPSULE, /* size: radius, half the length between the centres, along z */
} perp_shape_kind;

/* From perp_shape_default(), or all zero. */
typedef struct perp_shape {
  perp_shape_kind kind;
  bool fixed; /* it never moves */
  bool wire;  /* a container: draw only its edges */
  double size[3];
  int corners;
  const double *corner; /* x and y of each */
} perp_shape;

/* Returns a shape that moves; the caller sets its size or its corners. */
static inline perp_shape perp_shape_default(perp_shape_kind kind)
{
  perp_shape shape = {kind, false, false, {0, 0, 0}, 0, NULL};
  return shape;
}

/* The force of a wall on the liquid next to it. */
typedef enum perp_touch {
  PERP_TOUCH_NONE,  /* no wall there */
  PERP_TOUCH_PRESS, /* a pressure above 0 */
  PERP_TOUCH_LEAVE, /* none: the liquid may leave the wall */
  PERP_TOUCH_PULL,  /* below 0: the liquid is held back */
} perp_touch;

/* All arrays belong to the simulation and are valid until its next step. */
typedef struct perp_view {
  size_t size;         /* set by perp_simulation_view */
  int dimension;       /* 2: y is up; 3: z is up */
  double lo[3], hi[3]; /* the part of space to look at */
  int shapes;          /* the same in every frame */
  const perp_shape *shape;
  const double *pose; /* of each shape: x, y, angle; in three dimensions x, y, z and the quaternion
                             w, x, y, z */
  const double *load; /* of each shape: the sum of the impulses on it in the last step; or NULL */
  const int *state;   /* of each shape: contacts that stick or slide on it; or NULL */
  int particles;      /* may change */
  const double *particle; /* 2 or 3 coordinates of each */
  const double *shade;    /* of each particle: the value to colour it by, such as speed; or NULL */
  const double *pressure; /* of each particle: at its place in the last solve, in Pa; or NULL */
  const int *touch; /* of each particle: the perp_touch of its cell in the last solve; or NULL */
  int64_t contacts; /* of the last step, 0 if unknown */
  const double
      *contact; /* of each: its position, and the impulse on the second of its bodies, 2 or 3
                            coordinates each */
} perp_view;

PERP_API void perp_simulation_view_sized(const perp_simulation *simulation, perp_view *view,
                                         size_t size);

static inline void perp_simulation_view(const perp_simulation *simulation, perp_view *view)
{
  perp_simulation_view_sized(simulation, view, sizeof *view);
}

/* ---- Actions on a running scene ---- */

typedef enum perp_action_kind {
  PERP_ACT_SET,  /* sets the parameter `name` to `value`: of bodies mu, mu_static, restitution and
                       gravity, of liquids gravity and walls (0: they hold the liquid, 1: it may leave
                       them); tilt is the angle of gravity in radians, from down towards x */
  PERP_ACT_HOLD, /* pulls the point `at` of `shape` to `to` by a damped spring until it is
                       released; a second hold of the same shape only moves `to` */
  PERP_ACT_RELEASE, /* releases the held shape, with the velocity that it has */
  PERP_ACT_ADD,    /* adds a body like `body`, a disc or polygon in the plane, else a sphere, box or
                       capsule, with its middle at `at`, the velocity `to` and the density `value`;
                       0: it never moves */
  PERP_ACT_REMOVE, /* removes the body of `shape` */
  PERP_ACT_POUR,   /* adds liquid within `radius` of `at`, as far as there is room for it, with
                       the velocity `to` */
  PERP_ACT_STIR,   /* gives the liquid within `radius` of `at` the velocity `to` */
  PERP_ACT_WALL,   /* in the plane: builds a wall within `radius` of `at`; value 0 removes it */
  PERP_ACT_PUSH,   /* applies the impulse `to` to the body of `shape` at the point `at`: h f for
                       a force f and a step h */
  PERP_ACT_JOIN, /* in space: joins the bodies of `shape` and `other` at the point `at`; name: "ball",
                       "hinge" (about the axis `to`) or "fixed". Joined bodies do not collide */
  PERP_ACT_RESTITUTION, /* sets the restitution of the body of `shape` to `value`, from 0 to 1, or, if
                       `name` is "pair", that of its contacts with the body of `other`. Any other
                       contact has the larger restitution of its two bodies; the default is that
                       of the scene */
} perp_action_kind;

/* Only from perp_action_default(). */
typedef struct perp_action {
  size_t size;
  perp_action_kind kind;
  int shape;
  const char *name;
  double value, radius;
  double at[3], to[3];
  const perp_shape *body;
  int64_t other; /* a shape */
} perp_action;

static inline perp_action perp_action_default(perp_action_kind kind)
{
  perp_action action;
  for (size_t k = 0; k < sizeof action; k++) /* -Wextra of C++ warns of {0} */
    ((char *)&action)[k] = 0;
  action.size = sizeof action;
  action.kind = kind;
  action.value = 1;
  return action;
}

/* Acts on the scene; the action takes effect in the next step. ADD and REMOVE may renumber the shapes
 * and invalidate the arrays of a perp_view. Returns PERP_ERROR_UNSUPPORTED if the scene does not
 * support the action, PERP_ERROR_ARGUMENT if the shape or parameter does not exist, or the shape cannot
 * move. */
PERP_API perp_error perp_simulation_act(perp_simulation *simulation, const perp_action *action,
                                        perp_message *why);
/* Copies positions, velocities, gravity and walls from `from`, a simulation of the same scene with the
 * same number of bodies; the solver and its options stay. So two methods can continue from one state. */
PERP_API perp_error perp_simulation_follow(perp_simulation *simulation, const perp_simulation *from,
                                           perp_message *why);

#ifdef __cplusplus
}
#endif
#endif
