/* perp/simbody.hpp: perp as the impulse solver of Simbody's SemiExplicitEulerTimeStepper
 *
 *   SimTK::SemiExplicitEulerTimeStepper stepper(system);
 *   auto *solver = new perp::SimbodySolver();        // the stepper owns it
 *   stepper.setImpulseSolver(solver);
 *   stepper.initialize(state);
 *
 * Simbody asks for the impulses pi of the participating rows in
 *
 *   (A + D) pi = rhs,   rhs = verrStart + verrApplied - (A + D) piExpand
 *
 * with one law for each kind of row: unconditional ones are equations; a contact has
 * sign pi <= 0; a motor has lb <= pi <= ub; friction is limited by mu times the normal impulse,
 * which may be unknown, or known from an expansion or from the state. Here friction is a box of two
 * directions whose size follows the normal impulse of the solution. What cannot be written so
 * (friction limited by the norm of several multipliers, or by an unknown impulse on top of a known
 * one) is refused, and the settings say whether Simbody's own PGS solver then takes over. */
#pragma once

#include <perp/engine.hpp>

#include <SimTKsimbody.h>

namespace perp
{

class SimbodySolver : public SimTK::ImpulseSolver
{
public:
  explicit SimbodySolver(EngineSettings settings = {})
      : ImpulseSolver(1e-3, settings.tol, 100), engine_(std::move(settings)), own_(1e-3)
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

  bool solve(int phase, const SimTK::Array_<SimTK::MultiplierIndex> &participating,
             const SimTK::Matrix &A, const SimTK::Vector &D,
             const SimTK::Array_<SimTK::MultiplierIndex> &expanding, SimTK::Vector &piExpand,
             SimTK::Vector &verrStart, SimTK::Vector &verrApplied, SimTK::Vector &pi,
             SimTK::Array_<UncondRT> &unconditional, SimTK::Array_<UniContactRT> &contacts,
             SimTK::Array_<UniSpeedRT> &speeds, SimTK::Array_<BoundedRT> &bounded,
             SimTK::Array_<ConstraintLtdFrictionRT> &byConstraints,
             SimTK::Array_<StateLtdFrictionRT> &byState) const override
  {
    ++m_nSolves[phase];
    std::string wrong = mismatch(participating, A, D, verrStart.size());
    const int m = A.nrow();
    if (wrong.empty() && verrApplied.size() != 0)
      wrong = shortOf("verrApplied", verrApplied.size(), m);
    if (wrong.empty())
      wrong = shortOf("piExpand", piExpand.size(), m);
    if (wrong.empty())
      wrong = strangers(m, contacts, speeds, bounded, byConstraints, byState);
    if (!wrong.empty())
      return giveUp(wrong, participating, m, pi);
    SimTK::Vector rhs = verrStart;
    if (verrApplied.size() > 0)
      rhs += verrApplied;
    if (!expanding.empty())
      rhs -= A * piExpand + scaled(D, piExpand);
    read(participating, A, D, rhs);
    wrong = bindContacts(contacts, piExpand);
    for (const UniSpeedRT &row : speeds)
      bindSign(row.m_ix, row.m_sign);
    for (const BoundedRT &row : bounded)
      bind(row.m_ix, row.m_lb, row.m_ub);
    for (const StateLtdFrictionRT &rows : byState)
      for (const SimTK::MultiplierIndex row : rows.m_Fk)
        bind(row, -rows.m_effMu * rows.m_knownN, rows.m_effMu * rows.m_knownN);
    for (const ConstraintLtdFrictionRT &rows : byConstraints) {
      if (rows.m_Nk.size() != 1)
        wrong = "friction limited by " + std::to_string(rows.m_Nk.size()) + " multipliers";
      else if (place_[static_cast<std::size_t>(rows.m_Nk[0])] < 0)
        wrong = absent(rows.m_Nk[0]);
      else
        for (const SimTK::MultiplierIndex row : rows.m_Fk)
          follow(row, rows.m_Nk[0], rows.m_effMu);
    }
    const bool solved = carryOut(wrong);
    if (!solved) {
      ++m_nFail[phase];
      if (handsOver(wrong))
        return own_.solve(phase, participating, A, D, expanding, piExpand, verrStart, verrApplied,
                          pi, unconditional, contacts, speeds, bounded, byConstraints, byState);
    }
    write(participating, A.nrow(), pi);
    tell(contacts, pi);
    verrStart = rhs - A * pi - scaled(D, pi);
    return solved;
  }

  bool solveBilateral(const SimTK::Array_<SimTK::MultiplierIndex> &participating,
                      const SimTK::Matrix &A, const SimTK::Vector &D, const SimTK::Vector &rhs,
                      SimTK::Vector &pi) const override
  {
    ++m_nBilateralSolves;
    const std::string wrong = mismatch(participating, A, D, rhs.size());
    if (!wrong.empty())
      return giveUp(wrong, participating, A.nrow(), pi);
    read(participating, A, D, rhs);
    square();
    const bool solved = carryOut("");
    if (!solved) {
      ++m_nBilateralFail;
      if (handsOver(""))
        return own_.solveBilateral(participating, A, D, rhs, pi);
    }
    write(participating, A.nrow(), pi);
    return solved;
  }

private:
  static std::string shortOf(const char *name, int rows, int m)
  {
    return rows == m
               ? ""
               : std::string(name) + " ends before row " + std::to_string(std::min(rows, m)) +
                     ": it has " + std::to_string(rows) + " rows and A has " + std::to_string(m);
  }

