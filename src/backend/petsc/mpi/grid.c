/* grid.c: a grid that rank 0 has, in parts on all ranks; and its solution back */
#include "backend/petsc/mpi/mpi.h"

#include <petsctime.h>

#include <math.h>

enum { DIAGONAL, WX, WY, WZ, UNKNOWN, LOAD, LO, HI, ARRAYS };

/* The arrays of a part, one after another, by cell. */
typedef struct parcel {
  int64_t cells;
  double *numbers; /* ARRAYS * cells */
} parcel;

static const int AS_GIVEN[3] = {0, 0, 0};

/* What rank 0 needs besides the instance. */
typedef struct source {
  const perp_instance *instance;
  perp_stencil_data data;
  int *unknown; /* by cell, -1: none; NULL: the cell's number */
} source;

static double number_at(const source *s, int what, int64_t c)
{
  const perp_stencil_data *d = &s->data;
  const int u = s->unknown ? s->unknown[c] : (int)c;
  const double *const w[3] = {d->wx, d->wy, d->wz};
  if (what == UNKNOWN)
    return u >= 0;
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

static void pack(const source *s, const perp_box *box, parcel *p)
{
  int64_t q = 0;
  for (int what = 0; what < ARRAYS; what++)
    for (int k = box->begin[2]; k < box->end[2]; k++)
      for (int j = box->begin[1]; j < box->end[1]; j++)
        for (int i = box->begin[0]; i < box->end[0]; i++)
          p->numbers[q++] = number_at(s, what, ((int64_t)k * s->data.ny + j) * s->data.nx + i);
}

/* Doubles to or from another rank, in messages that an int can count. */
static PetscErrorCode send_all(MPI_Comm comm, int to, const double *numbers, int64_t count)
{
  enum { MOST = 1 << 27 };
  PetscFunctionBegin;
  for (int64_t q = 0; q < count; q += MOST)
    PetscCallMPI(
        MPI_Send(numbers + q, count - q < MOST ? (int)(count - q) : MOST, MPI_DOUBLE, to, 0, comm));
  PetscFunctionReturn(0);
}

static PetscErrorCode receive_all(MPI_Comm comm, int from, double *numbers, int64_t count)
{
  enum { MOST = 1 << 27 };
  PetscFunctionBegin;
  for (int64_t q = 0; q < count; q += MOST)
    PetscCallMPI(MPI_Recv(numbers + q, count - q < MOST ? (int)(count - q) : MOST, MPI_DOUBLE, from,
                          0, comm, MPI_STATUS_IGNORE));
  PetscFunctionReturn(0);
}

static PetscErrorCode distribute(const perp_layout *layout, const source *s, parcel *mine)
{
  PetscFunctionBegin;
  for (int rank = layout->size - 1; rank >= 0; rank--) {
    const perp_box box = perp_layout_part(layout, AS_GIVEN, rank);
    parcel p = {perp_box_cells(&box), NULL};
    if (rank != layout->rank && layout->rank != 0)
      continue;
    PetscCall(PetscMalloc1((size_t)(ARRAYS * p.cells), &p.numbers));
    if (layout->rank == 0)
      pack(s, &box, &p);
    if (rank != 0 && layout->rank == 0) {
      PetscCall(send_all(layout->comm, rank, p.numbers, ARRAYS * p.cells));
      PetscCall(PetscFree(p.numbers));
      continue;
    }
    if (rank != 0)
      PetscCall(receive_all(layout->comm, 0, p.numbers, ARRAYS * p.cells));
    *mine = p;
  }
  PetscFunctionReturn(0);
}

/* x of all unknowns on rank 0, from what each rank owns. */
static PetscErrorCode collect(const perp_layout *layout, const source *s, const double *own,
                              double *x)
{
  PetscFunctionBegin;
  for (int rank = 0; rank < layout->size; rank++) {
    const perp_box box = perp_layout_own(layout, AS_GIVEN, rank);
    const perp_box part = perp_layout_part(layout, AS_GIVEN, rank);
    double *numbers;
    if (layout->rank != 0 && layout->rank != rank)
      continue;
    PetscCall(PetscMalloc1((size_t)perp_box_cells(&box) + 1, &numbers));
    int64_t q = 0;
    for (int k = box.begin[2]; k < box.end[2] && rank == layout->rank; k++)
      for (int j = box.begin[1]; j < box.end[1]; j++)
        for (int i = box.begin[0]; i < box.end[0]; i++)
          numbers[q++] = own[perp_box_cell(&part, i, j, k)];
    if (rank != 0 && layout->rank == rank)
      PetscCall(send_all(layout->comm, 0, numbers, q));
    if (rank != 0 && layout->rank == 0)
      PetscCall(receive_all(layout->comm, rank, numbers, perp_box_cells(&box)));
    q = 0;
    for (int k = box.begin[2]; k < box.end[2] && layout->rank == 0; k++)
      for (int j = box.begin[1]; j < box.end[1]; j++)
        for (int i = box.begin[0]; i < box.end[0]; i++, q++) {
          const int64_t c = ((int64_t)k * s->data.ny + j) * s->data.nx + i;
          const int u = s->unknown ? s->unknown[c] : (int)c;
          if (u >= 0)
            x[u] = numbers[q];
        }
    PetscCall(PetscFree(numbers));
  }
  PetscFunctionReturn(0);
}

/* The stencil of rank 0's instance; n of the grid on all ranks. */
static PetscErrorCode source_open(MPI_Comm comm, const perp_instance *instance, source *s, int n[3])
{
  int rank;
  PetscFunctionBegin;
  *s = (source){.instance = instance};
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  if (rank == 0) {
    PetscCheck(!perp_operator_stencil_data(instance->A, &s->data), PETSC_COMM_SELF,
               PETSC_ERR_ARG_WRONG, "no grid");
    n[0] = s->data.nx;
    n[1] = s->data.ny;
    n[2] = s->data.nz;
    if (s->data.cells) {
      const int64_t cells = (int64_t)n[0] * n[1] * n[2];
      PetscCall(PetscMalloc1((size_t)cells, &s->unknown));
      for (int64_t c = 0; c < cells; c++)
        s->unknown[c] = -1;
      for (int u = 0; u < s->data.unknowns; u++)
        s->unknown[s->data.cells[u]] = u;
    }
  }
  PetscCallMPI(MPI_Bcast(n, 3, MPI_INT, 0, comm));
  PetscFunctionReturn(0);
}

static PetscErrorCode show(void *context, int cycle, double residual)
{
  const perp_layout *layout = context;
  PetscFunctionBegin;
  mpi_progress(layout->comm, cycle, residual);
  PetscFunctionReturn(0);
}

/* What mesh.h reads, from a parcel; the cells that are unknowns go into `unknown`. */
static perp_mesh_data data_of(const parcel *p, unsigned char *unknown, bool masked)
{
  double *a[ARRAYS];
  for (int what = 0; what < ARRAYS; what++)
    a[what] = p->numbers + what * p->cells;
  for (int64_t c = 0; c < p->cells; c++)
    unknown[c] = a[UNKNOWN][c] != 0;
  return (perp_mesh_data){.diagonal = a[DIAGONAL],
                          .w = {a[WX], a[WY], a[WZ]},
                          .unknown = masked ? unknown : NULL,
                          .b = a[LOAD],
                          .lo = a[LO],
                          .hi = a[HI]};
}

static PetscErrorCode solve_part(const perp_layout *layout, const mpi_request *request,
                                 const perp_mesh_data *data, double *x, mpi_answer *answer)
{
  perp_mesh *mesh;
  perp_mesh_result result;
  double times[3], busy, residual;
  PetscFunctionBegin;
  PetscCall(perp_mesh_residual(layout, data, x, &residual, &answer->scale));
  const perp_mesh_options options = {.target = request->tol * answer->scale,
                                     .max_cycles = request->max_cycles,
                                     .start = 1,
                                     .monitor = show,
                                     .context = (void *)layout};
  PetscCallMPI(MPI_Barrier(layout->comm));
  PetscCall(PetscTime(&times[0]));
  busy = perp_mesh_clock();
  PetscCall(perp_mesh_create(layout, data, &mesh));
  PetscCall(PetscTime(&times[1]));
  PetscCall(perp_mesh_solve(mesh, &options, x, &result));
  PetscCall(PetscTime(&times[2]));
  busy = perp_mesh_clock() - busy;
  PetscCall(perp_mesh_residual(layout, data, x, &answer->residual, &answer->scale));
  double most[8] = {
      times[1] - times[0],   times[2] - times[1],      (double)perp_mesh_bytes(mesh), busy,
      busy - result.waiting, (double)result.exchanges, (double)result.reductions,     result.bytes};
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, most, 8, MPI_DOUBLE, MPI_MAX, layout->comm));
  answer->seconds_setup = most[0];
  answer->seconds_solve = most[1];
  answer->bytes_most = most[2];
  answer->processor_seconds = most[3];
  answer->compute_seconds = most[4];
  answer->exchanges = most[5];
  answer->reductions = most[6];
  answer->bytes_received = most[7];
  answer->cycles = result.cycles;
  answer->stagnated = result.stagnated;
  answer->solved = answer->residual <= request->tol * answer->scale;
  PetscCall(perp_mesh_destroy(&mesh));
  PetscFunctionReturn(0);
}

