// docs/engines/mujoco.md: perp_mj_step
// flags: -lmujoco
// A box falls on the ground, by the lines of the page.
#include <mujoco/mujoco.h>

#include <cstdio>

int main()
{
  std::FILE *f = std::fopen("robot.xml", "w");
  std::fputs("<mujoco><worldbody><geom type='plane' size='1 1 .1'/><body pos='0 0 .2'><freejoint/>"
             "<geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>",
             f);
  std::fclose(f);
  char error[300];
  mjModel *m = mj_loadXML("robot.xml", nullptr, error, sizeof error);
  mjData *d = mj_makeData(m);
  // BLOCK
  const bool landed = d->qpos[2] > 0.09 && d->qpos[2] < 0.11;
  mj_deleteData(d);
  mj_deleteModel(m);
  return !landed;
}
