/* simulate.h: the request for a simulation, its results, and the page made of them */
#pragma once

#include "app.h"

/* The scenes, or the one that `only` names with its parameters as they are set there. */
int scenes_list(const app_call *app, const char *only);
/* Are there such a scene and such a method, and does --set name a parameter of it instead of the
 * method's (NULL: of several)? A message says what is wrong. */
int scenes_check(const app_call *app, const char *scene, const char *method, const app_list *set);

/* Returns the title and the parameters of a scene NAME:key=value,... or of a robot. */
perp_scene_info scene_info(const char *scene);
/* Returns true if the scene NAME:key=value,... has the parameter. */
bool scene_has(const char *scene, const char *key);
/* The index of the scene of NAME:key=value,...; -1: there is none. */
int scene_index(const char *scene);
/* The value after "key=" there, up to the comma; the last one counts. NULL: nothing. */
const char *scene_find_value(const char *scene, const char *key);

/* Paths of the outputs; NULL: not written. */
typedef struct sim_files {
  const char *html, *csv, *record, *frames, *spectrum, *failed;
} sim_files;

/* The arguments of a call. */
typedef struct sim_request {
  int argc;
  char **argv; /* the call itself */
  const char *scene, *method;
  const char *compare; /* KEY=VALUE,VALUE,...; NULL: nothing */
  const char *engine;  /* dart, bullet, ode: the scene runs inside it; NULL: in perp */
  const char *device;  /* the device that solves the problems; NULL: the CPU */
  sim_files files;
  app_list set;
  const char *for_perp; /* the first option given that is for perp's solves; NULL: none */
  int64_t steps;
  int every; /* the page and the images show every K-th frame */
  bool cold, islands, list, own_tol;
  perp_options options;
} sim_request;

/* The engine of a 3D scene, by the value of its parameter; the last is for other values. */
typedef enum sim_engine {
  ENGINE_PERP,
  ENGINE_STEP,
  ENGINE_QUICKSTEP,
  ENGINE_UNKNOWN,
} sim_engine;

enum { RUNS = 8 };

/* A growing array of bytes. */
typedef struct bytes {
  unsigned char *data;
  size_t used, room;
} bytes;

/* Steps of perp's that are not solved (unsolved.c). */
typedef struct sim_unsolved {
  int64_t count;
  int64_t told; /* reported: steps that no limit of the caller ended, or with an error of ODE */
  int ranges;   /* of frames one behind the other; the first few */
  int64_t range[8][2];
  int worst; /* the frames of the largest residuals, the largest first */
  struct {
    int64_t frame;
    double residual;
  } most[3];
  int kept;             /* problems of the first few that are on the disk */
  int64_t kept_worst;   /* the frame of the worst, if it is not among the first few; 0: none */
  double kept_residual; /* the largest of them all */
  bool lost;            /* one could not be written, and no other is attempted */
} sim_unsolved;

/* Symmetry and definiteness of A over the frames (spectrum.c). */
typedef struct sim_spectrum {
  int frames, symmetric;
  int found[4]; /* frames by perp_definite */
  double least, greatest;
} sim_spectrum;

typedef struct sim_run {
  char scene[512], method[64];
  int64_t max_iterations; /* of a solve; 0: the method's own */
  char label[96];         /* in tables and names of files */
  char title[128];        /* on the page, if runs are compared: KEY=VALUE, or the method */
  char
      stepper[96]; /* what makes the steps: the method, what the scene puts in its place, or both */
  sim_engine engine;
  bool inside;      /* another engine, by its own solver or by perp's (other_engine.c) */
  double drift;     /* of such a run: how far bodies moved that should rest */
  double violation; /* and how far joints came apart */
  double after;     /* steps that perp makes before ODE's engine, if there is one, takes over */
  int64_t steps;    /* made */
  perp_step last;   /* of them */
  bool paged;       /* there will be a page */
  perp_step *step;  /* all of them, for the page */
  int64_t kept, room;
  /* for the page: shapes as JSON, then poses, loads, states and particles of the frames kept */
  int dimension, shapes, frames;
  double lo[3], hi[3];
  bytes shown; /* the step of each frame */
  bytes shape, pose, load, state, counts, particles, shade, pressure, pressures, touch;
  bool robot;                 /* its contact forces are shown */
  char model[64];             /* its name; "": it has none */
  bytes forces, force;        /* how many contacts each frame has, and their places and impulses */
  bytes spectra, eigenvalues; /* how many of each step, and which */
  /* the account */
  int64_t solved, by_ode, complaints; /* steps; ODE's, and those it complained in */
  int64_t recorded, images;           /* problems and images written */
  int most_rows;
  double seconds, whole;          /* of all solves, of all steps */
  double worst_residual, deepest; /* NaN: no step by perp; no bodies */
  sim_unsolved unsolved;
  sim_spectrum spectrum;
} sim_run;

typedef struct runs {
  int count;
  sim_run item[RUNS];
} runs;

/* ---- what moves (world.c) ---- */

/* A scene of the library or a robot (robot.h); the other is NULL. */
typedef struct sim_world {
  perp_simulation *scene;
  struct robot *robot;
} sim_world;

perp_error world_create(const char *scene, const char *method, const perp_options *options,
                        sim_world *w, perp_message *why);
