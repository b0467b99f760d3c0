/* table.c: what came out of a run, and the file of it */
#include "suite.h"

#include <stdlib.h>
#include <string.h>

const double bench_tols[BENCH_TOLS] = {1e-4, 1e-8};
const char *const bench_tol_names[BENCH_TOLS] = {"1e-4", "1e-8"};

static void *add(void **items, int *count, int *room, size_t size)
{
  if (*count == *room) {
    const int more = 2 * *room + 64;
    void *grown = realloc(*items, (size_t)more * size);
    if (!grown)
      return NULL;
    *items = grown;
    *room = more;
  }
  return memset((char *)*items + (size_t)(*count)++ * size, 0, size);
}

bench_row *bench_add_row(bench_table *t)
{
  void *items = t->row;
  bench_row *row = add(&items, &t->rows, &t->row_room, sizeof *row);
  t->row = items;
  return row;
}

bench_point *bench_add_point(bench_table *t)
{
  void *items = t->point;
  bench_point *point = add(&items, &t->points, &t->point_room, sizeof *point);
  t->point = items;
  return point;
}

bench_bar *bench_add_bar(bench_table *t)
{
  void *items = t->bar;
  bench_bar *bar = add(&items, &t->bars, &t->bar_room, sizeof *bar);
  t->bar = items;
  return bar;
}

perp_error bench_add_figures(const bench_task *t, const char *method, int count,
                             const char *const *names, const double *values)
{
  bench_table *table = t->table;
  for (int k = 0; k < count; k++) {
    void *items = table->figure;
    bench_figure *f = add(&items, &table->figures, &table->figure_room, sizeof *f);
    table->figure = items;
    if (!f)
      return PERP_ERROR_MEMORY;
    f->suite = t->suite->name;
    f->name = names[k];
    f->value = values[k];
    snprintf(f->problem, sizeof f->problem, "%s", t->text);
    snprintf(f->method, sizeof f->method, "%s", method);
  }
  return PERP_OK;
}

void bench_table_free(bench_table *t)
{
  free(t->figure);
  free(t->row);
  free(t->point);
  free(t->bar);
}

/* An empty cell if a tolerance was not reached. */
static void write_seconds(FILE *out, double seconds)
{
  if (seconds < 1e300)
    fprintf(out, "%.4g", seconds);
  fputc(',', out);
}

static void write_counts(FILE *out, const perp_counts *c)
{
  const int64_t counts[] = {c->iterations, c->sweeps,         c->applies,
                            c->pivots,     c->factorisations, c->solves};
  for (size_t j = 0; j < sizeof counts / sizeof *counts; j++) {
    fputc(',', out);
    if (counts[j])
      fprintf(out, "%lld", (long long)counts[j]);
  }
}

void bench_write_csv(FILE *out, const bench_table *t)
{
  if (t->rows)
    fputs("suite,problem,n,form,method,status,seconds_1e-4,seconds_1e-8,residual,iterations,"
          "sweeps,applies,pivots,factorisations,solves,call_1e-8\n",
          out);
  for (int k = 0; k < t->rows; k++) {
    const bench_row *r = &t->row[k];
    fprintf(out, "%s,\"%s\",%d,%s,%s,%s,", r->suite, r->problem, r->n, r->form, r->method,
            r->status);
    for (int j = 0; j < BENCH_TOLS; j++)
      write_seconds(out, r->seconds[j]);
    fprintf(out, "%.2g", r->residual);
    write_counts(out, &r->counts);
    fputc(',', out);
    if (r->call[BENCH_TOLS - 1] != 0)
      fprintf(out, "%.4g", r->call[BENCH_TOLS - 1]);
    fputc('\n', out);
  }
  if (t->points)
    fputs("anytime,problem,method,seconds,residual\n", out);
  for (int k = 0; k < t->points; k++)
    fprintf(out, "anytime,\"%s\",%s,%.4g,%.3g\n", t->point[k].problem, t->point[k].method,
            t->point[k].seconds, t->point[k].residual);
  if (t->bars)
    fputs("kernels,kernel,rate,most,unit,ns_per_row\n", out);
  for (int k = 0; k < t->bars; k++) {
    const bench_bar *b = &t->bar[k];
    fprintf(out, "kernels,\"%s\",%.4g,%.4g,%s,%.4g\n", b->kernel, b->rate, b->most, b->unit,
            b->nanoseconds);
  }
  if (t->figures)
    fputs("figures,problem,method,figure,value\n", out);
  for (int k = 0; k < t->figures; k++) {
    const bench_figure *f = &t->figure[k];
    fprintf(out, "%s,\"%s\",\"%s\",\"%s\",%.4g\n", f->suite, f->problem, f->method, f->name,
            f->value);
  }
}
