/* worlds.h: generated contact problems one after another, as perp_batch_worlds takes them
 *
 * For `perp bench batch` and tests. Rows of the operators touch one or two bodies of 6 velocities. */
#pragma once

#include <perp/batch.h>
#include <perp/lab.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct worlds {
  int count;          /* so far */
  int *rows, *bodies; /* of each */
  int all_rows, all_bodies, room_rows, room_bodies, room;
  int *body, *findex;
  double *J, *Minv, *C, *b, *lo, *hi;
  perp_contact_bodies data; /* for perp_batch_worlds */
} worlds;

static inline void worlds_free(worlds *w)
{
  void *const blocks[] = {w->rows, w->bodies, w->body, w->findex, w->J,
                          w->Minv, w->C,      w->b,    w->lo,     w->hi};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
    free(blocks[k]);
  *w = (worlds){0};
}

static inline void *worlds_grow(void *block, size_t count, size_t bytes)
{
  void *more = realloc(block, count * bytes);
  if (!more)
    free(block);
  return more;
}

/* Makes room for one more world; returns false if out of memory. */
static inline bool worlds_room(worlds *w, int rows, int bodies)
{
  if (w->count == w->room) {
    w->room = 2 * w->room + 16;
    w->rows = worlds_grow(w->rows, (size_t)w->room, sizeof *w->rows);
    w->bodies = worlds_grow(w->bodies, (size_t)w->room, sizeof *w->bodies);
  }
  if (w->all_rows + rows > w->room_rows) {
    const size_t n = (size_t)(w->room_rows = 2 * (w->all_rows + rows));
    w->body = worlds_grow(w->body, 2 * n, sizeof *w->body);
    w->findex = worlds_grow(w->findex, n, sizeof *w->findex);
    w->J = worlds_grow(w->J, 12 * n, sizeof *w->J);
    w->C = worlds_grow(w->C, n, sizeof *w->C);
    w->b = worlds_grow(w->b, n, sizeof *w->b);
    w->lo = worlds_grow(w->lo, n, sizeof *w->lo);
    w->hi = worlds_grow(w->hi, n, sizeof *w->hi);
  }
  if (w->all_bodies + bodies > w->room_bodies) {
    w->room_bodies = 2 * (w->all_bodies + bodies);
    w->Minv = worlds_grow(w->Minv, 36 * (size_t)w->room_bodies, sizeof *w->Minv);
  }
  return w->rows && w->bodies && w->body && w->findex && w->J && w->C && w->b && w->lo && w->hi &&
         w->Minv;
}

/* Copies row i of the data to place `at`. */
static inline void worlds_row(worlds *w, const perp_contact_data *data, int i, size_t at)
{
  int *body = w->body + 2 * at;
  double *J = w->J + 12 * at;
  body[0] = body[1] = -1;
  memset(J, 0, 12 * sizeof *J);
  for (int64_t e = data->J_start[i]; e < data->J_start[i + 1]; e++) {
    const int block = data->J_column[e] / 6, side = body[0] >= 0 && body[0] != block;
    body[side] = block;
    J[6 * side + data->J_column[e] % 6] = data->J_value[e];
  }
  w->C[at] = data->C_diagonal ? data->C_diagonal[i] : data->cfm;
  for (int64_t e = data->C_start ? data->C_start[i] : 0; data->C_start && e < data->C_start[i + 1];
       e++)
    w->C[at] = data->C_value[e];
}

/* The problem as one more world; an error if it is none. */
static inline perp_error worlds_append(worlds *w, const perp_problem *p)
{
  perp_contact_data data;
  const int n = p->K.n;
  if (perp_operator_contact_data(p->A, &data) || data.velocities != 6 * data.blocks || p->K.mu)
    return PERP_ERROR_UNSUPPORTED;
  if (!worlds_room(w, n, data.blocks))
    return PERP_ERROR_MEMORY;
  for (int i = 0; i < n; i++) {
    const size_t at = (size_t)(w->all_rows + i);
    worlds_row(w, &data, i, at);
    w->b[at] = p->b[i];
    w->lo[at] = p->K.lo ? p->K.lo[i] : 0;
    w->hi[at] = p->K.hi ? p->K.hi[i] : INFINITY;
    w->findex[at] = p->K.findex ? p->K.findex[i] : -1;
  }
  memcpy(w->Minv + 36 * (size_t)w->all_bodies, data.Minv,
         36 * (size_t)data.blocks * sizeof *w->Minv);
  w->rows[w->count] = n;
  w->bodies[w->count++] = data.blocks;
  w->all_rows += n;
  w->all_bodies += data.blocks;
  return PERP_OK;
}

static inline perp_error worlds_generate(worlds *w, const char *text, perp_message *why)
{
  perp_instance instance;
  perp_error error = perp_generate(text, &instance, why);
  if (error)
    return error;
  const perp_problem p = perp_instance_problem(&instance);
  error = worlds_append(w, &p);
  perp_instance_destroy(&instance);
  return error;
}

/* Returns a batch of the first `count` worlds. */
static inline perp_batch worlds_batch(worlds *w, int count)
{
  w->data = perp_contact_bodies_default();
  w->data.body = w->body;
  w->data.J = w->J;
  w->data.Minv = w->Minv;
  w->data.C_diagonal = w->C;
  perp_batch batch = perp_batch_worlds(count, &w->data, w->b);
  batch.rows = w->rows;
  batch.bodies = w->bodies;
  batch.lo = w->lo;
  batch.hi = w->hi;
  batch.findex = w->findex;
  return batch;
}
