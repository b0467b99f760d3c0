/* robot.c: a robot in motion: MuJoCo's model, collisions and integrator, constraints by perp
 *
 * perp_mj_step of <perp/mujoco.h> makes the steps. This file loads the model, turns its geoms into
 * shapes and its contact forces into impulses, and reports each step as a scene's is. Spheres, boxes
 * and capsules stay what they are, a plane is a flat box, and every other geom is drawn as
 * triangles. */
#include "robot.h"
#include "watch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const laws[] = {"rigid", "soft", NULL};
const perp_parameter robot_parameters[] = {
    {"law", PERP_TYPE_CHOICE, 0, 0, 0, 1, laws,
     "rigid: Coulomb's law; soft: MuJoCo's own regularised law"},
    {"exact", PERP_TYPE_FLAG, 0, 0, 0, 1, NULL,
     "rigid law: overlaps and errors of joints vanish in one step"},
    {"key", PERP_TYPE_INTEGER, 0, 0, 0, 1e6, NULL,
     "the keyframe of the file at which the motion begins, with its controls"},
    {0},
};

/* Returns the length of the file's name in FILE:key=value,...; 0: it is not the file of a model. */
static size_t find_end(const char *scene)
{
  static const char *const endings[] = {".xml", ".urdf", ".mjb"};
  size_t end = 0;
  for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
    for (const char *at = strstr(scene, endings[k]); at; at = strstr(at + 1, endings[k])) {
      const char *behind = at + strlen(endings[k]);
      if (at > scene && (*behind == 0 || *behind == ':') && (size_t)(behind - scene) > end)
        end = (size_t)(behind - scene);
    }
  return end;
}

bool robot_is(const char *scene)
{
  return find_end(scene) > 0;
}

#ifdef PERP_HAVE_MUJOCO

#include <math.h>
#include <perp/mujoco.h>

enum { LAW, EXACT, KEY, PARAMETERS }; /* as in robot_parameters */
enum {
  SHOWN_GROUPS = 3, /* of geoms, as MuJoCo's own viewer shows them: the others are for collisions */
  TRIANGLES = 4000, /* of a shape with more only some are drawn */
};

typedef struct machine {
  robot seen; /* the first member */
  mjModel *m;
  mjData *d;
  perp_mj s;
  char name[200];
  int64_t steps;
  int *shape_of; /* of each geom; -1: not shown */
  perp_shape *shape;
  double *pose, *load, *contact;
  int *state;
  int contact_room;
} machine;

/* ---- messages of MuJoCo's ---- */

static char warning[400];

static void on_warning(const char *text)
{
  snprintf(warning, sizeof warning, "MuJoCo: %s", text);
}

/* MuJoCo does not return from an error. */
static void on_error(const char *text)
{
  complain("MuJoCo: %s", text);
  app_files_abandon();
  exit(APP_WRONG);
}

const perp_component *robot_components(void)
{
  static perp_component components[2];
  components[0] = (perp_component){"mujoco", mj_versionString(), true};
  return components;
}

static perp_error no_memory(perp_message *why)
{
  return app_say(why, PERP_ERROR_MEMORY, "out of memory", " for the shapes of a robot");
}

/* ---- triangles ---- */

typedef struct mesh {
  int corners, room;
  double *corner;
} mesh;

static void add_triangle(mesh *t, const double a[3], const double b[3], const double c[3])
{
  if (t->corners + 3 > t->room) {
    const int room = 2 * t->room + 300;
    double *grown = realloc(t->corner, 3 * (size_t)room * sizeof *grown);
    if (!grown)
      return; /* a shape with fewer triangles */
    t->corner = grown;
    t->room = room;
  }
  const double *const corner[] = {a, b, c};
  for (int k = 0; k < 3; k++)
    memcpy(t->corner + 3 * (size_t)t->corners++, corner[k], 3 * sizeof(double));
}

/* A point of a sphere (ring j of `rings` from pole to pole), or of the two discs and the side of a
 * cylinder (four rings), stretched by the half axes. */
