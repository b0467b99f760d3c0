/* fuzz_fclib.c: FCLib files whose datasets are changed
 *
 * HDF5 itself is not tested: the file is sound, and the bytes say which of its numbers change, and which
 * datasets are removed or get another length. perp_fclib_read refuses it with one line that names a
 * dataset, or returns a valid problem. The first byte chooses a problem; then come edits of four bytes:
 * dataset, action, place, value. Without HDF5 every file is refused. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"

#include <perp/fclib.h>
#include <perp/lab.h>

#ifdef PERP_TEST_HDF5
#include <hdf5.h>
#include <math.h>

static const char *const problems[] = {
    "stack:n=1,form=cone,operator=csr,seed=2",
    "robot:model=chain,n=3,contacts=1,cfm=0",
    "robot:model=chain,n=1,contacts=5,cfm=0",
};
static const char *const groups[] = {"fclib_local", "fclib_global", "fclib_global_rolling"};
static const char *const sets[] = {
    "spacedim",  "W/m",       "W/n",       "W/nzmax",   "W/nz",       "W/p",          "W/i", "W/x",
    "M/m",       "M/n",       "M/nz",      "M/p",       "M/i",        "M/x",          "H/m", "H/n",
    "H/nzmax",   "H/nz",      "H/p",       "H/i",       "H/x",        "G/m",          "G/p", "R/nz",
    "vectors/q", "vectors/f", "vectors/w", "vectors/s", "vectors/mu", "vectors/mu_r",
};
static const double values[] = {0,     1,   -1,       2,          3,  5, 1e-300,
                                1e300, NAN, INFINITY, 2147483647, -2, 7, 0.5};
enum {
  SETS = sizeof sets / sizeof *sets,
  VALUES = sizeof values / sizeof *values,
  MOST = 4096,
};

/* Gives the dataset `count` numbers, all of them this value. */
static void replace(hid_t file, const char *path, hsize_t count, double value)
{
  double numbers[256];
  for (size_t k = 0; k < 256; k++)
    numbers[k] = value;
  H5Ldelete(file, path, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(1, &count, NULL);
  const hid_t set =
      H5Dcreate2(file, path, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (set >= 0) {
    H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
    H5Dclose(set);
  }
  H5Sclose(space);
}

static void change(hid_t file, const char *path, uint8_t place, double value)
{
  static double numbers[MOST];
  const hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
  if (set < 0)
    return;
  const hid_t space = H5Dget_space(set);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  if (count > 0 && count <= MOST &&
      H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0) {
    numbers[place % count] = value;
    H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
  }
  H5Sclose(space);
  H5Dclose(set);
}

/* Writes the instance; of rows by threes it makes rolling contacts of five rows. */
static void write_rolling(const char *path, perp_instance *p)
{
  enum { CONTACTS = 3 };
  double mu[5 * CONTACTS] = {0}, *const own = p->mu;
  int dim[CONTACTS], law[CONTACTS];
  perp_message why = {""};
  require(p->cones == 5, "rows of three contacts");
  for (int c = 0; c < CONTACTS; c++) {
    dim[c] = 5;
    law[c] = PERP_FRICTION_DISCS;
    mu[5 * c] = mu[5 * c + 1] = 0.5;
    mu[5 * c + 3] = mu[5 * c + 4] = 0.1;
  }
  p->cones = CONTACTS;
  p->mu = mu;
  p->dim = dim;
  p->law = law;
  require(perp_fclib_write(path, p, &why) == PERP_OK, why.text);
  p->mu = own;
  p->dim = p->law = NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const int kind = size > 0 ? data[0] % 3 : 0;
  perp_instance instance;
  perp_message why = {""};
  const char *path = in_scratch("p.hdf5");
  require(perp_generate(problems[kind], &instance, &why) == PERP_OK, why.text);
  if (kind == 2)
    write_rolling(path, &instance);
  else
    require(perp_fclib_write(path, &instance, &why) == PERP_OK, why.text);
  perp_instance_destroy(&instance);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  require(file >= 0, "the file can be opened");
  for (size_t k = 1; k + 4 <= size && k < 64; k += 4) {
    char name[64];
    const double value = values[data[k + 3] % VALUES];
    snprintf(name, sizeof name, "/%s/%s", groups[kind], sets[data[k] % SETS]);
    if (H5Lexists(file, groups[kind], H5P_DEFAULT) <= 0)
      break;
    if (data[k + 1] % 4 == 0)
      H5Ldelete(file, name, H5P_DEFAULT);
    else if (data[k + 1] % 4 == 1)
      replace(file, name, data[k + 2], value);
    else
      change(file, name, data[k + 2], value);
  }
  H5Fclose(file);
  if (perp_fclib_read(path, &instance, &why)) {
    check_line(&why);
    require(strstr(why.text, "/fclib_") || strstr(why.text, "memory"), why.text);
    return 0;
  }
  const perp_problem problem = perp_instance_problem(&instance);
  require(perp_problem_validate(&problem, &why) == PERP_OK, why.text);
  perp_instance_destroy(&instance);
  return 0;
}
#else
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  perp_instance instance;
  perp_message why = {""};
  write_file(in_scratch("p.hdf5"), data, size);
  require(perp_fclib_read(in_scratch("p.hdf5"), &instance, &why) != PERP_OK, "it is refused");
  check_line(&why);
  return 0;
}
#endif
