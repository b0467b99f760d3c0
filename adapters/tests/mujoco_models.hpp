/* mujoco_models.hpp: models for the tests of MuJoCo; one that does not load ends the test */
#pragma once

#include "check.hpp"

#include <cstdlib>
#include <fstream>
#include <mujoco/mujoco.h>
#include <string>
#include <unistd.h>

inline std::string number(double value)
{
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

inline mjModel *loaded(const std::string &name, mjModel *m, const char *error)
{
  check(name + " loads", m != nullptr, error);
  if (!m)
    std::exit(summary());
  return m;
}

/* From the inside of a <mujoco> element. */
inline mjModel *load(const std::string &inside)
{
  char path[] = "/tmp/perp_mujoco_XXXXXX", error[500] = "";
  mjModel *m = nullptr;
  const int file = mkstemp(path);
  if (file >= 0) {
    close(file);
    std::ofstream(path) << "<mujoco>" << inside << "</mujoco>";
    m = mj_loadXML(path, nullptr, error, sizeof error);
    std::remove(path);
  }
  return loaded("model", m, error);
}

/* A robot of examples/robots. */
inline mjModel *load_robot(const std::string &name)
{
  char error[500] = "";
  const std::string path = std::string(PERP_ROBOTS "/") + name + ".xml";
  mjModel *m = mj_loadXML(path.c_str(), nullptr, error, sizeof error);
  return loaded(name, m, error);
}