  static std::string outside(const char *what, int row, int m)
  {
    return row >= 0 && row < m ? ""
                               : std::string(what) + " names row " + std::to_string(row) + " of " +
                                     std::to_string(m);
  }

  /* Not empty: which argument does not fit A, by its length or by a row that A has not. D may be
   * empty. */
  static std::string mismatch(const SimTK::Array_<SimTK::MultiplierIndex> &participating,
                              const SimTK::Matrix &A, const SimTK::Vector &D, int rhs)
  {
    const int m = A.nrow();
    if (A.ncol() != m)
      return "A has " + std::to_string(m) + " rows and " + std::to_string(A.ncol()) + " columns";
    if (D.size() > 0 && D.size() != m)
      return shortOf("D", D.size(), m);
    std::vector<bool> seen(static_cast<std::size_t>(m), false);
    for (const SimTK::MultiplierIndex row : participating) {
      const std::string wrong = outside("the list of participating rows", row, m);
      if (!wrong.empty())
        return wrong;
      if (seen[static_cast<std::size_t>(row)])
        return "row " + std::to_string(row) + " takes part twice";
      seen[static_cast<std::size_t>(row)] = true;
    }
    return shortOf("the right-hand side", rhs, m);
  }

  /* Not empty: a law for a row that A has not. */
  static std::string strangers(int m, const SimTK::Array_<UniContactRT> &contacts,
                               const SimTK::Array_<UniSpeedRT> &speeds,
                               const SimTK::Array_<BoundedRT> &bounded,
                               const SimTK::Array_<ConstraintLtdFrictionRT> &byConstraints,
                               const SimTK::Array_<StateLtdFrictionRT> &byState)
  {
    std::string wrong;
    const auto look = [&wrong, m](const char *what, int row) {
      if (wrong.empty())
        wrong = outside(what, row, m);
    };
    const auto lookAtAll = [&look](const char *what, const auto &rows) {
      for (const SimTK::MultiplierIndex row : rows)
        look(what, row);
    };
    for (const UniContactRT &contact : contacts) {
      look("a contact", contact.m_Nk);
      lookAtAll("the friction of a contact", contact.m_Fk);
    }
    for (const UniSpeedRT &row : speeds)
      look("a limit of speed", row.m_ix);
    for (const BoundedRT &row : bounded)
      look("a bounded row", row.m_ix);
    for (const ConstraintLtdFrictionRT &rows : byConstraints) {
      lookAtAll("friction", rows.m_Fk);
      lookAtAll("a limit of friction", rows.m_Nk);
    }
    for (const StateLtdFrictionRT &rows : byState)
      lookAtAll("friction", rows.m_Fk);
    return wrong;
  }

  /* Refuses data that cannot be read. Does not pass them on: Simbody's own solver would read them too. */
  bool giveUp(const std::string &wrong, const SimTK::Array_<SimTK::MultiplierIndex> &participating,
              int m, SimTK::Vector &pi) const
  {
    engine_.resize(static_cast<int>(participating.size()), false);
    engine_.refuse(static_cast<int>(participating.size()), wrong.c_str());
    pi.resize(m);
    pi.setToZero();
    return false;
  }

  /* Simbody's own solver ends the program at a NaN or at inverted bounds: it gets what ours cannot
   * write or does not solve, and no numbers that are wrong. */
  bool handsOver(const std::string &wrong) const
  {
    return engine_.settings().fallback &&
           (!wrong.empty() || engine_.refusal() != PERP_ERROR_PROBLEM);
  }

  static std::string absent(int row)
  {
    return "a friction row has normal row " + std::to_string(row) + ", which is not active";
  }

  /* D pi; nothing if D is empty. */
  static SimTK::Vector scaled(const SimTK::Vector &D, const SimTK::Vector &pi)
  {
    SimTK::Vector product(pi.size(), 0.0);
    for (int i = 0; i < D.size(); i++)
      product[i] = D[i] * pi[i];
    return product;
  }

  /* A + D and -rhs of the participating rows, all of them free. */
  void read(const SimTK::Array_<SimTK::MultiplierIndex> &participating, const SimTK::Matrix &A,
            const SimTK::Vector &D, const SimTK::Vector &rhs) const
  {
    const auto n = static_cast<std::size_t>(participating.size());
    engine_.resize(static_cast<int>(n), true);
    place_.assign(static_cast<std::size_t>(A.nrow()), -1);
    for (std::size_t i = 0; i < n; i++) {
      const int row = participating[static_cast<unsigned>(i)];
      place_[static_cast<std::size_t>(row)] = static_cast<int>(i);
      for (std::size_t j = 0; j <= i; j++) {
        const int column = participating[static_cast<unsigned>(j)];
        engine_.entries[i * n + j] = engine_.entries[j * n + i] = A(row, column);
      }
      if (D.size() > 0)
        engine_.entries[i * n + i] += D[row];
      engine_.b[i] = -rhs[row];
      engine_.lo[i] = -HUGE_VAL;
      engine_.hi[i] = HUGE_VAL;
    }
  }

