/* kernels.c: how fast the sweeps are, against the read bandwidth of the machine and each other
 *
 * Bytes are those that a sweep must move if every array passes through memory once: x is read and
 * written (16 bytes per row), b read (8), and the matrix. What is in a cache does not count, so
 * the sizes are chosen far beyond the caches. */
#include "bench.h"
#include "kit/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void *take(size_t count, size_t size)
{
  void *block = malloc(count * size);
  if (!block)
    bench_die("out of memory for %zu bytes", count * size);
  return block;
}

/* A fixed sequence in [-1, 1): the benchmark needs no better numbers. */
static double draw(void)
{
  static uint64_t state = 88172645463325252u;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) * 0x1p-52 - 1;
}

static double *random_rhs(int n)
{
  double *b = take((size_t)n, sizeof *b);
  for (int i = 0; i < n; i++)
    b[i] = draw();
  return b;
}

static perp_operator *dense_operator(int n, double *a)
{
  for (int64_t k = 0; k < (int64_t)n * n; k++)
    a[k] = draw();
  for (int64_t i = 0; i < n; i++)
    a[i * n + i] = n;
  perp_operator *A = NULL;
  perp_message why;
  if (perp_operator_dense(n, a, n, PERP_BORROW, &A, &why))
    bench_die("%s", why.text);
  return A;
}

static perp_operator *grid_operator(int side)
{
  const perp_stencil_data data = {.nx = side, .ny = side, .nz = 1, .weight = 1};
  perp_operator *A = NULL;
  perp_message why;
  if (perp_operator_stencil(&data, PERP_COPY, &A, &why))
    bench_die("%s", why.text);
  return A;
}

static perp_operator *assembled(const perp_operator *A)
{
  perp_operator *csr = NULL;
  perp_message why;
  if (perp_operator_to_csr(A, 0, &csr, &why))
    bench_die("%s", why.text);
  return csr;
}

/* Contacts between random pairs of bodies of six velocities, one in ten with the ground; three
 * rows (normal and two tangents) each, [d, r x d] and its negative. */
static perp_operator *contact_operator(int contacts, int bodies)
{
  const int rows = 3 * contacts;
  int64_t *start = take((size_t)rows + 1, sizeof *start);
  int *column = take(12 * (size_t)rows, sizeof *column);
  double *value = take(12 * (size_t)rows, sizeof *value);
  double *Minv = take(36 * (size_t)bodies, sizeof *Minv);
  int64_t entries = 0;
  for (int c = 0; c < contacts; c++) {
    int first = (int)((draw() + 1) / 2 * bodies), second = (int)((draw() + 1) / 2 * bodies);
    if (first == second)
      second = (second + 1) % bodies;
    if (first > second) {
      const int swap = first;
      first = second;
      second = swap;
    }
    const int count = c % 10 == 0 ? 1 : 2;
    for (int k = 0; k < 3; k++) {
      start[3 * c + k] = entries;
      for (int side = 0; side < count; side++)
        for (int v = 0; v < 6; v++) {
          column[entries] = 6 * (side ? second : first) + v;
          value[entries++] = v == k ? (side ? -1.0 : 1.0) : v < 3 ? 0.1 * draw() : draw();
        }
    }
  }
  start[rows] = entries;
  for (int body = 0; body < bodies; body++)
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++)
        Minv[36 * body + 6 * i + j] = i == j ? 1 : (i < 3) == (j < 3) && i >= 3 ? 0.05 : 0;
  const perp_contact_data data = {.rows = rows,
                                  .velocities = 6 * bodies,
                                  .J_start = start,
                                  .J_column = column,
                                  .J_value = value,
                                  .blocks = bodies,
                                  .Minv = Minv};
  perp_operator *A = NULL;
  perp_message why;
  if (perp_operator_contact(&data, PERP_COPY, &A, &why))
    bench_die("%s", why.text);
  free(start);
  free(column);
  free(value);
  free(Minv);
  return A;
}

static void report(const char *what, double value, const char *unit, double goal, bool at_most)
{
  const bool met = at_most ? value <= goal : value >= goal;
  printf("  %-58s %8.2f %s   goal %s %.2f   %s\n", what, value, unit, at_most ? "<=" : ">=", goal,
         met ? "met" : "NOT MET");
}

static void bench_bandwidth_bound(void)
{
  enum { DENSE = 4000, GRID = 2048 };
  double *a = take((size_t)DENSE * DENSE, sizeof *a);
  perp_operator *dense = dense_operator(DENSE, a), *grid = grid_operator(GRID);
  double *b = random_rhs(GRID * GRID);
  const perp_problem dense_problem = perp_problem_lcp(dense, b);
  const perp_problem grid_problem = perp_problem_lcp(grid, b);
  const double dense_bytes = 8.0 * DENSE * DENSE, grid_bytes = 24.0 * GRID * GRID;

  double bandwidth[BENCH_ROUNDS], dense_share[BENCH_ROUNDS], grid_share[BENCH_ROUNDS];
  double grid_row[BENCH_ROUNDS];
  for (int r = 0; r < BENCH_ROUNDS; r++) {
    bandwidth[r] = bench_read_bandwidth();
    const double dense_time = bench_sweep_seconds("pgs", "forward", &dense_problem, 1, 5);
    const double grid_time = bench_sweep_seconds("pgs", "coloured", &grid_problem, 1, 20);
    dense_share[r] = dense_bytes / dense_time / bandwidth[r];
    grid_share[r] = grid_bytes / grid_time / bandwidth[r];
    grid_row[r] = 1e9 * grid_time / ((double)GRID * GRID);
  }
  printf("one thread reads %.1f GB/s\n", kit_median(BENCH_ROUNDS, bandwidth) / 1e9);
  report("dense sweep, n = 4000, share of it", kit_median(BENCH_ROUNDS, dense_share), "  ", 0.75,
         false);
  report("red-black stencil sweep, 2048^2, share of it", kit_median(BENCH_ROUNDS, grid_share), "  ",
         0.75, false);
  printf("  %-58s %8.2f ns\n", "red-black stencil sweep, per unknown",
         kit_median(BENCH_ROUNDS, grid_row));
  perp_operator_destroy(dense);
  perp_operator_destroy(grid);
  free(a);
  free(b);
}

