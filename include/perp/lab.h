/* perp/lab.h: generators, simulators, MATLAB files and images, in the library perp-lab
 *
 * generate.h  problems made to order
 * ncp_sample.h  nonlinear problems of the literature
 * simulate.h  scenes that make and solve their own problems
 * matlab.h    problems in MATLAB files
 * image.h     images as PNG files */
#ifndef PERP_LAB_H
#define PERP_LAB_H

#include <perp/fclib.h>
#include <perp/generate.h>
#include <perp/image.h>
#include <perp/matlab.h>
#include <perp/ncp_sample.h>
#include <perp/simulate.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The optional components perp-lab was built with; ends with an entry whose name is NULL. */
PERP_API const perp_component *perp_lab_components(void);

#ifdef __cplusplus
}
#endif
#endif
