/* picture.c: a frame as an image, the same scene as the page shows
 *
 * In the plane the colour of a pixel depends on how deep it lies inside a shape: the rim is darker,
 * the outermost half pixel is blended. In space a pixel (x, y) looks along
 *
 *   d = ((x - cx) / focal, (cy - y) / focal, 1)
 *
 * in the eye's axes (right, up, away), and faces, spheres, capsules and triangles are intersected with that
 * line: z d is the point that is hit, and is drawn if nothing nearer is. */
#include "picture.h"
#include "robot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct colour {
  double c[3];
} colour;

static const colour COLD = {{92, 128, 170}}, WARM = {{222, 88, 44}}, HOT = {{255, 214, 64}},
                    STONE = {{128, 134, 144}}, GROUND = {{166, 170, 177}}, SLOW = {{150, 200, 242}},
                    FAST = {{16, 58, 132}}, PAPER = {{251, 251, 248}};

static colour mix(colour a, colour b, double t)
{
  for (int k = 0; k < 3; k++)
    a.c[k] += (b.c[k] - a.c[k]) * t;
  return a;
}

static colour heat(double t)
{
  return t < 0.5 ? mix(COLD, WARM, 2 * t) : mix(WARM, HOT, 2 * t - 1);
}

static colour colour_of(const perp_view *view, int k, double heaviest)
{
  if (view->shape[k].fixed)
    return STONE;
  const double load = view->load && heaviest > 0 ? view->load[k] / heaviest : 0;
  return heat(fmin(1, sqrt(fmax(0, load))));
}

/* The share `cover` of a pixel in that colour times `light`. */
static void put(picture *image, int x, int y, colour c, double light, double cover)
{
  unsigned char *p = image->rgb + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
  for (int k = 0; k < 3; k++)
    p[k] = (unsigned char)lrint(p[k] + cover * (fmin(255, c.c[k] * light) - p[k]));
}

typedef struct frame {
  int x0, x1, y0, y1; /* pixels, the last included */
} frame;

static frame around(const picture *image, double x0, double x1, double y0, double y1)
{
  return (frame){(int)fmax(0, fmin(image->width, floor(x0))),
                 (int)fmin(image->width - 1, fmax(-1, ceil(x1))),
                 (int)fmax(0, fmin(image->height, floor(y0))),
                 (int)fmin(image->height - 1, fmax(-1, ceil(y1)))};
}

/* ---- The plane ---- */

typedef struct plane {
  double scale, cx, cy; /* pixel (cx + scale x, cy - scale y) */
} plane;

/* Returns the depth of the point inside the shape; negative outside. */
static double depth_inside(const perp_shape *s, double x, double y)
{
  if (s->kind == PERP_SHAPE_DISC)
    return s->size[0] - hypot(x, y);
  double least = INFINITY;
  for (int k = 0; k < s->corners; k++) {
    const double *p = s->corner + 2 * k, *q = s->corner + 2 * ((k + 1) % s->corners);
    const double ex = q[0] - p[0], ey = q[1] - p[1];
    least = fmin(least, (ex * (y - p[1]) - ey * (x - p[0])) / hypot(ex, ey));
  }
  return least;
}

static void draw_shape(picture *image, const plane *v, const perp_shape *s, const double *pose,
                       colour c)
{
  double radius = s->size[0];
  for (int k = 0; k < s->corners; k++)
    radius = fmax(radius, hypot(s->corner[2 * k], s->corner[2 * k + 1]));
  const double px = v->cx + v->scale * pose[0], py = v->cy - v->scale * pose[1];
  const double reach = v->scale * radius + 1, co = cos(pose[2]), si = sin(pose[2]);
  const frame f = around(image, px - reach, px + reach, py - reach, py + reach);
  for (int y = f.y0; y <= f.y1; y++)
    for (int x = f.x0; x <= f.x1; x++) {
      const double dx = (x - px) / v->scale, dy = (py - y) / v->scale;
      const double u = co * dx + si * dy, w = -si * dx + co * dy; /* as the shape sees it */
      const double inside = v->scale * depth_inside(s, u, w);
      if (inside <= -0.5)
        continue;
      const bool spoke = s->kind == PERP_SHAPE_DISC && u > 0 && fabs(w) * v->scale < 0.7;
      put(image, x, y, c, inside < 1 || spoke ? 0.6 : 1, fmin(1, inside + 0.5));
    }
}

