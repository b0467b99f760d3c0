/* kernels.c: the kernels of contact sweeps for the device "host", one contact after another */
#include "operator/contact/rigid_kernel.h"

static void run_rigids(int op, const void *rigids)
{
  const perp_rigids *s = rigids;
  if (op == PERP_RIGIDS_SWEEP) {
    for (int c = 0; c < s->contacts; c++) {
      perp_rigid_task task;
      perp_rigid_read(s, c, s->part_of_K, s->compliant, &task);
      perp_rigid_read_x(s, c, &task);
      double *const a = s->v + (int64_t)task.a * PERP_RIGID_BODY;
      double *const b = s->v + (int64_t)task.b * PERP_RIGID_BODY;
      double A[PERP_RIGID_BODY], B[PERP_RIGID_BODY];
      perp_rigid_load(a, A);
      perp_rigid_load(b, B);
      perp_rigid_relax(s, c, s->part_of_K, !s->inertia, s->compliant, &task, A, B);
      perp_rigid_save(a, A);
      perp_rigid_save(b, B);
    }
    return;
  }
  double sum = 0;
  for (int64_t i = 0; i < 3 * s->pitch; i++)
    sum += perp_rigid_number(s, (perp_rigids_op)op, i);
  const bool summed = op == PERP_RIGIDS_STEP || op == PERP_RIGIDS_DISTANCE;
  for (int k = 0; summed && k < PERP_RIGIDS_PARTS; k++)
    s->part[k] = k == 0 ? sum : 0;
  for (int k = 0; perp_rigids_renews(op) && k < s->bodies; k++)
    perp_rigid_stop(s, k);
  for (int c = 0; perp_rigids_renews(op) && c < s->contacts; c++)
    perp_rigid_renew(s, c, s->part_of_K, !s->inertia);
}

const perp_kernel perp_kernel_rigids = {.title = "a sweep over contacts", .run = run_rigids};
