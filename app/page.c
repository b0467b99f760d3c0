/* page.c: one page that plays the frames kept of all runs
 *
 * The page is player.html, which the build turns into the text below, with the title and the data in
 * place of their marks. Numbers that come many to a frame are binary in base64: poses and loads as 4-byte floats,
 * particles as 2-byte shares of the part of space that is shown. */
#include "kit/html.h"
#include "simulate.h"

#include <math.h>
#include <string.h>

extern const char player_html[];

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

/* Enough digits for plots of numbers that hardly change. */
static void write_number(FILE *out, bool first, double value, int digits)
{
  fputs(first ? "" : ",", out);
  if (isfinite(value))
    fprintf(out, "%.*g", digits, value);
  else
    fputs("null", out);
}

/* One array for each quantity that is plotted or shown; a value that a step does not have is null.
 * ode: 1, and 2 if ODE reported an error. */
static void write_series(FILE *out, const sim_run *run)
{
  static const struct {
    const char *key;
    int digits;
  } columns[] = {
      {"time", 12},        {"rows", 12},   {"iterations", 12},  {"residual", 6},
      {"solved", 1},       {"ode", 1},     {"kinetic", 12},     {"energy", 12},
      {"penetration", 12}, {"volume", 12}, {"milliseconds", 6},
  };
  fputs("\"steps\":{", out);
  for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
    fprintf(out, "%s\"%s\":[", k ? "],\n" : "", columns[k].key);
    for (int64_t i = 0; i < run->kept; i++) {
      const perp_step *s = &run->step[i];
      const double own = is_by_ode(s) ? NAN : 0; /* ODE has no problem of ours */
      const double residual = s->rows > 0 ? s->relative_residual : NAN;
      const bool solved = s->outcome == PERP_SOLVED, complained = s->outcome == PERP_STAGNATED;
      const double values[] = {
          s->time,
          own + s->rows,
          own + (double)s->iterations,
          residual,
          own + solved,
          is_by_ode(s) ? 1 + complained : 0,
          s->kinetic,
          s->kinetic + s->potential,
          s->penetration,
          s->volume,
          1e3 * s->solve_seconds,
      };
      write_number(out, i == 0, values[k], columns[k].digits);
    }
  }
  fputs("]}\n", out);
}

static void write_text(FILE *out, const char *key, const char *text)
{
  fprintf(out, "\"%s\":", key);
  html_script_text(out, text);
  fputs(",", out);
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

/* Writes the eigenvalues and the symmetry of A, if known. */
static void write_matrix(FILE *out, const sim_request *r, const sim_run *run)
{
  char matrix[400] = "";
  if (r->files.spectrum)
    spectrum_say(&run->spectrum, matrix, sizeof matrix);
  write_text(out, "matrix", matrix);
}

/* Returns the scene, or the file of a robot without its folder. */
static const char *name_of(const sim_run *run, const char *scene)
{
  const char *slash = run->robot ? strrchr(scene, '/') : NULL;
  return slash ? slash + 1 : scene;
}

static void write_run(FILE *out, const sim_request *r, const sim_run *run)
{
  fputs("{", out);
  write_text(out, "label", run->title);
  write_text(out, "scene", name_of(run, run->scene));
  write_text(out, "method", run->stepper);
  write_matrix(out, r, run);
  fprintf(out, "\"dimension\":%d,\"frames\":%d,\"solved\":%lld,\"ode\":%lld,\"complaints\":%lld,",
          run->dimension, run->frames, (long long)run->solved, (long long)run->by_ode,
          (long long)run->complaints);
  fprintf(out, "\"seconds\":%.6g,\"worst\":", run->seconds);
  write_number(out, true, run->worst_residual, 6);
  fputs(",\"deepest\":", out);
  write_number(out, true, run->deepest, 6);
  fputs(",\n\"settings\":", out);
  settings_write(out, r, run);
  fprintf(out, ",\n\"lo\":[%.6g,%.6g,%.6g],\"hi\":[%.6g,%.6g,%.6g],\n\"shapes\":[", run->lo[0],
          run->lo[1], run->lo[2], run->hi[0], run->hi[1], run->hi[2]);
  if (run->shape.used)
    fwrite(run->shape.data, 1, run->shape.used, out);
  fputs("],\n", out);
  write_counts(out, "shown", &run->shown);
  write_base64(out, "pose", &run->pose);
  write_base64(out, "load", &run->load);
  write_base64(out, "state", &run->state);
  write_counts(out, "particles", &run->counts);
  write_base64(out, "particle", &run->particles);
  write_base64(out, "shade", &run->shade);
  write_base64(out, "pressures", &run->pressures);
  write_base64(out, "pressure", &run->pressure);
  write_base64(out, "touch", &run->touch);
  write_counts(out, "forces", &run->forces);
  write_base64(out, "force", &run->force);
  write_counts(out, "spectra", &run->spectra);
  write_base64(out, "eigenvalues", &run->eigenvalues);
  write_series(out, run);
  fputs("}", out);
}

perp_error page_write(const sim_request *r, const runs *all, perp_message *why)
{
  app_file file = {0};
  const perp_error error = app_file_open(r->files.html, &file, why);
  if (error)
    return error;
  const char mark[] = "/*DATA*/null", *at = strstr(player_html, mark);
  const char name[] = "TITLE", *head = strstr(player_html, name);
  const sim_run *first = &all->item[0];
  const char *scene = name_of(first, r->scene), *title = r->engine ? r->engine
                                                         : first->model[0]
                                                             ? first->model
                                                             : scene_info(r->scene).title;
  fwrite(player_html, 1, (size_t)(head - player_html), file.stream);
  html_escape(file.stream, title);
  fputs(", ", file.stream);
  html_escape(file.stream, scene);
  head += sizeof name - 1;
  fwrite(head, 1, (size_t)(at - head), file.stream);
  fputs("{", file.stream);
  write_text(file.stream, "title", title);
  write_text(file.stream, "scene", scene);
  write_text(file.stream, "version", perp_version());
  write_text(file.stream, "engine", r->engine ? r->engine : "ODE");
  fputs("\"command\":", file.stream);
  settings_write_call(file.stream, r);
  fputs(",\"runs\":[", file.stream);
  for (int k = 0, shown = 0; k < all->count; k++) {
    if (all->item[k].frames == 0) /* stopped before it began */
      continue;
    fputs(shown++ ? ",\n" : "", file.stream);
    write_run(file.stream, r, &all->item[k]);
  }
  fputs("]}", file.stream);
  fputs(at + sizeof mark - 1, file.stream);
  return app_file_close(&file, why);
}