  /* Rows that hold each other twice seldom agree to the last digit, and then no pi solves them all:
   * the one with the least error, S^2 pi = S rhs with S = A + D, always exists. */
  void square() const
  {
    const std::size_t n = engine_.b.size();
    const std::vector<double> S = engine_.entries, b = engine_.b;
    for (std::size_t i = 0; i < n; i++) {
      engine_.b[i] = 0;
      for (std::size_t k = 0; k < n; k++)
        engine_.b[i] += S[i * n + k] * b[k];
      for (std::size_t j = 0; j <= i; j++) {
        double sum = 0;
        for (std::size_t k = 0; k < n; k++)
          sum += S[i * n + k] * S[k * n + j];
        engine_.entries[i * n + j] = engine_.entries[j * n + i] = sum;
      }
    }
  }

  void bind(int row, double lo, double hi) const
  {
    const int i = place_[static_cast<std::size_t>(row)];
    if (i < 0)
      return;
    engine_.lo[static_cast<std::size_t>(i)] = lo;
    engine_.hi[static_cast<std::size_t>(i)] = hi;
  }

  void bindSign(int row, double sign) const
  {
    bind(row, sign > 0 ? -HUGE_VAL : 0, sign > 0 ? 0 : HUGE_VAL);
  }

  void follow(int row, int normal, double mu) const
  {
    const int i = place_[static_cast<std::size_t>(row)];
    bind(row, -mu, mu);
    if (i >= 0)
      engine_.findex[static_cast<std::size_t>(i)] = place_[static_cast<std::size_t>(normal)];
  }

  /* Not empty: why the contacts cannot be written as friction indices. */
  std::string bindContacts(const SimTK::Array_<UniContactRT> &contacts,
                           const SimTK::Vector &piExpand) const
  {
    std::string wrong;
    for (const UniContactRT &contact : contacts) {
      const double known = std::fabs(piExpand[contact.m_Nk]);
      if (contact.m_type == Participating)
        bindSign(contact.m_Nk, contact.m_sign);
      if (contact.m_type == Observing || !contact.hasFriction())
        continue;
      if (contact.m_type == Participating && known > 0)
        wrong = "the normal impulse of row " + std::to_string(contact.m_Nk) +
                " is known in part, and unknown in part";
      if (contact.m_type == Participating && place_[static_cast<std::size_t>(contact.m_Nk)] < 0)
        wrong = absent(contact.m_Nk);
      for (const SimTK::MultiplierIndex row : contact.m_Fk)
        if (contact.m_type == Participating)
          follow(row, contact.m_Nk, contact.m_effMu);
        else
          bind(row, -contact.m_effMu * known, contact.m_effMu * known);
    }
    return wrong;
  }

  bool carryOut(const std::string &wrong) const
  {
    const int n = static_cast<int>(engine_.b.size());
    if (n == 0)
      return true;
    if (!wrong.empty())
      return engine_.refuse(n, wrong.c_str());
    engine_.startFromLast(n);
    const bool solved = engine_.solveDense(n);
    engine_.keepLast(n);
    return solved;
  }

  void write(const SimTK::Array_<SimTK::MultiplierIndex> &participating, int m,
             SimTK::Vector &pi) const
  {
    pi.resize(m);
    pi.setToZero();
    for (unsigned i = 0; i < participating.size(); i++)
      pi[participating[i]] = engine_.x[i];
  }

  /* Sets the results that the time stepper reads of the contacts. */
  void tell(SimTK::Array_<UniContactRT> &contacts, const SimTK::Vector &pi) const
  {
    for (UniContactRT &contact : contacts) {
      if (contact.m_type == Participating)
        contact.m_contactCond = pi[contact.m_Nk] != 0 ? UniActive : UniOff;
      if (contact.m_type == Observing || !contact.hasFriction())
        continue;
      contact.m_frictionCond = Rolling;
      for (const SimTK::MultiplierIndex row : contact.m_Fk) {
        const int at = place_[static_cast<std::size_t>(row)];
        if (at < 0)
          continue;
        const auto i = static_cast<std::size_t>(at);
        const double scale = engine_.findex[i] >= 0 ? std::fabs(pi[contact.m_Nk]) : 1;
        if (std::fabs(pi[row]) >= engine_.hi[i] * scale)
          contact.m_frictionCond = Impending;
      }
    }
  }

  mutable EngineSolver engine_;
  mutable std::vector<int> place_; /* of a multiplier among the participating ones; -1: none */
  SimTK::PGSImpulseSolver own_;
};

} // namespace perp
