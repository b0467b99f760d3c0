/* island.hpp: an island of ODE as a contact operator, and the start of its solve
 *
 * A = J Minv J^T + C from the rows of joints.hpp and the masses of the bodies, never assembled.
 *
 * The start is the last solution. A joint finds its rows of the step before by itself. Contacts are
 * made anew in each step, in any order and number: a contact starts from the nearest one that the
 * same two bodies had. Its place r from the centre of the first body follows from its rows: with
 * orthonormal directions e and angular parts r x e,
 *
 *   sum e x (r x e) = 2 r   over three directions;   for one row, e x (r x e), r without its part
 *                                                    along the normal
 *
 * which is turned into the frame of the body, so that it moves along with it. */
#pragma once

#include "ode/joints.hpp"

#include <perp/engine.hpp>

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace perp::ode
{

class Island
{
public:
  Island() = default;
  Island(const Island &) = delete;
  Island &operator=(const Island &) = delete;
  ~Island()
  {
    perp_operator_destroy(A_);
  }

  /* Returns the operator of these rows, times unit(); nullptr if they do not give A (rows stride apart,
   * only the lower triangle filled). Owned by the island until the next call. */
  const perp_operator *make(const Rows &rows, int n, const double *A, int stride);
  /* Of the forces, for this operator: EngineSolver::unitFor. */
  double unit() const
  {
    return unit_;
  }

  /* x at the start; zeros for rows that are new. */
  void start(const Rows &rows, std::vector<double> &x) const;
  /* Keeps the solution for the next step. */
  void keep(const Rows &rows, const std::vector<double> &x);

private:
  struct Point {
    std::array<double, 3> at;
    std::array<double, 6> x;
    int rows;
  };
  struct Kept { /* what two bodies, or one joint, had in their last step */
    std::vector<Point> points;
    std::int64_t solve = 0;
  };
  struct Key {
    const void *a, *b;
    bool operator==(const Key &other) const
    {
      return a == other.a && b == other.b;
    }
  };
  struct Hash {
    std::size_t operator()(const Key &key) const
    {
      return std::hash<const void *>()(key.a) * 31 + std::hash<const void *>()(key.b);
    }
  };

  static Key keyOf(const Joint &joint);
  static Point place(const Rows &rows, const Joint &joint);
  int number(dBodyID body);
  bool agrees(int n, const double *A, int stride) const;
  double entry(int i, int j) const;

  perp_operator *A_ = nullptr;
  std::unordered_map<dBodyID, int> numbers_; /* of the bodies that move */
  std::vector<double> Minv_;                 /* 36 a body */
  std::vector<double> J_, C_;
  double unit_ = 1;
  std::vector<int> body_; /* two a row; -1: one that never moves */
  std::unordered_map<Key, Kept, Hash> kept_;
  std::int64_t solves_ = 0;
};

} // namespace perp::ode
