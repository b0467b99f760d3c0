/* bandwidth.c: how fast cores read and write memory side by side; for tools/measure-scale
 *
 *   bandwidth MEGABYTES CORES SECONDS
 *
 * Each process, pinned to a core, repeats a <- b + c / 2 on arrays of that size. Prints the number of
 * processes and the sum of their rates, 24 bytes a number. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Memory shared by the processes. */
typedef struct meeting {
  _Atomic int ready;
  double rate[64];
} meeting;

static void work(meeting *m, int core, int cores, size_t n, double seconds)
{
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET((size_t)core, &set);
  sched_setaffinity(0, sizeof set, &set);
  double *a = calloc(3 * n, sizeof *a), *b = a + n, *c = b + n;
  if (!a)
    _exit(1);
  for (size_t i = 0; i < 3 * n; i++)
    a[i] = (double)i;
  m->ready++;
  while (m->ready < cores)
    ;
  const double begin = now();
  double end = begin;
  int times = 0;
  for (; end - begin < seconds; end = now(), times++) {
    for (size_t i = 0; i < n; i++)
      a[i] = b[i] + 0.5 * c[i];
    __asm__ volatile("" ::"r"(a) : "memory");
  }
  m->rate[core] = times * 24e-9 * (double)n / (end - begin);
  _exit(0);
}

int main(int argc, char **argv)
{
  if (argc != 4)
    return 2;
  const int cores = atoi(argv[2]);
  const size_t n = (size_t)(atof(argv[1]) * 1e6 / 24);
  meeting *m = mmap(NULL, sizeof *m, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  double sum = 0;
  if (m == MAP_FAILED || cores < 1 || cores > 64)
    return 2;
  for (int core = 0; core < cores; core++)
    if (fork() == 0)
      work(m, core, cores, n, atof(argv[3]));
  for (int core = 0; core < cores; core++)
    wait(NULL);
  for (int core = 0; core < cores; core++)
    sum += m->rate[core];
  printf("cores %d GB/s %.2f\n", cores, sum);
}