static void bench_grid_against_csr(void)
{
  enum { GRID = 1024 };
  perp_operator *grid = grid_operator(GRID), *csr = assembled(grid);
  double *b = random_rhs(GRID * GRID);
  const perp_problem grid_problem = perp_problem_lcp(grid, b);
  const perp_problem csr_problem = perp_problem_lcp(csr, b);
  double lexicographic[BENCH_ROUNDS], stencil[BENCH_ROUNDS];
  for (int r = 0; r < BENCH_ROUNDS; r++) {
    const double forward = bench_sweep_seconds("pgs", "forward", &csr_problem, 1, 10);
    const double coloured = bench_sweep_seconds("pgs", "coloured", &csr_problem, 1, 10);
    const double native = bench_sweep_seconds("pgs", "coloured", &grid_problem, 1, 40);
    lexicographic[r] = forward / coloured;
    stencil[r] = fmin(forward, coloured) / native;
  }
  report("csr, 5-point 1024^2: coloured against lexicographic order",
         kit_median(BENCH_ROUNDS, lexicographic), "x ", 2, false);
  report("stencil against the best csr sweep, 1024^2", kit_median(BENCH_ROUNDS, stencil), "x ", 4,
         false);
  perp_operator_destroy(grid);
  perp_operator_destroy(csr);
  free(b);
}

static void bench_contacts(void)
{
  enum { CONTACTS = 20000, BODIES = 6000 };
  perp_operator *contact = contact_operator(CONTACTS, BODIES), *csr = assembled(contact);
  double *b = random_rhs(3 * CONTACTS);
  const perp_problem contact_problem = perp_problem_lcp(contact, b);
  const perp_problem csr_problem = perp_problem_lcp(csr, b);
  double share[BENCH_ROUNDS], row[BENCH_ROUNDS];
  for (int r = 0; r < BENCH_ROUNDS; r++) {
    const double assembled_time = bench_sweep_seconds("pgs", "forward", &csr_problem, 1, 10);
    const double contact_time = bench_sweep_seconds("pgs", "forward", &contact_problem, 1, 20);
    share[r] = contact_time / assembled_time;
    row[r] = 1e9 * contact_time / (3 * CONTACTS);
  }
  report("contact sweep, 20,000 contacts, share of the csr sweep", kit_median(BENCH_ROUNDS, share),
         "  ", 0.4, true);
  printf("  %-58s %8.2f ns\n", "contact sweep, per row", kit_median(BENCH_ROUNDS, row));
  perp_operator_destroy(contact);
  perp_operator_destroy(csr);
  free(b);
}

/* What a sweep over rigid contacts with friction must move for each row: 25 numbers of the contact
 * and the two bodies' for three rows, x in and out. */
static const double pile_bytes = (25 * 8 + 8) / 3.0 + 16;

static void bench_pile(const char *form, bool goal)
{
  static const char *const orders[] = {"forward", "backward", "coloured"};
  char text[96];
  snprintf(text, sizeof text, "pile:n=3600,form=%s,operator=contact", form);
  perp_instance pile;
  perp_message why;
  if (perp_generate(text, &pile, &why))
    bench_die("%s", why.text);
  const perp_problem p = perp_instance_problem(&pile);
  for (int o = 0; o < 3; o++)
    for (int threads = 1; threads <= (o == 2 ? 2 : 1); threads++) {
      double row[BENCH_ROUNDS];
      for (int r = 0; r < BENCH_ROUNDS; r++)
        row[r] = 1e9 * bench_sweep_seconds("pgs", orders[o], &p, threads, 60) / p.K.n;
      const double time = kit_median(BENCH_ROUNDS, row);
      snprintf(text, sizeof text, "pile, %s, %d rows, %s, %d thread%s, per row", form, p.K.n,
               orders[o], threads, threads > 1 ? "s" : "");
      if (goal && threads == 1)
        report(text, time, "ns", 3, true);
      else
        printf("  %-58s %8.2f ns\n", text, time);
      if (goal)
        printf("  %-58s %8.2f GB/s\n", "  moves", pile_bytes / time);
    }
  perp_instance_destroy(&pile);
}

int main(void)
{
  printf("kernels: medians of %d rounds, one thread\n", BENCH_ROUNDS);
  bench_bandwidth_bound();
  bench_grid_against_csr();
  bench_contacts();
  bench_pile("findex", true);
  bench_pile("stick", false);
  bench_pile("lcp", false);
  return 0;
}
