/* parameters.h: parameters set by --set, and their tables in words and in JSON */
#ifndef PERP_APP_PARAMETERS_H
#define PERP_APP_PARAMETERS_H

#include "app.h"
#include "json.h"

/* Each KEY=VALUE of --set, to the solver. */
perp_error app_set_parameters(perp_solver *solver, const app_list *set, perp_message *why);

/* One line each: how it is set, `option` first, default, range, documentation. */
void app_print_parameters(const char *option, const perp_parameter *table);
/* "parameters": [...] */
void app_json_parameters(json *j, const perp_parameter *table);

#endif
