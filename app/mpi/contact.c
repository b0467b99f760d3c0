/* contact.c: contacts over all ranks */
#include "backend/petsc/contact.h"
#include "perp_mpi.h"
#include "verdict/verdict.h"

#include <math.h>
#include <petscmat.h>
#include <petsctime.h>
#include <stdlib.h>
#include <string.h>

/* ---- Bodies, and their distribution ---- */

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

/* A graph partitioner of PETSc (by default PTScotch, see -mat_partitioning_type) distributes the
 * bodies: a body is a vertex, a contact an edge. */

static PetscErrorCode find_pairs(bodies *b)
{
  const perp_contact_data *d = &b->data;
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
  return 0;
}

/* Reads the bodies of this rank's contacts; does not fill part and owner. */
static PetscErrorCode bodies_open(const perp_instance *instance, bodies *b)
{
  const perp_contact_data *d = &b->data;
  PetscCheck(!perp_operator_contact_data(instance->A, &b->data), PETSC_COMM_SELF,
             PETSC_ERR_ARG_WRONG, "not a contact operator");
  PetscCheck(!instance->findex && !instance->cone, PETSC_COMM_SELF, PETSC_ERR_SUP,
             "friction indices and rows between cones are not supported on several ranks");
  for (int row = 0; d->C_start && row < d->rows; row++)
    for (int64_t q = d->C_start[row]; q < d->C_start[row + 1]; q++)
      PetscCheck(d->C_column[q] == row, PETSC_COMM_SELF, PETSC_ERR_SUP,
                 "row %d: C has an entry off its diagonal", row);
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
  return 0;
}

static PetscErrorCode bodies_close(bodies *b)
{
  PetscCall(PetscFree5(b->of_velocity, b->first, b->pair, b->part, b->owner));
  return 0;
}

/* ---- Partition ---- */

static int ascending(const void *a, const void *b)
{
  const PetscInt p = *(const PetscInt *)a, q = *(const PetscInt *)b;
  return (p > q) - (p < q);
}

/* Lists the neighbours of bodies begin .. end-1, in compressed rows, ascending and without
 * repetition. */
static PetscErrorCode graph(int begin, int end, int groups, const int *pair, PetscInt **start,
                            PetscInt **neighbour)
{
  PetscCall(PetscCalloc1((size_t)(end - begin) + 2, start));
  PetscInt *s = *start;
  for (int g = 0; g < groups; g++)
    for (int e = 0; e < 2 && pair[2 * g + 1] >= 0; e++) {
      const int body = pair[2 * g + e];
      if (body >= begin && body < end)
        s[body - begin + 2]++;
    }
  for (int q = 0; q < end - begin; q++)
    s[q + 2] += s[q + 1];
  PetscCall(PetscMalloc1((size_t)s[end - begin + 1] + 1, neighbour));
  PetscInt *to = *neighbour, kept = 0, from = 0;
  for (int g = 0; g < groups; g++)
    for (int e = 0; e < 2 && pair[2 * g + 1] >= 0; e++) {
      const int body = pair[2 * g + e];
      if (body >= begin && body < end)
        to[s[body - begin + 1]++] = pair[2 * g + 1 - e];
    }
  for (int q = 0; q < end - begin; q++) {
    const PetscInt behind = s[q + 1], first = kept;
    qsort(to + from, (size_t)(behind - from), sizeof *to, ascending);
    for (PetscInt k = from; k < behind; k++)
      if (kept == first || to[kept - 1] != to[k])
        to[kept++] = to[k];
    from = behind;
    s[q + 1] = kept;
  }
  return 0;
}

/* Computes the rank of each of `count` bodies by a graph partitioner, from the touching pairs (as
 * in bodies), which all ranks have. Each rank has the graph of an equal share of the bodies.
 * Collective; `part` is the same on all. */
