/* petsc.cpp: PETSc on one process
 *
 *   rsls       SNESVI, reduced-space semismooth Newton; a direct factor for each step
 *   rsls-cg    the same; CG (GMRES if A is not symmetric) with an incomplete factor
 *   rsls-gamg  the same; CG or GMRES with algebraic multigrid
 *   rsls-hypre the same with BoomerAMG, if PETSc was built with it
 *   ssls       SNESVI, semismooth Newton on Fischer's function; GMRES with ILU
 *   ssls-gamg  the same; GMRES with algebraic multigrid
 *   asils      TAO, the same for complementarity
 *   gpcg, tron, bqpip   TAO, on min 1/2 x' A x + b' x within the bounds: symmetric A
 *
 * Each takes its own stopping test, the length of its residual or gradient, at tol max |b|. */
#include "peers/peer.hpp"

#include <cstdlib>
#include <petscsnes.h>
#include <petsctao.h>

namespace
{

bool is_symmetric(Mat A)
{
  PetscBool symmetric = PETSC_FALSE;
  MatIsSymmetric(A, 1e-12, &symmetric);
  return symmetric;
}

struct Data {
  Mat A;
  Vec b;
};

/* y = A x + b */
PetscErrorCode evaluate(Vec x, Vec y, void *context)
{
  const Data *data = static_cast<const Data *>(context);
  return MatMultAdd(data->A, x, data->b, y);
}

/* The methods scale the Jacobian that they are given: it is a copy, made anew for each step. */
PetscErrorCode derive(Mat J, void *context)
{
  return MatCopy(static_cast<const Data *>(context)->A, J, SAME_NONZERO_PATTERN);
}

/* A, b, the bounds and x as PETSc holds them. */
class Base : public Peer
{
public:
  explicit Base(const Problem &p) : n(p.n), scale(0)
  {
    setenv("OMPI_MCA_ess_singleton_isolated", "1", 0); /* Open MPI: no daemon for one process */
    PetscInitializeNoArguments();
    start.assign(p.start.begin(), p.start.end());
    column.assign(p.column.begin(), p.column.end());
    value = p.value;
    rhs = p.b;
    MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, n, n, start.data(), column.data(), value.data(), &A);
    VecCreateSeqWithArray(PETSC_COMM_SELF, 1, n, rhs.data(), &b);
    VecDuplicate(b, &x);
    VecDuplicate(b, &r);
    VecDuplicate(b, &lo);
    VecDuplicate(b, &hi);
    for (int i = 0; i < n; i++) {
      const std::size_t at = static_cast<std::size_t>(i);
      VecSetValue(lo, i, std::fmax(p.lo[at], PETSC_NINFINITY), INSERT_VALUES);
      VecSetValue(hi, i, std::fmin(p.hi[at], PETSC_INFINITY), INSERT_VALUES);
      scale = std::fmax(scale, std::fabs(p.b[at]));
    }
    if (is_symmetric(A))
      MatSetOption(A, MAT_SYMMETRIC, PETSC_TRUE);
    MatDuplicate(A, MAT_COPY_VALUES, &J);
    data = {A, b};
  }
  void load() override
  {
    VecSet(x, 0);
  }
  void answer(double *to) const override
  {
    const PetscScalar *entry;
    VecGetArrayRead(x, &entry);
    std::copy_n(entry, n, to);
    VecRestoreArrayRead(x, &entry);
  }

protected:
  int n;
  double scale;
  std::vector<PetscInt> start, column;
  std::vector<PetscScalar> value, rhs;
  Mat A, J;
  Vec b, x, r, lo, hi;
  Data data;
};

PetscErrorCode function(SNES, Vec x, Vec y, void *context)
{
  return evaluate(x, y, context);
}

PetscErrorCode jacobian(SNES, Vec, Mat J, Mat, void *context)
{
  return derive(J, context);
}

/* GAMG keeps the sizes of its coarse levels, and fails on a reduced matrix of another size: it is
 * made anew for each, within a shell. */
PetscErrorCode shell_set_up(PC shell)
{
  PC *inner;
  Mat A, P;
  PCShellGetContext(shell, &inner);
  PCGetOperators(shell, &A, &P);
  PCDestroy(inner);
  PCCreate(PETSC_COMM_SELF, inner);
  PCSetType(*inner, PCGAMG);
  PCSetOperators(*inner, A, P);
  return PCSetUp(*inner);
}

PetscErrorCode shell_apply(PC shell, Vec r, Vec z)
{
  PC *inner;
  PCShellGetContext(shell, &inner);
  return PCApply(*inner, r, z);
}