static void place(const double half[3], bool cylinder, int i, int j, int around, int rings,
                  double p[3])
{
  const double a = 2 * mjPI * (i % around) / around, b = mjPI * j / rings;
  const double out = cylinder ? (j == 1 || j == 2 ? 1 : 0) : j % rings ? sin(b) : 0;
  p[0] = half[0] * out * cos(a);
  p[1] = half[1] * out * sin(a);
  p[2] = half[2] * (cylinder ? (j < 2 ? 1 : -1) : cos(b));
}

static void add_round(mesh *t, const double half[3], bool cylinder)
{
  const int around = 24, rings = cylinder ? 3 : 12;
  for (int j = 0; j < rings; j++)
    for (int i = 0; i < around; i++) {
      double p[4][3];
      for (int k = 0; k < 4; k++)
        place(half, cylinder, i + (k == 2 || k == 3), j + (k == 1 || k == 2), around, rings, p[k]);
      if (j < rings - 1)
        add_triangle(t, p[0], p[1], p[2]);
      if (j > 0)
        add_triangle(t, p[0], p[2], p[3]);
    }
}

static void add_faces(mesh *t, const mjModel *m, int id)
{
  const float *vertex = m->mesh_vert + 3 * (size_t)m->mesh_vertadr[id];
  const int *face = m->mesh_face + 3 * (size_t)m->mesh_faceadr[id];
  for (int k = 0; k < m->mesh_facenum[id]; k++) {
    double p[3][3];
    for (int j = 0; j < 9; j++)
      p[j / 3][j % 3] = (double)vertex[3 * face[3 * k + j / 3] + j % 3];
    add_triangle(t, p[0], p[1], p[2]);
  }
}

/* The top of a height field: rows along y, columns along x. */
static void add_heights(mesh *t, const mjModel *m, int id)
{
  const int rows = m->hfield_nrow[id], columns = m->hfield_ncol[id];
  const float *height = m->hfield_data + m->hfield_adr[id];
  const double *size = m->hfield_size + 4 * (size_t)id;
  for (int k = 0; k < (rows - 1) * (columns - 1); k++) {
    double p[4][3];
    for (int j = 0; j < 4; j++) {
      const int r = k / (columns - 1) + (j > 1), c = k % (columns - 1) + (j == 1 || j == 2);
      p[j][0] = size[0] * (2.0 * c / (columns - 1) - 1);
      p[j][1] = size[1] * (2.0 * r / (rows - 1) - 1);
      p[j][2] = size[2] * (double)height[r * columns + c];
    }
    add_triangle(t, p[0], p[1], p[2]);
    add_triangle(t, p[0], p[2], p[3]);
  }
}

/* Moves corners to the points of a grid and removes triangles that have become lines. */
static void thin(mesh *t)
{
  enum { GRID = 32 };
  double reach = 0;
  for (int k = 0; k < 3 * t->corners; k++)
    reach = fmax(reach, fabs(t->corner[k]));
  if (t->corners <= 3 * TRIANGLES || !(reach > 0))
    return;
  const double step = reach / GRID;
  int kept = 0;
  for (int k = 0; k < t->corners; k += 3) {
    double p[9];
    for (int j = 0; j < 9; j++)
      p[j] = step * round(t->corner[3 * (size_t)k + (size_t)j] / step);
    if (memcmp(p, p + 3, 3 * sizeof *p) && memcmp(p + 3, p + 6, 3 * sizeof *p) &&
        memcmp(p, p + 6, 3 * sizeof *p)) {
      memcpy(t->corner + 3 * (size_t)kept, p, sizeof p);
      kept += 3;
    }
  }
  t->corners = kept;
}

/* ---- shapes ---- */

static double find_reach(const perp_shape *s)
{
  double reach = s->kind == PERP_SHAPE_CAPSULE ? s->size[0] + s->size[1] : 0;
  for (int k = 0; k < 3; k++)
    reach = fmax(reach, s->size[k]);
  for (int k = 0; k < 3 * s->corners; k++)
    reach = fmax(reach, fabs(s->corner[k]));
  return reach;
}

