/* components.c: which optional components are built into libperp-lab */
#include <perp/lab.h>

#ifndef PERP_HAVE_FCLIB
#define PERP_HAVE_FCLIB ""
#endif
#ifndef PERP_HAVE_MATIO
#define PERP_HAVE_MATIO ""
#endif
#ifndef PERP_HAVE_ODE
#define PERP_HAVE_ODE ""
#endif
#ifndef PERP_HAVE_PNG
#define PERP_HAVE_PNG ""
#endif

const perp_component *perp_lab_components(void)
{
  static const perp_component components[] = {
      {"fclib", PERP_HAVE_FCLIB, sizeof PERP_HAVE_FCLIB > 1},
      {"matio", PERP_HAVE_MATIO, sizeof PERP_HAVE_MATIO > 1},
      {"ode", PERP_HAVE_ODE, sizeof PERP_HAVE_ODE > 1},
      {"png", PERP_HAVE_PNG, sizeof PERP_HAVE_PNG > 1},
      {NULL, NULL, false},
  };
  return components;
}