static PetscErrorCode bodies_part(MPI_Comm comm, int count, int groups, const int *pair, int *part)
{
  int rank, size, *begin, *rows;
  PetscInt *start, *neighbour;
  Mat adjacency;
  MatPartitioning partitioning;
  IS parts;
  const PetscInt *to;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  if (size == 1 || count < size) {
    for (int body = 0; body < count; body++)
      part[body] = body % size;
    return 0;
  }
  PetscCall(PetscMalloc2(size + 1, &begin, size, &rows));
  for (int r = 0; r <= size; r++)
    begin[r] = (int)((int64_t)count * r / size);
  for (int r = 0; r < size; r++)
    rows[r] = begin[r + 1] - begin[r];
  PetscCall(graph(begin[rank], begin[rank + 1], groups, pair, &start, &neighbour));
  PetscCall(MatCreateMPIAdj(comm, rows[rank], count, start, neighbour, NULL, &adjacency));
  PetscCall(MatPartitioningCreate(comm, &partitioning));
  PetscCall(MatPartitioningSetAdjacency(partitioning, adjacency));
  PetscCall(MatPartitioningSetType(partitioning, MATPARTITIONINGPTSCOTCH));
  PetscCall(MatPartitioningSetFromOptions(partitioning));
  PetscCall(MatPartitioningApply(partitioning, &parts));
  PetscCall(ISGetIndices(parts, &to));
  for (int q = 0; q < rows[rank]; q++)
    part[begin[rank] + q] = (int)to[q];
  PetscCallMPI(
      MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, part, rows, begin, MPI_INT, comm));
  PetscCall(ISRestoreIndices(parts, &to));
  PetscCall(ISDestroy(&parts));
  PetscCall(MatPartitioningDestroy(&partitioning));
  PetscCall(MatDestroy(&adjacency)); /* also frees the arrays that it took */
  PetscCall(PetscFree2(begin, rows));
  return 0;
}

/* ---- Contacts ----
 *
 * A contact goes to the rank of its first body. Rank 0 has the problem and sends every rank its
 * part, or every rank generates its own contacts (generate/scene_pieces.h). */

/* ---- The part of a rank ---- */

enum { ROWS, CONES, VELOCITIES, BLOCKS, ENTRIES, NUMBERS, ALL_VELOCITIES, COUNTS };
enum { MATRICES, REST, BUFFERS }; /* PETSc copies the matrices, which are then freed */

typedef struct bundle {
  int count[COUNTS]; /* NUMBERS: of Minv */
  PetscInt *ints[BUFFERS];
  double *reals[BUFFERS]; /* these buffers hold all arrays */
  size_t int_count[BUFFERS], real_count[BUFFERS];
  PetscInt *start, *column, *block; /* ROWS + 1; ENTRIES; BLOCKS: sizes */
  double *value, *Minv;
  PetscInt *row; /* its index in the problem */
  /* C: its diagonal; own: A within each contact (perp_contacts) */
  double *b, *C, *own, *direction, *lo, *hi, *mu;
} bundle;

static PetscErrorCode bundle_allocate(bundle *p)
{
  const size_t rows = (size_t)p->count[ROWS], entries = (size_t)p->count[ENTRIES];
  const size_t own = rows + 6 * (size_t)p->count[CONES];
  p->int_count[MATRICES] = rows + 1 + entries + (size_t)p->count[BLOCKS];
  p->real_count[MATRICES] = entries + (size_t)p->count[NUMBERS];
  p->int_count[REST] = rows;
  p->real_count[REST] = 5 * rows + own + (size_t)p->count[CONES];
  for (int buffer = 0; buffer < BUFFERS; buffer++) {
    PetscCheck(p->int_count[buffer] < INT32_MAX && p->real_count[buffer] < INT32_MAX,
               PETSC_COMM_SELF, PETSC_ERR_SUP,
               "one rank would hold more than 2^31 - 1 numbers; use more ranks");
    PetscCall(PetscMalloc1(p->int_count[buffer] + 1, &p->ints[buffer]));
    PetscCall(PetscMalloc1(p->real_count[buffer] + 1, &p->reals[buffer]));
  }
  p->start = p->ints[MATRICES];
  p->column = p->start + rows + 1;
  p->block = p->column + entries;
  p->value = p->reals[MATRICES];
  p->Minv = p->value + entries;
  p->row = p->ints[REST];
  p->b = p->reals[REST];
  p->C = p->b + rows;
  p->own = p->C + rows;
  p->direction = p->own + own;
  p->lo = p->direction + rows;
  p->hi = p->lo + rows;
  p->mu = p->hi + rows;
  return 0;
}

static PetscErrorCode bundle_free(bundle *p, int buffer)
{
  PetscCall(PetscFree(p->ints[buffer]));
  PetscCall(PetscFree(p->reals[buffer]));
  return 0;
}