static perp_shape make_shape(const mjModel *m, int geom)
{
  const double *size = m->geom_size + 3 * (size_t)geom;
  const int type = m->geom_type[geom], data = m->geom_dataid[geom];
  perp_shape s = perp_shape_default(type == mjGEOM_SPHERE    ? PERP_SHAPE_SPHERE
                                    : type == mjGEOM_CAPSULE ? PERP_SHAPE_CAPSULE
                                    : type == mjGEOM_BOX || type == mjGEOM_PLANE
                                        ? PERP_SHAPE_BOX
                                        : (perp_shape_kind)SHAPE_MESH);
  s.fixed = m->body_weldid[m->geom_bodyid[geom]] == 0;
  for (int k = 0; k < 3; k++)
    s.size[k] = size[k];
  if (type == mjGEOM_PLANE) { /* 0: without end */
    s.size[0] = size[0] > 0 ? size[0] : 20;
    s.size[1] = size[1] > 0 ? size[1] : 20;
    s.size[2] = 0.01;
  }
  if (s.kind != (perp_shape_kind)SHAPE_MESH)
    return s;
  mesh t = {0};
  const double half[3] = {size[0], type == mjGEOM_CYLINDER ? size[0] : size[1],
                          type == mjGEOM_CYLINDER ? size[1] : size[2]};
  if (type == mjGEOM_MESH)
    add_faces(&t, m, data);
  else if (type == mjGEOM_HFIELD)
    add_heights(&t, m, data);
  else
    add_round(&t, half, type == mjGEOM_CYLINDER);
  thin(&t);
  s.size[0] = s.size[1] = s.size[2] = 0;
  s.corners = t.corners;
  s.corner = t.corner;
  return s;
}

/* Sets poses, impulses and active contacts after a step; `contacts` are those of its beginning. */
static perp_error look(machine *r, perp_message *why)
{
  const mjModel *m = r->m;
  const mjData *d = r->d;
  perp_view *view = &r->seen.view;
  for (int g = 0; g < m->ngeom; g++) {
    if (r->shape_of[g] < 0)
      continue;
    double *pose = r->pose + 7 * (size_t)r->shape_of[g];
    mju_copy3(pose, d->geom_xpos + 3 * g);
    mju_mat2Quat(pose + 3, d->geom_xmat + 9 * g);
    for (int k = 0; m->geom_type[g] == mjGEOM_PLANE && k < 3; k++) /* its top is the plane */
      pose[k] -= 0.01 * d->geom_xmat[9 * g + 3 * k + 2];
  }
  mju_zero(r->load, view->shapes);
  memset(r->state, 0, (size_t)view->shapes * sizeof *r->state);
  if (r->s.contacts > r->contact_room) {
    double *grown = realloc(r->contact, 12 * (size_t)r->s.contacts * sizeof *grown);
    if (!grown)
      return no_memory(why);
    r->contact = grown;
    r->contact_room = 2 * r->s.contacts;
  }
  for (int c = 0; c < r->s.contacts; c++) {
    const mjContact *contact = &d->contact[c];
    double force[6], *at = r->contact + 6 * (size_t)c;
    mj_contactForce(m, d, c, force);
    mju_copy3(at, contact->pos);
    mju_rotVecMatT(at + 3, force, contact->frame);
    mju_scl3(at + 3, at + 3, m->opt.timestep);
    for (int side = 0; side < 2; side++) {
      const int geom = side ? contact->geom2 : contact->geom1; /* -1: a flex of MuJoCo 3 */
      const int shape = geom >= 0 ? r->shape_of[geom] : -1;
      if (shape >= 0) {
        r->load[shape] += mju_norm3(at + 3);
        r->state[shape] += mju_norm3(at + 3) > 0;
      }
    }
  }
  view->contacts = r->s.contacts;
  view->contact = r->contact;
  return PERP_OK;
}

