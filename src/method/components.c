/* components.c: the version, and the optional components of libperp */
#include "linalg/sparse_factor.h"

#include <perp/base.h>

#ifndef PERP_HAVE_OPENMP
#define PERP_HAVE_OPENMP ""
#endif
#ifndef PERP_HAVE_BLAS
#define PERP_HAVE_BLAS ""
#endif
#ifndef PERP_HAVE_CHOLMOD
#define PERP_HAVE_CHOLMOD ""
#endif
#ifndef PERP_HAVE_UMFPACK
#define PERP_HAVE_UMFPACK ""
#endif
#ifndef PERP_HAVE_ZLIB
#define PERP_HAVE_ZLIB ""
#endif
#ifndef PERP_HAVE_CUDA
#define PERP_HAVE_CUDA ""
#endif

/* Not a component, but a guarantee about all of them: see PERP_PORTABLE in cmake/flags.cmake. */
#ifdef PERP_PORTABLE
#define PORTABLE true
#else
#define PORTABLE false
#endif

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)

const char *perp_version(void)
{
  return TEXT(PERP_VERSION_MAJOR) "." TEXT(PERP_VERSION_MINOR) "." TEXT(PERP_VERSION_PATCH);
}

const perp_component *perp_components(void)
{
  /* Two are loaded: their presence is known only at run time. */
  enum { BUILT_IN = 5, LOADED = 2, COMBINATIONS = 4 };
#define TABLE(cholmod, umfpack)                                                                    \
  {                                                                                                \
    {"openmp", PERP_HAVE_OPENMP, sizeof PERP_HAVE_OPENMP > 1},                                     \
        {"blas", PERP_HAVE_BLAS, sizeof PERP_HAVE_BLAS > 1},                                       \
        {"cholmod", cholmod ? PERP_HAVE_CHOLMOD : "", cholmod},                                    \
        {"umfpack", umfpack ? PERP_HAVE_UMFPACK : "", umfpack},                                    \
        {"zlib", PERP_HAVE_ZLIB, sizeof PERP_HAVE_ZLIB > 1},                                       \
        {"cuda", PERP_HAVE_CUDA, sizeof PERP_HAVE_CUDA > 1}, {"portable", "", PORTABLE},           \
        {NULL, NULL, false},                                                                       \
  }
  static const perp_component components[COMBINATIONS][BUILT_IN + LOADED + 1] = {
      TABLE(false, false), TABLE(true, false), TABLE(false, true), TABLE(true, true)};
#undef TABLE
  return components[(perp_sparse_cholmod() ? 1 : 0) + (perp_sparse_umfpack() ? 2 : 0)];
}
