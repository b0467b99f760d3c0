/* perp/bullet.hpp: perp inside Bullet, for dense problems and on bodies without assembling
 *
 *   perp::BulletSolver solver;                        // works on bodies and constraints
 *   btDiscreteDynamicsWorld world(dispatcher, broadphase, &solver, configuration);
 *
 *   perp::BulletMlcpSolver mlcp;                      // or the solver of a btMLCPSolver
 *   btMLCPSolver solver(&mlcp);
 *
 * BulletSolver sets up the same rows as btSequentialImpulseConstraintSolver (joints, contacts,
 * friction, rolling friction; compliance, restitution, warm starts and split impulses as they are
 * there) and replaces its iterations by one solve with the contact operator J Minv J^T + C. Rolling
 * friction follows mu times the normal impulse; Bullet also holds it below mu itself. A contact with
 * restitution e that closes within the step leaves at e times the speed before the forces of the step.
 * Bullet adds its correction of the position to that, or subtracts the distance that is left: a ball
 * with e = 1 gains or loses energy. */
#pragma once

#include <perp/engine.hpp>

#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolverInterface.h>

#include <cstdio>

namespace perp
{

/* Bullet's infinity is a large number: 1e10 for contacts, 1e30 for joints. */
inline double bulletBound(btScalar value)
{
  const double bound = static_cast<double>(value);
  return bound >= 1e10 ? HUGE_VAL : bound <= -1e10 ? -HUGE_VAL : bound;
}

/* Eight roundings of Bullet's numbers: the tolerance on bodies. Rows come in single precision, and
 * impulses and velocities are rounded to it: a residual that a solve removes below this returns with
 * the next step. In double precision the other engines' tolerance is used. */
constexpr double BULLET_ROUNDING = 8 * static_cast<double>(SIMD_EPSILON);

inline EngineSettings bulletSettings()
{
  EngineSettings settings;
  settings.tol = std::max(settings.tol, BULLET_ROUNDING);
  return settings;
}

/* Bullet assembles A in single precision. Contacts hold each other many times over, so most eigenvalues
 * of A should be 0 and are what rounding made of them, about 1e-7 of the diagonal, some negative:
 * pivots go in circles there, and a solution need not exist. A_ii (1 + compliance) has none of these. Rows
 * of joints, without bounds, stay as they are. */
class BulletMlcpSolver : public btMLCPSolverInterface
{
public:
  static constexpr double COMPLIANCE = BULLET_ROUNDING;

  explicit BulletMlcpSolver(EngineSettings settings = {}, double compliance = COMPLIANCE)
      : engine_(std::move(settings)), compliance_(compliance)
  {
  }

  EngineSolver &engine()
  {
    return engine_;
  }
  const EngineStatistics &statistics() const
  {
    return engine_.statistics();
  }

  /* False, after which Bullet runs its own sweeps, only if the step is not solved and the settings
   * ask for the fallback. */
  bool solveMLCP(const btMatrixXu &A, const btVectorXu &b, btVectorXu &x, const btVectorXu &lo,
                 const btVectorXu &hi, const btAlignedObjectArray<int> &limitDependency, int,
                 bool = true) override
  {
    const int n = A.rows();
    engine_.resize(n, true);
    std::string wrong =
        mismatch(A, {b.size(), x.size(), lo.size(), hi.size(), limitDependency.size()});
    if (wrong.empty())
      wrong = lost(A, b);
    if (!wrong.empty()) {
      engine_.refuse(n, wrong.c_str());
      for (int i = 0; i < x.size(); i++)
        x[i] = 0;
      return !engine_.settings().fallback;
    }
    for (int i = 0; i < n; i++) {
      const auto k = static_cast<std::size_t>(i);
      for (int j = 0; j <= i;
           j++) /* both triangles differ by rounding: Bullet's solver reads this */
        engine_.entries[k * n + j] = engine_.entries[static_cast<std::size_t>(j) * n + k] =
            static_cast<double>(A(i, j));
      engine_.x[k] = static_cast<double>(x[i]);
      engine_.b[k] = -static_cast<double>(b[i]);
      engine_.lo[k] = bulletBound(lo[i]);
      engine_.hi[k] = bulletBound(hi[i]);
      engine_.findex[k] = limitDependency[i];
      if (std::isfinite(engine_.lo[k]) || std::isfinite(engine_.hi[k]))
        engine_.entries[k * n + k] *= 1 + compliance_;
    }
    const bool solved = engine_.solveDense(n);
    for (int i = 0; i < n; i++)
      x[i] = static_cast<btScalar>(engine_.x[static_cast<std::size_t>(i)]);
    return solved || !engine_.settings().fallback;
  }

private:
  /* Returns a message that names the first argument whose size differs from A; empty if all fit. */
  static std::string mismatch(const btMatrixXu &A, const std::array<int, 5> &rows)
  {
    static const char *const names[] = {"b", "x", "lo", "hi", "limitDependency"};
    const int n = A.rows();
    if (A.cols() != n)
      return "A has " + std::to_string(n) + " rows and " + std::to_string(A.cols()) + " columns";
    for (std::size_t k = 0; k < rows.size(); k++)
      if (rows[k] != n)
        return std::string(names[k]) + " ends before row " + std::to_string(std::min(rows[k], n)) +
               ": it has " + std::to_string(rows[k]) + " rows and A has " + std::to_string(n);
    return "";
  }

