/* fill.c: sparsity patterns of the matrices of the notes (Erleben 2013, Figure 1), of a dam and of a
 * heap of balls */
#include "experiment.h"

#include <stdlib.h>

typedef struct drawing {
  const char *name, *title, *problem;
} drawing;

/* The nonzeros as points (column, row); their share of all n^2 entries, or -1. */
static double draw(experiment *e, const drawing *d, const perp_operator *A)
{
  perp_operator *csr = NULL;
  const int64_t *start;
  const int *column;
  const double *value;
  if (perp_operator_to_csr(A, 0, &csr, NULL))
    return -1;
  const int n = perp_operator_size(A);
  double share = -1;
  if (!perp_operator_csr_arrays(csr, &start, &column, &value)) {
    int64_t count = 0;
    experiment_table *t = experiment_table_begin(e, d->name, NULL, "column,row");
    for (int i = 0; i < n; i++)
      for (int64_t k = start[i]; k < start[i + 1]; k++)
        if (value[k] != 0) {
          experiment_row(t, 2, (double[]){column[k], i});
          count++;
        }
    experiment_table_end(t);
    share = (double)count / ((double)n * n);
    const plot axes = {.title = d->title,
                       .x_label = "column",
                       .y_label = "row",
                       .x_least = -1,
                       .x_most = n,
                       .y_least = n,
                       .y_most = -1,
                       .square = true,
                       .dot = n > 0 ? 110.0 / n : 1};
    const experiment_line line = {d->name, 1, 2, NULL, experiment_points};
    experiment_draw_lines(e, d->name, &axes, 1, &line);
  }
  perp_operator_destroy(csr);
  return share;
}

static void run(experiment *e)
{
  char fluid[64], contact[64];
  snprintf(fluid, sizeof fluid, "fluid-notes:n=%d", experiment_pick(e, 64, 125, 216));
  snprintf(contact, sizeof contact, "contact-notes:n=%d", experiment_pick(e, 60, 90, 120));
  enum { FLUID, CONTACT, DAM, PILE, COUNT };
  const drawing drawings[COUNT] = {
      {"fluid", "A fluid matrix by the recipe of the notes", fluid},
      {"contact", "A contact matrix by the recipe of the notes", contact},
      {"dam", "Pressure of a dam that breaks, 16 x 16 cells", "fluid:grid=16"},
      {"pile", "Frictional contacts of a heap of balls", "pile:n=12,form=polyhedral"},
  };
  double share[COUNT] = {0}, asymmetry[COUNT] = {0}, zeros[COUNT] = {0}, rows[COUNT] = {0};
  for (int k = 0; k < COUNT; k++) {
    experiment_case c;
    if (!experiment_open(e, &c, "%s", drawings[k].problem))
      return;
    perp_facts facts = {0};
    perp_problem_facts(&c.p, &facts, NULL);
    share[k] = draw(e, &drawings[k], c.p.A);
    asymmetry[k] = facts.asymmetry;
    zeros[k] = facts.diagonal_zeros;
    rows[k] = facts.n;
    experiment_close(&c);
    if (!experiment_progress(e, (k + 1.0) / COUNT))
      return;
  }
  experiment_table *t = experiment_table_begin(
      e, "facts", "Properties of the four matrices",
      "matrix,n,nonzeros in a row,share of nonzeros,asymmetry,diagonal zeros");
  for (int k = 0; k < COUNT; k++) {
    experiment_cell_text(t, "%s", drawings[k].name);
    experiment_row(t, 5, (double[]){rows[k], share[k] * rows[k], share[k], asymmetry[k], zeros[k]});
  }
  experiment_table_end(t);
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST, asymmetry[FLUID] == 0 && asymmetry[DAM] == 0,
                   "fluid matrices are symmetric, by the recipe and of the dam");
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST, asymmetry[CONTACT] > 0 && asymmetry[PILE] > 0,
                   "contact matrices are not symmetric, by the recipe and of the heap");
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST, zeros[CONTACT] > 0 && zeros[PILE] > 0,
                   "contact matrices have zeros on the diagonal (%g and %g here)", zeros[CONTACT],
                   zeros[PILE]);
  experiment_claim(e, CLAIM_PAPER, share[FLUID] < 0.2 && share[CONTACT] < 0.2,
                   "both matrices of the notes are extremely sparse (%.0f %% and %.0f %% of the "
                   "entries are not zero)",
                   100 * share[FLUID], 100 * share[CONTACT]);
  experiment_why(e,
                 "The recipe keeps each pair of contacts with a probability of one half, however "
                 "many there are, so that its contact matrices do not become sparse as they "
                 "grow; contacts of a real heap touch few others. Its fluid matrices are bands "
                 "of width three, not grids.");
}

const experiment_info experiment_fill = {
    .name = "fill",
    .title = "Fill patterns",
    .source = "Erleben 2013, Figure 1",
    .says =
        "the matrices are extremely sparse; that of the fluid is symmetric, that of the contacts "
        "is not",
    .run = run,
};
