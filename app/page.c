/* page.c: frames kept while a scene runs, and one page that plays them
 *
 * The page is player.html, which the build turns into the text below, with the data in place of its
 * mark. Numbers that come many to a frame are binary in base64: poses and loads as 4-byte floats,
 * particles as 2-byte shares of the part of space that is shown. */
#include "json.h"
#include "simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const char player_html[];

/* ---- bytes that grow ---- */

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

/* A share of [lo, hi] in 65535 steps. */
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
  snprintf(why->text, sizeof why->text,
           "not enough memory to keep all frames; --every K keeps fewer");
  return PERP_ERROR_MEMORY;
}

/* ---- while it runs ---- */

perp_error run_add(sim_run *run, const perp_step *step, perp_message *why)
{
  if (run->steps == run->room) {
    const int64_t room = 2 * run->room + 256;
    perp_step *grown = realloc(run->step, (size_t)room * sizeof *grown);
    if (!grown)
      return no_memory(why);
    run->step = grown;
    run->room = room;
  }
  run->step[run->steps++] = *step;
  return PERP_OK;
}

static bool keep_shapes(sim_run *run, const perp_view *view)
{
  static const char *const kinds[] = {"disc", "polygon", "sphere", "box", "capsule"};
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
    for (int c = 0; c < 2 * s->corners && fine; c++) {
      snprintf(text, sizeof text, "%s%.6g", c ? "," : ",\"corner\":[", s->corner[c]);
      fine = append(&run->shape, text, strlen(text));
    }
    fine = fine && append(&run->shape, s->corners ? "]}" : "}", s->corners ? 2 : 1);
  }
  return fine;
}

perp_error run_keep(sim_run *run, const perp_simulation *sim, perp_message *why)
{
  perp_view view;
  perp_simulation_view(sim, &view);
  bool fine = run->frames > 0 || keep_shapes(run, &view);
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
  run->frames++;
  return fine ? PERP_OK : no_memory(why);
}

perp_error run_keep_spectrum(sim_run *run, int n, const double *w, perp_message *why)
{
  enum { SHOWN = 200 };
  const int count = n < SHOWN ? n : SHOWN;
  bool fine = append_int(&run->spectra, count);
  for (int k = 0; k < count && fine; k++) /* the least and the greatest among them */
    fine = append_float(&run->eigenvalues,
                        w[count > 1 ? (int)((int64_t)k * (n - 1) / (count - 1)) : 0]);
  return fine ? PERP_OK : no_memory(why);
}

void run_free(sim_run *run)
{
  free(run->step);
  free(run->shape.data);
  free(run->pose.data);
  free(run->load.data);
  free(run->state.data);
  free(run->counts.data);
  free(run->particles.data);
  free(run->shade.data);
  free(run->spectra.data);
  free(run->eigenvalues.data);
}

/* ---- the page ---- */

static void write_base64(FILE *out, const char *key, const bytes *b)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  fprintf(out, "\"%s\":\"", key);
  for (size_t k = 0; k < b->used; k += 3) {
    const size_t left = b->used - k;
    const unsigned u = (unsigned)b->data[k] << 16 | (left > 1 ? (unsigned)b->data[k + 1] << 8 : 0) |
                       (left > 2 ? b->data[k + 2] : 0u);
    const char four[] = {digits[u >> 18], digits[u >> 12 & 63],
                         left > 1 ? digits[u >> 6 & 63] : '=', left > 2 ? digits[u & 63] : '='};
    fwrite(four, 1, sizeof four, out);
  }
  fputs("\",\n", out);
}

static double energy(const perp_step *s)
{
  return s->kinetic + s->potential;
}

static void write_number(FILE *out, bool first, double value)
{
  fprintf(out, isfinite(value) ? "%s%.6g" : "%snull", first ? "" : ",", value);
}

/* One array for each thing that is plotted or told; what a step does not have is null. ode: 1, and 2
 * where it complained. */
