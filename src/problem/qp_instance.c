/* qp_instance.c: the memory of a quadratic program that was read or generated */
#include "base/memory.h"
#include <perp/qp.h>

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
