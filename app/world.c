/* world.c: what perp simulate moves: a scene of the library, or a robot */
#include "robot.h"
#include "simulate.h"

perp_error world_create(const char *scene, const char *method, const perp_options *options,
                        sim_world *w, perp_message *why)
{
  *w = (sim_world){0};
  return robot_is(scene) ? robot_create(scene, method, options, &w->robot, why)
                         : perp_simulation_create(scene, method, options, &w->scene, why);
}

void world_destroy(sim_world *w)
{
  perp_simulation_destroy(w->scene);
  robot_destroy(w->robot);
  *w = (sim_world){0};
}

perp_solver *world_solver(sim_world *w)
{
  return w->robot ? w->robot->solver : perp_simulation_solver(w->scene);
}

perp_options *world_options(sim_world *w)
{
  return w->robot ? w->robot->options : perp_simulation_options(w->scene);
}

void world_set_cold(sim_world *w)
{
  if (w->robot)
    w->robot->warm = false;
  else
    perp_simulation_set_warm(w->scene, false);
}

perp_error world_set_islands(sim_world *w, perp_message *why)
{
  return w->robot ? app_say(why, PERP_ERROR_UNSUPPORTED, "--islands", ": not available for a robot")
                  : perp_simulation_set_islands(w->scene, true, why);
}

perp_error world_step(sim_world *w, perp_step *step, perp_message *why)
{
  return w->robot ? robot_step(w->robot, step, why) : perp_simulation_step(w->scene, step, why);
}

void world_view(const sim_world *w, perp_view *view)
{
  if (w->robot)
    *view = w->robot->view;
  else
    perp_simulation_view(w->scene, view);
}

const perp_problem *world_problem(const sim_world *w)
{
  return w->robot ? w->robot->problem : perp_simulation_problem(w->scene);
}

const double *world_solution(const sim_world *w)
{
  return w->robot ? w->robot->solution : perp_simulation_solution(w->scene);
}

const double *world_start(const sim_world *w)
{
  return w->robot ? NULL : perp_simulation_start(w->scene);
}

const char *world_trouble(const sim_world *w)
{
  return w->robot ? w->robot->trouble : perp_simulation_trouble(w->scene);
}