class Newton : public Base
{
public:
  Newton(const Problem &p, const char *type, const char *inner) : Base(p)
  {
    KSP ksp;
    PC pc;
    SNESCreate(PETSC_COMM_SELF, &snes);
    SNESSetType(snes, type);
    SNESSetFunction(snes, r, function, &data);
    SNESSetJacobian(snes, J, J, jacobian, &data);
    SNESVISetVariableBounds(snes, lo, hi);
    SNESGetKSP(snes, &ksp);
    KSPGetPC(ksp, &pc);
    const bool direct = std::string(inner) == PCLU;
    const bool reduced = std::string(type) == SNESVINEWTONRSLS; /* then A stays symmetric */
    KSPSetType(ksp, direct ? KSPPREONLY : reduced && is_symmetric(A) ? KSPCG : KSPGMRES);
    if (reduced && std::string(inner) == PCGAMG) {
      PCSetType(pc, PCSHELL);
      PCShellSetContext(pc, &gamg);
      PCShellSetSetUp(pc, shell_set_up);
      PCShellSetApply(pc, shell_apply);
    } else {
      PCSetType(pc, inner);
    }
  }
  void aim(double tol) override
  {
    SNESSetTolerances(snes, tol * scale, 0, 0, 10000, PETSC_MAX_INT);
  }
  void solve() override
  {
    SNESSolve(snes, nullptr, x);
  }

private:
  SNES snes;
  PC gamg = nullptr;
};

/* f = 1/2 x' A x + b' x, g = A x + b; for asils only g. */
PetscErrorCode objective(Tao, Vec x, PetscReal *f, Vec g, void *context)
{
  PetscReal g_x, b_x;
  evaluate(x, g, context);
  VecDot(g, x, &g_x);
  VecDot(static_cast<const Data *>(context)->b, x, &b_x);
  *f = 0.5 * (g_x + b_x);
  return 0;
}

PetscErrorCode constraints(Tao, Vec x, Vec g, void *context)
{
  return evaluate(x, g, context);
}

PetscErrorCode hessian(Tao, Vec, Mat J, Mat, void *context)
{
  return derive(J, context);
}

class Optimiser : public Base
{
public:
  Optimiser(const Problem &p, const char *type) : Base(p)
  {
    TaoCreate(PETSC_COMM_SELF, &tao);
    TaoSetType(tao, type);
    TaoSetSolution(tao, x);
    TaoSetVariableBounds(tao, lo, hi);
    if (std::string(type) == TAOASILS) {
      TaoSetConstraintsRoutine(tao, r, constraints, &data);
      TaoSetJacobianRoutine(tao, J, J, hessian, &data);
    } else {
      TaoSetObjectiveAndGradient(tao, nullptr, objective, &data);
      TaoSetHessian(tao, J, J, hessian, &data);
    }
    TaoSetMaximumIterations(tao, 100000);
    TaoSetMaximumFunctionEvaluations(tao, 10000000);
  }
  void aim(double tol) override
  {
    TaoSetTolerances(tao, tol * scale, 0, 0);
  }
  void solve() override
  {
    TaoSolve(tao);
  }

private:
  Tao tao;
};

} // namespace

std::unique_ptr<Peer> make_peer(const std::string &method, const Problem &problem)
{
  if (method == "rsls")
    return std::unique_ptr<Peer>(new Newton(problem, SNESVINEWTONRSLS, PCLU));
  if (method == "rsls-cg")
    return std::unique_ptr<Peer>(new Newton(problem, SNESVINEWTONRSLS, PCILU));
  if (method == "rsls-gamg")
    return std::unique_ptr<Peer>(new Newton(problem, SNESVINEWTONRSLS, PCGAMG));
  if (method == "rsls-hypre")
    return std::unique_ptr<Peer>(new Newton(problem, SNESVINEWTONRSLS, PCHYPRE));
  if (method == "ssls")
    return std::unique_ptr<Peer>(new Newton(problem, SNESVINEWTONSSLS, PCILU));
  if (method == "ssls-gamg")
    return std::unique_ptr<Peer>(new Newton(problem, SNESVINEWTONSSLS, PCGAMG));
  if (method == "gpcg")
    return std::unique_ptr<Peer>(new Optimiser(problem, TAOGPCG));
  if (method == "tron")
    return std::unique_ptr<Peer>(new Optimiser(problem, TAOTRON));
  if (method == "bqpip")
    return std::unique_ptr<Peer>(new Optimiser(problem, TAOBQPIP));
  if (method == "asils")
    return std::unique_ptr<Peer>(new Optimiser(problem, TAOASILS));
  return nullptr;
}

bool takes_sparse()
{
  return true;
}

const char *peer_version()
{
  static const std::string version = std::to_string(PETSC_VERSION_MAJOR) + "." +
                                     std::to_string(PETSC_VERSION_MINOR) + "." +
                                     std::to_string(PETSC_VERSION_SUBMINOR);
  return version.c_str();
}
