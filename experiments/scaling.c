/* scaling.c: the time of ten iterations against n, with Lemke and multigrid
 * (Erleben 2013, Figure 5)
 *
 * A method that ends before is charged ten times its time per iteration; Lemke's time is that of
 * the whole solution, as in the notes. Exponents p of c n^p by least squares of the logarithms over
 * the larger half of the sizes. */
#include "experiment.h"
#include "kit/numbers.h"

#include <math.h>

enum { METHODS = 6, SIZES = 12 };
enum { PGS, PSOR, MINMAP, FISCHER, MULTIGRID, LEMKE };
static const char *const methods[METHODS] = {"pgs", "psor:omega=1.4", "minmap", "fischer",
                                             "mg",  "lemke"};

typedef struct family {
  const char *name, *title, *kind; /* kind: with %d for the size */
  int sizes[SIZES];                /* ends with 0 */
  int most_lemke;                  /* greatest n that Lemke is given */
} family;

typedef struct measured {
  int count;
  double n[SIZES], seconds[METHODS][SIZES], pivots[SIZES];
} measured;

static bool measure(experiment *e, const family *f, measured *m)
{
  *m = (measured){0};
  for (int k = 0; k < SIZES && f->sizes[k]; k++, m->count++) {
    char text[128];
    experiment_case c;
    snprintf(text, sizeof text, f->kind, f->sizes[k]);
    if (!experiment_open(e, &c, "%s", text))
      return false;
    m->n[k] = c.p.K.n;
    for (int j = 0; j < METHODS; j++)
      m->seconds[j][k] = j == LEMKE ? NAN : 10 * experiment_time(&c, methods[j], 10, NULL);
    m->pivots[k] = NAN;
    experiment_solve s = {0};
    if (c.p.K.n <= f->most_lemke) {
      m->seconds[LEMKE][k] = experiment_time(&c, methods[LEMKE], 0, &s);
      m->pivots[k] = (double)s.counts.pivots;
    }
    experiment_close(&c);
  }
  return true;
}

/* Over the larger half of the sizes that there is a time for. */
static double exponent(const measured *m, int method)
{
  double x[SIZES], y[SIZES];
  int count = 0;
  for (int k = 0; k < m->count; k++)
    if (m->seconds[method][k] > 0) {
      x[count] = m->n[k];
      y[count++] = m->seconds[method][k];
    }
  const int half = count / 2 - (count > 3);
  const int from = count - half >= 3 ? half : count > 3 ? count - 3 : 0; /* a line needs three */
  return kit_exponent(count - from, x + from, y + from);
}

static void show(experiment *e, const family *f, const measured *m)
{
  experiment_table *t = experiment_table_begin(
      e, f->name, NULL, "n,pgs,psor,minmap,fischer,mg,lemke,pivots of lemke");
  experiment_line line[METHODS];
  int lines = 0;
  for (int k = 0; k < m->count; k++) {
    experiment_cell(t, m->n[k]);
    for (int j = 0; j < METHODS; j++)
      experiment_cell(t, m->seconds[j][k]);
    experiment_cell(t, m->pivots[k]);
  }
  experiment_table_end(t);
  for (int j = 0; j < METHODS; j++)
    if (m->seconds[j][0] > 0)
      line[lines++] = (experiment_line){f->name, 1, 2 + j, methods[j], experiment_marked};
  experiment_draw_lines(e, f->name,
                        &(plot){.title = f->title,
                                .x_label = "unknowns n",
                                .y_label = "seconds for 10 iterations (lemke: all)",
                                .log_x = true,
                                .log_y = true},
                        lines, line);
}

