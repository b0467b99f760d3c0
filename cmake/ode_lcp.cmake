# PERP_ODE_EXPORTS_LCP: ODE is there, in double precision, and its library exports the function that
# dWorldStep solves with. It is declared in none of its headers. Needs a C++ compiler.
find_path(PERP_ODE_LCP_PATH ode/ode.h)
find_library(PERP_ODE_LCP ode)
if(PERP_ODE_LCP_PATH AND PERP_ODE_LCP)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_LIBRARIES ${PERP_ODE_LCP})
  check_cxx_source_compiles("
    struct dxWorldProcessMemArena;
    void dxSolveLCP(dxWorldProcessMemArena *, unsigned, double *, double *, double *, unsigned,
                    double *, int *);
    int main() { dxSolveLCP(nullptr, 0, nullptr, nullptr, nullptr, 0, nullptr, nullptr); }"
    PERP_ODE_EXPORTS_LCP)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()