static void write_series(FILE *out, const sim_run *run)
{
  static const char *const keys[] = {
      "time",    "rows",   "iterations",  "residual", "solved",       "ode",
      "kinetic", "energy", "penetration", "volume",   "milliseconds",
  };
  fputs("\"steps\":{", out);
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
    fprintf(out, "%s\"%s\":[", k ? "],\n" : "", keys[k]);
    for (int64_t i = 0; i < run->steps; i++) {
      const perp_step *s = &run->step[i];
      const double own = s->by_ode ? NAN : 0; /* ODE has no problem of ours */
      const double residual = s->rows > 0 ? s->residual : NAN;
      const bool solved = s->outcome == PERP_SOLVED, complained = s->outcome == PERP_STAGNATED;
      const double values[] = {
          s->time,
          own + s->rows,
          own + (double)s->iterations,
          residual,
          own + solved,
          s->by_ode ? 1 + complained : 0,
          s->kinetic,
          energy(s),
          s->penetration,
          s->volume,
          1e3 * s->solve_seconds,
      };
      write_number(out, i == 0, values[k]);
    }
  }
  fputs("]}\n", out);
}

/* Text in a script: no quotation mark, backslash or angle bracket comes as itself. */
static void write_text(FILE *out, const char *key, const char *text)
{
  fprintf(out, "\"%s\":\"", key);
  for (; *text; text++)
    if (strchr("\"\\<>&", *text) || (unsigned char)*text < ' ')
      fprintf(out, "\\u%04x", (unsigned)(unsigned char)*text);
    else
      fputc(*text, out);
  fputs("\",", out);
}

static void write_counts(FILE *out, const char *key, const bytes *b)
{
  fprintf(out, "\"%s\":[", key);
  for (size_t k = 0; k < b->used / sizeof(int); k++) {
    int count;
    memcpy(&count, b->data + k * sizeof count, sizeof count);
    fprintf(out, "%s%d", k ? "," : "", count);
  }
  fputs("],\n", out);
}

static void write_run(FILE *out, const sim_run *run)
{
  fputs("{", out);
  write_text(out, "label", run->label);
  write_text(out, "scene", run->scene);
  write_text(out, "method", run->stepper);
  fprintf(out, "\"dimension\":%d,\"frames\":%d,\"solved\":%lld,\"ode\":%lld,\"complaints\":%lld,",
          run->dimension, run->frames, (long long)run->solved, (long long)run->by_ode,
          (long long)run->complaints);
  fprintf(out, "\"seconds\":%.6g,\"worst\":", run->seconds);
  write_number(out, true, run->worst_residual);
  fputs(",\"deepest\":", out);
  write_number(out, true, run->deepest);
  fputs(",\n", out);
  fprintf(out, "\"lo\":[%.6g,%.6g,%.6g],\"hi\":[%.6g,%.6g,%.6g],\n\"shapes\":[", run->lo[0],
          run->lo[1], run->lo[2], run->hi[0], run->hi[1], run->hi[2]);
  if (run->shape.used)
    fwrite(run->shape.data, 1, run->shape.used, out);
  fputs("],\n", out);
  write_base64(out, "pose", &run->pose);
  write_base64(out, "load", &run->load);
  write_base64(out, "state", &run->state);
  write_counts(out, "particles", &run->counts);
  write_base64(out, "particle", &run->particles);
  write_base64(out, "shade", &run->shade);
  write_counts(out, "spectra", &run->spectra);
  write_base64(out, "eigenvalues", &run->eigenvalues);
  write_series(out, run);
  fputs("}", out);
}

perp_error page_write(const char *path, const char *scene, const char *matrix, const runs *all,
                      int every, perp_message *why)
{
  app_file file = {0};
  const perp_error error = app_file_open(path, &file, why);
  if (error)
    return error;
  const char mark[] = "/*DATA*/null", *at = strstr(player_html, mark);
  fwrite(player_html, 1, (size_t)(at - player_html), file.stream);
  fputs("{", file.stream);
  write_text(file.stream, "scene", scene);
  write_text(file.stream, "version", perp_version());
  write_text(file.stream, "matrix", matrix);
  fprintf(file.stream, "\"every\":%d,\"runs\":[", every);
  for (int k = 0, shown = 0; k < all->count; k++) {
    if (all->item[k].frames == 0) /* stopped before it began */
      continue;
    fputs(shown++ ? ",\n" : "", file.stream);
    write_run(file.stream, &all->item[k]);
  }
  fputs("]}", file.stream);
  fputs(at + sizeof mark - 1, file.stream);
  return app_file_close(&file, why);
}
