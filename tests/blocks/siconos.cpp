// docs/migrate-solvers.md: fc3d_driver
// flags: -I/usr/include/siconos -I/usr/include/siconos/numerics -lsiconos_numerics
#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/LCP_Solvers.h>
#include <siconos/numerics/LinearComplementarityProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/lcp_cst.h>

static double M[9] = {2, 1, 0, 1, 2, 0, 0, 0, 2}; /* the LCP takes the first four as 2 x 2 */

static int first(LinearComplementarityProblem *lcp, int n, double *z, double *w,
                 SolverOptions *options)
{
  // BLOCK 1
  // BLOCK 2
  return info;
}

static int second(FrictionContactProblem *problem, double *reaction, double *velocity,
                  SolverOptions *options)
{
  // BLOCK 3
  return info;
}

int main()
{
  double z[3] = {0}, w[3] = {0}, q[3] = {-4, -5, 0}, mu[1] = {0.5};
  NumericsMatrix *matrix = NM_new();
  LinearComplementarityProblem lcp = {2, matrix, q};
  M[2] = 1, M[3] = 2;
  SolverOptions *options = solver_options_create(SICONOS_LCP_LEMKE);
  const int failed = first(&lcp, 2, z, w, options);
  solver_options_delete(options);
  FrictionContactProblem problem = {3, 1, NM_create_from_data(NM_DENSE, 3, 3, M), q, mu};
  double reaction[3] = {0}, velocity[3] = {0};
  for (int k = 0; k < 9; k++)
    M[k] = k % 4 == 0;
  options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
  return failed || second(&problem, reaction, velocity, options) || !(reaction[0] > 3.9);
}
