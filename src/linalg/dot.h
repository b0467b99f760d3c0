/* dot.h: vectors of two numbers, which every vector unit has, and rows times a vector */
#pragma once

/* No alignment needed. */
typedef double perp_two __attribute__((vector_size(16), aligned(8), may_alias));

static inline perp_two perp_two_at(const double *v)
{
  return *(const perp_two *)v;
}

static inline double perp_two_sum(perp_two p, perp_two q)
{
  p += q;
  return p[0] + p[1];
}

/* ---- Rows times a vector, one row or four at a time ----
 *
 * Four rows share the loads of x, and four streams use the memory bandwidth. Sums are kept in
 * pairs, because a compiler may not reorder additions: a single row and one of four give the same
 * bits. */

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

/* The sums of four rows, in pairs and one by one. */
typedef struct perp_four_sums {
  perp_two p0, p1, p2, p3, q0, q1, q2, q3;
} perp_four_sums;

/* Adds the columns from j up to `end`, four at a time. Returns the next column. */
static inline int perp_dot_four_add(int j, int end, const double *a0, const double *a1,
                                    const double *a2, const double *a3, const double *x,
                                    perp_four_sums *s)
{
  perp_four_sums t = *s;
  for (; j + 4 <= end; j += 4) {
    const perp_two v = perp_two_at(x + j), w = perp_two_at(x + j + 2);
    t.p0 += perp_two_at(a0 + j) * v;
    t.q0 += perp_two_at(a0 + j + 2) * w;
    t.p1 += perp_two_at(a1 + j) * v;
    t.q1 += perp_two_at(a1 + j + 2) * w;
    t.p2 += perp_two_at(a2 + j) * v;
    t.q2 += perp_two_at(a2 + j + 2) * w;
    t.p3 += perp_two_at(a3 + j) * v;
    t.q3 += perp_two_at(a3 + j + 2) * w;
  }
  *s = t;
  return j;
}

/* s_k = a_k . x for four rows, without the columns out .. out + 3; out is a multiple of four, and
 * at least n if no column is left out. Gives the bits of zeros in these columns. */
static inline void perp_dot_four_except(int n, int out, const double *a0, const double *a1,
                                        const double *a2, const double *a3, const double *x,
                                        double s[4])
{
  perp_four_sums t = {{0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}};
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int j = perp_dot_four_add(0, out < n ? out : n, a0, a1, a2, a3, x, &t);
  if (out < n)
    j = perp_dot_four_add(out + 4, n, a0, a1, a2, a3, x, &t);
  for (; j < n; j++) {
    s0 += a0[j] * x[j];
    s1 += a1[j] * x[j];
    s2 += a2[j] * x[j];
    s3 += a3[j] * x[j];
  }
  s[0] = s0 + perp_two_sum(t.p0, t.q0);
  s[1] = s1 + perp_two_sum(t.p1, t.q1);
  s[2] = s2 + perp_two_sum(t.p2, t.q2);
  s[3] = s3 + perp_two_sum(t.p3, t.q3);
}

/* s_k = a_k . x for four rows */
static inline void perp_dot_four(int n, const double *a0, const double *a1, const double *a2,
                                 const double *a3, const double *x, double s[4])
{
  perp_dot_four_except(n, n, a0, a1, a2, a3, x, s);
}
