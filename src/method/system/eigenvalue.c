/* eigenvalue.c: power iterations with D^-1 A */
#include "method/system/eigenvalue.h"

#include "base/elementary.h"
#include "base/random.h"

#include <math.h>

double perp_largest_eigenvalue(perp_run *run, const double *D, int steps, double *w, double *z)
{
  const int n = run->problem->K.n;
  perp_random random = perp_random_from(run->options->seed + 1);
  for (int i = 0; i < n; i++)
    w[i] = perp_random_between(&random, -1, 1);
  double lambda = 0;
  for (int k = 0; k < steps && !perp_run_expired(run); k++) {
    perp_run_apply(run, w, z);
    double before = 0, after = 0; /* |w|_D^2 and |D^-1 A w|_D^2 */
    for (int i = 0; i < n; i++) {
      before += D[i] * w[i] * w[i];
      z[i] /= D[i];
      after += D[i] * z[i] * z[i];
    }
    if (!(after > 0) || !(before > 0) || isinf(after))
      break;
    lambda = perp_max(lambda, sqrt(after / before));
    const double scale = 1 / sqrt(after);
    for (int i = 0; i < n; i++)
      w[i] = z[i] * scale;
  }
  return lambda > 0 ? lambda : 1;
}
