/* qp_registry.c: the kinds of quadratic programs, and the text that names one */
#include "generate/kinds.h"
#include "generate/qp.h"

#include <stdio.h>

/* Each ends with one without a name. */
extern const perp_generator perp_qp_generators_models[], perp_qp_generators_random[];

static const perp_generator *const families[] = {perp_qp_generators_models,
                                                 perp_qp_generators_random};
static const perp_kinds kinds = {families, sizeof families / sizeof *families, "quadratic program"};

int perp_qp_generator_count(void)
{
  return perp_kinds_count(&kinds);
}

void perp_qp_generator_at_sized(int index, perp_generator_info *info, size_t size)
{
  perp_kinds_tell(&kinds, index, info, size);
}

perp_error perp_qp_generate(const char *text, perp_qp_instance *instance, perp_message *why)
{
  if (!text || !instance)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "no kind named, or nowhere to put the program");
  *instance = (perp_qp_instance){0};
  perp_qp_making m = {.instance = instance, .why = why};
  perp_kind_request request;
  perp_error error = perp_kinds_read(&kinds, text, &m.arena, &request, why);
  if (!error) {
    m.owner = request.generator->name;
    m.parameters = request.parameters;
    m.random = request.random;
    error = request.generator->make(&(perp_making){.program = &m});
  }
  if (!error)
    error = perp_qp_making_finish(&m);
  if (error)
    perp_qp_instance_destroy(instance);
  else
    snprintf(instance->name, sizeof instance->name, "%.63s", text);
  perp_qp_making_free(&m);
  return error;
}