  /* Not empty: a row that btMLCPSolver has not filled. If 1 / A_ii is below a rounding unit, as for a
   * body of 1e-7 kg, it takes it for 0 and leaves b_i = 0, whatever the velocity is. */
  static std::string lost(const btMatrixXu &A, const btVectorXu &b)
  {
    for (int i = 0; i < A.rows(); i++)
      if (b[i] == 0 && A(i, i) * SIMD_EPSILON > 1)
        return "row " + std::to_string(i) + ": its bodies are too light for btMLCPSolver";
    return "";
  }

  EngineSolver engine_;
  double compliance_; /* relative to the diagonal */
};

class BulletSolver : public btSequentialImpulseConstraintSolver
{
public:
  explicit BulletSolver(EngineSettings settings = bulletSettings()) : engine_(std::move(settings))
  {
  }
  ~BulletSolver() override
  {
    perp_operator_destroy(A_);
  }

  EngineSolver &engine()
  {
    return engine_;
  }
  const EngineStatistics &statistics() const
  {
    return engine_.statistics();
  }

  /* The world calls these before the first and after the last island of a step. */
  void prepareSolve(int, int) override
  {
    stepping_ = true;
    before_.swap(now_);
    now_.clear();
  }
  void allSolved(const btContactSolverInfo &, btIDebugDraw *) override
  {
    stepping_ = false;
  }

protected:
  /* Returns the natural residual, relative to max |b|, of the impulses that Bullet's own `sweeps`
   * leave in the current rows; -1 without rows. */
  template <typename Sweeps> double judge(Sweeps sweeps)
  {
    gather();
    const int n = static_cast<int>(rows_.size());
    const bool made = n > 0 && makeOperator(n, nullptr);
    sweeps();
    for (std::size_t i = 0; i < rows_.size(); i++)
      engine_.x[i] = static_cast<double>(rows_[i]->m_appliedImpulse);
    return made ? engine_.residual(A_, unit_) : -1;
  }

  btScalar solveGroupCacheFriendlyIterations(btCollisionObject **bodies, int numBodies,
                                             btPersistentManifold **manifolds, int numManifolds,
                                             btTypedConstraint **constraints, int numConstraints,
                                             const btContactSolverInfo &info,
                                             btIDebugDraw *drawer) override
  {
    /* Push impulses, which separate overlapping bodies, do not change the velocities: Bullet's own sweeps
     * compute them from the same rows. */
    if (info.m_splitImpulse)
      solveGroupCacheFriendlySplitImpulseIterations(bodies, numBodies, manifolds, numManifolds,
                                                    constraints, numConstraints, info, drawer);
    gather();
    if (rows_.empty())
      return 0;
    const int n = static_cast<int>(rows_.size());
    perp_message why;
    const bool made = makeOperator(n, &why);
    if (made)
      correctBounces(info.m_restitutionVelocityThreshold);
    if (info.m_solverMode & SOLVER_USE_WARMSTARTING)
      startFromPoints((info.m_solverMode & SOLVER_USE_2_FRICTION_DIRECTIONS) != 0);
    const bool solved = made && engine_.solve(A_, n, unit_);
    if (!made)
      engine_.refuse(n, why.text);
    keep();
    if (!solved && engine_.settings().fallback) {
      btContactSolverInfo own = info;
      own.m_splitImpulse = 0; /* done above */
      return btSequentialImpulseConstraintSolver::solveGroupCacheFriendlyIterations(
          bodies, numBodies, manifolds, numManifolds, constraints, numConstraints, own, drawer);
    }
    apply(made);
    return 0;
  }

private:
  /* The rows of Bullet's pools. A row stays the one with the same number in its pool: friction rows
   * name their contact by that. */
  void gather()
  {
    rows_.clear();
    normal_.clear();
    append(m_tmpSolverNonContactConstraintPool, false, 0);
    const int first = static_cast<int>(rows_.size());
    append(m_tmpSolverContactConstraintPool, false, 0);
    append(m_tmpSolverContactFrictionConstraintPool, true, first);
    firstRolling_ = static_cast<int>(rows_.size());
    append(m_tmpSolverContactRollingFrictionConstraintPool, true, first);
  }

