/* Files of FCLib: round trips of local and global problems in space and in the plane, with and
 * without equations; files that FCLib itself wrote and reads, if it is installed; broken files. */
#define _POSIX_C_SOURCE 200809L
#include "base/random.h"
#include "folders.h"
#include <perp/fclib.h>
#include <perp/generate.h>
#include <perp/perp.h>

#ifdef PERP_TEST_FCLIB
#include <fclib.h>
#endif
#ifdef PERP_TEST_HDF5
#include <hdf5.h>
#endif

static void need_hdf5(void)
{
  perp_instance p;
  perp_message why;
  if (perp_fclib_read(in_scratch("none.hdf5"), &p, &why) == PERP_ERROR_BACKEND)
    test_skip("built without HDF5");
}

/* y <- A x + b by the operator */
static void velocity(const perp_instance *p, const double *x, double *y)
{
  double *room = calloc(perp_operator_scratch(p->A) + 1, sizeof *room);
  CHECK(perp_operator_apply(p->A, x, y, room, NULL) == PERP_OK);
  for (int i = 0; i < perp_operator_size(p->A); i++)
    y[i] += p->b[i];
  free(room);
}

static void check_same(const perp_instance *p, const perp_instance *q, double tolerance)
{
  const int n = perp_operator_size(p->A);
  CHECK_EQUAL_INT(perp_operator_size(q->A), n);
  CHECK_EQUAL_INT(q->cones, p->cones);
  double *x = calloc((size_t)n, sizeof *x), *y = calloc((size_t)n, sizeof *y);
  double *z = calloc((size_t)n, sizeof *z), largest = 1;
  perp_random random = perp_random_from(3);
  for (int i = 0; i < n; i++)
    x[i] = perp_random_between(&random, -1, 1);
  velocity(p, x, y);
  velocity(q, x, z);
  for (int i = 0; i < n; i++)
    largest = fmax(largest, fabs(y[i]));
  for (int i = 0; i < n; i++) {
    CHECK_CLOSE(y[i], z[i], tolerance * largest);
    CHECK_CLOSE(p->b[i], q->b[i], tolerance * largest);
    CHECK(!p->findex == !q->findex && (!p->findex || p->findex[i] == q->findex[i]));
    CHECK(i < 3 * p->cones || !p->lo || p->lo[i] == q->lo[i]);
    CHECK(!p->x == !q->x && (!p->x || p->x[i] == q->x[i]));
  }
  for (int c = 0; c < p->cones; c++)
    CHECK(p->mu[c] == q->mu[c]);
  free(x);
  free(y);
  free(z);
}

static void round_trips(void)
{
  static const struct {
    const char *text;
    double tolerance; /* 0: the same bits */
  } kinds[] = {{"robot:cfm=0", 0},
               {"robot:model=hand,cfm=0", 0},
               {"elements:n=600,contacts=30", 0},
               {"wall:form=cone", 0},
               {"wall:form=cone,operator=contact,cfm=0", 1e-12},
               {"wall:form=cone,operator=contact,cfm=0.01", 1e-12},
               {"pile:form=cone,plant=yes", 0}};
  fresh_scratch();
  need_hdf5();
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    perp_instance p, q;
    perp_message why;
    CHECK_SAY(perp_generate(kinds[k].text, &p, &why) == PERP_OK, "%s", why.text);
    CHECK_SAY(perp_fclib_write(in_scratch("p.hdf5"), &p, &why) == PERP_OK, "%s: %s", kinds[k].text,
              why.text);
    CHECK_SAY(perp_fclib_read(in_scratch("p.hdf5"), &q, &why) == PERP_OK, "%s", why.text);
    check_same(&p, &q, kinds[k].tolerance);
    perp_instance_destroy(&p);
    perp_instance_destroy(&q);
  }
}

/* A contact in the plane and an equation: W = [2 1; 1 3], V = (1, 2)^T, R = 4. */
static perp_instance small_problem(bool plane)
{
  static const double plane_a[9] = {2, 1, 1, 1, 3, 2, 1, 2, 4};
  static const double space_a[16] = {2, 1, 0, 1, 1, 3, 0, 2, 0, 0, 1, 0, 1, 2, 0, 4};
  const int n = plane ? 3 : 4;
  perp_instance p = {0};
  CHECK(perp_operator_dense(n, plane ? plane_a : space_a, n, PERP_COPY, &p.A, NULL) == PERP_OK);
  p.b = calloc((size_t)n, sizeof *p.b);
  p.lo = calloc((size_t)n, sizeof *p.lo);
  p.hi = calloc((size_t)n, sizeof *p.hi);
  for (int i = 0; i < n; i++) {
    p.b[i] = i - 1.5;
    p.lo[i] = -INFINITY;
    p.hi[i] = INFINITY;
  }
  if (plane) {
    p.findex = calloc((size_t)n, sizeof *p.findex);
    p.findex[0] = p.findex[2] = -1;
    p.lo[0] = 0;
    p.lo[1] = -0.4;
    p.hi[1] = 0.4;
  } else {
    p.mu = calloc(1, sizeof *p.mu);
    p.mu[0] = 0.4;
    p.cones = 1;
  }
  return p;
}

