/* contact.c: contacts that rank 0 has, over all ranks; and their impulses back
 *
 * Bodies are parted by a graph partitioner of PETSc (PTScotch unless -mat_partitioning_type says
 * otherwise): a body is a point, a contact an edge. A contact goes to the rank of its first body.
 * */
#define _POSIX_C_SOURCE 200809L
#include "backend/petsc/contact.h"
#include "backend/petsc/mpi/mpi.h"

#include <petsctime.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Bodies of rank 0 ---- */

typedef struct bodies {
  perp_contact_data data;
  int count;
  int *of_velocity; /* the body of each velocity */
  int *first;       /* count + 1: its first velocity */
  int groups;       /* cones, then single rows */
  int cones;
  int *pair;  /* 2 for each group: bodies, the second -1 if there is one only */
  int *part;  /* of each body: its rank */
  int *owner; /* of each group */
} bodies;

static int group_row(const bodies *b, int g)
{
  return g < b->cones ? 3 * g : 3 * b->cones + g - b->cones;
}

static int group_rows(const bodies *b, int g)
{
  return g < b->cones ? 3 : 1;
}

static PetscErrorCode find_pairs(bodies *b)
{
  const perp_contact_data *d = &b->data;
  PetscFunctionBegin;
  for (int g = 0; g < b->groups; g++) {
    int *pair = b->pair + 2 * g;
    pair[0] = pair[1] = -1;
    for (int row = group_row(b, g); row < group_row(b, g) + group_rows(b, g); row++)
      for (int64_t q = d->J_start[row]; q < d->J_start[row + 1]; q++) {
        const int body = b->of_velocity[d->J_column[q]];
        if (pair[0] == -1 || pair[0] == body)
          pair[0] = body;
        else if (pair[1] == -1 || pair[1] == body)
          pair[1] = body;
        else
          SETERRQ(PETSC_COMM_SELF, PETSC_ERR_SUP, "row %d touches more than two bodies", row);
      }
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode bodies_open(const perp_instance *instance, bodies *b)
{
  const perp_contact_data *d = &b->data;
  PetscFunctionBegin;
  PetscCheck(!perp_operator_contact_data(instance->A, &b->data), PETSC_COMM_SELF,
             PETSC_ERR_ARG_WRONG, "no contact operator");
  PetscCheck(!instance->findex && !instance->cone, PETSC_COMM_SELF, PETSC_ERR_SUP,
             "friction indices or rows between cones are not for several ranks");
  for (int row = 0; d->C_start && row < d->rows; row++)
    for (int64_t q = d->C_start[row]; q < d->C_start[row + 1]; q++)
      PetscCheck(d->C_column[q] == row, PETSC_COMM_SELF, PETSC_ERR_SUP,
                 "row %d: C has an entry beside its diagonal", row);
  b->count = d->blocks;
  b->cones = instance->mu ? instance->cones : 0;
  b->groups = b->cones + d->rows - 3 * b->cones;
  PetscCall(PetscMalloc5((size_t)d->velocities + 1, &b->of_velocity, (size_t)b->count + 1,
                         &b->first, 2 * (size_t)b->groups + 1, &b->pair, (size_t)b->count + 1,
                         &b->part, (size_t)b->groups + 1, &b->owner));
  const int size = b->count ? d->velocities / b->count : 0;
  for (int body = 0; body <= b->count; body++)
    b->first[body] = d->block_start ? d->block_start[body] : body * size;
  for (int body = 0; body < b->count; body++)
    for (int v = b->first[body]; v < b->first[body + 1]; v++)
      b->of_velocity[v] = body;
  PetscCall(find_pairs(b));
  PetscFunctionReturn(0);
}

/* ---- Partition ---- */

/* The neighbours of each body, in compressed rows, ascending and without repetition. */
static int ascending(const void *a, const void *b)
{
  return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static PetscErrorCode graph(const bodies *b, int **start, int **neighbour)
{
  PetscFunctionBegin;
  PetscCall(PetscCalloc1((size_t)b->count + 2, start));
  int *s = *start;
  for (int g = 0; g < b->groups; g++)
    for (int e = 0; e < 2 && b->pair[2 * g + 1] >= 0; e++)
      s[b->pair[2 * g + e] + 2]++;
  for (int body = 0; body < b->count; body++)
    s[body + 2] += s[body + 1];
  PetscCall(PetscMalloc1((size_t)s[b->count + 1] + 1, neighbour));
  int *to = *neighbour;
  for (int g = 0; g < b->groups; g++)
    for (int e = 0; e < 2 && b->pair[2 * g + 1] >= 0; e++)
      to[s[b->pair[2 * g + e] + 1]++] = b->pair[2 * g + 1 - e];
  int kept = 0, begin = 0;
  for (int body = 0; body < b->count; body++) {
    const int end = s[body + 1], first = kept;
    qsort(to + begin, (size_t)(end - begin), sizeof *to, ascending);
    for (int q = begin; q < end; q++)
      if (kept == first || to[kept - 1] != to[q])
        to[kept++] = to[q];
    begin = end;
    s[body + 1] = kept;
  }
  PetscFunctionReturn(0);
}

/* Rank 0's graph by equal pieces to all ranks; its parts back. Collective. */
static PetscErrorCode part_bodies(MPI_Comm comm, bodies *b)
{
  int rank, size, count = b->count, *start = NULL, *neighbour = NULL, *begin, *rows, *entries,
                  *from;
  PetscInt *my_start, *my_neighbour;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  PetscCallMPI(MPI_Bcast(&count, 1, MPI_INT, 0, comm));
  if (size == 1 || count < size) {
    for (int body = 0; rank == 0 && body < count; body++)
      b->part[body] = body % size;
    PetscFunctionReturn(0);
  }
  PetscCall(PetscCalloc4(size + 1, &begin, size, &rows, size, &entries, size, &from));
  if (rank == 0)
    PetscCall(graph(b, &start, &neighbour));
  for (int r = 0; r <= size; r++)
    begin[r] = (int)((int64_t)count * r / size);
  for (int r = 0; r < size; r++) {
    rows[r] = begin[r + 1] - begin[r];
    if (rank == 0) {
      from[r] = start[begin[r]];
      entries[r] = start[begin[r + 1]] - start[begin[r]];
    }
  }
  int mine, first;
  PetscCallMPI(MPI_Scatter(entries, 1, MPI_INT, &mine, 1, MPI_INT, 0, comm));
  PetscCall(PetscMalloc1((size_t)rows[rank] + 1, &my_start));
  PetscCall(PetscMalloc1((size_t)mine + 1, &my_neighbour));
  PetscCallMPI(MPI_Scatterv(start, rows, begin, MPI_INT, my_start, rows[rank], MPI_INT, 0, comm));
  PetscCallMPI(
      MPI_Scatterv(neighbour, entries, from, MPI_INT, my_neighbour, mine, MPI_INT, 0, comm));
  first = rows[rank] ? my_start[0] : 0;
  for (int q = 0; q < rows[rank]; q++)
    my_start[q] -= first;
  my_start[rows[rank]] = mine;
  Mat adjacency;
  MatPartitioning partitioning;
  IS parts;
  const PetscInt *to;
  PetscCall(MatCreateMPIAdj(comm, rows[rank], count, my_start, my_neighbour, NULL, &adjacency));
  PetscCall(MatPartitioningCreate(comm, &partitioning));
  PetscCall(MatPartitioningSetAdjacency(partitioning, adjacency));
  PetscCall(MatPartitioningSetType(partitioning, MATPARTITIONINGPTSCOTCH));
  PetscCall(MatPartitioningSetFromOptions(partitioning));
  PetscCall(MatPartitioningApply(partitioning, &parts));
  PetscCall(ISGetIndices(parts, &to));
  PetscCallMPI(MPI_Gatherv(to, rows[rank], MPI_INT, b->part, rows, begin, MPI_INT, 0, comm));
  PetscCall(ISRestoreIndices(parts, &to));
  PetscCall(ISDestroy(&parts));
  PetscCall(MatPartitioningDestroy(&partitioning));
  PetscCall(MatDestroy(&adjacency)); /* and the arrays that it took */
  PetscCall(PetscFree(start));
  PetscCall(PetscFree(neighbour));
  PetscCall(PetscFree4(begin, rows, entries, from));
  PetscFunctionReturn(0);
}

/* ---- What a rank gets ---- */

enum { ROWS, CONES, VELOCITIES, BLOCKS, ENTRIES, NUMBERS, ALL_VELOCITIES, COUNTS };

typedef struct bundle {
  int count[COUNTS];           /* NUMBERS: of Minv */
  int *start, *column, *block; /* ROWS + 1; ENTRIES; BLOCKS: sizes */
  /* C: its diagonal; own: A within each contact, see perp_contacts */
  double *value, *b, *C, *own, *direction, *lo, *hi, *mu, *Minv;
} bundle;

/* The arrays one after another in two blocks, `ints` and `reals`. */
static PetscErrorCode bundle_allocate(bundle *p, int **ints, size_t *int_count, double **reals,
                                      size_t *real_count)
{
  const size_t rows = (size_t)p->count[ROWS], entries = (size_t)p->count[ENTRIES];
  const size_t own = rows + 6 * (size_t)p->count[CONES];
  PetscFunctionBegin;
  *int_count = rows + 1 + entries + (size_t)p->count[BLOCKS];
  *real_count = entries + 5 * rows + own + (size_t)p->count[CONES] + (size_t)p->count[NUMBERS];
  PetscCall(PetscCalloc1(*int_count + 1, ints));
  PetscCall(PetscCalloc1(*real_count + 1, reals));
  p->start = *ints;
  p->column = p->start + rows + 1;
  p->block = p->column + entries;
  p->value = *reals;
  p->b = p->value + entries;
  p->C = p->b + rows;
  p->own = p->C + rows;
  p->direction = p->own + own;
  p->lo = p->direction + rows;
  p->hi = p->lo + rows;
  p->mu = p->hi + rows;
  p->Minv = p->mu + p->count[CONES];
  PetscFunctionReturn(0);
}

/* What all bundles are made from. */
typedef struct source {
  const perp_instance *instance;
  bodies bodies;
  int *velocity;    /* the new number of each velocity */
  int64_t *Minv_at; /* where the block of each body begins */
  double *own, *direction;
} source;

static void bundle_count(const source *s, int rank, bundle *p)
{
  const bodies *b = &s->bodies;
  memset(p->count, 0, sizeof p->count);
  for (int g = 0; g < b->groups; g++)
    if (b->owner[g] == rank) {
      p->count[ROWS] += group_rows(b, g);
      p->count[CONES] += g < b->cones;
      for (int row = group_row(b, g); row < group_row(b, g) + group_rows(b, g); row++)
        p->count[ENTRIES] += (int)(b->data.J_start[row + 1] - b->data.J_start[row]);
    }
  for (int body = 0; body < b->count; body++)
    if (b->part[body] == rank) {
      const int size = b->first[body + 1] - b->first[body];
      p->count[BLOCKS]++;
      p->count[VELOCITIES] += size;
      p->count[NUMBERS] += size * size;
    }
  p->count[ALL_VELOCITIES] = b->data.velocities;
}

static double compliance(const perp_contact_data *d, int row)
{
  double c = d->C_diagonal ? d->C_diagonal[row] : d->cfm;
  for (int64_t q = d->C_start ? d->C_start[row] : 0; d->C_start && q < d->C_start[row + 1]; q++)
    c += d->C_value[q];
  return c;
}

static void bundle_fill(const source *s, int rank, bundle *p)
{
  const bodies *b = &s->bodies;
  const perp_instance *in = s->instance;
  int row = 0, entry = 0, cone = 0, block = 0;
  double *Minv = p->Minv;
  for (int g = 0; g < b->groups; g++) {
    if (b->owner[g] != rank)
      continue;
    if (g < b->cones)
      p->mu[cone++] = in->mu[g];
    for (int i = group_row(b, g); i < group_row(b, g) + group_rows(b, g); i++, row++) {
      p->start[row] = entry;
      p->b[row] = in->b[i];
      p->C[row] = compliance(&b->data, i);
      if (g < b->cones)
        memcpy(p->own + 3 * row, s->own + 3 * i, 3 * sizeof *p->own);
      else
        p->own[6 * p->count[CONES] + row] = s->own[6 * b->cones + i];
      p->direction[row] = s->direction[i];
      p->lo[row] = in->lo ? in->lo[i] : 0;
      p->hi[row] = in->hi ? in->hi[i] : INFINITY;
      for (int64_t q = b->data.J_start[i]; q < b->data.J_start[i + 1]; q++, entry++) {
        p->column[entry] = s->velocity[b->data.J_column[q]];
        p->value[entry] = b->data.J_value[q];
      }
    }
  }
  p->start[row] = entry;
  for (int body = 0; body < b->count; body++)
    if (b->part[body] == rank) {
      const int size = b->first[body + 1] - b->first[body];
      p->block[block++] = size;
      memcpy(Minv, b->data.Minv + s->Minv_at[body], (size_t)size * (size_t)size * sizeof *Minv);
      Minv += (size_t)size * (size_t)size;
    }
}

/* A within each contact, on rank 0. */
static PetscErrorCode take_own(source *s)
{
  const bodies *b = &s->bodies;
  perp_message why = {{0}};
  int *start;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1((size_t)b->groups + 1, &start));
  for (int g = 0; g <= b->groups; g++)
    start[g] = group_row(b, g);
  PetscCheck(!perp_operator_block_diagonal(s->instance->A, b->groups, start, s->own, &why),
             PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", why.text);
  PetscCall(PetscFree(start));
  PetscFunctionReturn(0);
}

/* New numbers of velocities by rank, owners of groups, A within contacts and a direction. */
static PetscErrorCode source_open(MPI_Comm comm, const perp_instance *instance, source *s)
{
  bodies *b = &s->bodies;
  int rank, size;
  PetscFunctionBegin;
  *s = (source){.instance = instance};
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  if (rank == 0)
    PetscCall(bodies_open(instance, b));
  PetscCall(part_bodies(comm, b));
  if (rank != 0)
    PetscFunctionReturn(0);
  PetscCall(PetscMalloc4((size_t)b->data.velocities + 1, &s->velocity, (size_t)b->count + 1,
                         &s->Minv_at, (size_t)b->data.rows + 6 * (size_t)b->cones + 1, &s->own,
                         (size_t)b->data.rows + 1, &s->direction));
  int next = 0;
  for (int r = 0; r < size; r++)
    for (int body = 0; body < b->count; body++)
      for (int v = b->first[body]; b->part[body] == r && v < b->first[body + 1]; v++)
        s->velocity[v] = next++;
  s->Minv_at[0] = 0;
  for (int body = 0; body < b->count; body++) {
    const int64_t width = b->first[body + 1] - b->first[body];
    s->Minv_at[body + 1] = s->Minv_at[body] + width * width;
  }
  for (int g = 0; g < b->groups; g++)
    b->owner[g] = b->pair[2 * g] < 0 ? 0 : b->part[b->pair[2 * g]];
  PetscCall(take_own(s));
  uint64_t state = 1; /* a linear congruential generator (Knuth) */
  for (int i = 0; i < b->data.rows; i++) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    s->direction[i] = ldexp((double)(state >> 11), -52) - 1;
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode source_close(int rank, source *s)
{
  bodies *b = &s->bodies;
  PetscFunctionBegin;
  if (rank == 0) {
    PetscCall(PetscFree4(s->velocity, s->Minv_at, s->own, s->direction));
    PetscCall(PetscFree5(b->of_velocity, b->first, b->pair, b->part, b->owner));
  }
  PetscFunctionReturn(0);
}

/* Rank 0 sends, the others receive; each has its own bundle afterwards. */
static PetscErrorCode distribute(MPI_Comm comm, const source *s, bundle *mine, int **my_ints,
                                 double **my_reals)
{
  int rank, size;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  for (int r = size - 1; r >= 0; r--) {
    bundle p;
    int *ints;
    double *reals;
    size_t int_count, real_count;
    if (rank != 0 && rank != r)
      continue;
    if (rank == 0)
      bundle_count(s, r, &p);
    if (rank == 0 && r > 0)
      PetscCallMPI(MPI_Send(p.count, COUNTS, MPI_INT, r, 0, comm));
    if (rank > 0)
      PetscCallMPI(MPI_Recv(p.count, COUNTS, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE));
    PetscCall(bundle_allocate(&p, &ints, &int_count, &reals, &real_count));
    PetscCheck(real_count < INT32_MAX, PETSC_COMM_SELF, PETSC_ERR_SUP, "too much for one rank");
    if (rank == 0)
      bundle_fill(s, r, &p);
    if (rank == 0 && r > 0) {
      PetscCallMPI(MPI_Send(ints, (int)int_count, MPI_INT, r, 1, comm));
      PetscCallMPI(MPI_Send(reals, (int)real_count, MPI_DOUBLE, r, 2, comm));
      PetscCall(PetscFree(ints));
      PetscCall(PetscFree(reals));
      continue;
    }
    if (rank > 0) {
      PetscCallMPI(MPI_Recv(ints, (int)int_count, MPI_INT, 0, 1, comm, MPI_STATUS_IGNORE));
      PetscCallMPI(MPI_Recv(reals, (int)real_count, MPI_DOUBLE, 0, 2, comm, MPI_STATUS_IGNORE));
    }
    *mine = p;
    *my_ints = ints;
    *my_reals = reals;
  }
  PetscFunctionReturn(0);
}

/* ---- Matrices ---- */

static PetscErrorCode make_Minv(MPI_Comm comm, const bundle *p, Mat *Minv)
{
  const int n = p->count[VELOCITIES];
  int *start, *column, first = 0, row = 0, entry = 0;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Exscan(&n, &first, 1, MPI_INT, MPI_SUM, comm));
  PetscCall(PetscMalloc2((size_t)n + 1, &start, (size_t)p->count[NUMBERS] + 1, &column));
  for (int block = 0; block < p->count[BLOCKS]; block++) {
    const int begin = row;
    for (int i = 0; i < p->block[block]; i++, row++) {
      start[row] = entry;
      for (int j = 0; j < p->block[block]; j++)
        column[entry++] = first + begin + j;
    }
  }
  start[row] = entry;
  PetscCall(MatCreateMPIAIJWithArrays(comm, n, n, PETSC_DETERMINE, PETSC_DETERMINE, start, column,
                                      p->Minv, Minv));
  PetscCall(PetscFree2(start, column));
  PetscFunctionReturn(0);
}

/* x of all rows on rank 0. */
static PetscErrorCode collect(MPI_Comm comm, const source *s, const bundle *p, const double *own,
                              double *x)
{
  int rank, size;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  if (rank > 0) {
    PetscCallMPI(MPI_Send(own, p->count[ROWS], MPI_DOUBLE, 0, 3, comm));
    PetscFunctionReturn(0);
  }
  const bodies *b = &s->bodies;
  for (int r = 0; r < size; r++) {
    bundle other;
    double *numbers;
    bundle_count(s, r, &other);
    PetscCall(PetscMalloc1((size_t)other.count[ROWS] + 1, &numbers));
    if (r > 0)
      PetscCallMPI(MPI_Recv(numbers, other.count[ROWS], MPI_DOUBLE, r, 3, comm, MPI_STATUS_IGNORE));
    int row = 0;
    for (int g = 0; g < b->groups; g++)
      for (int i = 0; b->owner[g] == r && i < group_rows(b, g); i++, row++)
        x[group_row(b, g) + i] = r > 0 ? numbers[row] : own[row];
    PetscCall(PetscFree(numbers));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode write_trace(const char *path, const perp_contacts_result *result)
{
  PetscFunctionBegin;
  FILE *file = fopen(path, "w");
  PetscCheck(file, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "%s cannot be written", path);
  fprintf(file, "iteration,residual\n");
  for (int k = 0; k < result->count; k++)
    fprintf(file, "%d,%.17g\n", k, result->history[k]);
  fclose(file);
  PetscFunctionReturn(0);
}

static PetscErrorCode solve_bundle(MPI_Comm comm, const mpi_request *request, const bundle *p,
                                   double *x, mpi_answer *answer)
{
  perp_contacts c = {
      .C = p->C,
      .K = {.n = p->count[ROWS], .lo = p->lo, .hi = p->hi, .mu = p->mu, .cones = p->count[CONES]},
      .b = p->b,
      .blocks = p->own,
      .direction = p->direction,
      .monitor = mpi_progress};
  perp_contacts_result result = {0};
  double times[3];
  int rank;
  MatInfo info[2];
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCall(PetscTime(&times[0]));
  PetscCall(MatCreateMPIAIJWithArrays(comm, p->count[ROWS], p->count[VELOCITIES], PETSC_DETERMINE,
                                      p->count[ALL_VELOCITIES], p->start, p->column, p->value,
                                      &c.J));
  PetscCall(make_Minv(comm, p, &c.Minv));
  PetscCall(PetscMalloc1((size_t)request->max_cycles + 2, &result.history));
  PetscCall(PetscTime(&times[1]));
  PetscCall(
      perp_contacts_solve(&c, request->method, request->tol, request->max_cycles, x, &result));
  PetscCall(PetscTime(&times[2]));
  PetscCall(MatGetInfo(c.J, MAT_LOCAL, &info[0]));
  PetscCall(MatGetInfo(c.Minv, MAT_LOCAL, &info[1]));
  double most[3] = {times[1] - times[0], times[2] - times[1],
                    info[0].memory + info[1].memory + 8.0 * (20.0 * p->count[ROWS])};
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, most, 3, MPI_DOUBLE, MPI_MAX, comm));
  answer->seconds_setup = most[0];
  answer->seconds_solve = most[1];
  answer->bytes_most = most[2];
  answer->cycles = result.iterations;
  answer->residual = result.residual;
  answer->scale = result.scale;
  answer->solved = result.residual <= request->tol * result.scale;
  if (rank == 0 && request->trace)
    PetscCall(write_trace(request->trace, &result));
  PetscCall(PetscFree(result.history));
  PetscCall(MatDestroy(&c.J));
  PetscCall(MatDestroy(&c.Minv));
  PetscFunctionReturn(0);
}

PetscErrorCode mpi_solve_contacts(MPI_Comm comm, const mpi_request *request,
                                  const perp_instance *instance, mpi_answer *answer, double *x)
{
  source s;
  bundle mine = {0};
  int rank, *ints;
  double *reals, *own;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &answer->ranks));
  answer->method = request->method;
  answer->operator= "contact";
  PetscCall(source_open(comm, instance, &s));
  PetscCall(distribute(comm, &s, &mine, &ints, &reals));
  PetscCall(PetscCalloc1((size_t)mine.count[ROWS] + 1, &own));
  PetscCall(solve_bundle(comm, request, &mine, own, answer));
  PetscCall(collect(comm, &s, &mine, own, x));
  PetscCall(PetscFree(own));
  PetscCall(PetscFree(ints));
  PetscCall(PetscFree(reals));
  PetscCall(source_close(rank, &s));
  PetscFunctionReturn(0);
}
