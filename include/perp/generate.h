/* perp/generate.h: generators of problems of a known class or with a known solution
 *
 *   perp_instance instance;
 *   perp_generate("pd:n=200,active=0.5,seed=7", &instance, &why);
 *
 * The same text gives the same problem on every machine. */
#ifndef PERP_GENERATE_H
#define PERP_GENERATE_H

#include <perp/problem.h>
#include <perp/qp.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct perp_generator_info {
  size_t size; /* set by the call below */
  const char *name;
  const char *title;
  const char *family;               /* "random", "fluid", "contact", ... */
  const char *source;               /* the literature, "" for our own */
  const perp_parameter *parameters; /* ends with an entry whose name is NULL */
} perp_generator_info;

PERP_API int perp_generator_count(void);
PERP_API void perp_generator_at_sized(int index, perp_generator_info *info, size_t size);

/* Returns the generator of this index; its name is NULL if there is none. */
static inline perp_generator_info perp_generator_at(int index)
{
  perp_generator_info info;
  perp_generator_at_sized(index, &info, sizeof info);
  return info;
}

/* Returns the index of the generator of this name, or -1. */
PERP_API int perp_generator_find(const char *name);

/* Generates a problem. `text` is KIND or KIND:key=value,key=value,...; every kind has the key seed
 * (default 1) besides its own parameters. The caller destroys the instance; after an error it is
 * empty. */
PERP_API perp_error perp_generate(const char *text, perp_instance *instance, perp_message *why);

/* Generators of quadratic programs: mpc, lasso, svm, ... */
PERP_API int perp_qp_generator_count(void);
PERP_API void perp_qp_generator_at_sized(int index, perp_generator_info *info, size_t size);

/* Returns the generator of this index; its name is NULL if there is none. */
static inline perp_generator_info perp_qp_generator_at(int index)
{
  perp_generator_info info;
  perp_qp_generator_at_sized(index, &info, sizeof info);
  return info;
}

PERP_API perp_error perp_qp_generate(const char *text, perp_qp_instance *instance,
                                     perp_message *why);

#ifdef __cplusplus
}
#endif
#endif