void world_destroy(sim_world *w);
/* As the functions of perp_simulation with these names. */
perp_solver *world_solver(sim_world *w);
perp_options *world_options(sim_world *w);
void world_set_cold(sim_world *w);
perp_error world_set_islands(sim_world *w, perp_message *why);
perp_error world_step(sim_world *w, perp_step *step, perp_message *why);
void world_view(const sim_world *w, perp_view *view);
const perp_problem *world_problem(const sim_world *w);
const double *world_solution(const sim_world *w);
const double *world_start(const sim_world *w);
const char *world_trouble(const sim_world *w);

/* ---- the call (simulate_call.c) ---- */

/* The call as it was made; false: *status says how it ends. */
bool sim_parse(const app_call *app, int argc, char **argv, sim_request *r, int *status);

/* ---- the runs of a call (compare.c) ---- */

bool compares_methods(const sim_request *r);
/* Lists the runs: one, or one for each value of --compare. */
perp_error runs_plan(const sim_request *r, runs *all, perp_message *why);
/* Creates every run once, so that a wrong value of --compare is reported before the first run. */
perp_error runs_try(const sim_request *r, const runs *all, perp_message *why);

/* ---- stored frames (frames.c) ---- */

perp_error run_keep_step(sim_run *run, const perp_step *step, perp_message *why);
/* Stores the current view of the scene, after `step` steps. */
perp_error run_keep(sim_run *run, const sim_world *world, int64_t step, perp_message *why);
/* Stores a view of another engine's scene. */
perp_error run_keep_view(sim_run *run, perp_view view, int64_t step, perp_message *why);
/* Stores the n eigenvalues of A in the last step, reduced to the number that a plot can show; does
 * nothing without a page. */
perp_error run_keep_spectrum(sim_run *run, int n, const double *w, perp_message *why);
void run_free(sim_run *run);

/* ---- the engine that makes the steps (engine.c) ---- */

/* Finds engine and stepper in the scene's text, and in the method. */
void engine_read(sim_run *run);
/* Returns an error if `option`, for perp's solves (NULL: none was given), or a parameter of the scene
 * has no effect. */
perp_error engines_check(const char *option, int64_t steps, const runs *all, perp_message *why);

/* ---- scenes inside other engines (other_engine.c) ---- */

/* Runs the whole command with --engine: the scene by the engine's own solvers and by perp, with one
 * page of all runs. */
int inside_run(const app_call *app, const sim_request *r);

/* ---- folders of problems and images (folders.c) ---- */

perp_error folder_make(const char *path, perp_message *why);
/* Returns an error if the folder could not be made. Leaves no folder behind. */
perp_error folder_try(const char *path, perp_message *why);
/* FOLDER/INDEX, or FOLDER/LABEL-INDEX if runs are compared. */
perp_error folder_name(const sim_request *r, const sim_run *run, const char *folder, int64_t index,
                       char path[4096], perp_message *why);
/* Returns an error if the folder holds problems with such names, which could be mistaken for problems
 * of this run. */
perp_error folder_check(const char *path, perp_message *why);
/* Removes problems with names that this call gives, if they hold only files that the program writes
 * there, and the folder if nothing is left in it. */
void folder_clear(const sim_request *r, const runs *all, const char *path);
/* Returns the number of images with such names, of this run and of earlier ones. */
int folder_count_images(const char *path);

/* ---- steps that are not solved (unsolved.c) ---- */

/* Number of unsolved steps of a run, from the first, that are reported, and kept with the worst. */
enum { UNSOLVED_FIRST = 5 };
/* Writes the folder of their problems, a default if the call does not name one; false: not kept. */
bool unsolved_folder(const sim_request *r, char path[4096]);
/* Counts a step that is not solved, and reports it and keeps its problem if necessary. */
void unsolved_add(const sim_request *r, sim_run *run, const sim_world *world,
                  const perp_step *step);
/* Reports a step that is solved, but has a message. */
void unsolved_tell(sim_run *run, const sim_world *world, const perp_step *step);
/* "frames 2-6 and 9; the worst 4 (0.02), 5 (0.01)" */
void unsolved_say(const sim_unsolved *u, char *text, size_t room);

/* ---- the end (report.c) ---- */

/* Adds a step just made to the statistics. */
void run_account(sim_run *run, const perp_step *step);
/* Returns true if ODE made the step: perp has no problem and no verdict for it. */
static inline bool is_by_ode(const perp_step *step)
{
  return step->rows == 0 && step->outcome != PERP_SOLVED;
}
/* Returns true if all of perp's steps are solved and ODE reported no error. */
bool run_is_fine(const sim_run *run);
/* Writes the table of steps, one row at a time. */
perp_error table_open(const char *path, app_file *file, perp_message *why);
void table_add(app_file *file, const sim_run *run, const perp_step *step);
void runs_print(const app_call *app, const sim_request *r, const runs *all);

/* ---- eigenvalues (spectrum.c) ---- */

perp_error spectrum_open(const char *path, app_file *file, perp_message *why);
/* Of a step that had this problem, or none. */
perp_error spectrum_add(app_file *file, sim_run *run, int64_t step, const perp_problem *problem,
                        perp_message *why);
/* One sentence: is A symmetric, is it definite? */
void spectrum_say(const sim_spectrum *s, char *text, size_t room);

/* ---- the page ---- */

/* Writes all parameters of a run, as [group, name, value, true if given, meaning] (settings.c). */
void settings_write(FILE *out, const sim_request *r, const sim_run *run);
/* Writes the call, quoted for a shell. */
void settings_write_call(FILE *out, const sim_request *r);
/* Writes one self-contained page of the stored frames. */
perp_error page_write(const sim_request *r, const runs *all, perp_message *why);
