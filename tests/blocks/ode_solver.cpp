// docs/migrate.md: dxSolveLCP
// flags: -ldart-external-odelcpsolver -lode
// ODE's solver is not in its headers: linked, not called. The other one is DART's copy, and solves.
#include <dart/external/odelcpsolver/lcp.h>

struct dxWorldProcessMemArena;
void dxSolveLCP(dxWorldProcessMemArena *arena, unsigned n, double *A, double *pairsbx, double *w,
                unsigned nub, double *pairslh, int *findex);

static void first(dxWorldProcessMemArena *arena, unsigned n, double *A, double *pairsbx, double *w,
                  unsigned nub, double *pairslh, int *findex)
{
  // BLOCK 1
}

static void second(int n, double *A, double *x, double *b, double *w, int nub, double *lo,
                   double *hi, int *findex)
{
  using dart::external::ode::dSolveLCP;
  // BLOCK 2
}

int main(int count, char **)
{
  double A[8] = {2, 1, 0, 0, 1, 2, 0, 0}, x[2] = {0, 0}, b[2] = {4, 5}, w[2], lo[2] = {0, 0},
         hi[2] = {9, 9};
  int findex[2] = {-1, -1};
  if (count > 1)
    first(nullptr, 2, A, b, w, 0, lo, findex);
  second(2, A, x, b, w, 0, lo, hi, findex);
  return !(x[0] > 0.99 && x[0] < 1.01 && x[1] > 1.99 && x[1] < 2.01);
}
