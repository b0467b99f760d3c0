/* robot.h: models of MuJoCo as scenes of perp simulate: FILE.xml, .urdf or .mjb, then :key=value,... */
#pragma once

#include "app.h"

/* All arrays belong to the robot and are valid until its next step. */
typedef struct robot {
  const char *name; /* of the model, as its file says */
  perp_view view;
  const perp_problem *problem; /* of the last step; NULL: none */
  const double *solution;
  const char *trouble; /* why the last step is not solved, or a warning of MuJoCo's; "": none */
  perp_solver *solver;
  perp_options *options;
  bool warm;
} robot;

/* A shape of perp_view that only this program draws: `corner` has x, y and z of three corners a
 * triangle. */
enum { SHAPE_MESH = PERP_SHAPE_CAPSULE + 1 };

/* Returns true if the scene names the file of a model. */
bool robot_is(const char *scene);
/* Loads the model and places it in its keyframe. method: "auto" is the adapter's own choice. Without
 * MuJoCo it returns an error that says how to get it. */
perp_error robot_create(const char *scene, const char *method, const perp_options *options,
                        robot **created, perp_message *why);
perp_error robot_step(robot *r, perp_step *step, perp_message *why);
void robot_destroy(robot *r); /* may be NULL */

/* The parameters after the colon; ends with {0}. */
extern const perp_parameter robot_parameters[];
/* MuJoCo, for perp version and perp doctor. */
const perp_component *robot_components(void);