  void append(btConstraintArray &pool, bool friction, int first)
  {
    for (int i = 0; i < pool.size(); i++) {
      rows_.push_back(&pool[i]);
      normal_.push_back(friction ? pool[i].m_frictionIndex + first : -1);
    }
  }

  /* The body of velocities of a solver body, -1 for one that nothing moves. */
  int mobile(int solverBody)
  {
    const btRigidBody *body = m_tmpSolverBodyPool[solverBody].m_originalBody;
    if (!body || body->getInvMass() == 0)
      return -1;
    int &number = number_[static_cast<std::size_t>(solverBody)];
    if (number >= 0)
      return number;
    const std::size_t at = Minv_.size();
    Minv_.resize(at + 36, 0);
    const btVector3 &mass = m_tmpSolverBodyPool[solverBody].internalGetInvMass();
    const btMatrix3x3 &inertia = body->getInvInertiaTensorWorld();
    const btVector3 &factor = body->getAngularFactor(); /* 0 along axes that are locked */
    for (int r = 0; r < 3; r++) {
      Minv_[at + static_cast<std::size_t>(7 * r)] = static_cast<double>(mass[r]);
      for (int c = 0; c < 3; c++) /* inertia is symmetric but for rounding: exactly so */
        Minv_[at + static_cast<std::size_t>(6 * (r + 3) + c + 3)] =
            0.5 * static_cast<double>(factor[r]) * static_cast<double>(factor[c]) *
            (static_cast<double>(inertia[r][c]) + static_cast<double>(inertia[c][r]));
    }
    bool locked = false;
    for (std::size_t r = 0; r < 6; r++)
      locked = locked || !(Minv_[at + 7 * r] > 0);
    locked_.push_back(locked);
    return number = bodies_++;
  }

  /* Returns true if an impulse along row i changes a velocity; false if its bodies are locked
   * (setLinearFactor, setAngularFactor) in that direction. */
  bool moves(std::size_t i) const
  {
    double sum = 0;
    for (std::size_t side = 0; side < 2; side++) {
      const int body = body_[2 * i + side];
      if (body < 0)
        continue;
      const double *J = J_.data() + 12 * i + 6 * side;
      if (!locked_[static_cast<std::size_t>(body)]) { /* Minv is definite: any part of J will do */
        if (std::any_of(J, J + 6, [](double part) { return part != 0; }))
          return true;
        continue;
      }
      const double *Minv = Minv_.data() + 36 * static_cast<std::size_t>(body);
      for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++)
          sum += J[r] * Minv[6 * r + c] * J[c];
    }
    return sum != 0;
  }

  /* J, Minv, C and the vectors. Bullet keeps rows divided by their diagonal: with d = jacDiagABInv
   * its step is rhs - x m_cfm - d (J v), so b = -rhs / d and C = m_cfm / d. d = 0 says that the
   * diagonal is 0, or that it is beyond a float: then the row has no b, and is refused. */
  bool makeOperator(int n, perp_message *why)
  {
    const auto rows = static_cast<std::size_t>(n);
    number_.assign(static_cast<std::size_t>(m_tmpSolverBodyPool.size()), -1);
    bodies_ = 0;
    Minv_.clear();
    locked_.clear();
    double stiffest = 0;
    J_.assign(rows * 12, 0);
    body_.assign(rows * 2, -1);
    C_.assign(rows, 0);
    engine_.resize(n, false);
    for (std::size_t i = 0; i < rows; i++) {
      const btSolverConstraint &row = *rows_[i];
      const double d = static_cast<double>(row.m_jacDiagABInv);
      body_[2 * i] = mobile(row.m_solverBodyIdA);
      body_[2 * i + 1] = mobile(row.m_solverBodyIdB);
      for (int r = 0; r < 3; r++) {
        const auto k = static_cast<std::size_t>(r);
        J_[12 * i + k] = static_cast<double>(row.m_contactNormal1[r]);
        J_[12 * i + 3 + k] = static_cast<double>(row.m_relpos1CrossNormal[r]);
        J_[12 * i + 6 + k] = static_cast<double>(row.m_contactNormal2[r]);
        J_[12 * i + 9 + k] = static_cast<double>(row.m_relpos2CrossNormal[r]);
      }
      engine_.x[i] = static_cast<double>(row.m_appliedImpulse);
      if (d == 0 && isTooLight(i))
        return tell(why, "row " + std::to_string(i) + ": its bodies are too light for a float");
      if (d == 0 || !moves(i)) { /* a row along which nothing moves: it stays as it is */
        C_[i] = 1;
      } else { /* also if d is NaN: the row is refused then */
        stiffest = std::max(stiffest, 1 / d);
        engine_.b[i] = -static_cast<double>(row.m_rhs) / d;
        C_[i] = static_cast<double>(row.m_cfm) / d;
      }
      engine_.findex[i] = normal_[i];
      engine_.lo[i] =
          normal_[i] >= 0 ? -static_cast<double>(row.m_friction) : bulletBound(row.m_lowerLimit);
      engine_.hi[i] =
          normal_[i] >= 0 ? static_cast<double>(row.m_friction) : bulletBound(row.m_upperLimit);
    }
    for (int i = firstRolling_; i < n; i++)
      engine_.rolling.push_back(i);
    unit_ = EngineSolver::unitFor(stiffest);
    EngineSolver::multiply(Minv_, unit_);
    EngineSolver::multiply(C_, unit_);
    return updateOperator(n, why) == PERP_OK;
  }

