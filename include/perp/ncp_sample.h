/* perp/ncp_sample.h: nonlinear complementarity problems from the literature, by name
 *
 *   perp_ncp_sample *sample = NULL;
 *   perp_ncp_sample_create("nash10,start=1", &sample, &why);
 *   perp_ncp_solve(NULL, perp_ncp_sample_problem(sample), NULL, x, &result);
 *
 * Their Jacobians are exact. */
#ifndef PERP_NCP_SAMPLE_H
#define PERP_NCP_SAMPLE_H

#include <perp/ncp.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct perp_ncp_sample_info {
  size_t size; /* set by the call below */
  const char *name;
  const char *title;
  const char *source; /* the literature: "kojima-shindo-1986"; "" for our own */
  int64_t n;          /* unknowns; of a grid, with its default */
  int64_t starts;     /* 0 .. starts - 1 */
} perp_ncp_sample_info;

PERP_API int perp_ncp_sample_count(void);
PERP_API void perp_ncp_sample_at_sized(int index, perp_ncp_sample_info *info, size_t size);

/* Returns the sample of this index; its name is NULL if there is none. */
static inline perp_ncp_sample_info perp_ncp_sample_at(int index)
{
  perp_ncp_sample_info info;
  perp_ncp_sample_at_sized(index, &info, sizeof info);
  return info;
}

typedef struct perp_ncp_sample perp_ncp_sample;

/* `text` is NAME or NAME,key=value,...: start (default 0), and n, cells along an edge, of grids. The
 * caller destroys the sample, which owns everything that the calls below return. Use a sample from one
 * thread at a time: it holds the workspace of its callbacks. */
PERP_API perp_error perp_ncp_sample_create(const char *text, perp_ncp_sample **sample,
                                           perp_message *why);
PERP_API void perp_ncp_sample_destroy(perp_ncp_sample *sample);
PERP_API const perp_ncp *perp_ncp_sample_problem(const perp_ncp_sample *sample);
PERP_API const double *perp_ncp_sample_start(const perp_ncp_sample *sample);
/* Returns a published solution, to the published digits; NULL if none is known. There may be others. */
PERP_API const double *perp_ncp_sample_solution(const perp_ncp_sample *sample);

#ifdef __cplusplus
}
#endif
#endif