/* The part of space to look at: bodies that move, and all if none does. A plane below is its floor. */
static void look_around(machine *r)
{
  perp_view *view = &r->seen.view;
  bool moves = false;
  for (int k = 0; k < view->shapes; k++)
    moves = moves || !r->shape[k].fixed;
  for (int a = 0; a < 3; a++) {
    view->lo[a] = INFINITY;
    view->hi[a] = -INFINITY;
    for (int k = 0; k < view->shapes; k++) {
      const double reach = find_reach(&r->shape[k]), *at = r->pose + 7 * (size_t)k;
      if (moves && r->shape[k].fixed)
        continue;
      view->lo[a] = fmin(view->lo[a], at[a] - 1.2 * reach);
      view->hi[a] = fmax(view->hi[a], at[a] + 1.2 * reach);
    }
  }
  for (int g = 0; g < r->m->ngeom; g++)
    if (r->m->geom_type[g] == mjGEOM_PLANE && r->d->geom_xmat[9 * g + 8] > 0.999 &&
        r->d->geom_xpos[3 * g + 2] < view->hi[2])
      view->lo[2] = r->d->geom_xpos[3 * g + 2];
}

static perp_error make_shapes(machine *r, perp_message *why)
{
  const mjModel *m = r->m;
  const size_t most = (size_t)m->ngeom + 1;
  perp_view *view = &r->seen.view;
  r->shape_of = calloc(most, sizeof *r->shape_of);
  r->shape = calloc(most, sizeof *r->shape);
  r->pose = calloc(7 * most, sizeof *r->pose);
  r->load = calloc(most, sizeof *r->load);
  r->state = calloc(most, sizeof *r->state);
  if (!r->shape_of || !r->shape || !r->pose || !r->load || !r->state)
    return no_memory(why);
  bool some = false;
  for (int g = 0; g < m->ngeom; g++)
    some = some || m->geom_group[g] < SHOWN_GROUPS;
  *view = (perp_view){.size = sizeof *view, .dimension = 3, .shape = r->shape, .pose = r->pose};
  view->load = r->load;
  view->state = r->state;
  for (int g = 0; g < m->ngeom; g++) {
    r->shape_of[g] = some && m->geom_group[g] >= SHOWN_GROUPS ? -1 : view->shapes;
    if (r->shape_of[g] >= 0)
      r->shape[view->shapes++] = make_shape(m, g);
  }
  return PERP_OK;
}

/* ---- the model ---- */

static perp_error load_model(machine *r, const char *path, perp_message *why)
{
  char text[1000] = "";
  FILE *file = fopen(path, "rb"); /* MuJoCo's message does not name the file */
  if (!file)
    return app_say(why, PERP_ERROR_FILE, path,
                   errno == ENOENT ? ": no such file" : ": cannot be read");
  fclose(file);
  const size_t length = strlen(path);
  if (strcmp(path + length - 4, ".mjb") == 0)
    r->m = mj_loadModel(path, NULL);
  else
    r->m = mj_loadXML(path, NULL, text, sizeof text);
  for (char *c = text; *c; c++)
    if (*c == '\n')
      *c = ' ';
  if (!r->m) {
    snprintf(why->text, sizeof why->text, "%.200s: %.280s", path,
             *text      ? text
             : *warning ? warning
                        : "MuJoCo cannot load it");
    return PERP_ERROR_FILE;
  }
  warning[0] = 0;
  r->d = mj_makeData(r->m);
  return r->d ? PERP_OK : no_memory(why);
}

/* Adds what a parameter takes to a text: law=rigid|soft. */
static void add_usage(char *text, size_t room, const perp_parameter *p)
{
  size_t used = strlen(text);
  used += (size_t)snprintf(text + used, room - used, "%s %s=", used ? "," : "", p->name);
  if (p->type == PERP_TYPE_CHOICE)
    for (int k = 0; p->choices[k] && used < room; k++)
      used += (size_t)snprintf(text + used, room - used, k ? "|%s" : "%s", p->choices[k]);
  else
    snprintf(text + used, room - used, "%s", p->type == PERP_TYPE_FLAG ? "yes|no" : "NUMBER");
}

