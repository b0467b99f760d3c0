/* ode_wrong.cpp: steps that are wrong when ODE hands them over; linked with the adapter
 *
 * Three balls on a plane, each an island. The velocity of one becomes NaN, or the compliance of its
 * contact: its island is refused with the row, the others are solved. ODE itself never inverts
 * bounds, so these come by a call of dxSolveLCP. A quickstep is refused if ODE has no memory for it
 * as a full step, and every solve without memory for ours. Nobody takes over.
 *
 * With PERP_ODE_FALLBACK=1 ODE's own solver does. It ends the program at a NaN, so that
 * PERP_ODE_METHOD=blockpivot is set too, which refuses friction: then all balls rest by ODE's. Its
 * quickstep takes over if a full step ran out of memory. */
#include "check.hpp"

#include <ode/ode.h>

#include <cmath>
#include <cstdlib>
#include <new>
#include <thread>

/* Of the adapter: 0 solves, 1 solved, 2 refused, 6 handed over to ODE's own solver. */
extern "C" long long perp_ode_step_count(int what);
extern "C" const char *perp_ode_step_message(void);

struct dxWorldProcessMemArena;
void dxSolveLCP(dxWorldProcessMemArena *arena, unsigned n, double *A, double *pairsbx, double *w,
                unsigned nub, double *pairslh, int *findex);

namespace
{

int allocations = -1; /* how many more of C++ succeed; below 0: all */

void *allocateOrThrow(std::size_t size)
{
  if (allocations == 0)
    throw std::bad_alloc();
  allocations -= allocations > 0;
  void *block = std::malloc(size);
  if (!block)
    throw std::bad_alloc();
  return block;
}

} // namespace

/* Also of the adapter: a program's own come first. */
void *operator new(std::size_t size)
{
  return allocateOrThrow(size);
}
void operator delete(void *block) noexcept
{
  std::free(block);
}
void operator delete(void *block, std::size_t) noexcept
{
  std::free(block);
}

namespace
{

struct Balls {
  enum { COUNT = 3 };
  dWorldID world = dWorldCreate();
  dJointGroupID contacts = dJointGroupCreate(0);
  dBodyID ball[COUNT];
  double compliance[COUNT];

