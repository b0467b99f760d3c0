/* parameters.h: parameters set by --set, and their tables in words and in JSON */
#ifndef PERP_APP_PARAMETERS_H
#define PERP_APP_PARAMETERS_H

#include "app.h"
#include "json.h"

/* Each KEY=VALUE of --set, to the solver. */
perp_error app_set_parameters(perp_solver *solver, const app_list *set, perp_message *why);

/* What a call sets, up to a comma; of() gives NULL for the default; of is NULL if all are
 * defaults. */
typedef struct app_values {
  const char *(*of)(const void *context, const char *name);
  const void *context;
} app_values;

/* One line each: how it is set, `option` first, value, range, documentation. */
void app_print_parameters(const char *option, const perp_parameter *table, app_values values);
/* "parameters": [...] */
void app_json_parameters(json *j, const perp_parameter *table);
/* The same within an array; "value" follows the default if there is one. */
void app_json_parameter_items(json *j, const perp_parameter *table, app_values values);

#endif
