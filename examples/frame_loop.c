/* frame_loop.c: contact impulses in a frame loop, with warm starts and a deadline
 *
 * A pile of boxes in one column: contact i lies between box i-1 (the ground for i = 0) and box i.
 * With unit masses the contact matrix is tridiagonal (2 on the diagonal, -1 beside it; 1 for the
 * lowest contact). In each frame gravity acts for one step, and somebody leans on the topmost
 * box, now a little more, now a little less. The impulses of the last frame start the next one, the
 * solver keeps its memory, and a frame may not take longer than its deadline: then the best
 * impulses so far are used, and the residual says how good they are. */
#include <perp/perp.h>
#include <stdio.h>

enum { BOXES = 10, FRAMES = 120 };

int main(void)
{
  const double step = 1.0 / 60, gravity = 9.81;
  int64_t start[BOXES + 1], entries = 0;
  int column[3 * BOXES];
  double value[3 * BOXES];
  for (int i = 0; i < BOXES; i++) {
    start[i] = entries;
    for (int j = i - 1; j <= i + 1; j++)
      if (j >= 0 && j < BOXES) {
        column[entries] = j;
        value[entries++] = i != j ? -1 : i == 0 ? 1 : 2;
      }
  }
  start[BOXES] = entries;

  perp_operator *A = NULL;
  perp_solver *solver = NULL;
  perp_result result = perp_result_empty();
  if (perp_operator_csr(BOXES, start, column, value, PERP_BORROW, &A, &result.message) ||
      perp_solver_create("pgs", &solver, &result.message)) {
    fprintf(stderr, "%s\n", result.message.text);
    return 2;
  }

  perp_options options = perp_options_default();
  options.tol = 1e-3;         /* of the speed that gravity adds in a step */
  options.time_limit = 0.004; /* seconds per frame */

  double b[BOXES], impulse[BOXES] = {0};
  long long sweeps_first = 0, sweeps_rest = 0;
  int late = 0;
  double worst = 0;
  for (int frame = 0; frame < FRAMES; frame++) {
    /* the speed at which the boxes would approach each other if no impulse acted: all fall alike,
     * so only the lowest contact closes, and the push closes the topmost one */
    const double push = 0.1 + 0.001 * (frame % 7);
    for (int i = 0; i < BOXES; i++)
      b[i] = (i == 0 ? -step * gravity : 0) - (i == BOXES - 1 ? push : 0);
    const perp_problem problem = perp_problem_lcp(A, b);
    if (perp_solver_solve(solver, &problem, &options, impulse, &result)) {
      fprintf(stderr, "frame %d: %s\n", frame, result.message.text);
      return 2;
    }
    *(frame ? &sweeps_rest : &sweeps_first) += result.counts.sweeps;
    late += result.outcome != PERP_SOLVED;
    const double relative = result.residual / result.scale;
    worst = relative > worst ? relative : worst;
  }
  printf("%d frames: %lld sweeps in the first, %lld per frame after it; %d missed the tolerance, "
         "worst relative residual %.1e\n",
         FRAMES, sweeps_first, sweeps_rest / (FRAMES - 1), late, worst);
  perp_solver_destroy(solver);
  perp_operator_destroy(A);
  return 0;
}