  Balls()
  {
    dWorldSetGravity(world, 0, 0, -10);
    for (int k = 0; k < COUNT; k++) {
      ball[k] = dBodyCreate(world);
      dBodySetPosition(ball[k], 3.0 * k, 0, 1);
      compliance[k] = 1e-6;
    }
  }
  ~Balls()
  {
    dJointGroupDestroy(contacts);
    dWorldDestroy(world);
  }
  void step()
  {
    for (int k = 0; k < COUNT; k++) {
      dContact contact = {};
      contact.surface.mode = dContactApprox1 | dContactSoftCFM;
      contact.surface.mu = 0.5;
      contact.surface.soft_cfm = compliance[k];
      contact.geom.pos[0] = 3.0 * k;
      contact.geom.normal[2] = 1;
      contact.geom.depth = 1e-4;
      dJointAttach(dJointCreateContact(world, contacts, &contact), ball[k], nullptr);
    }
    dWorldStep(world, 0.01);
    dJointGroupEmpty(contacts);
  }
};

void testWrong(const std::string &name, const std::string &row, void (*spoil)(Balls &))
{
  Balls balls;
  balls.step();
  const long long solved = perp_ode_step_count(1), refused = perp_ode_step_count(2),
                  handed = perp_ode_step_count(6);
  spoil(balls);
  balls.step();
  check(name + ": refused", perp_ode_step_count(2) == refused + 1);
  check(name + ": the other islands are solved",
        perp_ode_step_count(1) == solved + Balls::COUNT - 1);
  check(name + ": the row is named", contains(perp_ode_step_message(), row),
        perp_ode_step_message());
  check(name + ": nobody takes over", perp_ode_step_count(6) == handed);
  const double other = dBodyGetLinearVel(balls.ball[0])[2];
  check(name + ": the other balls rest", std::fabs(other) < 0.01, std::to_string(other));
}

void testInverted()
{
  double A[2 * 4] = {1, 0, 0, 0, 0, 1, 0, 0}, bx[4] = {1, 5, 1, 5}, w[2], lohi[4] = {0, 1, 2, -2};
  int findex[2] = {-1, -1};
  const long long refused = perp_ode_step_count(2);
  dxSolveLCP(nullptr, 2, A, bx, w, 0, lohi, findex);
  check("inverted bounds: refused, x = 0",
        perp_ode_step_count(2) == refused + 1 && bx[1] == 0 && bx[3] == 0);
  check("inverted bounds: the row is named", contains(perp_ode_step_message(), "lo[1]"),
        perp_ode_step_message());
}

/* The k-th allocation of a step fails, for every k that it has. Nothing may be thrown through ODE, whose
 * frames, like those of a program in C, would end the program. */
void testNoMemoryForSolve()
{
  int steps = 0;
  bool counted = true, told = true;
  for (int k = 0; k < 200 && counted; k++) {
    std::thread([&] { /* each has its own solver, made in its first step */
                      dAllocateODEDataForThread(dAllocateMaskAll);
                      Balls balls;
                      const long long before = perp_ode_step_count(0),
                                      refused = perp_ode_step_count(2),
                                      good = perp_ode_step_count(1);
                      allocations = k;
                      balls.step();
                      const bool failed = allocations == 0;
                      allocations = -1;
                      const long long more = perp_ode_step_count(2) - refused;
                      counted = perp_ode_step_count(0) == before + Balls::COUNT &&
                                perp_ode_step_count(1) - good + more == Balls::COUNT;
                      told = told && (more == 0 || contains(perp_ode_step_message(), "memory"));
                      steps += failed && more > 0;
                      dCleanupODEAllDataForThread();
    })
        .join();
  }
  check("no memory for the solver: refused, and nothing is thrown", steps > 0 && counted,
        std::to_string(steps) + " steps");
  check("no memory for the solver: told", told);
}

/* The memory of a world's steps: the second block, for the step itself, is not available the first
 * time. (ODE crashes if it does not get the first, for the list of islands.) */
int blocks;

void *allocate(dsizeint size)
{
  return ++blocks == 2 ? nullptr : std::malloc(size);
}

void *shrink(void *block, dsizeint, dsizeint)
{
  return block;
}

void release(void *block, dsizeint)
{
  std::free(block);
}

const dWorldStepMemoryFunctionsInfo memory = {sizeof memory, allocate, shrink, release};

void testNoMemoryForStep()
{
  Balls balls;
  dWorldSetStepMemoryManager(balls.world, &memory);
  const long long refused = perp_ode_step_count(2), handed = perp_ode_step_count(6);
  blocks = 0;
  const int made = dWorldStep(balls.world, 0.01);
  check("no memory: a full step is refused and nobody takes over",
        blocks >= 2 && made == 0 && perp_ode_step_count(2) == refused + 1 &&
            perp_ode_step_count(6) == handed && contains(perp_ode_step_message(), "memory"),
        perp_ode_step_message());
  blocks = 2;
  check("no memory: with memory the next step is made", dWorldStep(balls.world, 0.01) == 1);
}

void testNoMemory(bool fallback)
{
  Balls balls;
  dWorldSetStepMemoryManager(balls.world, &memory);
  const long long refused = perp_ode_step_count(2), handed = perp_ode_step_count(6);
  blocks = 0;
  const int made = dWorldQuickStep(balls.world, 0.01);
  check("no memory: refused", blocks >= 2 && perp_ode_step_count(2) == refused + 1);
  check("no memory: told", contains(perp_ode_step_message(), "memory"), perp_ode_step_message());
  check(fallback ? "no memory: ODE's quickstep takes over" : "no memory: nobody takes over",
        made == fallback && perp_ode_step_count(6) == handed + fallback);
  const double speed = dBodyGetLinearVel(balls.ball[0])[2];
  check(fallback ? "no memory: the balls fall" : "no memory: nothing has moved",
        speed == (fallback ? -0.1 : 0), std::to_string(speed));
}

void testFallback()
{
  Balls balls;
  for (int k = 0; k < 10; k++)
    balls.step();
  check("fallback: every step is refused",
        perp_ode_step_count(0) == 10 * Balls::COUNT && perp_ode_step_count(2) == 10 * Balls::COUNT,
        perp_ode_step_message());
  check("fallback: ODE's solver takes over", perp_ode_step_count(6) == 10 * Balls::COUNT);
  const double speed = dBodyGetLinearVel(balls.ball[0])[2];
  check("fallback: the balls rest", std::fabs(speed) < 0.01, std::to_string(speed));
}

} // namespace

int main()
{
  dInitODE2(0);
  if (std::getenv("PERP_ODE_FALLBACK")) {
    testFallback();
    testNoMemory(true);
  } else {
    testWrong("velocity NaN", "b[", [](Balls &b) { dBodySetLinearVel(b.ball[1], 0, 0, NAN); });
    testWrong("compliance NaN", "A", [](Balls &b) { b.compliance[1] = NAN; });
    testInverted();
    testNoMemoryForSolve();
    testNoMemoryForStep();
    testNoMemory(false);
  }
  dCloseODE();
  return summary();
}