PetscErrorCode mpi_solve_grid(MPI_Comm comm, const mpi_request *request,
                              const perp_instance *instance, mpi_answer *answer, double *x)
{
  perp_layout layout;
  source s;
  parcel mine = {0};
  int n[3] = {0, 0, 0};
  unsigned char *unknown;
  double *part;
  PetscFunctionBegin;
  PetscCall(source_open(comm, instance, &s, n));
  int masked = s.unknown != NULL;
  PetscCallMPI(MPI_Bcast(&masked, 1, MPI_INT, 0, comm));
  PetscCall(perp_layout_create(comm, n, &layout));
  PetscCall(distribute(&layout, &s, &mine));
  PetscCall(PetscMalloc1((size_t)mine.cells, &unknown));
  PetscCall(PetscCalloc1((size_t)mine.cells, &part));
  const perp_mesh_data data = data_of(&mine, unknown, masked);
  answer->method = "mg";
  answer->operator= "stencil";
  answer->ranks = layout.levels ? layout.ranks[0] * layout.ranks[1] * layout.ranks[2] : 1;
  PetscCall(solve_part(&layout, request, &data, part, answer));
  PetscCall(collect(&layout, &s, part, x));
  PetscCall(PetscFree(part));
  PetscCall(PetscFree(unknown));
  PetscCall(PetscFree(mine.numbers));
  PetscCall(PetscFree(s.unknown));
  PetscCall(perp_layout_destroy(&layout));
  PetscFunctionReturn(0);
}
