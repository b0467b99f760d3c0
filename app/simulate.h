/* simulate.h: what a simulation leaves behind, and the page made of it */
#ifndef PERP_APP_SIMULATE_H
#define PERP_APP_SIMULATE_H

#include "app.h"

/* The scenes, or the one that `only` names, with their parameters. */
int scenes_list(const app_call *app, const char *only);
/* Are there such a scene and such a method, and does --set name a parameter of it instead of the method's (NULL: of several)?
 * What is wrong is told. */
int scenes_check(const app_call *app, const char *scene, const char *method, const app_list *set);

/* Has the scene of NAME:key=value,... a parameter of that name? */
bool scene_has(const char *scene, const char *key);

/* Where things are written; NULL: not. */
typedef struct sim_files {
  const char *html, *csv, *record, *frames, *spectrum, *failed;
} sim_files;

/* What makes the steps of scenes in space, by the names that they have for it; the last is none of them. */
typedef enum sim_engine {
  ENGINE_PERP,
  ENGINE_STEP,
  ENGINE_QUICKSTEP,
  ENGINE_UNKNOWN,
} sim_engine;

enum { RUNS = 8 };

/* Bytes that grow. */
typedef struct bytes {
  unsigned char *data;
  size_t used, room;
} bytes;

typedef struct sim_run {
  char scene[512], method[64], label[96];
  char
      stepper[96]; /* what makes the steps: the method, what the scene puts in its place, or both */
  sim_engine engine;
  double after;    /* steps that perp makes before ODE's engine, where there is one, takes over */
  perp_step *step; /* of all steps */
  int64_t steps, room;
  /* for the page: shapes as JSON, then poses, loads, states and particles of the frames kept */
  int dimension, shapes, frames;
  double lo[3], hi[3];
  bytes shape, pose, load, state, counts, particles, shade;
  bytes spectra, eigenvalues; /* how many of each step, and which */
  /* the account */
  int64_t solved, by_ode, complaints, troubles; /* steps; ODE's, and those it complained in */
  int most_rows;
  double seconds, whole;          /* of all solves, of all steps */
  double worst_residual, deepest; /* NaN: no step by perp; no bodies */
} sim_run;

typedef struct runs {
  int count;
  sim_run item[RUNS];
} runs;

perp_error run_add(sim_run *run, const perp_step *step, perp_message *why);
/* Takes what there is to see now. */
perp_error run_keep(sim_run *run, const perp_simulation *sim, perp_message *why);
/* The n eigenvalues of A in the step just made, thinned out to what a plot can show. */
perp_error run_keep_spectrum(sim_run *run, int n, const double *w, perp_message *why);
void run_free(sim_run *run);

/* ---- who makes the steps (engine.c) ---- */

/* Finds engine and stepper in the scene's text, and in the method. */
void engine_read(sim_run *run);
/* Is `option`, for perp's solves (NULL: none was given), or a parameter of the scene for nothing? */
perp_error engines_check(const char *option, int64_t steps, const runs *all, perp_message *why);

/* ---- the end (report.c) ---- */

/* Takes the step just added into account. */
void run_account(sim_run *run, const perp_step *step);
/* All of perp's steps are solved, and ODE did not complain. */
bool run_is_fine(const sim_run *run);
perp_error runs_write_csv(const char *path, const runs *all, perp_message *why);
/* wanted: steps asked for. */
void runs_print(const app_call *app, const char *scene, int64_t wanted, const sim_files *files,
                const char *matrix, const runs *all);

/* ---- eigenvalues and the page ---- */

/* The eigenvalues of A over the frames of all runs (spectrum.c). */
typedef struct spectrum {
  app_file file;
  int frames, symmetric, all;
  int found[4]; /* frames by perp_definite */
  double least, greatest;
} spectrum;

perp_error spectrum_open(const char *path, spectrum *s, perp_message *why);
/* Of a step that had this problem, or none. */
perp_error spectrum_add(spectrum *s, sim_run *run, int64_t step, const perp_problem *problem,
                        perp_message *why);
/* One sentence: is A symmetric, is it definite? */
void spectrum_say(const spectrum *s, char *text, size_t room);

/* One self-contained page of the frames kept, one for every so many steps; `matrix` is what is said of A, or
 * nothing. */
perp_error page_write(const char *path, const char *scene, const char *matrix, const runs *all,
                      int every, perp_message *why);

#endif
