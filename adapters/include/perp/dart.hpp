/* perp/dart.hpp: perp as the constraint solver of DART, or as its LCP solver
 *
 *   world->setConstraintSolver(std::make_unique<perp::DartConstraintSolver>());
 *
 * DartConstraintSolver solves with Coulomb's cones and the skeletons' own matrices: A is not
 * assembled. DartSolver solves the boxed problem with a dense A that DART assembles:
 *
 *   auto solver = std::make_shared<perp::DartSolver>();
 *   world->setConstraintSolver(
 *       std::make_unique<dart::constraint::BoxedLcpConstraintSolver>(solver, nullptr));
 *
 * The second argument, DART's secondary solver, takes over after a step that is not solved: nullptr
 * keeps the best x of ours. DART's own solvers fix the bounds of friction at the normal forces of a
 * stage without friction; here they follow the normal forces that are returned, as Coulomb's law
 * says, unless DartNormals::Frozen asks for what DART does. */
#pragma once

#include <perp/engine.hpp>

#include <dart/constraint/BoxedLcpConstraintSolver.hpp>
#include <dart/constraint/BoxedLcpSolver.hpp>
#include <dart/constraint/ConstrainedGroup.hpp>
#include <dart/constraint/ConstraintBase.hpp>
#include <dart/constraint/ContactConstraint.hpp>
#include <dart/dynamics/DegreeOfFreedom.hpp>
#include <dart/dynamics/Skeleton.hpp>

#include <functional>

namespace perp
{

enum class DartNormals {
  True,   /* friction bounds at the normal forces of the solution */
  Frozen, /* at the normal forces without friction, as in DART and ODE */
};

class DartSolver : public dart::constraint::BoxedLcpSolver
{
public:
  explicit DartSolver(EngineSettings settings = {}, DartNormals normals = DartNormals::True)
      : engine_(std::move(settings)), normals_(normals)
  {
  }

  const std::string &getType() const override
  {
    return getStaticType();
  }

  static const std::string &getStaticType()
  {
    static const std::string type = "perp::DartSolver";
    return type;
  }

  EngineSolver &engine()
  {
    return engine_;
  }
  const EngineStatistics &statistics() const
  {
    return engine_.statistics();
  }

  /* False only if DART's secondary solver shall take over: the step is not solved and the settings
   * ask for the fallback. */
  bool solve(int n, double *A, double *x, double *b, int nub, double *lo, double *hi, int *findex,
             bool) override
  {
    if (n < 0 || nub < 0 || nub > n) {
      engine_.resize(std::max(n, 0), false);
      engine_.refuse(
          std::max(n, 0),
          ("nub = " + std::to_string(nub) + " of n = " + std::to_string(n) + " rows").c_str());
      std::fill(x, x + std::max(n, 0), 0);
      return !engine_.settings().fallback;
    }
    read(n, A, b, nub, lo, hi, findex);
    engine_.startFromLast(n);
    const bool solved = normals_ == DartNormals::Frozen ? solveFrozen(n) : engine_.solveDense(n);
    engine_.keepLast(n);
    std::copy(engine_.x.begin(), engine_.x.end(), x);
    return solved || !engine_.settings().fallback;
  }

#ifndef NDEBUG
  bool canSolve(int, const double *) override
  {
    return true;
  }
#endif

protected:
  /* DART fills both triangles with numbers that differ by rounding: the lower one is read, as ODE's
   * solver does it. Rows are perp_ode_stride(n) apart. */
  void read(int n, const double *A, const double *b, int nub, const double *lo, const double *hi,
            const int *findex)
  {
    const int stride = perp_ode_stride(n);
    engine_.resize(n, true);
    for (int i = 0; i < n; i++) {
      const auto k = static_cast<std::size_t>(i);
      for (int j = 0; j <= i; j++)
        engine_.entries[k * n + j] = engine_.entries[static_cast<std::size_t>(j) * n + i] =
            A[i * stride + j];
      engine_.b[k] = -b[i];
      engine_.lo[k] = i < nub ? -HUGE_VAL : lo[i];
      engine_.hi[k] = i < nub ? HUGE_VAL : hi[i];
      engine_.findex[k] = findex && findex[i] != i ? findex[i] : -1;
      if (engine_.findex[k] >= 0) /* ODE's rule: the lower bound is the other one's mirror image */
        engine_.lo[k] = -hi[i];
    }
  }

private:
  /* First without friction, then with bounds that are fixed at its normal forces. */
  bool solveFrozen(int n)
  {
    const std::vector<double> lo = engine_.lo, hi = engine_.hi;
    const std::vector<int> findex = engine_.findex;
    for (int i = 0; i < n; i++)
      if (findex[i] >= 0)
        engine_.lo[i] = engine_.hi[i] = 0;
    std::fill(engine_.findex.begin(), engine_.findex.end(), -1);
    if (std::find_if(findex.begin(), findex.end(), [](int j) { return j >= 0; }) == findex.end())
      return engine_.solveDense(n);
    for (int i = 0; i < n; i++)
      if (findex[i] >= n)
        engine_.findex[i] = findex[i]; /* the solver refuses it, and names the row */
    if (!engine_.solveDense(n))
      return false;
    for (int i = 0; i < n; i++)
      if (findex[i] >= 0) {
        const double normal = std::abs(engine_.x[findex[i]]);
        engine_.lo[i] = std::isinf(lo[i]) ? lo[i] : lo[i] * normal; /* not infinity times 0 */
        engine_.hi[i] = std::isinf(hi[i]) ? hi[i] : hi[i] * normal;
      }
    return engine_.solveDense(n);
  }