  /* Of contacts with restitution b = approach - back - hold: `hold` corrects the position or is minus the
   * distance left / h, `back` is Bullet's speed after the impact. The contact closes if approach < hold;
   * then it leaves at the larger of the two speeds. */
  void correctBounces(btScalar threshold)
  {
    const auto first = static_cast<std::size_t>(m_tmpSolverNonContactConstraintPool.size());
    const auto contacts = static_cast<std::size_t>(m_tmpSolverContactConstraintPool.size());
    for (std::size_t i = first; i < first + contacts; i++) {
      const auto *point = static_cast<const btManifoldPoint *>(rows_[i]->m_originalContactPoint);
      if (!point || !(point->m_combinedRestitution > 0) || rows_[i]->m_jacDiagABInv == 0)
        continue;
      double before = 0, forces = 0;
      for (const bool second : {false, true})
        addVelocity(i, second, &before, &forces);
      const double e = static_cast<double>(point->m_combinedRestitution);
      const double back = -before < static_cast<double>(threshold) ? 0 : std::max(-e * before, 0.0);
      const double hold = before + forces - back - engine_.b[i];
      engine_.b[i] = before + forces - (before + forces < hold ? std::max(back, hold) : hold);
    }
  }

  /* Adds the velocity of one body along row i before the forces of the step, and what they add. */
  void addVelocity(std::size_t i, bool second, double *before, double *forces) const
  {
    const btSolverConstraint &row = *rows_[i];
    const btSolverBody &body =
        m_tmpSolverBodyPool[second ? row.m_solverBodyIdB : row.m_solverBodyIdA];
    const double *J = J_.data() + 12 * i + (second ? 6 : 0);
    for (int r = 0; body.m_originalBody && r < 3; r++) {
      *before += J[r] * static_cast<double>(body.m_linearVelocity[r]) +
                 J[r + 3] * static_cast<double>(body.m_angularVelocity[r]);
      *forces += J[r] * static_cast<double>(body.m_externalForceImpulse[r]) +
                 J[r + 3] * static_cast<double>(body.m_externalTorqueImpulse[r]);
    }
  }

  /* A mass so small that a sum of its inverses is infinite as a float. */
  bool isTooLight(std::size_t i) const
  {
    double largest = 0;
    for (std::size_t side = 0; side < 2; side++)
      for (std::size_t r = 0; r < 6 && body_[2 * i + side] >= 0; r++)
        largest =
            std::max(largest, Minv_[36 * static_cast<std::size_t>(body_[2 * i + side]) + 7 * r]);
    return largest > 1 && moves(i);
  }

  static bool tell(perp_message *why, const std::string &text)
  {
    if (why)
      std::snprintf(why->text, sizeof why->text, "%s", text.c_str());
    return false;
  }

