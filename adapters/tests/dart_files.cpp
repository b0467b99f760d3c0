/* dart_files.cpp: worlds of files through DART's own loaders, with perp as their solver
 *
 * A table of four legs with a heavy box on it as SDF, and an arm with limits of its joints on a fixed
 * base as URDF. The loaders belong to DART; what is checked is that every step of 1,000 is solved, that
 * the box still lies on the table, and that the arm stays within its limits. */
#include "check.hpp"

#include <perp/dart.hpp>

#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/DegreeOfFreedom.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/simulation/World.hpp>
#include <dart/utils/sdf/SdfParser.hpp>
#include <dart/utils/urdf/DartLoader.hpp>

#include <unistd.h>

#include <fstream>

namespace
{

std::string box(const std::string &name, const std::string &pose, const std::string &size,
                double mass)
{
  const std::string geometry = "<geometry><box><size>" + size + "</size></box></geometry>";
  return "<model name='" + name + "'><pose>" + pose + "</pose><link name='link'><inertial><mass>" +
         std::to_string(mass) + "</mass></inertial><collision name='c'>" + geometry +
         "</collision></link></model>\n";
}

/* Four legs, a plate on them and a box on that, each a separate body. */
std::string sdfWorld()
{
  std::string text = "<?xml version='1.0'?>\n<sdf version='1.4'><world name='table'>\n"
                     "<physics><max_step_size>0.004</max_step_size></physics>\n"
                     "<model name='ground'><static>true</static><link name='link'>"
                     "<pose>0 0 -0.5 0 0 0</pose><collision name='c'><geometry><box>"
                     "<size>20 20 1</size></box></geometry></collision></link></model>\n";
  int leg = 0;
  for (const char *place : {"-0.4 -0.4", "0.4 -0.4", "-0.4 0.4", "0.4 0.4"})
    text +=
        box("leg" + std::to_string(leg++), std::string(place) + " 0.25 0 0 0", "0.1 0.1 0.5", 1);
  text += box("plate", "0 0 0.525 0 0 0", "1 1 0.05", 5);
  text += box("load", "0 0 0.8 0 0 0", "0.5 0.5 0.5", 200);
  return text + "</world></sdf>\n";
}

std::string link(const std::string &name, double mass)
{
  return "<link name='" + name + "'><inertial><mass value='" + std::to_string(mass) +
         "'/><inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/></inertial></link>\n";
}

std::string joint(const std::string &name, const std::string &parent, const std::string &child)
{
  return "<joint name='" + name + "' type='revolute'><parent link='" + parent + "'/><child link='" +
         child +
         "'/><origin xyz='0.5 0 0'/><axis xyz='0 1 0'/>"
         "<limit lower='-0.3' upper='0.3' effort='100' velocity='10'/></joint>\n";
}

/* An arm that gravity turns about horizontal axes until its limits hold it. */
std::string urdfArm()
{
  return "<?xml version='1.0'?>\n<robot name='arm'>\n" + link("base", 1) + link("upper", 2) +
         link("lower", 2) + joint("shoulder", "base", "upper") + joint("elbow", "upper", "lower") +
         "</robot>\n";
}

std::string write(const char *name, const std::string &text)
{
  const std::string path = std::string("/tmp/perp-") + std::to_string(getpid()) + "-" + name;
  std::ofstream(path) << text;
  return path;
}

std::shared_ptr<perp::DartSolver> use(const dart::simulation::WorldPtr &world)
{
  auto solver = std::make_shared<perp::DartSolver>();
  auto constraints = std::make_unique<dart::constraint::BoxedLcpConstraintSolver>(solver, nullptr);
  constraints->setCollisionDetector(dart::collision::DARTCollisionDetector::create());
  world->setConstraintSolver(std::move(constraints));
  world->setGravity(Eigen::Vector3d(0, 0, -9.81));
  return solver;
}

std::string say(const perp::EngineStatistics &s)
{
  return std::to_string(s.solved) + " of " + std::to_string(s.steps) + " solved " + s.last;
}

void testSdf()
{
  const std::string path = write("table.sdf", sdfWorld());
  const dart::simulation::WorldPtr world = dart::utils::SdfParser::readWorld("file://" + path);
  unlink(path.c_str());
  if (!world) {
    check("SDF", false, "DART does not read it");
    return;
  }
  const auto solver = use(world);
  for (int k = 0; k < 1000; k++)
    world->step();
  const double height =
      world->getSkeleton("load")->getBodyNode(0)->getTransform().translation().z();
  const perp::EngineStatistics &s = solver->statistics();
  check("SDF: all steps solved", s.steps >= 1000 && s.solved == s.steps, say(s));
  check("SDF: the box lies on the table", std::fabs(height - 0.8) < 0.01, std::to_string(height));
}

void testUrdf()
{
  const std::string path = write("arm.urdf", urdfArm());
  dart::utils::DartLoader loader;
  const dart::dynamics::SkeletonPtr arm = loader.parseSkeleton("file://" + path);
  unlink(path.c_str());
  if (!arm) {
    check("URDF", false, "DART does not read it");
    return;
  }
  const dart::simulation::WorldPtr world = dart::simulation::World::create();
  const auto solver = use(world);
  arm->getRootJoint()->setActuatorType(dart::dynamics::Joint::LOCKED);
  for (std::size_t k = 0; k < arm->getNumJoints(); k++)
    arm->getJoint(k)->setLimitEnforcement(true);
  world->addSkeleton(arm);
  for (int k = 0; k < 1000; k++)
    world->step();
  double most = 0;
  for (const char *name : {"shoulder", "elbow"})
    most = std::max(most, std::fabs(arm->getJoint(name)->getPosition(0)));
  const perp::EngineStatistics &s = solver->statistics();
  check("URDF: all steps solved", s.steps > 0 && s.solved == s.steps, say(s));
  check("URDF: the joints stay within their limits", most > 0.25 && most < 0.31,
        std::to_string(most));
}

} // namespace

int main()
{
  testSdf();
  testUrdf();
  return summary();
}
