/* mujoco.cpp: the scenes of many bodies in MuJoCo, with its Newton's method and conjugate gradients, and ours */
#include "scenes/settings.hpp"
#include "scenes/world.hpp"

#include <perp/mujoco.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace
{

using namespace scenes;

/* The attributes of MuJoCo's element `option` for a solver, and whether ours makes the steps. */
struct Setting {
  const char *option;
  bool ours;
};

class MujocoWorld : public World
{
public:
  explicit MujocoWorld(const Setting &setting) : setting_(setting), perp_(perp_mj_default())
  {
    perp_.options.tol = 1e-6;
    perp_.options.time_limit = 0.016;
  }
  ~MujocoWorld() override
  {
    perp_mj_close(&perp_);
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }

  void create(const Body &body) override
  {
    std::ostringstream &xml = xml_;
    xml.precision(17);
    xml << "<body pos='" << text(body.at) << "' quat='" << body.turn[0] << ' ' << body.turn[1]
        << ' ' << body.turn[2] << ' ' << body.turn[3] << "'>";
    if (body.mass > 0 && body.planar) {
      const double inertia = 0.5 * body.mass * body.half[0] * body.half[0];
      xml << "<inertial pos='0 0 0' mass='" << body.mass << "' diaginertia='"
          << text({inertia, inertia, inertia}) << "'/><joint type='slide' axis='1 0 0'/>"
          << "<joint type='slide' axis='0 0 1'/><joint type='hinge' axis='0 1 0'/>";
    } else if (body.mass > 0) {
      xml << "<freejoint/>";
    }
    xml << "<geom friction='" << body.mu << " 0.005 0.0001' type='"
        << (body.sphere ? "sphere' size='" + std::to_string(body.half[0])
                        : "box' size='" + text(body.half))
        << "'" << (body.mass > 0 ? " mass='" + number(body.mass) + "'" : "") << "/></body>";
  }
  void link(int, int, Vec) override
  {
  }
  void force(int, Vec) override
  {
  }

  void step(double dt) override
  {
    if (!model_)
      compile(dt);
    if (setting_.ours)
      perp_mj_step(model_, data_, &perp_);
    else
      mj_step(model_, data_);
    if (setting_.ours && perp_.rows > 0) {
      solves_++;
      unsolved_ += perp_.result.outcome != PERP_SOLVED;
      worst_ = std::max(worst_, perp_.result.relative_residual);
    }
  }

  State state(int body) const override
  {
    if (!model_)
      return {bodies[static_cast<std::size_t>(body)].at,
              bodies[static_cast<std::size_t>(body)].turn,
              {},
              {}};
    const mjtNum *at = data_->xpos + 3 * (body + 1), *q = data_->xquat + 4 * (body + 1);
    return {{at[0], at[1], at[2]}, {q[0], q[1], q[2], q[3]}, {}, {}};
  }
  int contacts() const override
  {
    return data_->ncon;
  }
  double overlap() const override
  {
    double most = 0;
    for (int k = 0; k < data_->ncon; k++)
      most = std::max(most, -data_->contact[k].dist);
    return most;
  }
  std::int64_t solves() const override
  {
    return setting_.ours ? solves_ : -1;
  }
  std::int64_t unsolved() const override
  {
    return setting_.ours ? unsolved_ : -1;
  }
  double residual() const override
  {
    return setting_.ours ? worst_ : -1;
  }

private:
  static std::string number(double value)
  {
    std::ostringstream out;
    out.precision(17);
    out << value;
    return out.str();
  }
  static std::string text(const Vec &v)
  {
    return number(v[0]) + " " + number(v[1]) + " " + number(v[2]);
  }

  /* Memory for contacts and rows, which MuJoCo 2.2 does not find out by itself. */
  std::string room() const
  {
    const bool planar = bodies.back().planar;
    const double n = static_cast<double>(bodies.size()), velocities = (planar ? 3 : 6) * n;
    const double rows = (planar ? 10 : 40) * n;
    return "<size nconmax='" + number(rows / 3) + "' njmax='" + number(rows) + "' nstack='" +
           number(3 * velocities * velocities + 200 * rows) + "'/>";
  }

  void compile(double dt)
  {
    const char *path = "scene.xml";
    const std::string all = "<mujoco><option timestep='" + number(dt) + "' " + setting_.option +
                            "/>" + room() + "<worldbody>" + xml_.str() + "</worldbody></mujoco>";
    char why[1000] = "";
    mjVFS files;
    mj_defaultVFS(&files);
    mj_makeEmptyFileVFS(&files, path, static_cast<int>(all.size()));
    std::copy(all.begin(), all.end(), static_cast<char *>(files.filedata[0]));
    model_ = mj_loadXML(path, &files, why, sizeof why);
    mj_deleteVFS(&files);
    data_ = model_ ? mj_makeData(model_) : nullptr;
    if (!data_) {
      std::fprintf(stderr, "mujoco: %s\n", why);
      std::exit(2);
    }
  }

  Setting setting_;
  std::ostringstream xml_;
  mjModel *model_ = nullptr;
  mjData *data_ = nullptr;
  perp_mj perp_;
  std::int64_t solves_ = 0, unsolved_ = 0;
  double worst_ = -1;
};

std::unique_ptr<World> newton()
{
  return std::make_unique<MujocoWorld>(Setting{"", false});
}
std::unique_ptr<World> elliptic()
{
  return std::make_unique<MujocoWorld>(Setting{"cone='elliptic' impratio='10'", false});
}
std::unique_ptr<World> gradients()
{
  return std::make_unique<MujocoWorld>(Setting{"solver='CG'", false});
}
std::unique_ptr<World> ours()
{
  return std::make_unique<MujocoWorld>(Setting{"cone='elliptic'", true});
}

} // namespace

namespace scenes
{

const char *const engine = "mujoco";
const std::vector<Solver> solvers = {
    {"newton", false, newton, "silo", Crowds::Only},
    {"newton, impratio 10", false, elliptic, "silo", Crowds::Only},
    {"cg", false, gradients, "silo", Crowds::Only},
    {"perp, 16 ms", true, ours, "silo", Crowds::Only},
};

} // namespace scenes
