/* siconos_convert.cpp: a problem of Siconos' test data as a problem folder
 *
 *   siconos-convert FILE.dat FOLDER
 *
 * The beginning of the file's name says its kind: GRFC3D global and rolling, GFC3D global, RFC3D,
 * rfc3d and rockfall rolling, others local. A global problem M v = H r + q, u = H^T v + b becomes
 * M.mtx, J = H^T and b + H^T M^-1 q; a local one A.mtx and b. Contacts in the plane are refused. */
#include <FrictionContactProblem.h>
#include <GlobalFrictionContactProblem.h>
#include <GlobalRollingFrictionContactProblem.h>
#include <NumericsMatrix.h>
#include <RollingFrictionContactProblem.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace
{

/* Dense, by rows. */
struct Matrix {
  int rows, columns;
  std::vector<double> value;
  double &at(int i, int j)
  {
    return value[static_cast<std::size_t>(i) * static_cast<std::size_t>(columns) +
                 static_cast<std::size_t>(j)];
  }
};

[[noreturn]] void fail(const std::string &file, const char *why)
{
  std::fprintf(stderr, "siconos-convert: %s: %s\n", file.c_str(), why);
  std::exit(2);
}

Matrix dense(NumericsMatrix *A, bool transposed)
{
  const int rows = transposed ? A->size1 : A->size0, columns = transposed ? A->size0 : A->size1;
  Matrix B{rows, columns, {}};
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      B.value.push_back(transposed ? NM_get_value(A, j, i) : NM_get_value(A, i, j));
  return B;
}

/* x <- A^-1 x by elimination with row exchanges; false if a pivot is 0. */
bool solve(Matrix A, std::vector<double> &x)
{
  const int n = A.rows;
  double *r = x.data();
  for (int p = 0; p < n; p++) {
    int best = p;
    for (int i = p; i < n; i++)
      best = std::fabs(A.at(i, p)) > std::fabs(A.at(best, p)) ? i : best;
    if (A.at(best, p) == 0)
      return false;
    std::swap(r[p], r[best]);
    for (int j = 0; j < n; j++)
      std::swap(A.at(p, j), A.at(best, j));
    for (int i = p + 1; i < n; i++) {
      const double factor = A.at(i, p) / A.at(p, p);
      for (int j = p; j < n && factor != 0; j++)
        A.at(i, j) -= factor * A.at(p, j);
      r[i] -= factor * r[p];
    }
  }
  for (int p = n - 1; p >= 0; p--) {
    for (int j = p + 1; j < n; j++)
      r[p] -= A.at(p, j) * r[j];
    r[p] /= A.at(p, p);
  }
  return true;
}

std::FILE *open(const std::string &path)
{
  std::FILE *f = std::fopen(path.c_str(), "w");
  if (!f)
    fail(path, "cannot be written");
  return f;
}

void write(const std::string &path, Matrix A)
{
  std::size_t entries = 0;
  for (const double v : A.value)
    entries += v != 0;
  std::FILE *f = open(path);
  std::fprintf(f, "%%%%MatrixMarket matrix coordinate real general\n%d %d %zu\n", A.rows, A.columns,
               entries);
  for (int i = 0; i < A.rows; i++)
    for (int j = 0; j < A.columns; j++)
      if (A.at(i, j) != 0)
        std::fprintf(f, "%d %d %.17g\n", i + 1, j + 1, A.at(i, j));
  std::fclose(f);
}

void write(const std::string &path, int rows, int columns, const std::vector<double> &v)
{
  std::FILE *f = open(path);
  std::fprintf(f, "%%%%MatrixMarket matrix array real general\n%d %d\n", rows, columns);
  for (const double a : v)
    std::fprintf(f, "%.17g\n", a);
  std::fclose(f);
}

/* mu.mtx; with mu_r also dim.mtx and law.mtx: discs of slide and roll */
void write_laws(const std::string &folder, int contacts, const double *mu, const double *mu_r)
{
  if (!mu_r) {
    write(folder + "/mu.mtx", contacts, 1, std::vector<double>(mu, mu + contacts));
    return;
  }
  std::vector<double> all;
  for (int column = 0; column < 5; column++)
    for (int c = 0; c < contacts; c++)
      all.push_back(column < 2 ? mu[c] : column == 2 ? 0 : mu_r[c]);
  const std::size_t count = static_cast<std::size_t>(contacts);
  write(folder + "/mu.mtx", contacts, 5, all);
  write(folder + "/dim.mtx", contacts, 1, std::vector<double>(count, 5));
  write(folder + "/law.mtx", contacts, 1, std::vector<double>(count, 1));
}

template <typename Problem>
void write_global(const std::string &file, const std::string &folder, Problem *p,
                  const double *mu_r)
{
  if (!p)
    fail(file, "Siconos does not read it");
  Matrix M = dense(p->M, false), J = dense(p->H, true);
  std::vector<double> v(p->q, p->q + M.rows), b(p->b, p->b + J.rows);
  if (!solve(M, v))
    fail(file, "M is singular");
  for (int i = 0; i < J.rows; i++)
    for (int j = 0; j < J.columns; j++)
      b[static_cast<std::size_t>(i)] += J.at(i, j) * v[static_cast<std::size_t>(j)];
  write(folder + "/M.mtx", M);
  write(folder + "/J.mtx", J);
  write(folder + "/b.mtx", J.rows, 1, b);
  write_laws(folder, p->numberOfContacts, p->mu, mu_r);
}

template <typename Problem>
void write_local(const std::string &file, const std::string &folder, Problem *p, const double *mu_r)
{
  if (!p)
    fail(file, "Siconos does not read it");
  const Matrix A = dense(p->M, false);
  write(folder + "/A.mtx", A);
  write(folder + "/b.mtx", A.rows, 1, std::vector<double>(p->q, p->q + A.rows));
  write_laws(folder, p->numberOfContacts, p->mu, mu_r);
}

} // namespace

int main(int count, char **arguments)
{
  if (count != 3) {
    std::fputs("usage: siconos-convert FILE.dat FOLDER\n", stderr);
    return 2;
  }
  const std::string path = arguments[1], folder = arguments[2];
  std::FILE *readable = std::fopen(arguments[1], "r"); /* Siconos would abort */
  if (!readable)
    fail(path, "cannot be read");
  std::fclose(readable);
  const std::string name = path.substr(path.rfind('/') + 1);
  const auto begins = [&name](const char *text) { return name.rfind(text, 0) == 0; };
  if (begins("fc2d") || begins("gfc2d") || begins("FC2D"))
    fail(path, "contacts in the plane");
  if (begins("GRFC3D")) {
    GlobalRollingFrictionContactProblem *p =
        globalRollingFrictionContact_new_from_filename(arguments[1]);
    write_global(path, folder, p, p ? p->mu_r : nullptr);
  } else if (begins("GFC3D") && name.find("condensed") == std::string::npos) {
    write_global(path, folder, globalFrictionContact_new_from_filename(arguments[1]), nullptr);
  } else if (begins("RFC3D") || begins("rfc3d") || begins("rockfall")) {
    RollingFrictionContactProblem *p = rollingFrictionContact_new_from_filename(arguments[1]);
    write_local(path, folder, p, p ? p->mu_r : nullptr);
  } else {
    write_local(path, folder, frictionContact_new_from_filename(arguments[1]), nullptr);
  }
  return 0;
}
