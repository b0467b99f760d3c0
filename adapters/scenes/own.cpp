/* own.cpp: the scenes of many bodies in perp's own simulator, with 16 ms for a solve. By default the simulator
 * leaves an overlap of a millimetre alone (slop); here none. */
#include "scenes/world.hpp"

#include <perp/simulate.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace
{

using namespace scenes;

class OwnWorld : public World
{
public:
  explicit OwnWorld(const char *method) : method_(method)
  {
  }
  ~OwnWorld() override
  {
    perp_simulation_destroy(simulation_);
  }

  bool play(const char *scene) override
  {
    perp_message why;
    perp_options options = perp_options_default();
    options.tol = 1e-6;
    options.time_limit = 0.016;
    const std::string all = std::string(scene) + ",friction=cone,slop=0";
    if (perp_simulation_create(all.c_str(), method_, &options, &simulation_, &why) != PERP_OK) {
      std::fprintf(stderr, "%s: %s\n", all.c_str(), why.text);
      std::exit(2);
    }
    look();
    return true;
  }

  void create(const Body &) override
  {
  }
  void link(int, int, Vec) override
  {
  }
  void force(int, Vec) override
  {
  }

  void step(double) override
  {
    perp_message why;
    if (perp_simulation_step(simulation_, &last_, &why) != PERP_OK) {
      std::fprintf(stderr, "%s\n", why.text);
      std::exit(2);
    }
    look();
    solves_ += last_.rows > 0;
    unsolved_ += last_.rows > 0 && last_.outcome != PERP_SOLVED;
    if (last_.rows > 0)
      worst_ = std::max(worst_, last_.relative_residual);
  }

  /* Velocities are not shown. */
  State state(int body) const override
  {
    const double *p = view_.pose + body * (view_.dimension == 2 ? 3 : 7);
    if (view_.dimension == 2) /* y is up, and turns from x to y are turns from x to z */
      return {{p[0], 0, p[1]}, aboutY(-p[2]), {}, {}};
    return {{p[0], p[1], p[2]}, {p[3], p[4], p[5], p[6]}, {}, {}};
  }
  int contacts() const override
  {
    return last_.contacts;
  }
  double overlap() const override
  {
    return last_.penetration;
  }
  std::int64_t solves() const override
  {
    return solves_;
  }
  std::int64_t unsolved() const override
  {
    return unsolved_;
  }
  double residual() const override
  {
    return worst_;
  }

private:
  void look()
  {
    perp_simulation_view(simulation_, &view_);
  }

  const char *method_;
  perp_simulation *simulation_ = nullptr;
  perp_step last_ = {};
  perp_view view_ = {};
  std::int64_t solves_ = 0, unsolved_ = 0;
  double worst_ = -1;
};

std::unique_ptr<World> automatic()
{
  return std::make_unique<OwnWorld>("auto");
}
std::unique_ptr<World> sweeps()
{
  return std::make_unique<OwnWorld>("nncg");
}

} // namespace

namespace scenes
{

const char *const engine = "perp";
const std::vector<Solver> solvers = {
    {"perp, 16 ms", true, automatic, "", Crowds::Only},
    {"perp, nncg, 16 ms", true, sweeps, "", Crowds::Only},
};

} // namespace scenes
