/* parameter.c: parameter tables: defaults, values from numbers and from text */
#include "base/parameter.h"

#include "base/message.h"
#include "base/number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void store(const perp_parameter *parameter, void *parameters, double value)
{
  char *field = (char *)parameters + parameter->offset;
  if (parameter->type == PERP_TYPE_REAL)
    *(double *)(void *)field = value;
  else
    *(int *)(void *)field = (int)value;
}

void perp_parameters_default(const perp_parameter *table, void *parameters)
{
  for (const perp_parameter *p = table; p && p->name; p++)
    store(p, parameters, p->value);
}

static const perp_parameter *find(const perp_parameter *table, const char *name)
{
  for (const perp_parameter *p = table; p && p->name; p++)
    if (strcmp(p->name, name) == 0)
      return p;
  return NULL;
}

static perp_error fail_unknown(const char *owner, const perp_parameter *table, const char *name,
                               perp_message *why)
{
  char names[256] = "";
  size_t used = 0;
  for (const perp_parameter *p = table; p && p->name && used < sizeof names; p++)
    used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", p->name);
  return perp_fail(why, PERP_ERROR_PARAMETER, "%s has no parameter '%.64s' (it has %s)", owner,
                   name, used ? names : "none");
}

static perp_error set_checked(const char *owner, const perp_parameter *parameter, void *parameters,
                              double value, perp_message *why)
{
  if (!(value >= parameter->least && value <= parameter->most))
    return perp_fail(why, PERP_ERROR_PARAMETER, "%s: %s = %g is not in %g .. %g", owner,
                     parameter->name, value, parameter->least, parameter->most);
  if (parameter->type != PERP_TYPE_REAL && value != floor(value))
    return perp_fail(why, PERP_ERROR_PARAMETER, "%s: %s = %g is not a whole number", owner,
                     parameter->name, value);
  store(parameter, parameters, value);
  return PERP_OK;
}

perp_error perp_parameter_set(const char *owner, const perp_parameter *table, void *parameters,
                              const char *name, double value, perp_message *why)
{
  const perp_parameter *parameter = find(table, name);
  if (!parameter)
    return fail_unknown(owner, table, name, why);
  return set_checked(owner, parameter, parameters, value, why);
}

static perp_error set_choice(const char *owner, const perp_parameter *parameter, void *parameters,
                             const char *text, perp_message *why)
{
  char words[256] = "";
  size_t used = 0;
  for (int k = 0; parameter->choices[k]; k++) {
    if (strcmp(parameter->choices[k], text) == 0) {
      store(parameter, parameters, k);
      return PERP_OK;
    }
    if (used < sizeof words)
      used += (size_t)snprintf(words + used, sizeof words - used, "%s%s", used ? ", " : "",
                               parameter->choices[k]);
  }
  return perp_fail(why, PERP_ERROR_PARAMETER, "%s: %s = '%.64s' is not one of %s", owner,
                   parameter->name, text, words);
}

/* yes, true, on and their opposites; the number parser handles numbers */
static bool parse_flag(const char *text, double *value)
{
  static const char *const words[] = {"no", "yes", "false", "true", "off", "on"};
  for (int k = 0; k < 6; k++)
    if (strcmp(words[k], text) == 0) {
      *value = k % 2;
      return true;
    }
  return false;
}

perp_error perp_parameter_set_text(const char *owner, const perp_parameter *table, void *parameters,
                                   const char *name, const char *text, perp_message *why)
{
  const perp_parameter *parameter = find(table, name);
  if (!parameter)
    return fail_unknown(owner, table, name, why);
  if (parameter->type == PERP_TYPE_CHOICE)
    return set_choice(owner, parameter, parameters, text, why);
  double value;
  if (!(parameter->type == PERP_TYPE_FLAG && parse_flag(text, &value))) {
    const char *end = text + strlen(text);
    if (perp_number_parse(text, end, &value) != end)
      return perp_fail(why, PERP_ERROR_PARAMETER, "%s: %s = '%.64s' is not %s", owner, name, text,
                       parameter->type == PERP_TYPE_FLAG ? "yes or no" : "a number");
  }
  return set_checked(owner, parameter, parameters, value, why);
}

perp_error perp_parameter_get(const char *owner, const perp_parameter *table,
                              const void *parameters, const char *name, double *value,
                              perp_message *why)
{
  const perp_parameter *parameter = find(table, name);
  if (!parameter)
    return fail_unknown(owner, table, name, why);
  const char *field = (const char *)parameters + parameter->offset;
  *value = parameter->type == PERP_TYPE_REAL ? *(const double *)(const void *)field
                                             : (double)*(const int *)(const void *)field;
  return PERP_OK;
}

static perp_error parse_seed(const char *owner, const char *text, uint64_t *seed, perp_message *why)
{
  char *rest;
  errno = 0;
  const unsigned long long value = strtoull(text, &rest, 10);
  if (*text < '0' || *text > '9' || *rest || errno)
    return perp_fail(why, PERP_ERROR_PARAMETER, "%s: seed = '%.64s' is not a whole number", owner,
                     text);
  *seed = value;
  return PERP_OK;
}

/* Returns true if the key is among the items before it, which are already split: key NUL value NUL
 * key ... */
static bool is_given_before(const char *first, const char *key)
{
  for (const char *other = first; other < key;) {
    if (strcmp(other, key) == 0)
      return true;
    other += strlen(other) + 1;
    other += strlen(other) + 1;
  }
  return false;
}

perp_error perp_parameters_parse(const char *owner, const perp_parameter *table, void *parameters,
                                 char *settings, uint64_t *seed, perp_message *why)
{
  for (char *item = settings; item && *item;) {
    char *next = strchr(item, ',');
    if (next)
      *next++ = 0;
    char *value = strchr(item, '=');
    if (!value)
      return perp_fail(why, PERP_ERROR_PARAMETER, "%s: '%.64s' is not key=value", owner, item);
    *value++ = 0;
    if (is_given_before(settings, item))
      return perp_fail(why, PERP_ERROR_PARAMETER, "%s: %.64s is given twice", owner, item);
    const perp_error error =
        strcmp(item, "seed") == 0
            ? parse_seed(owner, value, seed, why)
            : perp_parameter_set_text(owner, table, parameters, item, value, why);
    if (error)
      return error;
    item = next;
  }
  return PERP_OK;
}
