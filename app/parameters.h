/* parameters.h: a parameter table in words and in JSON, for methods and generators alike */
#ifndef PERP_APP_PARAMETERS_H
#define PERP_APP_PARAMETERS_H

#include "app.h"
#include "json.h"

/* One line each: how it is set, default, range, documentation. */
void app_print_parameters(const perp_parameter *table);
/* "parameters": [...] */
void app_json_parameters(json *j, const perp_parameter *table);

#endif