static void planes_and_equations(void)
{
  fresh_scratch();
  need_hdf5();
  for (int plane = 0; plane < 2; plane++) {
    perp_instance p = small_problem(plane), q;
    perp_message why;
    CHECK_SAY(perp_fclib_write(in_scratch("p.hdf5"), &p, &why) == PERP_OK, "%s", why.text);
    CHECK_SAY(perp_fclib_read(in_scratch("p.hdf5"), &q, &why) == PERP_OK, "%s", why.text);
    check_same(&p, &q, 0);
    perp_instance_destroy(&q);
    p.lo[plane ? 2 : 3] = 0;
    CHECK(perp_fclib_write(in_scratch("q.hdf5"), &p, &why) == PERP_ERROR_UNSUPPORTED);
    CHECK_SAY(strstr(why.text, "has bounds"), "%s", why.text);
    CHECK(access(in_scratch("q.hdf5"), F_OK) != 0 && access(in_scratch("q.hdf5.part"), F_OK) != 0);
    perp_operator_destroy(p.A);
    free(p.b);
    free(p.lo);
    free(p.hi);
    free(p.mu);
    free(p.findex);
  }
}

/* Rolling contacts: the rows of a robot, five by five. */
static void rolling_contacts(void)
{
  fresh_scratch();
  need_hdf5();
  perp_instance p, q;
  perp_message why;
  CHECK(perp_generate("robot:model=hand,contacts=5,cfm=0", &p, &why) == PERP_OK);
  const int contacts = 3 * p.cones / 5;
  perp_free(p.mu);
  p.mu = calloc(5 * (size_t)contacts, sizeof *p.mu);
  p.dim = calloc((size_t)contacts, sizeof *p.dim);
  p.law = calloc((size_t)contacts, sizeof *p.law);
  p.cones = contacts;
  for (int c = 0; c < contacts; c++) {
    p.dim[c] = 5;
    p.law[c] = PERP_FRICTION_DISCS;
    p.mu[5 * c] = p.mu[5 * c + 1] = 0.1 + 0.01 * c;
    p.mu[5 * c + 3] = p.mu[5 * c + 4] = 0.01 + 0.001 * c;
  }
  CHECK_SAY(perp_fclib_write(in_scratch("p.hdf5"), &p, &why) == PERP_OK, "%s", why.text);
  CHECK_SAY(perp_fclib_read(in_scratch("p.hdf5"), &q, &why) == PERP_OK, "%s", why.text);
  CHECK_EQUAL_INT(q.cones, contacts);
  CHECK(memcmp(p.dim, q.dim, (size_t)contacts * sizeof *p.dim) == 0);
  CHECK(memcmp(p.law, q.law, (size_t)contacts * sizeof *p.law) == 0);
  CHECK(memcmp(p.mu, q.mu, 5 * (size_t)contacts * sizeof *p.mu) == 0);
  p.law[1] = PERP_FRICTION_ELLIPTIC;
  CHECK(perp_fclib_write(in_scratch("q.hdf5"), &p, &why) == PERP_ERROR_UNSUPPORTED);
  CHECK_SAY(strstr(why.text, "row 5 "), "%s", why.text);
  perp_instance_destroy(&q);
  free(p.mu);
  free(p.dim);
  free(p.law);
  p.mu = NULL;
  p.dim = p.law = NULL;
  perp_instance_destroy(&p);
}

#ifdef PERP_TEST_FCLIB

/* x <- the product of a matrix of FCLib and a vector, or of its transpose */
static void times(const struct fclib_matrix *a, bool transposed, const double *v, double *out)
{
  for (int k = 0; k < (transposed ? a->n : a->m); k++)
    out[k] = 0;
  const int lines = a->nz >= 0 ? 1 : a->nz == -1 ? a->n : a->m;
  for (int k = 0; k < lines; k++)
    for (int e = a->nz >= 0 ? 0 : a->p[k]; e < (a->nz >= 0 ? a->nz : a->p[k + 1]); e++) {
      const int row = a->nz >= -1 ? a->i[e] : k;
      const int column = a->nz >= 0 ? a->p[e] : a->nz == -1 ? k : a->i[e];
      out[transposed ? column : row] += a->x[e] * v[transposed ? row : column];
    }
}

