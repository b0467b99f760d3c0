/* components.c: the version, and which optional components are built in */
#include <perp/base.h>

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)

const char *perp_version(void)
{
  return TEXT(PERP_VERSION_MAJOR) "." TEXT(PERP_VERSION_MINOR) "." TEXT(PERP_VERSION_PATCH);
}

const perp_component *perp_components(void)
{
  static const perp_component components[] = {
#ifdef PERP_HAVE_OPENMP
      {"openmp", PERP_HAVE_OPENMP, true},
#else
      {"openmp", "", false},
#endif
#ifdef PERP_HAVE_BLAS
      {"blas", PERP_HAVE_BLAS, true},
#else
      {"blas", "", false},
#endif
#ifdef PERP_HAVE_CHOLMOD
      {"cholmod", PERP_HAVE_CHOLMOD, true},
#else
      {"cholmod", "", false},
#endif
#ifdef PERP_HAVE_UMFPACK
      {"umfpack", PERP_HAVE_UMFPACK, true},
#else
      {"umfpack", "", false},
#endif
#ifdef PERP_HAVE_MATIO
      {"matio", PERP_HAVE_MATIO, true},
#else
      {"matio", "", false},
#endif
#ifdef PERP_HAVE_ODE
      {"ode", PERP_HAVE_ODE, true},
#else
      {"ode", "", false},
#endif
#ifdef PERP_HAVE_PNG
      {"png", PERP_HAVE_PNG, true},
#else
      {"png", "", false},
#endif
      {NULL, NULL, false},
  };
  return components;
}
