/* parameters.h: parameters set by --set, and their tables in words and in JSON */
#ifndef PERP_APP_PARAMETERS_H
#define PERP_APP_PARAMETERS_H

#include "app.h"
#include "json.h"

/* Sets each KEY=VALUE of --set on the solver. */
perp_error app_set_parameters(perp_solver *solver, const app_list *set, perp_message *why);

/* The values that a call sets, each up to a comma; of() returns NULL for a default; of is NULL if all
 * are defaults. */
typedef struct app_values {
  const char *(*of)(const void *context, const char *name);
  const void *context;
} app_values;

/* One line each: how it is set, `option` first, value, range, documentation. */
void app_print_parameters(const char *option, const perp_parameter *table, app_values values);
/* "parameters": [...] */
void app_json_parameters(json *j, const perp_parameter *table);
/* The items of that array; "value" follows the default if the call sets one. */
void app_json_parameter_items(json *j, const perp_parameter *table, app_values values);

#endif