static PetscErrorCode bundle_send(MPI_Comm comm, int to, const bundle *p)
{
  for (int buffer = 0; buffer < BUFFERS; buffer++) {
    PetscCallMPI(
        MPI_Send(p->ints[buffer], (int)p->int_count[buffer], MPIU_INT, to, 1 + buffer, comm));
    PetscCallMPI(
        MPI_Send(p->reals[buffer], (int)p->real_count[buffer], MPI_DOUBLE, to, 3 + buffer, comm));
  }
  return 0;
}

static PetscErrorCode bundle_receive(MPI_Comm comm, bundle *p)
{
  for (int buffer = 0; buffer < BUFFERS; buffer++) {
    PetscCallMPI(MPI_Recv(p->ints[buffer], (int)p->int_count[buffer], MPIU_INT, 0, 1 + buffer, comm,
                          MPI_STATUS_IGNORE));
    PetscCallMPI(MPI_Recv(p->reals[buffer], (int)p->real_count[buffer], MPI_DOUBLE, 0, 3 + buffer,
                          comm, MPI_STATUS_IGNORE));
  }
  return 0;
}

/* The source of all bundles, or in pieces that of this rank. */
typedef struct source {
  const perp_instance *instance;
  bodies bodies;
  int velocities;   /* of the whole problem */
  int *row;         /* index of each row in the problem; NULL: the same */
  int *velocity;    /* the new index of each velocity */
  int64_t *Minv_at; /* start of the block of each body */
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
  p->count[ALL_VELOCITIES] = s->velocities;
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
      p->row[row] = s->row ? s->row[i] : i;
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

/* Computes A within each contact. */
static PetscErrorCode take_own(source *s)
{
  const bodies *b = &s->bodies;
  perp_message why = {{0}};
  int *start;
  PetscCall(PetscMalloc1((size_t)b->groups + 1, &start));
  for (int g = 0; g <= b->groups; g++)
    start[g] = group_row(b, g);
  PetscCheck(!perp_operator_block_diagonal(s->instance->A, b->groups, start, s->own, &why),
             PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", why.text);
  PetscCall(PetscFree(start));
  return 0;
}

static PetscErrorCode source_allocate(source *s)
{
  const bodies *b = &s->bodies;
  PetscCall(PetscMalloc4((size_t)b->data.velocities + 1, &s->velocity, (size_t)b->count + 1,
                         &s->Minv_at, (size_t)b->data.rows + 6 * (size_t)b->cones + 1, &s->own,
                         (size_t)b->data.rows + 1, &s->direction));
  return 0;
}

/* Computes owners of groups, A within contacts and a direction, once the owners of the bodies are
 * known. */
static PetscErrorCode source_fill(source *s)
{
  bodies *b = &s->bodies;
  s->Minv_at[0] = 0;
  for (int body = 0; body < b->count; body++) {
    const int64_t width = b->first[body + 1] - b->first[body];
    s->Minv_at[body + 1] = s->Minv_at[body] + width * width;
  }
  for (int g = 0; g < b->groups; g++)
    b->owner[g] = b->pair[2 * g] < 0 ? 0 : b->part[b->pair[2 * g]];
  PetscCall(take_own(s));
  uint64_t state = 1; /* a linear congruential generator (Knuth) */
  for (int i = 0, number = 0; i < b->data.rows; number++) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    if (!s->row || s->row[i] == number)
      s->direction[i++] = ldexp((double)(state >> 11), -52) - 1;
  }
  return 0;
}

/* Rank 0 has the problem: renumbers the velocities by rank, and fills the rest. */
static PetscErrorCode source_open(MPI_Comm comm, const perp_instance *instance, source *s)
{
  bodies *b = &s->bodies;
  int rank, size, counts[2], *pair = NULL, *part = NULL;
  *s = (source){.instance = instance};
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  if (rank == 0)
    PetscCall(bodies_open(instance, b));
  counts[0] = b->count;
  counts[1] = b->groups;
  PetscCallMPI(MPI_Bcast(counts, 2, MPI_INT, 0, comm));
  if (rank > 0)
    PetscCall(PetscMalloc2(2 * (size_t)counts[1] + 1, &pair, (size_t)counts[0] + 1, &part));
  PetscCallMPI(MPI_Bcast(rank ? pair : b->pair, 2 * counts[1], MPI_INT, 0, comm));
  PetscCall(bodies_part(comm, counts[0], counts[1], rank ? pair : b->pair, rank ? part : b->part));
  if (rank > 0) {
    PetscCall(PetscFree2(pair, part));
    return 0;
  }
  PetscCall(source_allocate(s));
  s->velocities = b->data.velocities;
  int next = 0;
  for (int r = 0; r < size; r++)
    for (int body = 0; body < b->count; body++)
      for (int v = b->first[body]; b->part[body] == r && v < b->first[body + 1]; v++)
        s->velocity[v] = next++;
  PetscCall(source_fill(s));
  return 0;
}

static PetscErrorCode source_close(source *s)
{
  if (s->velocity) {
    PetscCall(PetscFree4(s->velocity, s->Minv_at, s->own, s->direction));
    PetscCall(PetscFree(s->row));
    PetscCall(bodies_close(&s->bodies));
  }
  return 0;
}

/* ---- In pieces ---- */

static bool on_all_ranks(void *context, bool mine)
{
  int all = mine;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_LAND, *(MPI_Comm *)context);
  return all;
}