/* FCLib reads what perp wrote: M v = H r, u = H^T v + w. */
static void fclib_reads_ours(void)
{
  fresh_scratch();
  need_hdf5();
  perp_instance p;
  CHECK(perp_generate("robot:model=hand,cfm=0", &p, NULL) == PERP_OK);
  CHECK(perp_fclib_write(in_scratch("p.hdf5"), &p, NULL) == PERP_OK);
  struct fclib_global *g = fclib_read_global(in_scratch("p.hdf5"));
  CHECK(g && g->spacedim == 3);
  const int n = perp_operator_size(p.A), m = g->M->m;
  CHECK_EQUAL_INT(g->H->n, n);
  double *r = calloc((size_t)n, sizeof *r), *y = calloc((size_t)n, sizeof *y);
  double *v = calloc((size_t)m, sizeof *v), *Mv = calloc((size_t)m, sizeof *Mv);
  double *Hr = calloc((size_t)m, sizeof *Hr), *u = calloc((size_t)n, sizeof *u);
  perp_random random = perp_random_from(5);
  for (int i = 0; i < n; i++)
    r[i] = perp_random_between(&random, 0, 1);
  CHECK(perp_contact_velocities(p.A, NULL, r, v, NULL) == PERP_OK);
  times(g->M, false, v, Mv);
  times(g->H, false, r, Hr);
  for (int k = 0; k < m; k++)
    CHECK_CLOSE(Mv[k], Hr[k] + g->f[k], 1e-10);
  times(g->H, true, v, u);
  velocity(&p, r, y);
  for (int i = 0; i < n; i++)
    CHECK_CLOSE(u[i] + g->w[i], y[i], 1e-8);
  fclib_delete_global(g);
  free(g); /* which the library leaves to its caller */
  perp_instance_destroy(&p);
  free(r);
  free(y);
  free(v);
  free(Mv);
  free(Hr);
  free(u);
}

/* perp reads what FCLib wrote, in each storage of a matrix. */
static void we_read_fclib(void)
{
  fresh_scratch();
  need_hdf5();
  int rows[] = {0, 1, 2, 0, 1, 0}, columns[] = {0, 1, 2, 1, 0, 0}, by_column[] = {0, 3, 5, 6};
  int index[] = {0, 0, 1, 1, 0, 2};
  double entries[] = {2, 3, 1, 0.5, 0.25, 1}, sorted[] = {2, 1, 0.25, 3, 0.5, 1};
  double q[] = {-1, 0.5, 0.25}, mu[] = {0.7};
  for (int storage = 0; storage < 3; storage++) {
    struct fclib_matrix W = {.nzmax = 6, .m = 3, .n = 3};
    W.p = storage == 0 ? columns : by_column;
    W.i = storage == 0 ? rows : index;
    W.x = storage == 0 ? entries : sorted;
    W.nz = storage == 0 ? 6 : -storage;
    struct fclib_info info = {"a", "b", "c"};
    struct fclib_local local = {.W = &W, .mu = mu, .q = q, .spacedim = 3, .info = &info};
    char name[32];
    snprintf(name, sizeof name, "w%d.hdf5", storage);
    CHECK(fclib_write_local(&local, in_scratch(name)));
    perp_instance p;
    perp_message why;
    CHECK_SAY(perp_fclib_read(in_scratch(name), &p, &why) == PERP_OK, "%s", why.text);
    /* triplets: the two entries (0,0) are added; rows and columns: one is the other's transpose */
    const double x[3] = {1, 10, 100};
    double y[3];
    velocity(&p, x, y);
    CHECK_CLOSE(y[0], storage == 2 ? 4.5 : 7, 1e-14);
    CHECK_CLOSE(y[1], storage == 2 ? 31 : 30.75, 1e-14);
    CHECK_CLOSE(y[2], 100.25, 1e-14);
    CHECK(p.cones == 1 && p.mu[0] == 0.7);
    perp_instance_destroy(&p);
  }
}

/* M with one triangle is completed, as files of LMGC need; an M that is not symmetric stays so: A is
 * assembled. H = I, f = (1, 0, 0). */