/* Returns the number that `text` is for a parameter; NaN: none. */
static double read_value(const perp_parameter *p, const char *text)
{
  static const char *const flags[] = {"no", "yes", "0", "1", NULL};
  const char *const *names = p->type == PERP_TYPE_FLAG ? flags : p->choices;
  char *end;
  for (int k = 0; names && names[k]; k++)
    if (strcmp(text, names[k]) == 0)
      return p->type == PERP_TYPE_FLAG ? k % 2 : k;
  const double number = names ? NAN : (double)strtol(text, &end, 10);
  return !names && *text && *end == 0 && number >= p->least && number <= p->most ? number : NAN;
}

/* Reads key=value,... of robot_parameters; values has one number for each. */
static perp_error read_settings(const char *path, const char *settings, double *values,
                                perp_message *why)
{
  for (size_t length; *settings; settings += length + (settings[length] == ',')) {
    char item[80], usage[200] = "";
    const perp_parameter *p = robot_parameters;
    length = strcspn(settings, ",");
    snprintf(item, sizeof item, "%.*s", (int)length, settings);
    char *value = strchr(item, '=');
    if (value)
      *value++ = 0;
    while (p->name && strcmp(p->name, item) != 0)
      p++;
    const double number = value && p->name ? read_value(p, value) : NAN;
    if (isnan(number)) {
      for (p = robot_parameters; p->name; p++)
        add_usage(usage, sizeof usage, p);
      snprintf(why->text, sizeof why->text, "%.200s: \"%.*s\": a robot takes%s", path,
               (int)(length < 80 ? length : 80), settings, usage);
      return PERP_ERROR_PARAMETER;
    }
    values[p - robot_parameters] = number;
  }
  return PERP_OK;
}

/* The model's name; without one that of its file, without folder and ending. */
static void name_model(machine *r, const char *path)
{
  const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path,
             *dot = strrchr(file, '.');
  if (r->m->names[0] && strcmp(r->m->names, "MuJoCo Model") != 0) /* which is MuJoCo's own */
    snprintf(r->name, sizeof r->name, "%s", r->m->names);
  else
    snprintf(r->name, sizeof r->name, "%.*s", (int)(dot ? dot - file : (long)strlen(file)), file);
  r->seen.name = r->name;
}

static perp_error begin(machine *r, const char *path, const char *method, int key,
                        perp_message *why)
{
  const mjModel *m = r->m;
  if (key > 0 && key >= m->nkey) {
    snprintf(why->text, sizeof why->text, "%.200s: key=%d: the file has %d keyframes", path, key,
             m->nkey);
    return PERP_ERROR_PARAMETER;
  }
  if (m->nkey > 0)
    mj_resetDataKeyframe(m, r->d, key);
  if (m->opt.integrator == mjINT_RK4) {
    complain("%s: the integrator is RK4, which solves four times a step; Euler is used instead",
             path);
    r->m->opt.integrator = mjINT_EULER;
  }
  r->m->opt.enableflags |= mjENBL_ENERGY;
  mj_forward(m, r->d);
  if (strcmp(method, "auto") != 0)
    r->s.method = method;
  return perp_solver_create(method, &r->s.solver, why);
}

perp_error robot_create(const char *scene, const char *method, const perp_options *options,
                        robot **created, perp_message *why)
{
  const size_t end = find_end(scene);
  char path[4096];
  *created = NULL;
  machine *r = calloc(1, sizeof *r);
  if (!r || end >= sizeof path) {
    free(r);
    return app_say(why, PERP_ERROR_ARGUMENT, scene, ": no memory, or the name is too long");
  }
  mju_user_warning = on_warning;
  mju_user_error = on_error;
  r->s = perp_mj_default();
  r->s.options = *options;
  r->s.keep = 1;
  r->seen.warm = true;
  memcpy(path, scene, end);
  path[end] = 0;
  double values[PARAMETERS] = {0};
  perp_error error = read_settings(path, scene[end] ? scene + end + 1 : "", values, why);
  r->s.law = values[LAW] > 0 ? PERP_MJ_SOFT : PERP_MJ_RIGID;
  r->s.exact = values[EXACT] > 0;
  if (!error)
    error = load_model(r, path, why);
  if (!error)
    error = begin(r, path, method, (int)values[KEY], why);
  if (!error)
    error = make_shapes(r, why);
  if (!error)
    error = look(r, why);
  if (error) {
    robot_destroy(&r->seen);
    return error;
  }
  look_around(r);
  name_model(r, path);
  r->seen.solver = r->s.solver;
  r->seen.options = &r->s.options;
  r->seen.trouble = "";
  *created = &r->seen;
  return PERP_OK;
}