  EngineSolver engine_;
  DartNormals normals_;
};

enum class DartFriction {
  Cones,    /* |(x_t, x_o)| <= mu x_n where both coefficients of a contact are the same */
  Pyramids, /* |x_t| <= mu_t x_n and |x_o| <= mu_o x_n, DART's own rows */
};

/* Solves each group of constraints as J M^-1 J^T + C, M being the mass matrices of its skeletons.
 *
 * DART tells how a unit impulse of row i changes the velocities of a skeleton, g_i = M^-1 J_i^T, so
 * J_i = M g_i for any kind of constraint. The change that DART computes for the row itself, A_ii, holds
 * its compliance (constraint force mixing, slip): C_ii = A_ii - J_i g_i. Contacts with cones come first,
 * in DART's order. A world with soft bodies, whose point masses are not part of M, is solved as DartSolver
 * does.
 *
 * A contact that bounces leaves at e times its speed before the forces of the step. DART takes the speed
 * after them: a ball with e = 1 gains h g at each bounce, and with long steps one at rest bounces.
 *
 * A solve starts from the impulses of the last step. A contact is the same one if it moves the same
 * skeletons and its normal row of J, in the frame of its body, has changed by less than a tenth. */
class DartConstraintSolver : public dart::constraint::BoxedLcpConstraintSolver
{
public:
  explicit DartConstraintSolver(const EngineSettings &settings = {},
                                DartFriction friction = DartFriction::Cones)
      : BoxedLcpConstraintSolver(std::make_shared<DartSolver>(settings), nullptr),
        engine_(settings), friction_(friction)
  {
  }
  ~DartConstraintSolver() override
  {
    perp_operator_destroy(A_);
  }

