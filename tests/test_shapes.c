/* Contacts of shapes in space against distances found by dense sampling and by alternating projections. */
#include "base/random.h"
#include "scene/vector.h"
#include "simulate/rigid3d/world.h"
#include "test.h"

#include <math.h>

static perp_random dice;

static double between(double lo, double hi)
{
  return perp_random_between(&dice, lo, hi);
}

static perp_placed3 draw(perp_shape_kind kind, double far)
{
  perp_placed3 p = {.kind = kind};
  double q[4], norm = 0;
  for (int k = 0; k < 4; k++) {
    q[k] = between(-1, 1);
    norm += q[k] * q[k];
  }
  for (int k = 0; k < 4; k++)
    q[k] /= sqrt(norm);
  perp_q_matrix(q, p.R);
  for (int k = 0; k < 3; k++) {
    p.size[k] = between(0.2, 1);
    p.at[k] = between(-far, far);
  }
  return p;
}

/* The point of a box nearest to x. */
static void onto_box(const perp_placed3 *box, const double x[3], double on[3])
{
  double local[3];
  for (int k = 0; k < 3; k++) {
    local[k] = 0;
    for (int i = 0; i < 3; i++)
      local[k] += box->R[3 * i + k] * (x[i] - box->at[i]);
    local[k] = fmax(-box->size[k], fmin(box->size[k], local[k]));
  }
  for (int i = 0; i < 3; i++) {
    on[i] = box->at[i];
    for (int k = 0; k < 3; k++)
      on[i] += box->R[3 * i + k] * local[k];
  }
}

static double apart(const double x[3], const double y[3])
{
  return sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) +
              (x[2] - y[2]) * (x[2] - y[2]));
}

/* Computes point k of `count` along the segment of a round shape. */
static void sample(const perp_placed3 *p, int k, int count, double x[3])
{
  const double l = p->kind == PERP_SHAPE_CAPSULE ? p->size[1] * (2.0 * k / (count - 1) - 1) : 0;
  for (int i = 0; i < 3; i++)
    x[i] = p->at[i] + l * p->R[3 * i + 2];
}

static double least_gap(int count, const perp_point3 *point)
{
  double least = INFINITY;
  for (int k = 0; k < count; k++) {
    least = fmin(least, point[k].gap);
    CHECK_CLOSE(sqrt(point[k].normal[0] * point[k].normal[0] +
                     point[k].normal[1] * point[k].normal[1] +
                     point[k].normal[2] * point[k].normal[2]),
                1, 1e-12);
  }
  return least;
}

/* Round shapes: by points of both segments. */
static void round_shapes_know_their_distance(void)
{
  enum { COUNT = 121 };
  dice = perp_random_from(3);
  for (int t = 0; t < 200; t++) {
    const perp_placed3 a = draw(t % 2 ? PERP_SHAPE_CAPSULE : PERP_SHAPE_SPHERE, 1.5);
    const perp_placed3 b = draw(t % 3 ? PERP_SHAPE_CAPSULE : PERP_SHAPE_SPHERE, 1.5);
    double least = INFINITY, x[3], y[3];
    for (int i = 0; i < COUNT; i++)
      for (int j = 0; j < COUNT; j++) {
        sample(&a, i, COUNT, x);
        sample(&b, j, COUNT, y);
        least = fmin(least, apart(x, y));
      }
    perp_point3 point[PERP_PLACES3];
    const int count = perp_shapes3_touch(&a, &b, 10, point);
    CHECK_SAY(count >= 1, "pair %d: nothing found", t);
    const double gap = least_gap(count, point), brute = least - a.size[0] - b.size[0];
    CHECK_SAY(gap <= brute + 1e-9 && gap > brute - 2e-2, "pair %d: %g against %g", t, gap, brute);
  }
}

/* A round shape and a box: by points of the segment, projected onto the box. */
static void round_shapes_know_their_distance_to_boxes(void)
{
  enum { COUNT = 4001 };
  dice = perp_random_from(4);
  int outside = 0;
  for (int t = 0; t < 200; t++) {
    perp_placed3 a = draw(t % 2 ? PERP_SHAPE_CAPSULE : PERP_SHAPE_SPHERE, 2);
    const perp_placed3 b = draw(PERP_SHAPE_BOX, 1);
    double least = INFINITY, x[3], on[3];
    for (int i = 0; i < COUNT; i++) {
      sample(&a, i, COUNT, x);
      onto_box(&b, x, on);
      least = fmin(least, apart(x, on));
    }
    perp_point3 point[PERP_PLACES3];
    const int count = perp_shapes3_touch(&a, &b, 10, point);
    const double gap = least_gap(count, point);
    if (least < 1e-9) {
      CHECK_SAY(gap <= 1e-9 - a.size[0], "pair %d: its axis is in the box, gap %g", t, gap);
      continue;
    }
    outside++;
    CHECK_CLOSE(gap, least - a.size[0], 2e-3);
    const double into = point[0].normal[0] * (b.at[0] - a.at[0]) +
                        point[0].normal[1] * (b.at[1] - a.at[1]) +
                        point[0].normal[2] * (b.at[2] - a.at[2]);
    CHECK_SAY(into > 0, "pair %d: the normal leads away from the box", t);
  }
  CHECK_SAY(outside > 100, "only %d pairs are apart", outside);
}

