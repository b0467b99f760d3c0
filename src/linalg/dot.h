/* linalg/dot.h: rows of a dense matrix times a vector, one row or four side by side
 *
 * Four rows share the loads of x, and their streams keep the memory busy. Sums are kept in pairs,
 * because a compiler may not reorder additions by itself: one row alone and one of four give the
 * same bits. */
#pragma once

/* Two numbers side by side: what every vector unit has. They may start anywhere. */
typedef double perp_two __attribute__((vector_size(2 * sizeof(double)), aligned(sizeof(double))));

static inline perp_two perp_two_at(const double *v)
{
  return *(const perp_two *)(const void *)v;
}

static inline double perp_two_sum(perp_two p, perp_two q)
{
  p += q;
  return p[0] + p[1];
}

static inline double perp_dot_row(int n, const double *a, const double *x)
{
  perp_two p = {0}, q = {0};
  double sum = 0;
  int j = 0;
  for (; j + 4 <= n; j += 4) {
    p += perp_two_at(a + j) * perp_two_at(x + j);
    q += perp_two_at(a + j + 2) * perp_two_at(x + j + 2);
  }
  for (; j < n; j++)
    sum += a[j] * x[j];
  return sum + perp_two_sum(p, q);
}

/* s_k = a_k . x for four rows */
static inline void perp_dot_four(int n, const double *a0, const double *a1, const double *a2,
                                 const double *a3, const double *x, double s[4])
{
  perp_two p0 = {0}, p1 = {0}, p2 = {0}, p3 = {0}, q0 = {0}, q1 = {0}, q2 = {0}, q3 = {0};
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int j = 0;
  for (; j + 4 <= n; j += 4) {
    const perp_two v = perp_two_at(x + j), w = perp_two_at(x + j + 2);
    p0 += perp_two_at(a0 + j) * v;
    q0 += perp_two_at(a0 + j + 2) * w;
    p1 += perp_two_at(a1 + j) * v;
    q1 += perp_two_at(a1 + j + 2) * w;
    p2 += perp_two_at(a2 + j) * v;
    q2 += perp_two_at(a2 + j + 2) * w;
    p3 += perp_two_at(a3 + j) * v;
    q3 += perp_two_at(a3 + j + 2) * w;
  }
  for (; j < n; j++) {
    s0 += a0[j] * x[j];
    s1 += a1[j] * x[j];
    s2 += a2[j] * x[j];
    s3 += a3[j] * x[j];
  }
  s[0] = s0 + perp_two_sum(p0, q0);
  s[1] = s1 + perp_two_sum(p1, q1);
  s[2] = s2 + perp_two_sum(p2, q2);
  s[3] = s3 + perp_two_sum(p3, q3);
}
