/* test_generate_scene.c: contact scenes: their geometry, sizes, bits and error messages
 *
 * Oracles come from elementary mechanics: point masses, moments. */
#include "generate_contact.h"

#include "base/random.h"
#include "generate/scene.h"

/* ---- Geometry ---- */

static void turns_are_cosines(void)
{
  for (int of = 1; of <= 64; of++)
    for (int k = 0; k < of; k++) {
      double c, s;
      perp_scene_turn(k, of, &c, &s);
      const long double angle = 2 * 3.14159265358979323846264L * k / of;
      CHECK_CLOSE(c, (double)cosl(angle), 2.3e-16);
      CHECK_CLOSE(s, (double)sinl(angle), 2.3e-16);
    }
  double c, s;
  perp_scene_turn(3, 4, &c, &s);
  CHECK(c == 0 && s == -1);
}

static void draw_unit(perp_random *random, double u[3])
{
  double square = 0;
  for (int k = 0; k < 3; k++) {
    u[k] = perp_random_normal(random);
    square += u[k] * u[k];
  }
  for (int k = 0; k < 3; k++)
    u[k] /= sqrt(square);
}

static double dot3(const double *u, const double *v)
{
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

static void cross(const double *u, const double *v, double w[3])
{
  w[0] = u[1] * v[2] - u[2] * v[1];
  w[1] = u[2] * v[0] - u[0] * v[2];
  w[2] = u[0] * v[1] - u[1] * v[0];
}

static void frames_are_orthonormal(void)
{
  perp_random random = perp_random_from(3);
  for (int trial = 0; trial < 300; trial++) {
    double n[3], t[3], o[3], w[3];
    draw_unit(&random, n);
    perp_scene_frame(n, t, o);
    CHECK_CLOSE(dot3(t, t), 1, 1e-14);
    CHECK_CLOSE(dot3(n, t), 0, 1e-14);
    cross(n, t, w);
    for (int k = 0; k < 3; k++)
      CHECK_CLOSE(o[k], w[k], 1e-14);
  }
}

/* A box has the moments of eight equal points at +-half/sqrt(3), rotated with it. */
static void inertia_is_that_of_points(void)
{
  perp_random random = perp_random_from(4);
  for (int trial = 0; trial < 200; trial++) {
    const double mass = perp_random_between(&random, 0.1, 10), position[3] = {0, 0, 0};
    double half[3], c, s;
    for (int k = 0; k < 3; k++)
      half[k] = perp_random_between(&random, 0.1, 2);
    perp_scene_turn(trial, 200, &c, &s);
    perp_scene scene = {0};
    perp_scene_box(&scene, mass, half, position, c, s);
    double I[9] = {0};
    for (int corner = 0; corner < 8; corner++) {
      double q[3], r[3];
      for (int k = 0; k < 3; k++)
        q[k] = ((corner >> k) & 1 ? 1 : -1) * half[k] / sqrt(3);
      r[0] = c * q[0] - s * q[2];
      r[1] = q[1];
      r[2] = s * q[0] + c * q[2];
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          I[3 * i + j] += mass / 8 * ((i == j ? dot3(r, r) : 0) - r[i] * r[j]);
    }
    const double *inverse = scene.body[0].inertia_inverse;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        double product = 0;
        for (int k = 0; k < 3; k++)
          product += I[3 * i + k] * inverse[3 * k + j];
        CHECK_CLOSE(product, i == j, 1e-11);
      }
    perp_scene_free(&scene);
  }
}

/* A ball has the moments of six points at radius sqrt(3/5) on the axes. */
static void inertia_of_a_ball(void)
{
  const double position[3] = {1, 2, 3}, mass = 7, radius = 0.3, rho = radius * sqrt(0.6);
  perp_scene scene = {0};
  perp_scene_ball(&scene, mass, radius, position);
  for (int k = 0; k < 9; k++)
    CHECK_CLOSE(scene.body[0].inertia_inverse[k] * (4 * mass / 6 * rho * rho), k % 4 == 0, 1e-14);
  CHECK_CLOSE(scene.body[0].mass_inverse * mass, 1, 1e-15);
  perp_scene_free(&scene);
}

/* An impulse along a row preserves the linear and the angular momentum of the two bodies, and J v
 * is the relative velocity of their material points. */
