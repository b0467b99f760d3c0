/* ode_headless.c: the drawing library of ODE's demos without a window
 *
 * A demo draws by functions whose names begin with ds; here they do nothing. Its loop makes
 * DEMO_STEPS steps (default 500), and every tenth step presses one of the keys with which several
 * demos drop boxes, spheres, capsules and composite bodies into their scene. */
#include <stdlib.h>

/* ODE's declaration, include/drawstuff/drawstuff.h. */
typedef struct dsFunctions {
  int version;
  void (*start)(void);
  void (*step)(int pause);
  void (*command)(int key);
  void (*stop)(void);
  const char *path_to_textures;
} dsFunctions;

static int stopped;

void dsSimulationLoop(int argc, char **argv, int width, int height, dsFunctions *demo);
void dsStop(void);
double dsElapsedTime(void);
void dsGetViewpoint(float xyz[3], float hpr[3]);

void dsSimulationLoop(int argc, char **argv, int width, int height, dsFunctions *demo)
{
  static const char keys[] = "bscx";
  const char *asked = getenv("DEMO_STEPS");
  const int steps = asked ? atoi(asked) : 500;
  (void)argc, (void)argv, (void)width, (void)height;
  if (demo->start)
    demo->start();
  for (int k = 0; k < steps && !stopped; k++) {
    if (demo->command && k % 10 == 5 && k < 200)
      demo->command(keys[k / 10 % 4]);
    demo->step(0);
  }
  if (demo->stop)
    demo->stop();
}

void dsStop(void)
{
  stopped = 1;
}

double dsElapsedTime(void)
{
  return 1.0 / 60;
}

void dsGetViewpoint(float xyz[3], float hpr[3])
{
  for (int k = 0; k < 3; k++)
    xyz[k] = hpr[k] = 0;
}

/* Drawing functions ignore their arguments. */
#define PERP_NOTHING(name)                                                                         \
  void name(void);                                                                                 \
  void name(void)                                                                                  \
  {                                                                                                \
  }
PERP_NOTHING(dsInitializeConsole)
PERP_NOTHING(dsFinalizeConsole)
PERP_NOTHING(dsError)
PERP_NOTHING(dsDebug)
PERP_NOTHING(dsPrint)
PERP_NOTHING(dsSetViewpoint)
PERP_NOTHING(dsSetTexture)
PERP_NOTHING(dsSetColor)
PERP_NOTHING(dsSetColorAlpha)
PERP_NOTHING(dsDrawBox)
PERP_NOTHING(dsDrawSphere)
PERP_NOTHING(dsDrawTriangle)
PERP_NOTHING(dsDrawTriangles)
PERP_NOTHING(dsDrawCylinder)
PERP_NOTHING(dsDrawCapsule)
PERP_NOTHING(dsDrawLine)
PERP_NOTHING(dsDrawConvex)
PERP_NOTHING(dsDrawBoxD)
PERP_NOTHING(dsDrawSphereD)
PERP_NOTHING(dsDrawTriangleD)
PERP_NOTHING(dsDrawTrianglesD)
PERP_NOTHING(dsDrawCylinderD)
PERP_NOTHING(dsDrawCapsuleD)
PERP_NOTHING(dsDrawLineD)
PERP_NOTHING(dsDrawConvexD)
PERP_NOTHING(dsSetSphereQuality)
PERP_NOTHING(dsSetCapsuleQuality)
PERP_NOTHING(dsSetDrawMode)
