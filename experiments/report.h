/* report.h: a report in progress, as its files share it: report.c, which experiments call; page.c
 * above it; run.c, which calls the experiments */
#pragma once

#include "experiment.h"

enum { REPORT_CLAIMS = 256 };

typedef struct report_claim {
  const experiment_info *experiment;
  unsigned kind;
  bool holds;
  char text[500];
} report_claim;

typedef struct report {
  const experiments_call *call;
  int wanted, run; /* experiments */
  bool stopped;
  int claims;
  report_claim claim[REPORT_CLAIMS];
} report;

struct experiment {
  report *report;
  const experiment_info *info;
  FILE *body; /* the part of the page, as it grows */
  char why_they_differ[2000];
  perp_error error;
  perp_message why;
  experiment_table *tables; /* the filled tables, the last one first */
  void **room;              /* of the experiment; each begins with a pointer to the next */
};

void report_free(experiment *e);

/* Returns the origin of a claim, without its flags. */
static inline unsigned report_whose(unsigned kind)
{
  return kind & 3u;
}

/* ---- The page (page.c) ---- */

/* Returns true if the call names this experiment. */
bool report_wants(const experiments_call *call, const experiment_info *info);
void report_begin_section(experiment *e);
/* The claims from `first` on, and why they differ. */
void report_end_section(experiment *e, int first);
/* index.html with the sections so far; replaced at once. */
perp_error report_write_page(const report *r, const char *sections, perp_message *why);
