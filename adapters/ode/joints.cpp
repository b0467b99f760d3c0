/* joints.cpp: getInfo2 of every kind of joint, with a note of the rows it writes
 *
 * ODE (0.16) gives each joint the memory of its rows: for the first body at J1, `rowskip` apart, and
 * after them, at J2, for the second body, so a joint has (J2 - J1) / rowskip rows. A row has three
 * linear and three angular numbers. The compliance of a row is stored next to its right-hand side, and
 * is later multiplied by the steps per second. A joint between a body and the world has its body first,
 * in whichever order it was attached.
 *
 * Nothing here is trusted: step.cpp compares the rows with the A that ODE assembled from them, and
 * takes that A if they do not agree. */
#include "ode/joints.hpp"

#include <dlfcn.h>

#include <new>

namespace
{

enum { WIDTH = 6, MOST = 6 }; /* numbers in a row, rows of a joint */

using GetInfo2 = void (*)(dJointID joint, double fps, double erp, int rowskip, double *J1,
                          double *J2, int pairskip, double *rhsCfm, double *loHi, int *findex);

thread_local int depth; /* a joint may call the function of another kind for a part of its rows */

/* Also if the joint throws. */
struct Deeper {
  Deeper()
  {
    depth++;
  }
  ~Deeper()
  {
    depth--;
  }
};

void note(dJointID id, double fps, int rowskip, const double *J1, const double *J2, int pairskip,
          const double *rhsCfm)
{
  perp::ode::Rows &all = perp::ode::rows();
  const std::ptrdiff_t numbers = J2 - J1;
  if (rowskip != WIDTH || numbers <= 0 || numbers % WIDTH != 0 || numbers > MOST * WIDTH) {
    all.wrong = true;
    return;
  }
  const int count = static_cast<int>(numbers / WIDTH);
  perp::ode::Joint joint{id, all.count(), count, {dJointGetBody(id, 0), dJointGetBody(id, 1)}};
  if (!joint.body[0])
    std::swap(joint.body[0], joint.body[1]);
  for (int r = 0; r < count; r++) {
    all.J.insert(all.J.end(), J1 + r * WIDTH, J1 + (r + 1) * WIDTH);
    all.J.insert(all.J.end(), J2 + r * WIDTH, J2 + (r + 1) * WIDTH);
    all.C.push_back(rhsCfm[r * pairskip + 1] * fps);
  }
  all.joints.push_back(joint);
}

void call(GetInfo2 own, dJointID joint, double fps, double erp, int rowskip, double *J1, double *J2,
          int pairskip, double *rhsCfm, double *loHi, int *findex)
{
  {
    const Deeper inside;
    own(joint, fps, erp, rowskip, J1, J2, pairskip, rhsCfm, loHi, findex);
  }
  if (depth > 0)
    return;
  try {
    note(joint, fps, rowskip, J1, J2, pairskip, rhsCfm);
  } catch (const std::bad_alloc &) { /* nothing may be thrown through ODE: its matrix is used */
    perp::ode::rows().wrong = true;
  }
}

} // namespace

perp::ode::Rows &perp::ode::rows()
{
  static thread_local Rows all;
  return all;
}

/* One function for each kind, under the name that C++ gives dxJointKIND::getInfo2. */
#define PERP_ODE_JOINT(kind, mangled)                                                              \
  extern "C" __attribute__((visibility("default"))) void perp_ode_##kind(                          \
      dJointID joint, double fps, double erp, int rowskip, double *J1, double *J2, int pairskip,   \
      double *rhsCfm, double *loHi, int *findex) __asm__(mangled "8getInfo2EddiPdS0_iS0_S0_Pi");   \
  extern "C" void perp_ode_##kind(dJointID joint, double fps, double erp, int rowskip, double *J1, \
                                  double *J2, int pairskip, double *rhsCfm, double *loHi,          \
                                  int *findex)                                                     \
  {                                                                                                \
    static const auto own =                                                                        \
        reinterpret_cast<GetInfo2>(dlsym(RTLD_NEXT, mangled "8getInfo2EddiPdS0_iS0_S0_Pi"));       \
    call(own, joint, fps, erp, rowskip, J1, J2, pairskip, rhsCfm, loHi, findex);                   \
  }

PERP_ODE_JOINT(ball, "_ZN11dxJointBall")
PERP_ODE_JOINT(dball, "_ZN12dxJointDBall")
PERP_ODE_JOINT(dhinge, "_ZN13dxJointDHinge")
PERP_ODE_JOINT(transmission, "_ZN19dxJointTransmission")
PERP_ODE_JOINT(hinge, "_ZN12dxJointHinge")
PERP_ODE_JOINT(slider, "_ZN13dxJointSlider")
PERP_ODE_JOINT(contact, "_ZN14dxJointContact")
PERP_ODE_JOINT(universal, "_ZN16dxJointUniversal")
PERP_ODE_JOINT(hinge2, "_ZN13dxJointHinge2")
PERP_ODE_JOINT(fixed, "_ZN12dxJointFixed")
PERP_ODE_JOINT(null, "_ZN11dxJointNull")
PERP_ODE_JOINT(amotor, "_ZN13dxJointAMotor")
PERP_ODE_JOINT(lmotor, "_ZN13dxJointLMotor")
PERP_ODE_JOINT(plane2d, "_ZN14dxJointPlane2D")
PERP_ODE_JOINT(pu, "_ZN9dxJointPU")
PERP_ODE_JOINT(pr, "_ZN9dxJointPR")
PERP_ODE_JOINT(piston, "_ZN13dxJointPiston")
