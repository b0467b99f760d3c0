/* frames.c: the data of the frames of a run that its page needs, in growing memory */
#include "robot.h"
#include "simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool append(bytes *b, const void *data, size_t count)
{
  if (b->used + count > b->room) {
    const size_t room = 2 * b->room + count + 1024;
    unsigned char *grown = realloc(b->data, room);
    if (!grown)
      return false;
    b->data = grown;
    b->room = room;
  }
  if (count)
    memcpy(b->data + b->used, data, count);
  b->used += count;
  return true;
}

/* Little-endian, whatever the machine is. */
static bool append_float(bytes *b, double value)
{
  const float f = (float)value;
  uint32_t u;
  memcpy(&u, &f, sizeof u);
  const unsigned char four[] = {(unsigned char)(u & 255), (unsigned char)(u >> 8 & 255),
                                (unsigned char)(u >> 16 & 255), (unsigned char)(u >> 24)};
  return append(b, four, sizeof four);
}

/* Appends the position of the value in [lo, hi], in 65535 steps. */
static bool append_share(bytes *b, double value, double lo, double hi)
{
  const double share = hi > lo ? (value - lo) / (hi - lo) : 0;
  const unsigned u = share > 0 ? share < 1 ? (unsigned)lrint(share * 65535) : 65535u : 0u;
  const unsigned char two[] = {(unsigned char)(u & 255), (unsigned char)(u >> 8)};
  return append(b, two, sizeof two);
}

static bool append_int(bytes *b, int value)
{
  return append(b, &value, sizeof value);
}

static perp_error no_memory(perp_message *why)
{
  snprintf(why->text, sizeof why->text, "out of memory for all frames; --every K keeps fewer");
  return PERP_ERROR_MEMORY;
}

perp_error run_keep_step(sim_run *run, const perp_step *step, perp_message *why)
{
  if (run->kept == run->room) {
    const int64_t room = 2 * run->room + 256;
    perp_step *grown = realloc(run->step, (size_t)room * sizeof *grown);
    if (!grown)
      return no_memory(why);
    run->step = grown;
    run->room = room;
  }
  run->step[run->kept++] = *step;
  return PERP_OK;
}

static bool keep_shapes(sim_run *run, const perp_view *view)
{
  static const char *const kinds[] = {"disc", "polygon", "sphere", "box", "capsule", "mesh"};
  bool fine = true;
  run->dimension = view->dimension;
  run->shapes = view->shapes;
  memcpy(run->lo, view->lo, sizeof run->lo);
  memcpy(run->hi, view->hi, sizeof run->hi);
  for (int k = 0; k < view->shapes && fine; k++) {
    const perp_shape *s = &view->shape[k];
    char text[200];
    snprintf(text, sizeof text,
             "%s{\"kind\":\"%s\",\"fixed\":%s,\"wire\":%s,\"size\":[%.6g,%.6g,%.6g]", k ? "," : "",
             kinds[s->kind], s->fixed ? "true" : "false", s->wire ? "true" : "false", s->size[0],
             s->size[1], s->size[2]);
    fine = append(&run->shape, text, strlen(text));
    const int each = s->kind == (perp_shape_kind)SHAPE_MESH ? 3 : 2;
    for (int c = 0; c < each * s->corners && fine; c++) {
      snprintf(text, sizeof text, "%s%.6g", c ? "," : ",\"corner\":[", s->corner[c]);
      fine = append(&run->shape, text, strlen(text));
    }
    fine = fine && append(&run->shape, s->corners ? "]}" : "}", s->corners ? 2 : 1);
  }
  return fine;
}

/* Stores each as a share of the frame's least and greatest, which are stored too. */
static bool keep_pressure(sim_run *run, const perp_view *view)
{
  double lo = 0, hi = 0;
  for (int k = 0; k < view->particles; k++) {
    lo = fmin(lo, view->pressure[k]);
    hi = fmax(hi, view->pressure[k]);
  }
  bool fine = append_float(&run->pressures, lo) && append_float(&run->pressures, hi);
  for (int k = 0; k < view->particles && fine; k++) {
    const double share = hi > lo ? (view->pressure[k] - lo) / (hi - lo) : 0;
    const unsigned char byte = (unsigned char)lrint(255 * fmin(1, fmax(0, share)));
    fine = append(&run->pressure, &byte, 1);
  }
  return fine;
}

perp_error run_keep(sim_run *run, const sim_world *world, int64_t step, perp_message *why)
{
  perp_view view;
  world_view(world, &view);
  return run_keep_view(run, view, step, why);
}

perp_error run_keep_view(sim_run *run, perp_view view, int64_t step, perp_message *why)
{
  bool fine = run->frames > 0 || keep_shapes(run, &view);
  fine = fine && append_int(&run->shown, (int)step);
  const int numbers = view.dimension == 3 ? 7 : 3;
  for (int k = 0; k < view.shapes * numbers && fine; k++)
    fine = append_float(&run->pose, view.pose[k]);
  for (int k = 0; view.load && k < view.shapes && fine; k++)
    fine = append_float(&run->load, view.load[k]);
  for (int k = 0; view.state && k < view.shapes && fine; k++) {
    const unsigned char state = (unsigned char)(view.state[k] < 255 ? view.state[k] : 255);
    fine = append(&run->state, &state, 1);
  }
  fine = fine && append_int(&run->counts, view.particles);
  for (int k = 0; k < view.particles * view.dimension && fine; k++)
    fine = append_share(&run->particles, view.particle[k], view.lo[k % view.dimension],
                        view.hi[k % view.dimension]);
  for (int k = 0; view.shade && k < view.particles && fine; k++) {
    const double share = fmin(1, fmax(0, view.shade[k]));
    const unsigned char shade = (unsigned char)lrint(255 * share);
    fine = append(&run->shade, &shade, 1);
  }
  if (view.pressure && fine)
    fine = keep_pressure(run, &view);
  for (int k = 0; view.touch && k < view.particles && fine; k++)
    fine = append(&run->touch, &(unsigned char){(unsigned char)view.touch[k]}, 1);
  if (run->robot && fine)
    fine = append_int(&run->forces, (int)view.contacts);
  for (int64_t k = 0; run->robot && k < 6 * view.contacts && fine; k++)
    fine = append_float(&run->force, view.contact[k]);
  run->frames++;
  return fine ? PERP_OK : no_memory(why);
}

perp_error run_keep_spectrum(sim_run *run, int n, const double *w, perp_message *why)
{
  enum { SHOWN = 200 };
  if (!run->paged)
    return PERP_OK;
  const int count = n < SHOWN ? n : SHOWN;
  bool fine = append_int(&run->spectra, count);
  for (int k = 0; k < count && fine; k++) /* the least and the greatest among them */
    fine = append_float(&run->eigenvalues,
                        w[count > 1 ? (int)((int64_t)k * (n - 1) / (count - 1)) : 0]);
  return fine ? PERP_OK : no_memory(why);
}

void run_free(sim_run *run)
{
  const bytes *const all[] = {&run->shown,       &run->shape,    &run->pose,      &run->load,
                              &run->state,       &run->counts,   &run->particles, &run->shade,
                              &run->pressures,   &run->pressure, &run->touch,     &run->spectra,
                              &run->eigenvalues, &run->forces,   &run->force};
  free(run->step);
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    free(all[k]->data);
}
