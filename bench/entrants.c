/* entrants.c: who takes part, and in what: methods of ours, and solvers of other libraries */
#include "suite.h"

#include <string.h>

enum {
  DENSE_MOST = 2500, /* the most unknowns for peers that take only dense matrices */
  SPARSE_MOST = 1200000,
  CONES_MOST = 6000,  /* Siconos, which makes blocks of cones */
  PIVOT_MOST = 20000, /* our pivoting methods */
};

enum {
  BOXES = PERP_TAKES(PERP_FORM_LCP) | PERP_TAKES(PERP_FORM_MIXED) | PERP_TAKES(PERP_FORM_BOXED)
};

const bench_peer bench_peers[] = {
    {"bullet", "dantzig", BOXES | PERP_TAKES(PERP_FORM_FINDEX), DENSE_MOST, false},
    {"bullet", "lemke", PERP_TAKES(PERP_FORM_LCP), DENSE_MOST, false},
    {"bullet", "pgs", BOXES | PERP_TAKES(PERP_FORM_FINDEX), DENSE_MOST, false},
    {"dart", "dantzig", BOXES | PERP_TAKES(PERP_FORM_FINDEX), DENSE_MOST, false},
    {"dart", "lemke", PERP_TAKES(PERP_FORM_LCP), DENSE_MOST, false},
    {"dart", "pgs", BOXES | PERP_TAKES(PERP_FORM_FINDEX), DENSE_MOST, false},
    {"ipopt", "default", BOXES, SPARSE_MOST, true},
    {"ipopt", "mehrotra", BOXES, SPARSE_MOST, true},
    {"ode", "dantzig", BOXES | PERP_TAKES(PERP_FORM_FINDEX), DENSE_MOST, false},
    {"petsc", "rsls", BOXES, SPARSE_MOST, false},
    {"petsc", "rsls-cg", BOXES, SPARSE_MOST, false},
    {"petsc", "rsls-gamg", BOXES, SPARSE_MOST, false},
    {"petsc", "rsls-hypre", BOXES, SPARSE_MOST, false},
    {"petsc", "ssls", BOXES, SPARSE_MOST, false},
    {"petsc", "ssls-gamg", BOXES, SPARSE_MOST, false},
    {"petsc", "gpcg", BOXES, SPARSE_MOST, true},
    {"petsc", "tron", BOXES, SPARSE_MOST, true},
    {"petsc", "bqpip", BOXES, SPARSE_MOST, true},
    {"petsc", "asils", BOXES, SPARSE_MOST, false},
    {"siconos", "lemke", PERP_TAKES(PERP_FORM_LCP), DENSE_MOST, false},
    {"siconos", "pivot", PERP_TAKES(PERP_FORM_LCP), DENSE_MOST, false},
    {"siconos", "newton", PERP_TAKES(PERP_FORM_LCP), DENSE_MOST, false},
    {"siconos", "fb", PERP_TAKES(PERP_FORM_LCP), DENSE_MOST, false},
    {"siconos", "pgs", PERP_TAKES(PERP_FORM_LCP), DENSE_MOST, false},
    {"siconos", "nsgs", PERP_TAKES(PERP_FORM_CONE), CONES_MOST, false},
    {"siconos", "nsn_ac", PERP_TAKES(PERP_FORM_CONE), CONES_MOST, false},
    {"siconos", "admm", PERP_TAKES(PERP_FORM_CONE), CONES_MOST, false},
    {"siconos", "global-nsgs", PERP_TAKES(PERP_FORM_CONE), CONES_MOST, false},
    {"siconos", "global-nsn_ac", PERP_TAKES(PERP_FORM_CONE), CONES_MOST, false},
    {"siconos", "global-admm", PERP_TAKES(PERP_FORM_CONE), CONES_MOST, false},
    {"siconos", "global-ipm", PERP_TAKES(PERP_FORM_CONE), CONES_MOST, false},
    {"siconos", "rolling-nsgs", PERP_TAKES(PERP_FORM_CONTACT), CONES_MOST, false},
    {"siconos", "rolling-admm", PERP_TAKES(PERP_FORM_CONTACT), CONES_MOST, false},
    {"siconos", "global-rolling-nsgs", PERP_TAKES(PERP_FORM_CONTACT), CONES_MOST, false},
    {0},
};

bool bench_wants(const bench_settings *s, const char *name)
{
  const char *names = s->methods;
  if (!names)
    return true;
  const size_t length = strlen(name);
  for (const char *at = names; at; at = strchr(at, ',')) {
    at += *at == ',';
    if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
      return true;
  }
  return false;
}

bool bench_wants_case(const bench_settings *s, const char *text)
{
  return !s->only || strstr(text, s->only);
}

bool bench_takes(const bench_settings *s, const perp_method_info *m, const perp_problem *p)
{
  if (!bench_wants(s, m->name))
    return false;
  if (m->most_unknowns && p->K.n > m->most_unknowns)
    return false;
  if (strcmp(m->family, "pivoting") == 0 && p->K.n > PIVOT_MOST)
    return false;
  return (m->takes & PERP_TAKES(perp_set_form(&p->K))) != 0;
}
