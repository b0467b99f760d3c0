/* grid.c: distributes a grid from rank 0 to all ranks, and collects its solution */
#include "perp_mpi.h"
#include "verdict/verdict.h"

#include <petsctime.h>

#include <math.h>

enum { DIAGONAL, WX, WY, WZ, UNKNOWN, LOAD, LO, HI, ARRAYS };

/* The arrays of a part, one after another, by cell; arrays that are the same for all cells are left
 * out. */
typedef struct parcel {
  int64_t cells;
  int count;
  double *numbers;       /* count * cells */
  double *array[ARRAYS]; /* NULL: left out */
} parcel;

static const int AS_GIVEN[3] = {0, 0, 0};

/* Data that rank 0 needs besides the instance. */
typedef struct source {
  const perp_instance *instance;
  perp_stencil_data data;
  int *unknown; /* by cell, -1: none; NULL: the cell's index */
  /* on all ranks */
  int n[3], sent[ARRAYS];
} source;

static double number_at(const source *s, int what, int64_t c)
{
  const perp_stencil_data *d = &s->data;
  const int u = s->unknown ? s->unknown[c] : (int)c;
  const double *const w[3] = {d->wx, d->wy, d->wz};
  if (what == UNKNOWN)
    return u + 1;
  if (u < 0)
    return what == HI ? INFINITY : 0;
  switch (what) {
  case DIAGONAL:
    return d->diagonal ? d->diagonal[c] : d->weight * (d->nz > 1 ? 6 : 4);
  case LOAD:
    return s->instance->b[u];
  case LO:
    return s->instance->lo ? s->instance->lo[u] : 0;
  case HI:
    return s->instance->hi ? s->instance->hi[u] : INFINITY;
  default:
    return w[what - WX] ? w[what - WX][c] : d->weight;
  }
}

static PetscErrorCode parcel_open(const source *s, const perp_box *box, parcel *p)
{
  *p = (parcel){.cells = perp_box_cells(box)};
  for (int what = 0; what < ARRAYS; what++)
    p->count += s->sent[what];
  PetscCall(PetscMalloc1((size_t)(p->count * p->cells), &p->numbers));
  double *next = p->numbers;
  for (int what = 0; what < ARRAYS; what++)
    if (s->sent[what]) {
      p->array[what] = next;
      next += p->cells;
    }
  return 0;
}

static void pack(const source *s, const perp_box *box, parcel *p)
{
  int64_t q = 0;
  for (int what = 0; what < ARRAYS; what++)
    for (int k = box->begin[2]; s->sent[what] && k < box->end[2]; k++)
      for (int j = box->begin[1]; j < box->end[1]; j++)
        for (int i = box->begin[0]; i < box->end[0]; i++)
          p->numbers[q++] = number_at(s, what, ((int64_t)k * s->data.ny + j) * s->data.nx + i);
}

/* Sends or receives doubles, in messages that an int can count. */
static PetscErrorCode send_all(MPI_Comm comm, int to, const double *numbers, int64_t count)
{
  enum { MOST = 1 << 27 };
  for (int64_t q = 0; q < count; q += MOST)
    PetscCallMPI(
        MPI_Send(numbers + q, count - q < MOST ? (int)(count - q) : MOST, MPI_DOUBLE, to, 0, comm));
  return 0;
}

static PetscErrorCode receive_all(MPI_Comm comm, int from, double *numbers, int64_t count)
{
  enum { MOST = 1 << 27 };
  for (int64_t q = 0; q < count; q += MOST)
    PetscCallMPI(MPI_Recv(numbers + q, count - q < MOST ? (int)(count - q) : MOST, MPI_DOUBLE, from,
                          0, comm, MPI_STATUS_IGNORE));
  return 0;
}

static PetscErrorCode distribute(const perp_layout *layout, const source *s, parcel *mine)
{
  for (int rank = layout->size - 1; rank >= 0; rank--) {
    const perp_box box = perp_layout_part(layout, AS_GIVEN, rank);
    parcel p;
    if (rank != layout->rank && layout->rank != 0)
      continue;
    PetscCall(parcel_open(s, &box, &p));
    if (layout->rank == 0)
      pack(s, &box, &p);
    if (rank != 0 && layout->rank == 0) {
      PetscCall(send_all(layout->comm, rank, p.numbers, p.count * p.cells));
      PetscCall(PetscFree(p.numbers));
      continue;
    }
    if (rank != 0)
      PetscCall(receive_all(layout->comm, 0, p.numbers, p.count * p.cells));
    *mine = p;
  }
  return 0;
}

/* Sends x of the unknowns that this rank owns to their places. */
static PetscErrorCode collect(const perp_layout *layout, const parcel *p, const double *own, Vec x)
{
  const perp_box box = perp_layout_own(layout, AS_GIVEN, layout->rank);
  const perp_box part = perp_layout_part(layout, AS_GIVEN, layout->rank);
  for (int k = box.begin[2]; k < box.end[2]; k++)
    for (int j = box.begin[1]; j < box.end[1]; j++)
      for (int i = box.begin[0]; i < box.end[0]; i++) {
        const int64_t c = perp_box_cell(&part, i, j, k);
        const int64_t cell = ((int64_t)k * layout->n[1] + j) * layout->n[0] + i;
        const int64_t u = p->array[UNKNOWN] ? (int64_t)p->array[UNKNOWN][c] - 1 : cell;
        if (u >= 0)
          PetscCall(VecSetValue(x, (PetscInt)u, own[c], INSERT_VALUES));
      }
  PetscCall(VecAssemblyBegin(x));
  PetscCall(VecAssemblyEnd(x));
  return 0;
}