static void draw_plane(const perp_view *view, double heaviest, picture *image)
{
  const double wide = view->hi[0] - view->lo[0], high = view->hi[1] - view->lo[1];
  plane v = {.scale = 0.98 * fmin(image->width / wide, image->height / high)};
  v.cx = 0.5 * image->width - v.scale * 0.5 * (view->lo[0] + view->hi[0]);
  v.cy = 0.5 * image->height + v.scale * 0.5 * (view->lo[1] + view->hi[1]);
  for (int k = 0; k < view->shapes; k++)
    draw_shape(image, &v, &view->shape[k], view->pose + 3 * (size_t)k,
               colour_of(view, k, heaviest));
  const double half = fmax(0.6, v.scale * wide / 520);
  for (int k = 0; k < view->particles; k++) {
    const double x = v.cx + v.scale * view->particle[2 * k];
    const double y = v.cy - v.scale * view->particle[2 * k + 1];
    const frame f = around(image, x - half + 0.5, x + half - 0.5, y - half + 0.5, y + half - 0.5);
    const colour c = mix(SLOW, FAST, view->shade ? fmin(1, fmax(0, view->shade[k])) : 0);
    for (int j = f.y0; j <= f.y1; j++)
      for (int i = f.x0; i <= f.x1; i++)
        put(image, i, j, c, 1, 1);
  }
}

/* ---- Space ---- */

