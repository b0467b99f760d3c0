/* perp/engine.hpp: the common part of the adapters for physics engines: one solver, its statistics and
 * its records of steps that were not solved
 *
 * Engines write A x = b + w and perp writes y = A x + b: the adapters change the sign of b. An
 * invalid step (NaN, lo > hi, a friction index out of range) is refused, with x = 0; a step that is not
 * solved to the tolerance keeps the best x. Both are counted, the last message is kept, and `record`
 * writes unsolved steps as folders for `perp replay`. */
#pragma once

#include <perp/perp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace perp
{

struct EngineSettings {
  std::string method = "auto";
  double tol = 1e-8;    /* natural residual, relative to max |b_i| */
  double timeLimit = 0; /* seconds for a step; 0: none */
  std::string record;   /* folder for steps that are not solved; empty: none is kept */
  bool fallback =
      false; /* a step that is not solved goes to the engine's own solver, if it has one */
  double staticFriction = 1; /* mu of contacts at rest / their mu in motion, >= 1 */
};

struct EngineStatistics {
  std::int64_t steps = 0;    /* solves asked for */
  std::int64_t solved = 0;   /* to the tolerance, by the driver's check */
  std::int64_t refused = 0;  /* problems that are wrong */
  std::int64_t recorded = 0; /* folders written to `record` */
  int mostRows = 0;
  double worst = 0; /* largest relative residual of a step that was not refused */
  double seconds = 0;
  std::string last; /* message of the last step that was not solved */
};

/* Solves the problems of one engine, one after another; for one thread at a time. */
class EngineSolver
{
public:
  explicit EngineSolver(EngineSettings settings = {}) : settings_(std::move(settings))
  {
    if (!(settings_.tol >= 0) || std::isinf(settings_.tol))
      throw std::invalid_argument("tol = " + std::to_string(settings_.tol) +
                                  " must be finite and >= 0");
    if (!(settings_.timeLimit >= 0))
      throw std::invalid_argument("timeLimit = " + std::to_string(settings_.timeLimit) +
                                  " must be >= 0 seconds");
    if (!(settings_.staticFriction >= 1) || std::isinf(settings_.staticFriction))
      throw std::invalid_argument("staticFriction = " + std::to_string(settings_.staticFriction) +
                                  " must be finite and >= 1: mu at rest / mu in motion");
    solver_ = make(settings_.method.c_str());
    for (std::size_t k = 0; k < first_.size() && settings_.method == "auto"; k++)
      first_[k] = make(trials_[k]);
    recorder_ =
        perp_recorder_default(settings_.record.empty() ? nullptr : settings_.record.c_str());
  }

  EngineSolver(const EngineSolver &) = delete;
  EngineSolver &operator=(const EngineSolver &) = delete;
  ~EngineSolver()
  {
    perp_operator_destroy(dense_);
  }

  /* For the parameters of the method. */
  perp_solver *solver() const
  {
    return solver_.get();
  }
  const EngineSettings &settings() const
  {
    return settings_;
  }
  const EngineStatistics &statistics() const
  {
    return statistics_;
  }
  void clearStatistics()
  {
    statistics_ = {};
  }

  /* The dense problem of n rows in the arrays below; true if it is solved. x is the start on entry,
   * 0 if one of its numbers is not finite. */
  bool solveDense(int n)
  {
    perp_message why;
    const bool same = dense_ && perp_operator_size(dense_) == n && denseOf_ == entries.data();
    if (!same) {
      perp_operator_destroy(dense_);
      dense_ = nullptr;
      denseOf_ = entries.data();
    }
    const double unit = unitFor(stiffest(n));
    multiply(entries, unit);
    const perp_error error =
        same ? perp_operator_refresh(dense_, &why)
             : perp_operator_dense(n, entries.data(), n, PERP_BORROW, &dense_, &why);
    const bool solved = error == PERP_OK ? solve(dense_, n, unit) : refuse(n, why.text, error);
    multiply(entries, 1 / unit);
    return solved;
  }

  /* The unit of impulses for rows whose largest diagonal entry is this. The tolerance is one number
   * for impulses and velocities: an impulse below it counts as 0, however fast the body becomes that
   * it hits. In the engine's own unit these are all impulses on bodies of a milligram. So from bodies
   * of a gram down the largest entry is brought near 1: by a power of two, which rounds nothing. */
  static double unitFor(double stiffest)
  {
    return stiffest > 1024 && std::isfinite(stiffest) ? std::exp2(-std::ilogb(stiffest)) : 1;
  }

  static void multiply(std::vector<double> &values, double factor)
  {
    if (factor != 1)
      for (double &value : values)
        value *= factor;
  }

  /* The problem with that operator and the vectors below. With `auto`, contacts with friction are first
   * given to the methods of `trials_`: these work in the velocities of the bodies, and with the start
   * that an engine has they take a few steps on most frames. `matrix` is A times `unit` (unitFor). */
  bool solve(const perp_operator *matrix, int n, double unit = 1)
  {
    for (double &value : x)
      if (!std::isfinite(value))
        value = 0;
    measureBy(1 / unit);
    const bool solved =
        settings_.staticFriction > 1 ? solveHeld(matrix, n) : solveMeasured(matrix, n);
    measureBy(unit);
    return solved;
  }

  /* Returns the natural residual of any x, relative to max |b|; NaN if there is none. */
  double residual(const perp_operator *matrix, double unit = 1)
  {
    measureBy(1 / unit);
    const perp_set K = set();
    const perp_problem problem = perp_problem_product(matrix, b.data(), &K);
    double found = 0, scale = 1;
    const perp_error error = perp_problem_judge(&problem, x.data(), &found, &scale, nullptr);
    measureBy(unit);
    return error == PERP_OK ? found / scale : std::nan("");
  }

  /* Counts a step that is not a valid problem; x = 0. */
  bool refuse(int n, const char *why, perp_error error = PERP_ERROR_PROBLEM)
  {
    count(n);
    refusal_ = error;
    statistics_.refused++;
    statistics_.last = std::string("refused: ") + why;
    std::fill(x.begin(), x.end(), 0);
    return false;
  }

  /* Why the last step was refused: PERP_ERROR_PROBLEM if its numbers are wrong; PERP_OK if it was not. */
  perp_error refusal() const
  {
    return refusal_;
  }

  /* Sets the start for engines that give none: the last solution with the same number of rows, which is
   * near the next one in a scene at rest. */
  void startFromLast(int n)
  {
    const auto last = findLast(n);
    if (last != last_.end())
      x = *last;
  }
  void keepLast(int n)
  {
    auto last = findLast(n);
    if (last == last_.end() && last_.size() < LAST)
      last = last_.emplace(last_.end());
    else if (last == last_.end())
      --last;
    *last = x;
    std::rotate(last_.begin(), last, last + 1);
  }

  /* n rows: x >= 0, b = 0, a start of 0. The entries of a dense A are left for the caller to fill. */
  void resize(int n, bool dense)
  {
    const auto rows = static_cast<std::size_t>(n);
    if (dense)
      entries.resize(rows * rows);
    b.assign(rows, 0);
    lo.assign(rows, 0);
    hi.assign(rows, HUGE_VAL);
    x.assign(rows, 0);
    findex.assign(rows, -1);
    rolling.clear();
    mu.clear();
  }

  std::vector<double> entries; /* of a dense A, row major */
  std::vector<double> b, lo, hi, x;
  std::vector<int> findex;
  std::vector<int> rolling; /* rows with a friction index that do not slide, ascending */
  std::vector<double> mu;   /* of Coulomb cones, in the first three rows for each */

private:
  enum { TRIAL = 100 }; /* iteration limit of each of the methods below */
  enum { LAST = 32 };   /* the most solutions kept, one for each number of rows */
  static constexpr std::array<const char *, 2> trials_ = {{"alm", "ipm"}};

  /* The largest diagonal entry of a dense A. */
  double stiffest(int n) const
  {
    const auto rows = static_cast<std::size_t>(n);
    double largest = 0;
    for (std::size_t i = 0; i < rows; i++)
      largest = std::max(largest, entries[i * rows + i]);
    return largest;
  }

  perp_set set() const
  {
    perp_set K = perp_set_default(static_cast<int>(x.size()));
    K.lo = lo.data();
    K.hi = hi.data();
    K.findex = findex.data();
    K.mu = mu.data();
    K.cones = static_cast<int>(mu.size());
    return K;
  }

  /* Impulses and their bounds times the factor; the bounds of friction are multiples of an impulse. */
  void measureBy(double factor)
  {
    if (factor == 1)
      return;
    for (std::size_t i = 0; i < x.size(); i++) {
      x[i] *= factor;
      lo[i] *= findex[i] < 0 ? factor : 1;
      hi[i] *= findex[i] < 0 ? factor : 1;
    }
  }

  /* Static friction. All contacts first hold by mu at rest. If some slide at the end of the step they
   * have broken loose: the step is solved again with their mu, until no other one breaks. So a contact
   * is at rest if mu at rest can stop it within the step. */
  bool solveHeld(const perp_operator *matrix, int n)
  {
    held_.assign(x.size(), 0);
    for (std::size_t c = 0; c < mu.size(); c++)
      held_[3 * c] = 1;
    for (std::size_t i = 0; i < findex.size(); i++)
      if (slides(i))
        held_[static_cast<std::size_t>(findex[i])] = 1;
    hold(1, settings_.staticFriction);
    const double begin = statistics_.seconds;
    while (solveMeasured(matrix, n, statistics_.seconds - begin)) {
      if (!breakLoose(matrix))
        return true;
      statistics_.steps--; /* one step, however often it is solved */
      statistics_.solved--;
    }
    return false;
  }

  /* Returns true if the row is one of sliding friction by index. */
  bool slides(std::size_t i) const
  {
    return findex[i] >= 0 && findex[i] < static_cast<int>(findex.size()) &&
           !std::binary_search(rolling.begin(), rolling.end(), static_cast<int>(i));
  }

  /* Multiplies the coefficients of the contacts in this state. */
  void hold(int state, double factor)
  {
    for (std::size_t c = 0; c < mu.size(); c++)
      mu[c] *= held_[3 * c] == state ? factor : 1;
    for (std::size_t i = 0; i < findex.size(); i++)
      if (slides(i) && held_[static_cast<std::size_t>(findex[i])] == state) {
        lo[i] *= factor;
        hi[i] *= factor;
      }
  }

  /* Gives the contacts that are held (state 1) and slide faster than the solve is exact their mu.
   * Returns false if there is none. */
  bool breakLoose(const perp_operator *matrix)
  {
    enum { BREAKING = 2 };
    slip_.resize(x.size() + perp_operator_scratch(matrix));
    if (perp_operator_apply(matrix, x.data(), slip_.data(), slip_.data() + x.size(), nullptr) !=
        PERP_OK)
      return false;
    double scale = 0;
    for (std::size_t i = 0; i < x.size(); i++) {
      slip_[i] += b[i];
      scale = std::max(scale, std::fabs(b[i]));
    }
    const double least = 100 * settings_.tol * scale;
    bool some = false;
    const auto look = [&](std::size_t normal, std::size_t row) {
      if (held_[normal] && x[normal] > 0 && std::fabs(slip_[row]) > least) {
        held_[normal] = BREAKING;
        some = true;
      }
    };
    for (std::size_t c = 0; c < mu.size(); c++) {
      look(3 * c, 3 * c + 1);
      look(3 * c, 3 * c + 2);
    }
    for (std::size_t i = 0; i < findex.size(); i++)
      if (slides(i))
        look(static_cast<std::size_t>(findex[i]), i);
    hold(BREAKING, 1 / settings_.staticFriction);
    std::replace(held_.begin(), held_.end(), static_cast<int>(BREAKING), 0);
    return some;
  }

  /* earlier: seconds that other solves of this step took */
  bool solveMeasured(const perp_operator *matrix, int n, double earlier = 0)
  {
    const perp_set K = set();
    const perp_problem problem = perp_problem_product(matrix, b.data(), &K);
    perp_options options = perp_options_default();
    options.tol = settings_.tol;
    /* The share of the whole time; at least a little, for the best iterate to be judged. */
    const auto limit = [&](double share, double spent) {
      if (settings_.timeLimit > 0)
        options.time_limit = std::max(share * settings_.timeLimit - earlier - spent, 1e-9);
    };
    perp_result result = perp_result_empty();
    double spent = 0;
    const bool tried =
        matrix != dense_ && std::any_of(findex.begin(), findex.end(), [](int j) { return j >= 0; });
    for (std::size_t k = 0; tried && k < first_.size() && first_[k]; k++) {
      options.max_iterations = TRIAL;
      limit(0.5, spent);
      const perp_error error =
          perp_solver_solve(first_[k].get(), &problem, &options, x.data(), &result);
      spent += result.seconds;
      if (error == PERP_OK && result.outcome == PERP_SOLVED)
        return accept(n, result, spent);
    }
    limit(1, spent);
    options.max_iterations = 0;
    const perp_error error = perp_solver_solve_recorded(solver_.get(), &problem, &options, x.data(),
                                                        &result, &recorder_);
    if (error != PERP_OK)
      return refuse(n, result.message.text, error);
    const bool solved = accept(n, result, spent + result.seconds);
    if (!solved)
      tellOfRecord();
    return solved;
  }

  /* Counts a step that was carried out; true if it is solved. */
  bool accept(int n, const perp_result &result, double seconds)
  {
    count(n);
    refusal_ = PERP_OK;
    statistics_.seconds += seconds;
    statistics_.worst = std::max(statistics_.worst, result.relative_residual);
    if (result.outcome == PERP_SOLVED) {
      statistics_.solved++;
      return true;
    }
    statistics_.last = std::string(perp_outcome_name(result.outcome)) + ": " + result.message.text;
    return false;
  }

  /* A folder that cannot be written must not be silent: who asks for records looks for them. */
  void tellOfRecord()
  {
    if (recorder_.written == statistics_.recorded && !settings_.record.empty())
      statistics_.last += std::string("; not recorded: ") + recorder_.last.text;
    statistics_.recorded = recorder_.written;
  }

  void count(int n)
  {
    statistics_.steps++;
    statistics_.mostRows = std::max(statistics_.mostRows, n);
  }

  std::vector<std::vector<double>>::iterator findLast(int n)
  {
    return std::find_if(last_.begin(), last_.end(), [n](const std::vector<double> &one) {
      return one.size() == static_cast<std::size_t>(n);
    });
  }

  struct Destroy {
    void operator()(perp_solver *solver) const
    {
      perp_solver_destroy(solver);
    }
  };

  using Solver = std::unique_ptr<perp_solver, Destroy>;

  static Solver make(const char *method)
  {
    perp_message why;
    perp_solver *solver = nullptr;
    const perp_error error = perp_solver_create(method, &solver, &why);
    if (error == PERP_ERROR_MEMORY)
      throw std::bad_alloc();
    if (error != PERP_OK)
      throw std::invalid_argument(why.text);
    return Solver(solver);
  }

  EngineSettings settings_;
  EngineStatistics statistics_;
  perp_error refusal_ = PERP_OK;
  Solver solver_;
  std::array<Solver, trials_.size()> first_; /* of `trials_`; null unless the method is auto */
  perp_operator *dense_ = nullptr;           /* on `entries`, kept from step to step */
  const double *denseOf_ = nullptr;
  perp_recorder recorder_;
  std::vector<int> held_;    /* of the normal row of each contact: 1 if it has mu at rest */
  std::vector<double> slip_; /* A x + b, then scratch */
  std::vector<std::vector<double>> last_; /* each of another number of rows, the newest first */
};

} // namespace perp
