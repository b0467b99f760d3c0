/* convert.c: perp convert, between problem folders, .mat and .hdf5 files */
#include "app.h"

int command_convert(const app_call *app, int argc, char **argv)
{
  bool force = false;
  const app_option options[] = {
      {"force", APP_FLAG, &force, 0, 0, NULL, "replace the problem that TO already holds"},
      {0},
  };
  const app_usage usage = {
      .call = "convert FROM TO [--force]",
      .about =
          "Reads a problem and writes it again. A name that ends with .mat is a MATLAB file\n"
          "(variables A, b, lo, hi, findex, mu, x, u), .hdf5 or .h5 a file of FCLib; any other\n"
          "name is a problem folder, which is made if it does not exist. A .mat file holds the\n"
          "matrix A itself, dense or sparse, also if the folder has J.mtx and Minv.mtx. If TO\n"
          "exists, nothing is written unless it is an empty folder, or a problem and --force is\n"
          "given.\n",
      .options = options,
      .least_operands = 2,
      .most_operands = 2,
  };
  app_operands operands;
  int status;
  if (!app_parse(app, &usage, argc, argv, &operands, &status))
    return status;
  const char *from = operands.item[0], *to = operands.item[1];
  const char *reason = app_objection(to, force);
  if (reason)
    return refuse(app, PERP_ERROR_FILE, "%s: %s", to, reason);
  perp_instance instance = {0};
  perp_message why = {""};
  perp_error error = app_load(from, &instance, &why);
  if (error)
    return refuse(app, error, "%s", why.text);
  error = app_store(to, &instance, &why);
  if (error) {
    status = refuse(app, error, "%s", why.text);
  } else {
    printf("%s: %s\n", to, app_describe(&instance).text);
    status = APP_FINE;
  }
  perp_instance_destroy(&instance);
  return status;
}