/* Generates the contacts of this rank; `part` has the ranks of all bodies of the scene. */
static PetscErrorCode piece_make(MPI_Comm comm, const mpi_request *request, mpi_problem *problem,
                                 int *part)
{
  perp_pieces *q = &problem->pieces;
  perp_message why = {{0}};
  PetscCall(bodies_part(comm, q->bodies, q->contacts, q->pair, part));
  q->part = part;
  PetscCallMPI(MPI_Comm_rank(comm, &q->rank));
  q->all = on_all_ranks;
  q->context = &comm;
  PetscCheck(!perp_generate_piece(request->where, q, &problem->instance, &why), PETSC_COMM_SELF,
             PETSC_ERR_LIB, "%s", why.text);
  return 0;
}

static PetscErrorCode piece_open(MPI_Comm comm, const mpi_request *request, mpi_problem *problem,
                                 source *s)
{
  perp_pieces *q = &problem->pieces;
  bodies *b = &s->bodies;
  int size, *part, *number, next = 0;
  PetscCallMPI(MPI_Comm_size(comm, &size));
  PetscCall(PetscMalloc2((size_t)q->bodies + 1, &part, (size_t)q->bodies + 1, &number));
  PetscCall(piece_make(comm, request, problem, part));
  *s = (source){.instance = &problem->instance};
  PetscCall(bodies_open(&problem->instance, b));
  PetscCall(source_allocate(s));
  for (int r = 0; r < size; r++)
    for (int body = 0; body < q->bodies; body++)
      if (part[body] == r)
        number[body] = next++;
  const int each = b->count ? b->data.velocities / b->count : 0;
  for (int body = 0; body < b->count; body++) {
    b->part[body] = part[q->body[body]];
    for (int k = 0; k < each; k++)
      s->velocity[each * body + k] = each * number[q->body[body]] + k;
  }
  PetscCallMPI(MPI_Allreduce(&each, &s->velocities, 1, MPI_INT, MPI_MAX, comm));
  s->velocities *= q->bodies;
  PetscCall(PetscMalloc1((size_t)b->data.rows + 1, &s->row));
  for (int i = 0; i < b->data.rows; i++)
    s->row[i] = q->contact[i / q->width] * q->width + i % q->width;
  PetscCall(source_fill(s));
  PetscCall(PetscFree2(part, number));
  return 0;
}

static PetscErrorCode piece_take(const source *s, int rank, bundle *mine)
{
  bundle_count(s, rank, mine);
  PetscCall(bundle_allocate(mine));
  bundle_fill(s, rank, mine);
  return 0;
}

/* Rank 0 sends, the others receive; afterwards each has its own bundle. */
static PetscErrorCode distribute(MPI_Comm comm, const source *s, bundle *mine)
{
  int rank, size;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  for (int r = size - 1; r >= 0; r--) {
    bundle p;
    if (rank != 0 && rank != r)
      continue;
    if (rank == 0)
      bundle_count(s, r, &p);
    if (rank == 0 && r > 0)
      PetscCallMPI(MPI_Send(p.count, COUNTS, MPI_INT, r, 0, comm));
    if (rank > 0)
      PetscCallMPI(MPI_Recv(p.count, COUNTS, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE));
    PetscCall(bundle_allocate(&p));
    if (rank == 0)
      bundle_fill(s, r, &p);
    else
      PetscCall(bundle_receive(comm, &p));
    if (rank == 0 && r > 0) {
      PetscCall(bundle_send(comm, r, &p));
      PetscCall(bundle_free(&p, MATRICES));
      PetscCall(bundle_free(&p, REST));
    } else
      *mine = p;
  }
  return 0;
}