/* The claim is one about every problem: an exponent far from 3 on one of them refutes it. */
static void claim_cube(experiment *e, const measured m[3])
{
  static const char *const on[3] = {"the fluid of the notes", "their contacts", "the dam"};
  char list[160] = "";
  size_t used = 0;
  int fitted = 0, cubes = 0;
  for (int k = 0; k < 3; k++) {
    const double p = exponent(&m[k], LEMKE);
    if (isnan(p))
      continue;
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%.2f on %s", fitted ? ", " : "", p,
                             on[k]);
    fitted++;
    cubes += p > 2.5 && p < 3.5;
  }
  experiment_claim(e, CLAIM_PAPER | CLAIM_HEADLINE, fitted > 0 && cubes == fitted,
                   "the time of Lemke's method grows as the cube of n (exponents: %s)", list);
}

static void run(experiment *e)
{
  const int size = (int)experiment_size_of(e);
  enum { FAMILIES = 4 };
  const family families[FAMILIES] = {
      {"fluid",
       "Fluid by the recipe of the notes",
       "fluid-notes:rhs=notes,n=%d",
       {64, 125, 216, 343, size > 0 ? 512 : 0, 729, size > 1 ? 1000 : 0, 1331},
       2000},
      {"contact",
       "Contacts by the recipe of the notes",
       "contact-notes:rhs=notes,n=%d",
       {36, 72, 144, size > 0 ? 300 : 0, size > 1 ? 600 : 0, 900},
       2000},
      {"dam",
       "Pressure of a dam",
       "fluid:grid=%d",
       {16, 32, 64, 128, size > 0 ? 256 : 0, size > 1 ? 512 : 0},
       size > 0 ? 5000 : 1500},
      {"pile",
       "Frictional contacts of a heap of balls",
       "pile:n=%d,form=polyhedral",
       {8, 16, 32, 64, size > 0 ? 128 : 0, size > 1 ? 256 : 0},
       size > 0 ? 1500 : 600},
  };
  measured m[FAMILIES];
  for (int k = 0; k < FAMILIES; k++) {
    if (!measure(e, &families[k], &m[k]))
      return;
    show(e, &families[k], &m[k]);
    if (!experiment_progress(e, (k + 1.0) / FAMILIES))
      return;
  }
  experiment_table *t = experiment_table_begin(
      e, "exponents", "Fitted exponents of the time in n, by the larger half of the sizes",
      "problem,largest n,pgs,psor,minmap,fischer,mg,lemke");
  for (int k = 0; k < FAMILIES; k++) {
    experiment_cell_text(t, "%s", families[k].title);
    experiment_cell(t, m[k].n[m[k].count - 1]);
    for (int j = 0; j < METHODS; j++)
      experiment_cell(t, exponent(&m[k], j));
  }
  experiment_table_end(t);
  claim_cube(e, m);
  const double fischer = exponent(&m[0], FISCHER);
  experiment_claim(e, CLAIM_PAPER, fischer > 1.3,
                   "Fischer-Newton scales worse than linearly on fluid problems (exponent %.2f on "
                   "that of the notes, %.2f on the dam)",
                   fischer, exponent(&m[2], FISCHER));
  experiment_claim(e, CLAIM_PAPER, exponent(&m[2], PGS) < 1.3,
                   "a sweep costs O(n) (exponent %.2f on the dam, %.2f on the fluid of the notes)",
                   exponent(&m[2], PGS), exponent(&m[0], PGS));
  experiment_claim(e, CLAIM_OURS, exponent(&m[2], MULTIGRID) < 1.3,
                   "a multigrid cycle costs O(n) (exponent %.2f on the dam)",
                   exponent(&m[2], MULTIGRID));
  experiment_why(e,
                 "The notes keep A dense and assemble every Jacobian, in Matlab; here A stays "
                 "sparse and only what is free is factored. Lemke's basis is factored sparsely "
                 "too: its time is the number of pivots times that of a pivot. "
                 "The multilevel method of the notes is not described there; ours is a truncated "
                 "Newton multigrid method.");
}

const experiment_info experiment_scaling = {
    .name = "scaling",
    .title = "Time against size",
    .source = "Erleben 2013, Figure 5",
    .says = "Lemke's method scales cubically; Fischer-Newton scales worse than linearly on fluid "
            "problems, since its Jacobian is assembled",
    .run = run,
};