static void impulses_are_equal_and_opposite(void)
{
  perp_random random = perp_random_from(5);
  for (int trial = 0; trial < 300; trial++) {
    perp_scene scene = {0};
    double point[3], d[3];
    for (int k = 0; k < 2; k++) {
      double position[3];
      for (int e = 0; e < 3; e++)
        position[e] = perp_random_between(&random, -2, 2);
      perp_scene_ball(&scene, 1, 1, position);
    }
    for (int e = 0; e < 3; e++)
      point[e] = perp_random_between(&random, -2, 2);
    draw_unit(&random, d);
    const int a = trial % 2, b = 1 - a;
    perp_arena arena = {0};
    perp_contact_rows rows;
    const perp_contact_layout layout = {.form = PERP_CONTACT_LCP};
    CHECK(perp_contact_rows_begin(&rows, &layout, 1, 0, 2, &arena));
    double arm[2][3], frame[3][3] = {{d[0], d[1], d[2]}};
    for (int e = 0; e < 3; e++) {
      arm[0][e] = point[e] - scene.body[b].position[e];
      arm[1][e] = point[e] - scene.body[a].position[e];
    }
    perp_contact_rows_contact(&rows, (int[]){b, a}, arm, frame);
    CHECK(rows.n == 1 && rows.start[1] == 12);
    double linear[3] = {0}, angular[3] = {0}, relative = 0, row = 0;
    for (int side = 0; side < 2; side++) {
      const int body = rows.column[6 * side] / 6;
      const double *J = rows.value + 6 * side, *position = scene.body[body].position;
      double moment[3], v[6], r[3], spin[3];
      cross(position, J, moment);
      for (int e = 0; e < 6; e++)
        v[e] = perp_random_between(&random, -1, 1);
      for (int e = 0; e < 3; e++) {
        linear[e] += J[e];
        angular[e] += moment[e] + J[3 + e];
        r[e] = point[e] - position[e];
      }
      cross(v + 3, r, spin);
      for (int e = 0; e < 3; e++)
        relative += (body == a ? 1 : -1) * d[e] * (v[e] + spin[e]);
      for (int e = 0; e < 6; e++)
        row += J[e] * v[e];
    }
    for (int e = 0; e < 3; e++) {
      CHECK_CLOSE(linear[e], 0, 1e-14);
      CHECK_CLOSE(angular[e], 0, 1e-14);
    }
    CHECK_CLOSE(row, relative, 1e-13);
    perp_arena_free(&arena);
    perp_scene_free(&scene);
  }
}

/* ---- Sizes ---- */

static void piles_have_their_contacts(void)
{
  /* full tetrahedra of side s: edges of the triangles, three below each ball, the ground */
  for (int s = 1; s <= 12; s++) {
    int balls = 0, contacts = s * (s + 1) / 2;
    for (int m = s; m >= 1; m--) {
      balls += m * (m + 1) / 2;
      contacts += 3 * m * (m - 1) / 2;
      contacts += m < s ? 3 * m * (m + 1) / 2 : 0;
    }
    perp_instance p = generate("pile:n=%d", balls);
    CHECK_EQUAL_INT(perp_operator_size(p.A), contacts);
    perp_instance_destroy(&p);
  }
  /* pebbles: three contacts each, one on the ground */
  perp_instance p = generate("pile:n=56,layout=random");
  CHECK_EQUAL_INT(perp_operator_size(p.A), 21 + 3 * 35);
  perp_instance_destroy(&p);
}

static void large_scenes_are_made(void)
{
  perp_instance p = generate("pile:n=7200,layout=random,form=findex,plant=yes");
  CHECK(perp_operator_size(p.A) > 3 * 20000);
  perp_instance_destroy(&p);
  p = generate("pile:n=3800,form=cone,operator=contact,plant=yes");
  CHECK(p.cones > 20000);
  perp_instance_destroy(&p);
  p = generate("wall:rows=40,columns=50,form=polyhedral,operator=contact");
  CHECK_EQUAL_INT(perp_operator_size(p.A) % 6, 0);
  perp_instance_destroy(&p);
}

/* ---- Repeats are equal ---- */

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
  for (size_t k = 0; k < count; k++)
    hash = (hash ^ ((const unsigned char *)bytes)[k]) * 0x100000001b3u;
  return hash;
}

