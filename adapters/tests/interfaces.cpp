/* interfaces.cpp: the adapters as an engine calls them, on problems made here
 *
 * Random problems in the engine's own signs, A x = b + w, are judged by the conditions that the
 * engine states, in long double; wrong ones must be refused with the row that is wrong. */
#ifdef PERP_HAS_BULLET
#include <perp/bullet.hpp>
#endif
#ifdef PERP_HAS_DART
#include <perp/dart.hpp>
#endif

#include <perp/engine.hpp>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace
{

int passed, failed, broken; /* tests; checks of the test that runs which did not hold */

void check(bool holds, const char *what, const std::string &detail = "")
{
  broken += !holds;
  if (!holds)
    std::printf("  %s %s\n", what, detail.c_str());
}

void run(const char *name, void (*test)())
{
  broken = 0;
  test();
  (broken ? failed : passed)++;
  std::printf("%s %s\n", broken ? "FAIL" : "ok  ", name);
}

struct Problem {
  int n;
  std::vector<double> A, b, lo, hi; /* rows of A n apart */
  std::vector<int> findex;
};

/* Contacts of a normal and two friction rows, A = G G^T + I / 10. */
Problem contacts(int count, std::mt19937 &random)
{
  std::uniform_real_distribution<double> number(-1, 1);
  Problem p;
  p.n = 3 * count;
  const auto n = static_cast<std::size_t>(p.n);
  std::vector<double> G(n * n);
  for (double &g : G)
    g = number(random);
  p.A.assign(n * n, 0);
  for (std::size_t i = 0; i < n; i++)
    for (std::size_t j = 0; j <= i; j++) {
      double sum = i == j ? 0.1 : 0;
      for (std::size_t k = 0; k < n; k++)
        sum += G[i * n + k] * G[j * n + k];
      p.A[i * n + j] = p.A[j * n + i] = sum;
    }
  for (int i = 0; i < p.n; i++) {
    const bool normal = i % 3 == 0;
    p.b.push_back(number(random));
    p.lo.push_back(normal ? 0 : -0.3);
    p.hi.push_back(normal ? HUGE_VAL : 0.3);
    p.findex.push_back(normal ? -1 : i - i % 3);
  }
  return p;
}

/* Returns the largest violation of the conditions: w = A x - b has the right sign at the bounds. */
long double error(const Problem &p, const std::vector<double> &x)
{
  long double worst = 0;
  for (int i = 0; i < p.n; i++) {
    const auto k = static_cast<std::size_t>(i);
    long double w = -p.b[k];
    for (int j = 0; j < p.n; j++)
      w += static_cast<long double>(
               p.A[k * static_cast<std::size_t>(p.n) + static_cast<std::size_t>(j)]) *
           x[static_cast<std::size_t>(j)];
    const long double scale =
        p.findex[k] < 0 ? 1 : std::fabs(x[static_cast<std::size_t>(p.findex[k])]);
    const long double lo = p.lo[k] * scale, hi = std::isinf(p.hi[k]) ? HUGE_VALL : p.hi[k] * scale;
    worst = std::max(worst, std::fabs(x[k] - std::min(std::max(x[k] - w, lo), hi)));
  }
  return worst;
}

#ifdef PERP_HAS_DART
/* As DART calls a solver: rows perp_ode_stride(n) apart, all arrays may be overwritten. */
bool callDart(perp::DartSolver &solver, Problem p, std::vector<double> &x)
{
  const int stride = perp_ode_stride(p.n);
  std::vector<double> A(static_cast<std::size_t>(p.n * stride), NAN); /* the padding is not read */
  for (int i = 0; i < p.n; i++)
    for (int j = 0; j < p.n; j++)
      A[static_cast<std::size_t>(i * stride + j)] = p.A[static_cast<std::size_t>(i * p.n + j)];
  x.assign(static_cast<std::size_t>(p.n), 0);
  return solver.solve(p.n, A.data(), x.data(), p.b.data(), 0, p.lo.data(), p.hi.data(),
                      p.findex.data(), true);
}

void testDart()
{
  std::mt19937 random(1);
  perp::DartSolver solver, frozen({}, perp::DartNormals::Frozen);
  std::vector<double> x;
  for (int k = 0; k < 200; k++) {
    const Problem p = contacts(1 + k % 10, random);
    check(callDart(solver, p, x), "DART: solved", solver.statistics().last);
    check(error(p, x) <= 2e-8, "DART: conditions");

    /* Frozen: the same conditions, with bounds at the normal forces without friction. */
    Problem smooth = p;
    for (int i = 0; i < p.n; i++)
      if (i % 3 != 0)
        smooth.lo[static_cast<std::size_t>(i)] = smooth.hi[static_cast<std::size_t>(i)] = 0;
    smooth.findex.assign(static_cast<std::size_t>(p.n), -1);
    std::vector<double> normals;
    check(callDart(solver, smooth, normals), "DART: solved without friction");
    Problem fixed = smooth;
    for (int i = 0; i < p.n; i++)
      if (i % 3 != 0) {
        const double normal = normals[static_cast<std::size_t>(i - i % 3)];
        fixed.lo[static_cast<std::size_t>(i)] = -0.3 * normal;
        fixed.hi[static_cast<std::size_t>(i)] = 0.3 * normal;
      }
    check(callDart(frozen, p, x), "DART: frozen, solved");
    check(error(fixed, x) <= 1e-7, "DART: frozen, conditions");
  }
  check(solver.statistics().steps == 400 && solver.statistics().solved == 400, "DART: counts");

  perp::EngineSettings settings;
  settings.fallback = true;
  perp::DartSolver careful(settings);
  Problem p = contacts(3, random);
  p.lo[3] = 2;
  p.hi[3] = 1;
  check(callDart(solver, p, x), "DART: continues without a fallback");
  check(x == std::vector<double>(9, 0), "DART: a refused step is 0");
  check(solver.statistics().refused == 1, "DART: counts what it refuses");
  check(solver.statistics().last.find("lo[3]") != std::string::npos ||
            solver.statistics().last.find("row 3") != std::string::npos,
        "DART: names the row", solver.statistics().last);
  check(!callDart(careful, p, x), "DART: hands over if asked");
  p = contacts(3, random);
  p.A[9 * 4 + 2] = NAN;
  check(!callDart(careful, p, x) && careful.statistics().refused == 2, "DART: NaN in A");
  p = contacts(3, random);
  p.b[5] = NAN;
  check(!callDart(careful, p, x) && careful.statistics().refused == 3, "DART: NaN in b");
  p = contacts(3, random);
  p.findex[5] = 9;
  check(!callDart(careful, p, x) && careful.statistics().refused == 4, "DART: findex out of range");
  check(solver.getType() == perp::DartSolver::getStaticType(), "DART: type");
}
#endif

#ifdef PERP_HAS_BULLET
bool callBullet(perp::BulletMlcpSolver &solver, const Problem &p, std::vector<double> &x)
{
  btMatrixXu A(p.n, p.n);
  btVectorXu b(p.n), lo(p.n), hi(p.n), z(p.n);
  btAlignedObjectArray<int> normal;
  for (int i = 0; i < p.n; i++) {
    const auto k = static_cast<std::size_t>(i);
    for (int j = 0; j < p.n; j++)
      A.setElem(i, j,
                static_cast<btScalar>(
                    p.A[k * static_cast<std::size_t>(p.n) + static_cast<std::size_t>(j)]));
    b[i] = static_cast<btScalar>(p.b[k]);
    lo[i] = static_cast<btScalar>(p.lo[k]);
    hi[i] = std::isinf(p.hi[k]) ? btScalar(1e10) : static_cast<btScalar>(p.hi[k]);
    z[i] = 0;
    normal.push_back(p.findex[k]);
  }
  const bool solved = solver.solveMLCP(A, b, z, lo, hi, normal, 50);
  x.clear();
  for (int i = 0; i < p.n; i++)
    x.push_back(static_cast<double>(z[i]));
  return solved;
}

void testBullet()
{
  /* Bullet's numbers may be floats: the conditions hold as far as these go. */
  const long double near = sizeof(btScalar) == 4 ? 2e-4 : 1e-7;
  std::mt19937 random(2);
  perp::BulletMlcpSolver solver;
  std::vector<double> x;
  for (int k = 0; k < 200; k++) {
    const Problem p = contacts(1 + k % 10, random);
    check(callBullet(solver, p, x), "Bullet: solved", solver.statistics().last);
    check(error(p, x) <= near, "Bullet: conditions");
  }
  check(solver.statistics().solved == 200, "Bullet: counts", solver.statistics().last);
  perp::EngineSettings settings;
  settings.fallback = true;
  perp::BulletMlcpSolver careful(settings);
  Problem p = contacts(3, random);
  p.lo[3] = 2;
  p.hi[3] = 1;
  check(callBullet(solver, p, x), "Bullet: continues without a fallback");
  check(x == std::vector<double>(9, 0), "Bullet: a refused step is 0");
  check(!callBullet(careful, p, x), "Bullet: hands over if asked");
  p = contacts(3, random);
  p.A[9 * 4 + 2] = NAN;
  check(!callBullet(careful, p, x) && careful.statistics().refused == 2, "Bullet: NaN in A");
}
#endif

void testSettings()
{
  const auto refuses = [](void (*spoil)(perp::EngineSettings &)) {
    perp::EngineSettings settings;
    spoil(settings);
    try {
      const perp::EngineSolver solver(settings);
    } catch (const std::invalid_argument &) {
      return true;
    }
    return false;
  };
  check(refuses([](perp::EngineSettings &s) { s.method = "nothing"; }), "an unknown method");
  check(refuses([](perp::EngineSettings &s) { s.staticFriction = 0.5; }), "mu_static below mu");
  check(refuses([](perp::EngineSettings &s) { s.staticFriction = NAN; }), "mu_static of NaN");
}

} // namespace

int main()
{
  int skipped = 0;
#ifdef PERP_HAS_DART
  run("dart", testDart);
#else
  std::printf("skipped: DART, which is not installed\n");
  skipped++;
#endif
#ifdef PERP_HAS_BULLET
  run("bullet", testBullet);
#else
  std::printf("skipped: Bullet, which is not installed\n");
  skipped++;
#endif
  run("settings", testSettings);
  std::printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
  return failed > 0;
}