/* The distance of two boxes by alternating projections (Bregman 1965). */
static double distance_of(const perp_placed3 *a, const perp_placed3 *b)
{
  double x[3] = {a->at[0], a->at[1], a->at[2]}, y[3];
  for (int k = 0; k < 20000; k++) {
    onto_box(b, x, y);
    onto_box(a, y, x);
  }
  return apart(x, y);
}

/* The largest sign * n^T x over the box: that of its middle, plus |n^T axis| times half of each
 * side. */
static double farthest(const perp_placed3 *p, const double n[3], double sign)
{
  double most = sign * (n[0] * p->at[0] + n[1] * p->at[1] + n[2] * p->at[2]);
  for (int k = 0; k < 3; k++)
    most += p->size[k] * fabs(n[0] * p->R[k] + n[1] * p->R[3 + k] + n[2] * p->R[6 + k]);
  return most;
}

/* Disjoint boxes: the normal separates them by the gap, which is at most their distance; others
 * overlap. */
static void boxes_are_separated_by_their_normals(void)
{
  dice = perp_random_from(5);
  int separate = 0, overlap = 0;
  for (int t = 0; t < 120; t++) {
    const perp_placed3 a = draw(PERP_SHAPE_BOX, 1.4), b = draw(PERP_SHAPE_BOX, 1.4);
    const double distance = distance_of(&a, &b);
    perp_point3 point[PERP_PLACES3];
    const int count = perp_shapes3_touch(&a, &b, 20, point);
    if (count == 0)
      continue; /* faces that look past each other */
    const double *n = point[0].normal, gap = least_gap(count, point);
    const double between_them = -farthest(&b, n, -1) - farthest(&a, n, 1);
    if (distance > 1e-3) {
      separate++;
      CHECK_SAY(between_them <= distance + 1e-9, "pair %d: %g, distance %g", t, between_them,
                distance);
      CHECK_SAY(between_them > 0, "pair %d at distance %g is not separated: %g", t, distance,
                between_them);
      CHECK_SAY(gap >= between_them - 1e-9, "pair %d: gap %g below %g", t, gap, between_them);
    } else if (distance < 1e-9) {
      overlap++;
      CHECK_SAY(gap <= 1e-9, "pair %d overlaps, gap %g", t, gap);
    }
  }
  CHECK_SAY(separate > 30 && overlap > 20, "%d apart, %d overlap", separate, overlap);
}

/* A box on a box, rotated about the vertical: four points in both faces, all with the same gap. */
static void faces_touch_in_four_points(void)
{
  for (int t = 0; t < 24; t++) {
    const double angle = 0.13 * t, c = cos(angle), s = sin(angle), gap = 0.01 * (t % 3 - 1);
    perp_placed3 a = {
        .kind = PERP_SHAPE_BOX, .size = {1, 0.8, 0.3}, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    perp_placed3 b = {.kind = PERP_SHAPE_BOX,
                      .size = {0.7, 0.5, 0.2},
                      .at = {0.4, 0.3, 0.5 + gap},
                      .R = {c, -s, 0, s, c, 0, 0, 0, 1}};
    for (int ground = 0; ground < 2; ground++) {
      perp_point3 point[PERP_PLACES3];
      a.ground = ground;
      CHECK_EQUAL_INT(perp_shapes3_touch(&a, &b, 0.05, point), 4);
      for (int k = 0; k < 4; k++) {
        CHECK_CLOSE(point[k].gap, gap, 1e-12);
        CHECK_CLOSE(point[k].normal[2], 1, 1e-12);
        double on[3];
        point[k].at[2] = 0.3;
        onto_box(&a, point[k].at, on);
        CHECK_SAY(ground || apart(on, point[k].at) < 1e-9, "point %d is beside the lower box", k);
        point[k].at[2] = b.at[2];
        onto_box(&b, point[k].at, on);
        CHECK_SAY(apart(on, point[k].at) < 1e-9, "point %d is beside the upper box", k);
      }
    }
  }
}

int main(int argc, char **argv)
{
  static const test_case cases[] = {
      TEST(round_shapes_know_their_distance),
      TEST(round_shapes_know_their_distance_to_boxes),
      TEST(boxes_are_separated_by_their_normals),
      TEST(faces_touch_in_four_points),
  };
  return test_main(argc, argv, cases, (int)(sizeof cases / sizeof *cases));
}
