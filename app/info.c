/* info.c: perp info, what can be said of a problem without solving it */
#include "app.h"
#include "json.h"

#include <math.h>

static void print_spectrum(const perp_facts *f)
{
  printf("definite    %s", perp_definite_name(f->definite));
  if (!isnan(f->eigen_min) && !isnan(f->eigen_max))
    printf(f->exact ? " (symmetric part: eigenvalues %.6g to %.6g)"
                    : " (symmetric part: eigenvalues from %.6g or less to %.6g or more)",
           f->eigen_min, f->eigen_max);
  if (isnan(f->condition))
    printf("\ncondition   not computed\n");
  else if (isinf(f->condition))
    printf("\ncondition   infinite: A is singular\n");
  else
    printf("\ncondition   %s%.4g\n", f->exact ? "" : "at least ", f->condition);
}

static void print_number_of(int count, const char *noun)
{
  if (count > 0)
    printf(", %d %s%s", count, noun, count == 1 ? "" : "s");
}

static const char *const laws[] = {"elliptic", "discs"};

/* Returns the number of contacts with this many rows and this law. */
static int count_contacts(const perp_instance *instance, int dim, int law)
{
  int count = 0;
  for (int c = 0; c < instance->cones; c++)
    count += instance->dim[c] == dim && (instance->law ? instance->law[c] : 0) == law;
  return count;
}

static void print_contacts(const perp_instance *instance)
{
  const char *before = "\ncontacts    ";
  for (int dim = 1; dim <= 6 && instance->dim; dim++)
    for (int law = 0; law < 2; law++) {
      const int count = count_contacts(instance, dim, law);
      if (count > 0) {
        printf("%s%d of dim %d (%s)", before, count, dim, laws[law]);
        before = ", ";
      }
    }
}

static void json_contacts(json *j, const perp_instance *instance)
{
  json_begin_array(j, "contacts");
  for (int dim = 1; dim <= 6; dim++)
    for (int law = 0; law < 2; law++) {
      const int count = count_contacts(instance, dim, law);
      if (count == 0)
        continue;
      json_begin_object(j, NULL);
      json_integer(j, "dim", dim);
      json_text(j, "law", laws[law]);
      json_integer(j, "count", count);
      json_end_object(j);
    }
  json_end_array(j);
}

static void print_plan(const perp_plan *plan)
{
  printf("plan        %s:", plan->class_name);
  for (int k = 0; k < plan->steps; k++)
    printf("%s %s", k ? "," : "", plan->method[k]);
  printf("%s\n", plan->scaled ? ", scaled by the diagonal" : "");
}

static void json_plan(json *j, const perp_plan *plan)
{
  json_text(j, "class", plan->class_name);
  json_begin_array(j, "plan");
  for (int k = 0; k < plan->steps; k++)
    json_text(j, NULL, plan->method[k]);
  json_end_array(j);
  json_integer(j, "plan_scaled", plan->scaled);
}

static void print_facts(const char *where, const perp_instance *instance, const perp_facts *f,
                        const perp_plan *plan)
{
  printf("problem     %s\n", where);
  printf("n           %d\n", f->n);
  if (f->nonzeros >= 0)
    printf("nonzeros    %lld\n", (long long)f->nonzeros);
  printf("operator    %s\n", perp_operator_kind(instance->A));
  printf("form        %s", perp_form_name(f->form));
  print_number_of(f->free_rows, "free row");
  print_number_of(f->friction_rows, "friction row");
  print_number_of(f->cones, "cone");
  print_contacts(instance);
  if (f->entries_seen) {
    printf("\nsymmetric   %s", f->symmetric ? "yes" : "no");
    if (f->asymmetry > 0)
      printf(" (asymmetry %.3g)", f->asymmetry);
    printf("\ndiagonal    %.6g to %.6g, %d zero, %d negative\n", f->diagonal_min, f->diagonal_max,
           f->diagonal_zeros, f->diagonal_negatives);
    printf("Z-matrix    %s\n", f->z_matrix ? "yes" : "no");
  } else {
    printf("\nsymmetric   not known: the operator does not show its entries\n");
  }
  print_spectrum(f);
  const char *words = app_kind_words(instance->kind);
  printf("kind        %s%s%s\n", perp_kind_name(instance->kind), *words ? ": " : "", words);
  printf("solution    %s\n", instance->x ? "known" : "not known");
  if (instance->u)
    printf("certificate of infeasibility known\n");
  print_plan(plan);
}