/* On rank 0: reads the stencil of its instance, and the unknown of each cell. */
static PetscErrorCode source_read(source *s)
{
  perp_stencil_data *d = &s->data;
  PetscCheck(!perp_operator_stencil_data(s->instance->A, d), PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG,
             "no grid");
  s->n[0] = d->nx;
  s->n[1] = d->ny;
  s->n[2] = d->nz;
  s->sent[DIAGONAL] = s->sent[WX] = s->sent[WY] = s->sent[LOAD] = true;
  s->sent[WZ] = d->nz > 1;
  s->sent[UNKNOWN] = d->cells != NULL;
  s->sent[LO] = s->instance->lo || s->instance->hi; /* mesh.c then works relative to lower bounds */
  s->sent[HI] = s->instance->hi != NULL;
  if (d->cells) {
    const int64_t cells = (int64_t)d->nx * d->ny * d->nz;
    PetscCall(PetscMalloc1((size_t)cells, &s->unknown));
    for (int64_t c = 0; c < cells; c++)
      s->unknown[c] = -1;
    for (int u = 0; u < d->unknowns; u++)
      s->unknown[d->cells[u]] = u;
  }
  return 0;
}

static PetscErrorCode source_open(MPI_Comm comm, const perp_instance *instance, source *s)
{
  int rank;
  *s = (source){.instance = instance};
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  if (rank == 0)
    PetscCall(source_read(s));
  PetscCallMPI(MPI_Bcast(s->n, 3, MPI_INT, 0, comm));
  PetscCallMPI(MPI_Bcast(s->sent, ARRAYS, MPI_INT, 0, comm));
  return 0;
}

static PetscErrorCode show(void *watch, int cycle, double residual, bool *stop)
{
  *stop = !mpi_watch_iteration(watch, cycle, residual);
  return 0;
}

/* Returns the data of mesh.h from a parcel; writes the cells that are unknowns to `unknown`. */
static perp_mesh_data data_of(const parcel *p, unsigned char *unknown)
{
  double *const *a = p->array;
  for (int64_t c = 0; unknown && c < p->cells; c++)
    unknown[c] = a[UNKNOWN][c] != 0;
  return (perp_mesh_data){.diagonal = a[DIAGONAL],
                          .w = {a[WX], a[WY], a[WZ]},
                          .unknown = unknown,
                          .b = a[LOAD],
                          .lo = a[LO],
                          .hi = a[HI]};
}

static PetscErrorCode solve_part(const perp_layout *layout, const mpi_request *request,
                                 mpi_watch *watch, const perp_mesh_data *data, double *x,
                                 mpi_answer *answer)
{
  perp_mesh_result result;
  double times[2], busy, residual;
  PetscCall(perp_mesh_residual(layout, data, x, &residual, &answer->scale));
  const perp_mesh_options options = {.target = perp_verdict_target(request->tol, answer->scale),
                                     .max_cycles = request->max_cycles,
                                     .start = 1,
                                     .monitor = show,
                                     .context = watch};
  PetscCallMPI(MPI_Barrier(layout->comm));
  PetscCall(PetscTime(&times[0]));
  busy = perp_mesh_clock();
  PetscCall(perp_mesh_solve(layout, data, &options, x, &result));
  PetscCall(PetscTime(&times[1]));
  busy = perp_mesh_clock() - busy;
  PetscCall(perp_mesh_residual(layout, data, x, &answer->residual, &answer->scale));
  double most[7] = {
      result.setup,          times[1] - times[0] - result.setup, busy,
      busy - result.waiting, (double)result.exchanges,           (double)result.reductions,
      result.bytes};
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, most, 7, MPI_DOUBLE, MPI_MAX, layout->comm));
  answer->seconds_setup = most[0];
  answer->seconds_solve = most[1];
  answer->cpu_seconds = most[2];
  answer->compute_seconds = most[3];
  answer->exchanges = most[4];
  answer->reductions = most[5];
  answer->bytes_received = most[6];
  answer->cycles = result.cycles;
  answer->stagnated = result.stagnated;
  answer->timed_out = result.stopped;
  answer->solved = perp_verdict_solved(answer->residual, options.target);
  return 0;
}

PetscErrorCode mpi_solve_grid(MPI_Comm comm, const mpi_request *request, mpi_watch *watch,
                              mpi_problem *problem, mpi_answer *answer, Vec *x)
{
  perp_layout layout;
  source s;
  parcel mine = {0};
  unsigned char *unknown = NULL;
  double *part;
  PetscCall(source_open(comm, &problem->instance, &s));
  PetscCall(perp_layout_create(comm, s.n, &layout));
  PetscCall(distribute(&layout, &s, &mine));
  PetscCall(PetscFree(s.unknown));
  perp_instance_destroy(&problem->instance);
  mpi_give_back();
  if (mine.array[UNKNOWN])
    PetscCall(PetscMalloc1((size_t)mine.cells, &unknown));
  PetscCall(PetscCalloc1((size_t)mine.cells, &part));
  const perp_mesh_data data = data_of(&mine, unknown);
  answer->method = "mg";
  answer->operator= "stencil";
  answer->ranks = layout.levels ? layout.ranks[0] * layout.ranks[1] * layout.ranks[2] : 1;
  PetscCall(solve_part(&layout, request, watch, &data, part, answer));
  PetscCall(VecCreateMPI(comm, PETSC_DECIDE, (PetscInt)answer->n, x));
  PetscCall(collect(&layout, &mine, part, *x));
  PetscCall(PetscFree(part));
  PetscCall(PetscFree(unknown));
  PetscCall(PetscFree(mine.numbers));
  PetscCall(perp_layout_destroy(&layout));
  return 0;
}
