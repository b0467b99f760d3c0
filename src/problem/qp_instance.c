/* qp_instance.c: the memory of a quadratic program that was read or generated */
#include "base/memory.h"
#include "base/sized.h"
#include <perp/qp.h>

void perp_qp_instance_program_sized(const perp_qp_instance *t, perp_qp *qp, size_t size)
{
  const perp_qp own = {.size = sizeof own,
                       .n = t->n,
                       .m = t->m,
                       .P = t->P,
                       .q = t->q,
                       .G_start = t->G_start,
                       .G_column = t->G_column,
                       .G_value = t->G_value,
                       .l = t->l,
                       .u = t->u,
                       .lb = t->lb,
                       .ub = t->ub};
  perp_sized_write(&own, sizeof own, qp, size);
}

void perp_qp_instance_destroy(perp_qp_instance *instance)
{
  if (!instance)
    return;
  perp_operator_destroy(instance->P);
  void *const blocks[] = {instance->q,       instance->G_start, instance->G_column,
                          instance->G_value, instance->l,       instance->u,
                          instance->lb,      instance->ub,      instance->x};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
    perp_free(blocks[k]);
  *instance = (perp_qp_instance){0};
}