void robot_destroy(robot *seen)
{
  machine *r = (machine *)seen;
  if (!r)
    return;
  for (int k = 0; k < r->seen.view.shapes; k++)
    free((void *)r->shape[k].corner);
  free(r->shape_of);
  free(r->shape);
  free(r->pose);
  free(r->load);
  free(r->state);
  free(r->contact);
  perp_mj_close(&r->s);
  if (r->d)
    mj_deleteData(r->d);
  if (r->m)
    mj_deleteModel(r->m);
  free(r);
}

perp_error robot_step(robot *seen, perp_step *step, perp_message *why)
{
  machine *r = (machine *)seen;
  mjData *d = r->d;
  const double begin = watch_now();
  warning[0] = 0;
  if (!seen->warm)
    r->s.units = 0;
  const perp_error error = perp_mj_step(r->m, d, &r->s);
  r->steps++;
  if (error) {
    snprintf(why->text, sizeof why->text, "frame %lld: %.400s", (long long)r->steps,
             r->s.result.message.text);
    return error;
  }
  const double taken = watch_now() - begin;
  /* the contacts are those at the beginning of the step, poses and energies those at its end */
  mj_kinematics(r->m, d);
  mj_comPos(r->m, d);
  mj_tendon(r->m, d);
  mj_crb(r->m, d);
  mj_energyPos(r->m, d);
  mj_energyVel(r->m, d);
  const perp_result *result = &r->s.result;
  const bool solved = r->s.rows == 0 || result->outcome == PERP_SOLVED;
  *step = (perp_step){.size = sizeof *step,
                      .index = r->steps,
                      .time = d->time,
                      .rows = r->s.rows,
                      .contacts = r->s.contacts,
                      .outcome = solved ? PERP_SOLVED : result->outcome,
                      .residual = r->s.rows ? result->residual : 0,
                      .relative_residual = r->s.rows ? result->relative_residual : 0,
                      .iterations = r->s.iterations,
                      .solve_seconds = r->s.seconds,
                      .step_seconds = taken,
                      .kinetic = d->energy[1],
                      .potential = d->energy[0],
                      .volume = NAN};
  for (int k = 0; k < r->s.rows; k++)
    step->active += d->efc_force[k] != 0;
  for (int c = 0; c < r->s.contacts; c++)
    step->penetration = fmax(step->penetration, -d->contact[c].dist);
  seen->problem = r->s.problem.A ? &r->s.problem : NULL;
  seen->solution = r->s.x;
  seen->trouble = solved ? warning : result->message.text;
  return look(r, why);
}

#else

const perp_component *robot_components(void)
{
  static const perp_component components[] = {{"mujoco", "", false}, {NULL, NULL, false}};
  return components;
}

perp_error robot_create(const char *scene, const char *method, const perp_options *options,
                        robot **created, perp_message *why)
{
  (void)method;
  (void)options;
  *created = NULL;
  return app_say(why, PERP_ERROR_BACKEND, scene,
                 ": perp was built without MuJoCo, which reads such files; install libmujoco-dev, "
                 "then build perp again");
}

perp_error robot_step(robot *r, perp_step *step, perp_message *why)
{
  (void)r;
  (void)step;
  return app_say(why, PERP_ERROR_BACKEND, "robot", ": perp was built without MuJoCo");
}

void robot_destroy(robot *r)
{
  (void)r;
}

#endif