  const EngineStatistics &statistics() const
  {
    return engine_.statistics();
  }
  /* Of a world with soft bodies. */
  const EngineStatistics &softStatistics() const
  {
    return static_cast<DartSolver &>(*mBoxedLcpSolver).statistics();
  }

protected:
  void solveConstrainedGroup(dart::constraint::ConstrainedGroup &group) override
  {
    listSkeletons();
    if (std::any_of(skeletons_.begin(), skeletons_.end(),
                    [](const Moved &s) { return s.skeleton->getNumSoftBodyNodes() > 0; })) {
      BoxedLcpConstraintSolver::solveConstrainedGroup(group);
      return;
    }
    const int n = static_cast<int>(group.getTotalDimension());
    engine_.resize(n, false);
    listRows(group);
    readMatrices();
    correctBounces();
    const double unit = EngineSolver::unitFor(stiffest_);
    if (makeOperator(n, unit)) {
      startFromLast();
      engine_.solve(A_, n, unit);
      keepLast();
    }
    for (const Part &part : parts_) {
      part.constraint->applyImpulse(engine_.x.data() + part.row);
      part.constraint->excite();
    }
  }

private:
  struct Moved {
    dart::dynamics::Skeleton *skeleton;
    int first; /* of its velocities; -1: no constraint of the group has moved it */
  };
  using Pair = std::array<const dart::dynamics::Skeleton *, 2>;
  struct Part {
    dart::constraint::ConstraintBase *constraint;
    int row, rows;
    Pair moved; /* the first two skeletons, or null */
  };
  struct Kept {
    Pair moved;
    std::vector<double> J; /* its first row */
    std::vector<double> x;
  };
  struct Information {
    std::array<double, 6> x{}, lo{}, hi{}, b{}, w{};
    std::array<int, 6> findex{};
  };

  /* The skeletons that are not moved by groups solved before. */
  void listSkeletons()
  {
    skeletons_.clear();
    bool first = true; /* group of the step */
    for (const auto &skeleton : mSkeletons)
      if (skeleton->isImpulseApplied())
        first = false;
      else if (skeleton->getNumDofs() > 0)
        skeletons_.push_back({skeleton.get(), -1});
    if (first) {
      std::swap(last_, now_);
      now_.clear();
      std::sort(last_.begin(), last_.end(), before);
    }
  }

  static bool before(const Kept &a, const Kept &b)
  {
    return std::less<Pair>()(a.moved, b.moved);
  }

  /* Lists the constraints, those with cones first, and reads bounds and b. */
  void listRows(dart::constraint::ConstrainedGroup &group)
  {
    parts_.clear();
    information_.resize(group.getNumConstraints());
    int row = 0;
    for (const bool cones : {true, false})
      for (std::size_t k = 0; k < information_.size(); k++) {
        auto &constraint = *group.getConstraint(k);
        Information &info = information_[k];
        const int rows = static_cast<int>(constraint.getDimension());
        if (cones)
          ask(constraint, info);
        if (isCone(info, rows) != cones)
          continue;
        parts_.push_back({&constraint, row, rows, {}});
        if (cones)
          engine_.mu.push_back(info.hi[1]);
        for (int i = 0; i < rows; i++) {
          const auto from = static_cast<std::size_t>(i), to = static_cast<std::size_t>(row + i);
          engine_.b[to] = -info.b[from];
          if (cones)
            continue;
          engine_.lo[to] = info.lo[from];
          engine_.hi[to] = info.hi[from];
          engine_.findex[to] = info.findex[from] < 0 ? -1 : row + info.findex[from];
          if (info.findex[from] >= 0)
            engine_.lo[to] = -info.hi[from];
        }
        row += rows;
      }
  }

  void ask(dart::constraint::ConstraintBase &constraint, Information &info) const
  {
    info = {};
    info.findex.fill(-1);
    dart::constraint::ConstraintInfo asked{};
    asked.x = info.x.data();
    asked.lo = info.lo.data();
    asked.hi = info.hi.data();
    asked.b = info.b.data();
    asked.w = info.w.data();
    asked.findex = info.findex.data();
    asked.invTimeStep = 1 / mTimeStep;
    constraint.getInformation(&asked);
  }

  bool isCone(const Information &info, int rows) const
  {
    return friction_ == DartFriction::Cones && rows == 3 && info.findex[0] < 0 &&
           info.findex[1] == 0 && info.findex[2] == 0 && info.lo[0] == 0 &&
           std::isinf(info.hi[0]) && info.hi[1] == info.hi[2] && std::isfinite(info.hi[1]);
  }

