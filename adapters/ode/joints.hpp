/* joints.hpp: the Jacobian of an island of ODE, row by row as its joints write it
 *
 * dWorldStep asks every joint for its rows by the virtual function getInfo2, and assembles them
 * into the dense A = J Minv J^T + C that dxSolveLCP gets. J itself, which has at most twelve
 * numbers in a row, and the bodies that a row belongs to are lost there. The functions getInfo2 of
 * all joints are exported by ODE's library and found by name, so the ones of joints.cpp come first:
 * they call ODE's and note what was written. */
#pragma once

#include <ode/ode.h>

#include <vector>

namespace perp::ode
{

struct Joint {
  dJointID id;
  int first, rows;
  dBodyID body[2]; /* of the first and the second half of the rows of J; nullptr: the world */
};

/* The rows of one island, of the thread that steps it. */
struct Rows {
  std::vector<Joint> joints;
  std::vector<double> J; /* 12 a row: linear and angular part for the first body, then the second */
  std::vector<double> C; /* a row: the compliance that ODE adds to the diagonal */
  bool wrong = false;    /* something was not as expected */

  int count() const
  {
    return static_cast<int>(C.size());
  }
  bool areComplete(int n) const
  {
    return !wrong && count() == n;
  }
  void clear()
  {
    joints.clear();
    J.clear();
    C.clear();
    wrong = false;
  }
};

/* Returns the rows that the joints of this thread have written since the last clear. */
Rows &rows();

} // namespace perp::ode
