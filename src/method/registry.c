/* registry.c: every method, one line each */
#include "method/method.h"
#include "method/reduced.h"

#include <string.h>

extern const perp_method perp_method_auto;
extern const perp_method perp_method_direct;
extern const perp_method perp_method_enumerate;
extern const perp_method perp_method_lemke;
extern const perp_method perp_method_dantzig;
extern const perp_method perp_method_baraff;
extern const perp_method perp_method_keller;
extern const perp_method perp_method_murty;
extern const perp_method perp_method_blockpivot;
extern const perp_method perp_method_jacobi;
extern const perp_method perp_method_pgs;
extern const perp_method perp_method_psor;
extern const perp_method perp_method_spsor;
extern const perp_method perp_method_coloured;
extern const perp_method perp_method_bgs;
extern const perp_method perp_method_bjacobi;
extern const perp_method perp_method_nncg;
extern const perp_method perp_method_apgd;
extern const perp_method perp_method_spg;
extern const perp_method perp_method_mprgp;
extern const perp_method perp_method_gpcg;
extern const perp_method perp_method_admm;
extern const perp_method perp_method_minmap;
extern const perp_method perp_method_fischer;
extern const perp_method perp_method_pfischer;
extern const perp_method perp_method_ssn;
extern const perp_method perp_method_alm;
extern const perp_method perp_method_primal;
extern const perp_method perp_method_homotopy;
extern const perp_method perp_method_ipm;
extern const perp_method perp_method_pgssm;
extern const perp_method perp_method_kz;
extern const perp_method perp_method_mg;
extern const perp_method perp_method_policy;
extern const perp_method perp_method_prox;
extern const perp_method perp_method_staggered;
extern const perp_method perp_method_shock;

/* clang-format off */
const perp_method *const perp_methods[] = {
    &perp_method_auto,
    &perp_method_direct,
    &perp_method_enumerate,
    &perp_method_lemke,
    &perp_method_dantzig,
    &perp_method_baraff,
    &perp_method_keller,
    &perp_method_murty,
    &perp_method_blockpivot,
    &perp_method_jacobi,
    &perp_method_pgs,
    &perp_method_psor,
    &perp_method_spsor,
    &perp_method_coloured,
    &perp_method_bgs,
    &perp_method_bjacobi,
    &perp_method_nncg,
    &perp_method_apgd,
    &perp_method_spg,
    &perp_method_mprgp,
    &perp_method_gpcg,
    &perp_method_admm,
    &perp_method_minmap,
    &perp_method_fischer,
    &perp_method_pfischer,
    &perp_method_ssn,
    &perp_method_primal,
    &perp_method_alm,
    &perp_method_homotopy,
    &perp_method_ipm,
    &perp_method_pgssm,
    &perp_method_kz,
    &perp_method_mg,
    &perp_method_policy,
    &perp_method_prox,
    &perp_method_staggered,
    &perp_method_shock,
    NULL,
};
/* clang-format on */

int perp_method_count(void)
{
  int count = 0;
  while (perp_methods[count])
    count++;
  return count;
}

perp_method_info perp_method_at(int index)
{
  if (index < 0 || index >= perp_method_count())
    return (perp_method_info){0};
  const perp_method *m = perp_methods[index];
  return (perp_method_info){
      .name = m->name,
      .title = m->title,
      .family = m->family,
      .source = m->source,
      .takes = m->takes,
      .needs = m->needs,
      .max_iterations = m->max_iterations,
      .most_unknowns = m->most_unknowns,
      .iteration = m->iteration,
      .works = m->works,
      .parameters = m->parameters,
  };
}

int perp_method_find(const char *name)
{
  for (int k = 0; name && perp_methods[k]; k++)
    if (perp_methods[k]->name[0] == name[0] && strcmp(perp_methods[k]->name, name) == 0)
      return k;
  return -1;
}

extern const perp_reduced_hook perp_multilevel_preconditioner;
const perp_reduced_hook *const perp_reduced_multigrid = &perp_multilevel_preconditioner;