typedef struct eye {
  double axis[3][3]; /* right, up, away */
  double at[3], sun[3];
  double focal, cx, cy, near, extent;
} eye;

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double n[3])
{
  for (int k = 0; k < 3; k++)
    n[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Into the eye's axes: a direction, a point. */
static void turn(const eye *e, const double v[3], double seen[3])
{
  for (int k = 0; k < 3; k++)
    seen[k] = dot(e->axis[k], v);
}

static void look(const eye *e, const double p[3], double seen[3])
{
  const double v[3] = {p[0] - e->at[0], p[1] - e->at[1], p[2] - e->at[2]};
  turn(e, v, seen);
}

/* Column k of the rotation of the quaternion, in the eye's axes. */
static void axis_of(const eye *e, const double *q, int k, double seen[3])
{
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double column[3][3] = {
      {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
      {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
      {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)},
  };
  turn(e, column[k], seen);
}

/* From the front, to the right and from above; the image holds all corners of the viewed box. */
static eye open_eye(const perp_view *view, const picture *image)
{
  const double ct = cos(-0.9), st = sin(-0.9), cp = cos(0.35), sp = sin(0.35);
  eye e = {.axis = {{-st, ct, 0}, {-ct * sp, -st * sp, cp}, {-ct * cp, -st * cp, -sp}}};
  double middle[3], size[3];
  for (int k = 0; k < 3; k++) {
    middle[k] = 0.5 * (view->lo[k] + view->hi[k]);
    size[k] = 0.5 * (view->hi[k] - view->lo[k]);
  }
  e.extent = 2 * sqrt(dot(size, size));
  e.near = 0.02 * e.extent;
  for (int k = 0; k < 3; k++)
    e.at[k] = middle[k] - 1.6 * e.extent * e.axis[2][k];
  double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
  for (int c = 0; c < 8; c++) {
    double p[3], seen[3];
    for (int k = 0; k < 3; k++)
      p[k] = middle[k] + (c >> k & 1 ? size[k] : -size[k]);
    look(&e, p, seen);
    for (int k = 0; k < 2; k++) {
      const double at = seen[k] / seen[2];
      lo[k] = at < lo[k] ? at : lo[k];
      hi[k] = at > hi[k] ? at : hi[k];
    }
  }
  e.focal = 0.95 * fmin(image->width / (hi[0] - lo[0]), image->height / (hi[1] - lo[1]));
  e.cx = 0.5 * image->width - e.focal * 0.5 * (lo[0] + hi[0]);
  e.cy = 0.5 * image->height + e.focal * 0.5 * (lo[1] + hi[1]);
  turn(&e, (double[]){0.35, -0.5, 0.79}, e.sun);
  return e;
}

/* The pixels that these points, `more` around each, can cover; all if one lies behind the eye. */
static frame cover(const eye *e, const picture *image, int count, double point[][3], double more)
{
  double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
  for (int k = 0; k < count; k++) {
    const double *p = point[k];
    if (p[2] <= e->near)
      return around(image, 0, image->width, 0, image->height);
    const double x = e->cx + e->focal * p[0] / p[2], y = e->cy - e->focal * p[1] / p[2];
    x0 = fmin(x0, x);
    x1 = fmax(x1, x);
    y0 = fmin(y0, y);
    y1 = fmax(y1, y);
  }
  return around(image, x0 - more, x1 + more, y0 - more, y1 + more);
}

static void put_at(const eye *e, picture *image, int x, int y, double z, colour c, double light)
{
  float *depth = image->depth + (size_t)y * (size_t)image->width + (size_t)x;
  if (z > e->near && z < (double)*depth) {
    *depth = (float)z;
    put(image, x, y, c, light, 1);
  }
}

static double lit(const eye *e, const double normal[3])
{
  return 0.5 + 0.55 * fmax(0, dot(e->sun, normal));
}

/* The face of a box with the middle m, half edges a u and b w. */
static void draw_face(const eye *e, picture *image, const double m[3], const double u[3], double a,
                      const double w[3], double b, const double n[3], colour c)
{
  const double k = dot(n, m), mu = dot(m, u), mw = dot(m, w), light = lit(e, n);
  if (k >= 0)
    return; /* it looks away */
  double corner[4][3];
  for (int j = 0; j < 12; j++)
    corner[j / 3][j % 3] =
        m[j % 3] + (j / 3 & 1 ? a : -a) * u[j % 3] + (j / 3 & 2 ? b : -b) * w[j % 3];
  const frame f = cover(e, image, 4, corner, 0);
  for (int y = f.y0; y <= f.y1; y++)
    for (int x = f.x0; x <= f.x1; x++) {
      const double d[3] = {(x - e->cx) / e->focal, (e->cy - y) / e->focal, 1};
      const double z = k / dot(n, d);
      const double in_u = a - fabs(z * dot(u, d) - mu), in_w = b - fabs(z * dot(w, d) - mw);
      if (z > 0 && in_u >= 0 && in_w >= 0)
        put_at(e, image, x, y, z, c, fmin(in_u, in_w) < z / e->focal ? 0.6 * light : light);
    }
}

/* A capsule with the middle m along the unit vector s, `half` to either side; a sphere if half is
 * 0. With lengths measured across s, |z d - m| = r; its ends are spheres. */
static void draw_round(const eye *e, picture *image, const double m[3], const double s[3],
                       double half, double r, colour c)
{
  double end[2][3];
  for (int k = 0; k < 6; k++)
    end[k / 3][k % 3] = m[k % 3] + (k < 3 ? half : -half) * s[k % 3];
  const double nearest = fmin(end[0][2], end[1][2]) - r;
  if (nearest <= e->near)
    return;
  const frame f = cover(e, image, 2, end, 1 + 1.1 * e->focal * r / nearest);
  for (int part = half > 0 ? 0 : 1; part < (half > 0 ? 3 : 2); part++) {
    const double *o = part == 0 ? m : end[part - 1], along = part == 0 ? 1 : 0;
    const double os = along * dot(o, s), oo = dot(o, o) - os * os - r * r;
    for (int y = f.y0; y <= f.y1; y++)
      for (int x = f.x0; x <= f.x1; x++) {
        const double d[3] = {(x - e->cx) / e->focal, (e->cy - y) / e->focal, 1};
        const double ds = along * dot(d, s), dd = dot(d, d) - ds * ds, od = dot(o, d) - os * ds;
        const double root = od * od - dd * oo;
        if (root < 0 || dd < 1e-12)
          continue;
        const double z = (od - sqrt(root)) / dd, h = z * ds - os;
        if (fabs(h) > half)
          continue;
        double n[3];
        for (int k = 0; k < 3; k++)
          n[k] = (z * d[k] - o[k] - h * s[k]) / r;
        put_at(e, image, x, y, z, c, lit(e, n));
      }
  }
}

/* The triangle with these corners in the eye's axes, from both sides. With edges u and w from p, a
 * point z d of its plane is p + s u + t w, and n x w and u x n give s and t. */
static void draw_triangle(const eye *e, picture *image, double p[3][3], colour c)
{
  double u[3], w[3], n[3], nw[3], un[3];
  for (int k = 0; k < 3; k++) {
    u[k] = p[1][k] - p[0][k];
    w[k] = p[2][k] - p[0][k];
  }
  cross(u, w, n);
  const double square = dot(n, n), k = dot(n, p[0]);
  if (!(square > 0) || k == 0)
    return; /* a line */
  cross(w, n, nw);
  cross(n, u, un);
  const double size = (k < 0 ? 1 : -1) / sqrt(square);
  const double light = lit(e, (double[]){size * n[0], size * n[1], size * n[2]});
  const frame f = cover(e, image, 3, p, 0);
  for (int y = f.y0; y <= f.y1; y++)
    for (int x = f.x0; x <= f.x1; x++) {
      const double d[3] = {(x - e->cx) / e->focal, (e->cy - y) / e->focal, 1};
      const double z = k / dot(n, d);
      const double q[3] = {z * d[0] - p[0][0], z * d[1] - p[0][1], z * d[2] - p[0][2]};
      const double s = dot(q, nw) / square, t = dot(q, un) / square;
      if (z > 0 && s >= 0 && t >= 0 && s + t <= 1)
        put_at(e, image, x, y, z, c, light);
    }
}

static void draw_mesh(const eye *e, picture *image, const perp_shape *s, const double m[3],
                      double axis[3][3], colour c)
{
  for (int k = 0; k < s->corners; k += 3) {
    double p[3][3];
    for (int j = 0; j < 9; j++) {
      const double *own = s->corner + 3 * (k + j / 3);
      p[j / 3][j % 3] =
          m[j % 3] + own[0] * axis[0][j % 3] + own[1] * axis[1][j % 3] + own[2] * axis[2][j % 3];
    }
    draw_triangle(e, image, p, c);
  }
}

/* The twelve edges, before all else. */
static void draw_wire(const eye *e, picture *image, double corner[8][3])
{
  for (int c = 0; c < 8; c++)
    for (int bit = 1; bit < 8; bit *= 2) {
      const double *p = corner[c], *q = corner[c | bit];
      if (c & bit || p[2] <= e->near || q[2] <= e->near)
        continue;
      const double x0 = e->cx + e->focal * p[0] / p[2], y0 = e->cy - e->focal * p[1] / p[2];
      const double x1 = e->cx + e->focal * q[0] / q[2], y1 = e->cy - e->focal * q[1] / q[2];
      const int points = (int)fmin(1e5, ceil(fmax(fabs(x1 - x0), fabs(y1 - y0)))) + 1;
      for (int k = 0; k < points; k++) {
        const double t = points > 1 ? (double)k / (points - 1) : 0;
        const double x = x0 + t * (x1 - x0), y = y0 + t * (y1 - y0);
        if (x >= 0 && y >= 0 && x < image->width - 0.5 && y < image->height - 0.5)
          put(image, (int)lrint(x), (int)lrint(y), STONE, 1, 0.75);
      }
    }
}

/* Corner k of a box: bit d of k says to which side along axis d. */
static void place_corner(const double m[3], const double size[3], double axis[3][3], int k,
                         double corner[3])
{
  const double a = k & 1 ? size[0] : -size[0], b = k & 2 ? size[1] : -size[1];
  const double c = k & 4 ? size[2] : -size[2];
  for (int d = 0; d < 3; d++)
    corner[d] = m[d] + a * axis[0][d] + b * axis[1][d] + c * axis[2][d];
}

static void draw_solid(const eye *e, const perp_view *view, int k, bool wires, double heaviest,
                       picture *image)
{
  const perp_shape *s = &view->shape[k];
  const double *pose = view->pose + 7 * (size_t)k;
  double m[3], axis[3][3];
  if (s->wire != wires)
    return;
  look(e, pose, m);
  for (int j = 0; j < 3; j++)
    axis_of(e, pose + 3, j, axis[j]);
  const bool ground =
      s->fixed && s->kind == PERP_SHAPE_BOX && pose[2] + s->size[2] <= view->lo[2] + 1e-6;
  const colour c = ground ? GROUND : colour_of(view, k, heaviest);
  if (s->kind == PERP_SHAPE_SPHERE) {
    draw_round(e, image, m, axis[2], 0, s->size[0], c);
  } else if (s->kind == PERP_SHAPE_CAPSULE) {
    draw_round(e, image, m, axis[2], s->size[1], s->size[0], c);
  } else if (s->kind == (perp_shape_kind)SHAPE_MESH) {
    draw_mesh(e, image, s, m, axis, c);
  } else if (wires) {
    double corner[8][3];
    for (int j = 0; j < 8; j++)
      place_corner(m, s->size, axis, j, corner[j]);
    draw_wire(e, image, corner);
  } else {
    for (int j = 0; j < 6; j++) {
      const int a = j / 2, u = (a + 1) % 3, w = (a + 2) % 3;
      const double sign = j % 2 ? -1 : 1;
      double n[3], middle[3];
      for (int d = 0; d < 3; d++) {
        n[d] = sign * axis[a][d];
        middle[d] = m[d] + s->size[a] * n[d];
      }
      draw_face(e, image, middle, axis[u], s->size[u], axis[w], s->size[w], n, c);
    }
  }
}

static void draw_space(const perp_view *view, double heaviest, picture *image)
{
  const eye e = open_eye(view, image);
  for (size_t k = 0; k < (size_t)image->width * (size_t)image->height; k++)
    image->depth[k] = INFINITY;
  for (int k = 0; k < view->shapes; k++)
    draw_solid(&e, view, k, false, heaviest, image);
  for (int k = 0; k < view->particles; k++) {
    double m[1][3];
    look(&e, view->particle + 3 * (size_t)k, m[0]);
    const colour c = mix(SLOW, FAST, view->shade ? fmin(1, fmax(0, view->shade[k])) : 0);
    if (m[0][2] <= e.near)
      continue;
    const frame f = cover(&e, image, 1, m, fmax(0, 0.004 * e.extent * e.focal / m[0][2] - 0.5));
    for (int y = f.y0; y <= f.y1; y++)
      for (int x = f.x0; x <= f.x1; x++)
        put_at(&e, image, x, y, m[0][2], c, 1);
  }
  for (int k = 0; k < view->shapes; k++)
    draw_solid(&e, view, k, true, heaviest, image);
}

/* ---- The image ---- */

bool picture_make(const perp_view *view, int width, picture *image)
{
  const double ratio =
      view->dimension == 3 ? 0.7 : (view->hi[1] - view->lo[1]) / (view->hi[0] - view->lo[0]);
  const int height = (int)lrint(width * fmin(1.1, fmax(0.4, ratio)));
  const size_t pixels = (size_t)width * (size_t)height;
  *image = (picture){.width = width, .height = height};
  image->rgb = calloc(pixels, 3);
  image->depth = calloc(pixels, sizeof *image->depth);
  return image->rgb && image->depth;
}

void picture_free(picture *image)
{
  free(image->rgb);
  free(image->depth);
  *image = (picture){0};
}

void picture_draw(const perp_view *view, double heaviest, picture *image)
{
  for (int y = 0; y < image->height; y++)
    for (int x = 0; x < image->width; x++)
      put(image, x, y, PAPER, 1, 1);
  if (view->dimension == 3)
    draw_space(view, heaviest, image);
  else
    draw_plane(view, heaviest, image);
}