  /* Reads J and C of all constraints, and the inverse mass matrices of the skeletons that they move. */
  void readMatrices()
  {
    start_.assign(1, 0);
    column_.clear();
    value_.clear();
    C_.clear();
    block_.assign(1, 0);
    Minv_.clear();
    stiffest_ = 0;
    for (Part &part : parts_) {
      part.constraint->excite();
      listMoved();
      for (std::size_t k = 0; k < std::min<std::size_t>(moved_.size(), 2); k++)
        part.moved[k] = moved_[k].skeleton;
      for (int i = 0; i < part.rows; i++) {
        part.constraint->applyUnitImpulse(static_cast<std::size_t>(i));
        appendRow(part, i);
      }
      part.constraint->unexcite();
    }
  }

  /* DART's b of a normal is -J v + max(back, hold), v being the velocity after the forces of the step,
   * `hold` the correction of the position. Asked with v - h a, a being the accelerations by the forces,
   * it gives both terms of the velocity before. */
  void correctBounces()
  {
    const double threshold = 0.1; /* m/s, of DART's bounces */
    gather(v_, &dart::dynamics::Skeleton::getVelocities);
    if (std::none_of(parts_.begin(), parts_.end(), [&](const Part &part) {
          return isContact(part) && along(part, v_) - normal(part) > 0.999 * threshold;
        }))
      return;
    gather(change_, &dart::dynamics::Skeleton::getAccelerations);
    change_ *= mTimeStep;
    setVelocities(v_ - change_);
    Information info;
    for (const Part &part : parts_) {
      if (!isContact(part))
        continue;
      ask(*part.constraint, info);
      normal(part) = -info.b[0] + along(part, change_);
      if (along(part, v_) - normal(part) > threshold) /* an impact is rigid */
        C_[static_cast<std::size_t>(part.row)] = 0;
    }
    setVelocities(v_);
  }

  static bool isContact(const Part &part)
  {
    return part.constraint->getType() == dart::constraint::ContactConstraint::getStaticType();
  }
  double &normal(const Part &part)
  {
    return engine_.b[static_cast<std::size_t>(part.row)];
  }

  /* to <- this vector of all skeletons that constraints move */
  void gather(Eigen::VectorXd &to, Eigen::VectorXd (dart::dynamics::Skeleton::*vector)() const)
  {
    to.resize(block_.back());
    for (const Moved &moved : skeletons_)
      if (moved.first >= 0)
        to.segment(moved.first, static_cast<Eigen::Index>(moved.skeleton->getNumDofs())) =
            (moved.skeleton->*vector)();
  }
  void setVelocities(const Eigen::VectorXd &v)
  {
    for (const Moved &moved : skeletons_)
      if (moved.first >= 0)
        moved.skeleton->setVelocities(
            v.segment(moved.first, static_cast<Eigen::Index>(moved.skeleton->getNumDofs())));
  }

  /* The first row of J times v. */
  double along(const Part &part, const Eigen::VectorXd &v) const
  {
    const auto row = static_cast<std::size_t>(part.row);
    double sum = 0;
    for (auto e = static_cast<std::size_t>(start_[row]);
         e < static_cast<std::size_t>(start_[row + 1]); e++)
      sum += value_[e] * v[column_[e]];
    return sum;
  }

  /* moved_ <- the skeletons that the excited constraint moves, ascending by their velocities */
  void listMoved()
  {
    moved_.clear();
    for (Moved &moved : skeletons_)
      if (moved.skeleton->isImpulseApplied()) {
        if (moved.first < 0)
          appendBlock(moved);
        moved_.push_back(moved);
      }
    std::sort(moved_.begin(), moved_.end(),
              [](const Moved &a, const Moved &b) { return a.first < b.first; });
  }

  void appendBlock(Moved &moved)
  {
    const Eigen::MatrixXd &inverse = moved.skeleton->getInvMassMatrix();
    moved.first = block_.back();
    block_.push_back(moved.first + static_cast<int>(inverse.rows()));
    Minv_.insert(Minv_.end(), inverse.data(), inverse.data() + inverse.size());
  }