static uint64_t hash_of(const perp_instance *p)
{
  const size_t n = (size_t)perp_operator_size(p->A);
  uint64_t hash = hash_bytes(0xcbf29ce484222325u, p->b, n * sizeof *p->b);
  if (p->x)
    hash = hash_bytes(hash, p->x, n * sizeof *p->x);
  const int64_t *start;
  const int *column;
  const double *value;
  if (perp_operator_csr_arrays(p->A, &start, &column, &value) == PERP_OK) {
    hash = hash_bytes(hash, start, (n + 1) * sizeof *start);
    hash = hash_bytes(hash, column, (size_t)start[n] * sizeof *column);
    hash = hash_bytes(hash, value, (size_t)start[n] * sizeof *value);
  }
  return hash;
}

static void two_runs_are_equal(void)
{
  for (int s = 0; s < SCENES; s++)
    for (int f = 0; f < FORMS; f++) {
      if (f == 1 && named_wall(scenes[s]))
        continue;
      perp_instance p = generate("%s,form=%s,plant=yes,jitter=1,seed=5", scenes[s], forms[f]);
      perp_instance q = generate("%s,form=%s,plant=yes,jitter=1,seed=5", scenes[s], forms[f]);
      perp_instance r = generate("%s,form=%s,plant=yes,jitter=1,seed=6", scenes[s], forms[f]);
      CHECK(hash_of(&p) == hash_of(&q));
      CHECK(hash_of(&p) != hash_of(&r));
      perp_instance_destroy(&p);
      perp_instance_destroy(&q);
      perp_instance_destroy(&r);
    }
}

/* The bits of A, b and x, as they are on every machine. A change to a generator changes them. */
static void bits_are_those_of_every_machine(void)
{
  static const struct {
    const char *text;
    uint64_t hash;
  } cases[] = {
      {"pile:n=40,layout=random,form=polyhedral,directions=5,plant=yes,jitter=1",
       0xc399e77573611d68u},
      {"arch:n=9,form=findex", 0x9e67268d2ab49c5bu},
      {"cards:n=3,form=cone,plant=yes", 0xa3bfc683bad3dda6u},
      {"wall:size=nb235_nc1044", 0x4a12691f92ed4483u},
      {"chain:n=9,form=mixed,plant=yes", 0xed9677ff4e022d45u},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    perp_instance p = generate("%s", cases[k].text);
    CHECK_SAY(hash_of(&p) == cases[k].hash, "%s: 0x%016llx", cases[k].text,
              (unsigned long long)hash_of(&p));
    perp_instance_destroy(&p);
  }
}

static void bad_parameters_are_refused(void)
{
  static const char *const texts[] = {
      "stack:n=0",
      "stack:form=box",
      "stack:joints=yes",
      "stack:form=cone,joints=yes",
      "stack:n=1,form=mixed",
      "pile:n=1,form=mixed",
      "pile:layout=loose",
      "pile:mu=-1",
      "pile:cfm=-1",
      "wall:size=nb1_nc1",
      "wall:size=nb7_nc18,form=mixed",
      "wall:size=nb7_nc18,joints=yes",
      "chain:ratio=0",
      "arch:n=2",
      "cards:directions=2,form=polyhedral",
      "cards:plant=yes,active=0.8,degenerate=0.3",
      "chain:h=0",
      "particle:mass=0",
      "particle:form=cone",
      "particle:n=3",
  };
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    perp_instance p;
    perp_message why = {""};
    CHECK_SAY(perp_generate(texts[k], &p, &why) == PERP_ERROR_PARAMETER, "%s", texts[k]);
    CHECK(why.text[0] && !strchr(why.text, '\n'));
    CHECK(!p.A && !p.b);
  }
}

static const test_case tests[] = {
    TEST(turns_are_cosines),
    TEST(frames_are_orthonormal),
    TEST(inertia_is_that_of_points),
    TEST(inertia_of_a_ball),
    TEST(impulses_are_equal_and_opposite),
    TEST(piles_have_their_contacts),
    TEST(large_scenes_are_made),
    TEST(two_runs_are_equal),
    TEST(bits_are_those_of_every_machine),
    TEST(bad_parameters_are_refused),
};

TEST_MAIN(tests)