/* ---- Matrices ---- */

static PetscErrorCode make_Minv(MPI_Comm comm, const bundle *p, Mat *Minv)
{
  const int n = p->count[VELOCITIES];
  PetscInt *start, *column, row = 0, entry = 0;
  int first = 0;
  PetscCallMPI(MPI_Exscan(&n, &first, 1, MPI_INT, MPI_SUM, comm));
  PetscCall(PetscMalloc2((size_t)n + 1, &start, (size_t)p->count[NUMBERS] + 1, &column));
  for (int block = 0; block < p->count[BLOCKS]; block++) {
    const PetscInt begin = row;
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
  return 0;
}

static PetscErrorCode make_matrices(MPI_Comm comm, bundle *p, perp_contacts *c)
{
  PetscCall(MatCreateMPIAIJWithArrays(comm, p->count[ROWS], p->count[VELOCITIES], PETSC_DETERMINE,
                                      p->count[ALL_VELOCITIES], p->start, p->column, p->value,
                                      &c->J));
  PetscCall(make_Minv(comm, p, &c->Minv));
  PetscCall(bundle_free(p, MATRICES));
  mpi_give_back();
  return 0;
}

static PetscErrorCode solve_bundle(MPI_Comm comm, const mpi_request *request, mpi_watch *watch,
                                   bundle *p, double *x, mpi_answer *answer)
{
  perp_contacts c = {
      .C = p->C,
      .K = {.n = p->count[ROWS], .lo = p->lo, .hi = p->hi, .mu = p->mu, .cones = p->count[CONES]},
      .b = p->b,
      .blocks = p->own,
      .direction = p->direction,
      .monitor = mpi_watch_iteration,
      .context = watch};
  perp_contacts_result result = {0};
  double times[3];
  PetscCall(PetscTime(&times[0]));
  PetscCall(make_matrices(comm, p, &c));
  PetscCall(PetscTime(&times[1]));
  PetscCall(perp_contacts_solve(&c, answer->method, request->tol, request->max_cycles, x, &result));
  PetscCall(PetscTime(&times[2]));
  double most[2] = {times[1] - times[0], times[2] - times[1]};
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX, comm));
  answer->seconds_setup = most[0];
  answer->seconds_solve = most[1];
  answer->cycles = result.iterations;
  answer->timed_out = result.stopped;
  answer->residual = result.residual;
  answer->scale = result.scale;
  answer->solved =
      perp_verdict_solved(result.residual, perp_verdict_target(request->tol, result.scale));
  PetscCall(MatDestroy(&c.J));
  PetscCall(MatDestroy(&c.Minv));
  return 0;
}

PetscErrorCode mpi_solve_contacts(MPI_Comm comm, const mpi_request *request, mpi_watch *watch,
                                  mpi_problem *problem, mpi_answer *answer, Vec *x)
{
  source s;
  bundle mine;
  int rank;
  double *own;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &answer->ranks));
  answer->method = request->method ? request->method : "apgd";
  answer->operator= "contact";
  if (problem->in_pieces) {
    PetscCall(piece_open(comm, request, problem, &s));
    PetscCall(piece_take(&s, rank, &mine));
    perp_pieces_free(&problem->pieces);
  } else {
    PetscCall(source_open(comm, &problem->instance, &s));
    PetscCall(distribute(comm, &s, &mine));
  }
  PetscCall(source_close(&s));
  perp_instance_destroy(&problem->instance);
  mpi_give_back();
  PetscCall(PetscCalloc1((size_t)mine.count[ROWS] + 1, &own));
  PetscCall(solve_bundle(comm, request, watch, &mine, own, answer));
  PetscCall(VecCreateMPI(comm, PETSC_DECIDE, (PetscInt)answer->n, x));
  PetscCall(VecSetValues(*x, mine.count[ROWS], mine.row, own, INSERT_VALUES));
  PetscCall(VecAssemblyBegin(*x));
  PetscCall(VecAssemblyEnd(*x));
  PetscCall(PetscFree(own));
  PetscCall(bundle_free(&mine, REST));
  return 0;
}