static void json_facts(const char *where, const perp_instance *instance, const perp_facts *f,
                       const perp_plan *plan)
{
  json j = json_open(stdout);
  json_text(&j, "problem", where);
  json_integer(&j, "n", f->n);
  if (f->nonzeros >= 0)
    json_integer(&j, "nonzeros", f->nonzeros);
  else
    json_text(&j, "nonzeros", NULL);
  json_text(&j, "operator", perp_operator_kind(instance->A));
  json_text(&j, "form", perp_form_name(f->form));
  json_integer(&j, "free_rows", f->free_rows);
  json_integer(&j, "friction_rows", f->friction_rows);
  json_integer(&j, "cones", f->cones);
  if (instance->dim)
    json_contacts(&j, instance);
  json_bool(&j, "entries_seen", f->entries_seen);
  if (f->entries_seen) {
    json_bool(&j, "symmetric", f->symmetric);
    json_real(&j, "asymmetry", f->asymmetry);
    json_begin_object(&j, "diagonal");
    json_real(&j, "min", f->diagonal_min);
    json_real(&j, "max", f->diagonal_max);
    json_integer(&j, "zeros", f->diagonal_zeros);
    json_integer(&j, "negatives", f->diagonal_negatives);
    json_end_object(&j);
    json_bool(&j, "z_matrix", f->z_matrix);
  }
  json_text(&j, "definite", perp_definite_name(f->definite));
  json_real(&j, "eigen_min", f->eigen_min);
  json_real(&j, "eigen_max", f->eigen_max);
  json_real(&j, "condition", f->condition);
  json_bool(&j, "singular", isinf(f->condition));
  json_bool(&j, "exact", f->exact);
  json_text(&j, "kind", perp_kind_name(instance->kind));
  json_bool(&j, "known_solution", instance->x != NULL);
  json_bool(&j, "certificate", instance->u != NULL);
  json_plan(&j, plan);
  json_close(&j);
}

int command_info(const app_call *app, int argc, char **argv)
{
  bool ignored = false;
  const app_option options[] = {
      {"json", APP_FLAG, &ignored, 0, 0, NULL,
       "print one JSON object; a number that is not finite "
       "is null"},
      {0},
  };
  const app_usage usage = {
      .call = "info PROBLEM [--json]",
      .about =
          "Shows the size, form, symmetry, diagonal, definiteness and condition of a problem, and\n"
          "what its folder says about the solution. Then the plan of auto: the class of the\n"
          "problem (form, structure, symmetry, size) and the methods that it would try, one after\n"
          "another. PROBLEM is a problem folder, a .mat file or KIND:key=value,...\n",
      .options = options,
      .least_operands = 1,
      .most_operands = 1,
  };
  app_operands operands;
  int status;
  if (!app_parse(app, &usage, argc, argv, &operands, &status))
    return status;
  perp_instance instance = {0};
  perp_message why = {""};
  perp_error error = app_load(operands.item[0], &instance, &why);
  if (error)
    return refuse(app, error, "%s", why.text);
  const perp_problem problem = perp_instance_problem(&instance);
  perp_facts facts;
  perp_plan plan;
  error = perp_problem_facts(&problem, &facts, &why);
  if (!error)
    error = perp_problem_plan(&problem, &plan, &why);
  if (error)
    status = refuse(app, error, "%s: %s", operands.item[0], why.text);
  else {
    if (app->json)
      json_facts(operands.item[0], &instance, &facts, &plan);
    else
      print_facts(operands.item[0], &instance, &facts, &plan);
    status = APP_FINE;
  }
  perp_instance_destroy(&instance);
  return status;
}