  /* Row i of the constraint, whose unit impulse is applied: J = M g and C. */
  void appendRow(const Part &part, int i)
  {
    double own = 0;
    for (const Moved &moved : moved_) {
      const Eigen::MatrixXd &M = moved.skeleton->getMassMatrix();
      g_.resize(M.rows());
      for (Eigen::Index k = 0; k < g_.size(); k++)
        g_[k] = moved.skeleton->getDof(static_cast<std::size_t>(k))->getVelocityChange();
      J_.noalias() = M * g_;
      own += J_.dot(g_);
      for (int k = 0; k < J_.size(); k++) {
        column_.push_back(moved.first + k);
        value_.push_back(J_[k]);
      }
    }
    start_.push_back(static_cast<std::int64_t>(column_.size()));
    std::array<double, 6> change;
    part.constraint->getVelocityChange(change.data(), true);
    const double with = change[static_cast<std::size_t>(i)];
    C_.push_back(std::max(with - own, 0.0));
    stiffest_ = std::max(stiffest_, with);
  }

  bool makeOperator(int n, double unit)
  {
    EngineSolver::multiply(Minv_, unit);
    EngineSolver::multiply(C_, unit);
    perp_contact_data data = perp_contact_data_default();
    data.rows = n;
    data.velocities = block_.back();
    data.J_start = start_.data();
    data.J_column = column_.data();
    data.J_value = value_.data();
    data.blocks = static_cast<int>(block_.size()) - 1;
    data.block_start = block_.data();
    data.Minv = Minv_.data();
    data.C_diagonal = C_.data();
    perp_message why;
    const perp_error error = A_ ? perp_operator_contact_replace(A_, &data, PERP_BORROW, &why)
                                : perp_operator_contact(&data, PERP_BORROW, &A_, &why);
    return error == PERP_OK || engine_.refuse(n, why.text, error);
  }

  void startFromLast()
  {
    for (const Part &part : parts_) {
      Kept *near = findNearest(part);
      if (!near)
        continue;
      std::copy(near->x.begin(), near->x.end(), engine_.x.begin() + part.row);
      near->x.clear(); /* use each once */
    }
  }

  /* The constraint of the last step that this one continues; nullptr: none. */
  Kept *findNearest(const Part &part)
  {
    const double same = 0.1;
    const Kept key = {part.moved, {}, {}};
    const auto range = std::equal_range(last_.begin(), last_.end(), key, before);
    const auto first = start_[static_cast<std::size_t>(part.row)];
    const auto size =
        static_cast<std::size_t>(start_[static_cast<std::size_t>(part.row) + 1] - first);
    const double *J = value_.data() + first;
    Kept *nearest = nullptr;
    double least = 0;
    for (std::size_t k = 0; k < size; k++)
      least += same * same * J[k] * J[k];
    for (auto kept = range.first; kept != range.second; ++kept) {
      if (kept->x.size() != static_cast<std::size_t>(part.rows) || kept->J.size() != size)
        continue;
      double distance = 0;
      for (std::size_t k = 0; k < size; k++)
        distance += (J[k] - kept->J[k]) * (J[k] - kept->J[k]);
      if (distance < least) {
        least = distance;
        nearest = &*kept;
      }
    }
    return nearest;
  }

  void keepLast()
  {
    for (const Part &part : parts_) {
      const auto row = static_cast<std::size_t>(part.row);
      now_.push_back({part.moved,
                      {value_.begin() + start_[row], value_.begin() + start_[row + 1]},
                      {engine_.x.begin() + part.row, engine_.x.begin() + part.row + part.rows}});
    }
  }

  EngineSolver engine_;
  DartFriction friction_;
  perp_operator *A_ = nullptr;
  std::vector<Moved> skeletons_, moved_;
  std::vector<Part> parts_;
  std::vector<Kept> last_, now_; /* constraints of the last step, by `moved`, and of this one */
  std::vector<Information> information_;
  /* J, C and the inverse mass matrices; block_: the first velocity of each skeleton */
  std::vector<std::int64_t> start_;
  std::vector<int> column_, block_;
  std::vector<double> value_, C_, Minv_;
  Eigen::VectorXd g_, J_;      /* of a row and a skeleton */
  Eigen::VectorXd v_, change_; /* velocities, and what the forces of the step have added to them */
  double stiffest_ = 0;
};

} // namespace perp
