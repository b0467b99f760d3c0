/* out.c: x into a Matrix Market file, gathered on rank 0 or by all ranks at once
 *
 * In parallel every number has a line of the same length,
 *
 *   WIDTH bytes: "%24.16e" and a newline,
 *
 * so a rank knows where its lines are and writes them there by MPI-IO; nothing is gathered. Both files
 * are read by the same programs, and have the same numbers. */
#include "backend/petsc/mpi/mpi.h"

#include <string.h>

enum { WIDTH = 25, LINES = 1 << 14 /* to a call of MPI */ };

static PetscErrorCode gather(const mpi_request *request, Vec x, perp_error *error,
                             perp_message *why)
{
  VecScatter scatter;
  Vec all;
  PetscInt n;
  const PetscScalar *a;
  int rank;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(PetscObjectComm((PetscObject)x), &rank));
  PetscCall(VecScatterCreateToZero(x, &scatter, &all));
  PetscCall(VecScatterBegin(scatter, x, all, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecScatterEnd(scatter, x, all, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecGetLocalSize(all, &n));
  PetscCall(VecGetArrayRead(all, &a));
  if (rank == 0)
    *error = perp_vector_write(request->out, (int)n, a, NULL, why);
  PetscCall(VecRestoreArrayRead(all, &a));
  PetscCall(VecScatterDestroy(&scatter));
  PetscCall(VecDestroy(&all));
  PetscFunctionReturn(0);
}

/* 0, or the code of MPI. */
static int write_bytes(MPI_File file, MPI_Offset at, const char *text, int count)
{
  MPI_Status status;
  int written = 0;
  const int code = MPI_File_write_at(file, at, text, count, MPI_CHAR, &status);
  if (code)
    return code;
  MPI_Get_count(&status, MPI_CHAR, &written);
  return written == count ? MPI_SUCCESS : MPI_ERR_NO_SPACE;
}

/* Lines of this rank, and on rank 0 the head before them. */
static PetscErrorCode write_part(MPI_File file, const char *head, Vec x, int *code)
{
  const PetscScalar *a;
  PetscInt begin, end;
  char *text;
  PetscFunctionBegin;
  PetscCall(VecGetOwnershipRange(x, &begin, &end));
  PetscCall(PetscMalloc1(LINES * WIDTH + 1, &text));
  PetscCall(VecGetArrayRead(x, &a));
  if (begin == 0)
    *code = write_bytes(file, 0, head, (int)strlen(head));
  for (PetscInt first = begin; first < end && !*code; first += LINES) {
    const int count = end - first < LINES ? (int)(end - first) : LINES;
    for (int i = 0; i < count; i++)
      snprintf(text + WIDTH * i, WIDTH + 1, "%24.16e\n", a[first - begin + i]);
    const MPI_Offset at = (MPI_Offset)strlen(head) + (MPI_Offset)WIDTH * first;
    *code = write_bytes(file, at, text, WIDTH * count);
  }
  PetscCall(VecRestoreArrayRead(x, &a));
  PetscCall(PetscFree(text));
  PetscFunctionReturn(0);
}

/* An error unless the path is the same file for all ranks: each must read what rank 0 wrote there.
 * Otherwise opening it together may wait forever, or each rank writes a file of its own. */
static PetscErrorCode check_shared(MPI_Comm comm, const char *path, perp_error *error,
                                   perp_message *why)
{
  char wrote[64] = "", found[64] = "";
  int rank;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  if (rank == 0) {
    snprintf(wrote, sizeof wrote, "%.17g %p", MPI_Wtime(), (void *)wrote);
    FILE *file = fopen(path, "w");
    bool good = file && fputs(wrote, file) >= 0;
    good = file && !fclose(file) && good;
    wrote[0] = good ? wrote[0] : 0;
  }
  PetscCallMPI(MPI_Bcast(wrote, sizeof wrote, MPI_CHAR, 0, comm));
  FILE *file = fopen(path, "r+");
  if (file) {
    if (!fgets(found, sizeof found, file))
      found[0] = 0;
    fclose(file);
  }
  int same = strcmp(wrote, found) == 0;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_LAND, comm));
  if (!wrote[0] || !same) {
    *error = PERP_ERROR_FILE;
    snprintf(why->text, sizeof why->text, "%.200s cannot be written%s", path,
             wrote[0] ? " by all ranks: it is not the same file for each" : "");
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode write_parallel(const mpi_request *request, Vec x, perp_error *error,
                                     perp_message *why)
{
  MPI_File file;
  PetscInt n;
  char head[80];
  int code;
  PetscFunctionBegin;
  PetscCall(check_shared(PetscObjectComm((PetscObject)x), request->out, error, why));
  if (*error)
    PetscFunctionReturn(0);
  PetscCall(VecGetSize(x, &n));
  snprintf(head, sizeof head, "%%%%MatrixMarket matrix array real general\n%lld 1\n", (long long)n);
  code = MPI_File_open(PetscObjectComm((PetscObject)x), request->out,
                       MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  if (!code) { /* the same on all ranks */
    code = MPI_File_set_size(file, (MPI_Offset)strlen(head) + (MPI_Offset)WIDTH * n);
    if (!code)
      PetscCall(write_part(file, head, x, &code));
    const int closed = MPI_File_close(&file);
    code = code ? code : closed;
  }
  if (code) {
    *error = PERP_ERROR_FILE;
    snprintf(why->text, sizeof why->text, "%.200s cannot be written by all ranks", request->out);
  }
  PetscFunctionReturn(0);
}

PetscErrorCode mpi_write(const mpi_request *request, Vec x, perp_error *error, perp_message *why)
{
  PetscFunctionBegin;
  if (request->parallel)
    PetscCall(write_parallel(request, x, error, why));
  else
    PetscCall(gather(request, x, error, why));
  PetscFunctionReturn(0);
}