static void masses_as_files_have_them(void)
{
  fresh_scratch();
  need_hdf5();
  for (int way = 0; way < 2; way++) {
    int rows[] = {0, 0, 1, 2, 1}, columns[] = {0, 1, 1, 2, 0}, unit[] = {0, 1, 2};
    double entries[] = {2, 1, 3, 1, 2}, ones[] = {1, 1, 1}, f[] = {1, 0, 0};
    double w[] = {0.5, 0.25, 0.125}, mu[] = {0.7};
    struct fclib_matrix M = {.nzmax = 4 + way, .m = 3, .n = 3, .nz = 4 + way};
    M.p = columns;
    M.i = rows;
    M.x = entries;
    struct fclib_matrix H = {.nzmax = 3, .m = 3, .n = 3, .nz = 3};
    H.p = H.i = unit;
    H.x = ones;
    struct fclib_info info = {"a", "b", "c"};
    struct fclib_global global = {
        .M = &M, .H = &H, .mu = mu, .f = f, .w = w, .spacedim = 3, .info = &info};
    char name[32];
    snprintf(name, sizeof name, "m%d.hdf5", way);
    CHECK(fclib_write_global(&global, in_scratch(name)));
    perp_instance p;
    perp_message why;
    CHECK_SAY(perp_fclib_read(in_scratch(name), &p, &why) == PERP_OK, "%s", why.text);
    CHECK_EQUAL_TEXT(perp_operator_kind(p.A), way ? "dense" : "contact");
    /* the inverses: (3 -1; -1 2) / 5 and (3 -1; -2 2) / 4 */
    const double x[3] = {1, 10, 100};
    double y[3];
    velocity(&p, x, y);
    CHECK_CLOSE(p.b[0], 0.5 + (way ? 0.75 : 0.6), 1e-14);
    CHECK_CLOSE(p.b[1], 0.25 - (way ? 0.5 : 0.2), 1e-14);
    CHECK_CLOSE(y[0] - p.b[0], way ? -1.75 : -1.4, 1e-13);
    CHECK_CLOSE(y[1] - p.b[1], way ? 4.5 : 3.8, 1e-13);
    CHECK_CLOSE(y[2] - p.b[2], 100, 1e-13);
    perp_instance_destroy(&p);
  }
}
#endif

#ifdef PERP_TEST_HDF5
/* Each dataset is missing, or too short, or holds text: the message names it. */
static void broken_files(void)
{
  static const char *const sets[] = {"spacedim", "M/m",       "M/nz",      "M/p",        "M/x",
                                     "H/i",      "vectors/f", "vectors/w", "vectors/mu", "H/nzmax"};
  fresh_scratch();
  need_hdf5();
  perp_instance p, q;
  CHECK(perp_generate("robot:model=hand,cfm=0", &p, NULL) == PERP_OK);
  for (size_t k = 0; k < sizeof sets / sizeof *sets; k++)
    for (int way = 0; way < 3; way++) {
      char path[64];
      perp_message why;
      snprintf(path, sizeof path, "/fclib_global/%s", sets[k]);
      CHECK(perp_fclib_write(in_scratch("p.hdf5"), &p, NULL) == PERP_OK);
      const hid_t file = H5Fopen(in_scratch("p.hdf5"), H5F_ACC_RDWR, H5P_DEFAULT);
      CHECK(H5Ldelete(file, path, H5P_DEFAULT) >= 0);
      if (way > 0) {
        const hsize_t size = 2;
        const hid_t space = H5Screate_simple(1, &size, NULL);
        const hid_t type = way == 1 ? H5Tcopy(H5T_NATIVE_INT) : H5Tcopy(H5T_C_S1);
        H5Dclose(H5Dcreate2(file, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        H5Tclose(type);
        H5Sclose(space);
      }
      H5Fclose(file);
      CHECK(perp_fclib_read(in_scratch("p.hdf5"), &q, &why) == PERP_ERROR_FILE);
      CHECK_SAY(strstr(why.text, path), "%s: %s", path, why.text);
    }
  perp_instance_destroy(&p);
  put(in_scratch("text.hdf5"), "no HDF5");
  perp_message why;
  CHECK(perp_fclib_read(in_scratch("text.hdf5"), &q, &why) == PERP_ERROR_FILE);
  CHECK_SAY(strstr(why.text, "not an HDF5 file"), "%s", why.text);
}
#endif

static const test_case tests[] = {
    TEST(round_trips),      TEST(planes_and_equations), TEST(rolling_contacts),
#ifdef PERP_TEST_FCLIB
    TEST(fclib_reads_ours), TEST(we_read_fclib),        TEST(masses_as_files_have_them),
#endif
#ifdef PERP_TEST_HDF5
    TEST(broken_files),
#endif
};
TEST_MAIN(tests)
