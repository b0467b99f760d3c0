/* contacts.c: see contacts.h */
#include "method/contact/contacts.h"

#include "base/elementary.h"
#include "linalg/vector.h"
#include "operator/contact/contact.h"
#include "set/set.h"

#include <string.h>

static int normal_of(const perp_set *K, int i)
{
  return perp_set_is_friction(K, i) ? K->findex[i] : -1;
}

static void find_units(const perp_contacts *s, const double *diagonal)
{
  const double largest = perp_norm_inf(s->n, diagonal);
  for (int c = 0; c < s->count; c++) {
    s->unit[c] = 0;
    for (int k = s->start[c]; k < s->start[c + 1]; k++)
      s->unit[c] = perp_max(s->unit[c], diagonal[s->row[k]]);
    if (!(s->unit[c] > 0))
      s->unit[c] = largest > 0 ? largest : 1;
  }
}

perp_error perp_contacts_list(perp_run *run, perp_contacts *s)
{
  const perp_set *K = &run->problem->K;
  const int n = K->n, cone_rows = 3 * K->cones;
  *s = (perp_contacts){.n = n, .cones = K->cones};
  double *diagonal;
  int *next;
  if (!PERP_TAKE(run->arena, PERP_ARRAY(s->start, n + 1), PERP_ARRAY(s->row, n),
                 PERP_ARRAY(s->of, n), PERP_ARRAY(s->block, n + 1), PERP_ARRAY(s->unit, n),
                 PERP_ARRAY(diagonal, n), PERP_ARRAY(next, n + 1)))
    return perp_run_no_memory(run);
  for (int i = 0; i < n; i++)
    if (i < cone_rows)
      s->of[i] = i / 3;
    else if (normal_of(K, i) < 0)
      s->of[i] = K->cones + s->count++;
  s->count += K->cones;
  for (int i = cone_rows; i < n; i++)
    if (normal_of(K, i) >= 0)
      s->of[i] = s->of[K->findex[i]];
  memset(next, 0, ((size_t)n + 1) * sizeof *next);
  for (int i = 0; i < n; i++)
    next[s->of[i] + 1]++;
  s->block[0] = s->start[0] = 0;
  for (int c = 0; c < s->count; c++) {
    const int rows = next[c + 1];
    s->block[c + 1] = s->block[c] + (int64_t)rows * rows;
    s->start[c + 1] = next[c + 1] = next[c] + rows;
  }
  for (int i = 0; i < n; i++) /* a normal before those that follow it */
    if (i < cone_rows || normal_of(K, i) < 0)
      s->row[next[s->of[i]]++] = i;
  for (int i = cone_rows; i < n; i++)
    if (normal_of(K, i) >= 0)
      s->row[next[s->of[i]]++] = i;
  if (perp_operator_diagonal(run->problem->A, diagonal, NULL))
    perp_fill(n, 0, diagonal);
  find_units(s, diagonal);
  return PERP_OK;
}

bool perp_contacts_have_long_rows(const perp_operator *A)
{
  enum { LONG = 75 };
  return A->nonzeros > (int64_t)LONG * A->n;
}

bool perp_contacts_have_few_points(const perp_operator *A)
{
  enum { ROWS = 4 }; /* to a velocity; walls have five and more */
  if (perp_operator_is_contact(A))
    return A->n <= ROWS * (int64_t)perp_contact_of(A)->data.velocities;
  return !perp_contacts_have_long_rows(A);
}