  /* A reads the arrays above. While rows join the same bodies as before, only numbers are new. */
  perp_error updateOperator(int n, perp_message *why)
  {
    const std::array<const void *, 4> arrays = {J_.data(), Minv_.data(), C_.data(), body_.data()};
    const bool same = A_ && madeOf_ == body_ && madeBodies_ == bodies_ && arrays_ == arrays;
    if (same)
      return perp_operator_refresh(A_, why);
    perp_contact_bodies data = perp_contact_bodies_default();
    data.rows = n;
    data.bodies = bodies_;
    data.body = body_.data();
    data.J = J_.data();
    data.Minv = Minv_.data();
    data.C_diagonal = C_.data();
    const perp_error error = A_ ? perp_operator_contact_bodies_replace(A_, &data, PERP_BORROW, why)
                                : perp_operator_contact_bodies(&data, PERP_BORROW, &A_, why);
    if (error == PERP_OK)
      madeOf_ = body_;
    else
      madeOf_.clear();
    madeBodies_ = bodies_;
    arrays_ = arrays;
    return error;
  }

  /* Bullet starts contacts with a share of their last impulse, friction mostly with 0 and joints with
   * 0: right for sweeps that end before they converge. A solve starts best from the whole last
   * solution, which the points of the manifolds have. */
  void startFromPoints(bool twoDirections)
  {
    const auto contacts = static_cast<std::size_t>(m_tmpSolverContactConstraintPool.size());
    const auto first = static_cast<std::size_t>(m_tmpSolverNonContactConstraintPool.size());
    const std::size_t friction = first + contacts;
    for (std::size_t i = first; i < friction; i++) {
      const auto *point = static_cast<const btManifoldPoint *>(rows_[i]->m_originalContactPoint);
      const std::size_t lateral = friction + static_cast<std::size_t>(rows_[i]->m_frictionIndex);
      if (!point)
        continue;
      start(i, point->m_appliedImpulse);
      if (lateral < rows_.size())
        start(lateral, point->m_appliedImpulseLateral1);
      if (twoDirections && lateral + 1 < rows_.size())
        start(lateral + 1, point->m_appliedImpulseLateral2);
    }
  }

  /* Contact points store impulses as floats, which is too coarse for 1e-8. If the last step has a row
   * whose impulse rounds to this float, the row starts from the impulse in double precision. */
  void start(std::size_t row, btScalar impulse)
  {
    const std::size_t at = now_.size() + row;
    const bool known = at < before_.size() && static_cast<btScalar>(before_[at]) == impulse;
    engine_.x[row] = known ? before_[at] : static_cast<double>(impulse);
  }

  /* Appends the impulses of this island to the impulses of the earlier islands. */
  void keep()
  {
    if (stepping_)
      now_.insert(now_.end(), engine_.x.begin(), engine_.x.end());
  }

  /* Adds Minv J^T x to the velocities of the bodies: the effect of all impulses of this step, including
   * the warm start. */
  void apply(bool made)
  {
    v_.assign(static_cast<std::size_t>(bodies_) * 6, 0);
    if (made)
      perp_contact_velocities(A_, nullptr, engine_.x.data(), v_.data(), nullptr);
    for (std::size_t i = 0; i < rows_.size(); i++)
      rows_[i]->m_appliedImpulse = static_cast<btScalar>(engine_.x[i]);
    for (std::size_t k = 0; k < number_.size(); k++) {
      if (number_[k] < 0)
        continue;
      const double *v = v_.data() + 6 * static_cast<std::size_t>(number_[k]);
      btSolverBody &body = m_tmpSolverBodyPool[static_cast<int>(k)];
      body.internalGetDeltaLinearVelocity() = vector(v, 1 / unit_);
      body.internalGetDeltaAngularVelocity() = vector(v + 3, 1 / unit_);
    }
  }

  static btVector3 vector(const double *v, double factor)
  {
    return btVector3(static_cast<btScalar>(factor * v[0]), static_cast<btScalar>(factor * v[1]),
                     static_cast<btScalar>(factor * v[2]));
  }

  EngineSolver engine_;
  perp_operator *A_ = nullptr;
  std::vector<btSolverConstraint *> rows_;
  std::vector<int> normal_; /* the row of its contact for a friction row, else -1 */
  int firstRolling_ = 0;    /* first row of rolling friction; the number of rows if there is none */
  std::vector<int> number_; /* of each solver body among the moving bodies; -1: none yet */
  int bodies_ = 0;
  std::vector<double> J_, Minv_, C_, v_; /* Minv and C times unit_ */
  std::vector<bool> locked_;             /* of each body: Minv has a 0 in its diagonal */
  double unit_ = 1;                      /* of the impulses: EngineSolver::unitFor */
  std::vector<int> body_;
  std::vector<int> madeOf_; /* body_, when A was made; empty: A has no data */
  int madeBodies_ = 0;
  std::array<const void *, 4> arrays_ = {};
  std::vector<double> before_, now_; /* impulses of all islands, of the last step and of this one */
  bool stepping_ = false;
};

} // namespace perp
