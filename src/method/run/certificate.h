/* certificate.h: whether a ray proves that an LCP has no solution; used by the driver alone */
#ifndef PERP_METHOD_CERTIFICATE_H
#define PERP_METHOD_CERTIFICATE_H

#include "method/run/method.h"

/* Whether *ray proves it, as it is or polished; *ray is then what proves it, in the run's arena.
 * False for other forms and for operators without rows. z: n numbers of room. */
bool perp_certificate_holds(perp_run *run, double *z, const double **ray);

#endif
