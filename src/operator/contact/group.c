/* group.c: which rows of a contact operator are relaxed together, and their colours
 *
 * Consecutive rows that touch the same blocks (the normal and the tangents of one contact) form
 * a group, which one thread relaxes in sequence; the next contact of the same bodies is another. Two groups are coupled where they share a block
 * or where a row of one has an entry of C, or a friction index, that names a row of the other.
 *
 * Colours are peeled off one by one: colour c takes, by increasing row, every group left that is
 * coupled with none taken for c so far. That is the greedy colouring in natural order. Cost:
 * groups times colours, at the most ROUNDS; what is still left then meets at one block, and each
 * group gets a colour of its own. */
#include "operator/contact/contact.h"

#include <string.h>

enum { ROUNDS = 1000 };

/* Whether rows i and i + 1 touch the same blocks, at least one. */
static bool same_blocks(const perp_contact *c, int i)
{
  const int64_t *start = c->pair_start;
  const int64_t count = start[i + 1] - start[i];
  if (count == 0 || start[i + 2] - start[i + 1] != count)
    return false;
  return memcmp(c->pair_block + start[i], c->pair_block + start[i + 1],
                (size_t)count * sizeof *c->pair_block) == 0;
}

/* Whether row i begins another contact: it has no friction index, the row before it has one. */
static bool begins_contact(const int *findex, int i)
{
  return findex && findex[i] < 0 && findex[i - 1] >= 0;
}

static int list_groups(const perp_contact *c, const int *findex, int most,
                       perp_contact_group *group)
{
  int groups = 0;
  for (int i = 0; i < c->data.rows; groups++) {
    int count = 1;
    while (count < most && i + count < c->data.rows && same_blocks(c, i + count - 1) &&
           !begins_contact(findex, i + count))
      count++;
    group[groups] = (perp_contact_group){.row = i, .count = count, .slot = i};
    i += count;
  }
  return groups;
}

/* The colour that last took or named a thing; -1: none. */
typedef struct stamps {
  const perp_contact *c;
  const int *findex;
  int *block; /* blocks of the groups taken */
  int *taken; /* rows taken */
  int *named; /* rows that C or a friction index of a row taken names */
} stamps;

static bool is_coupled(const stamps *s, const perp_contact_group *g, int colour)
{
  const perp_contact *c = s->c;
  for (int64_t p = c->pair_start[g->row]; p < c->pair_start[g->row + 1]; p++)
    if (s->block[c->pair_block[p]] == colour)
      return true;
  for (int i = g->row; i < g->row + g->count; i++) {
    if (s->named[i] == colour ||
        (s->findex && s->findex[i] >= 0 && s->taken[s->findex[i]] == colour))
      return true;
    for (int64_t k = c->C.start[i]; k < c->C.start[i + 1]; k++)
      if (s->taken[c->C.column[k]] == colour)
        return true;
  }
  return false;
}

static void take(const stamps *s, const perp_contact_group *g, int colour)
{
  const perp_contact *c = s->c;
  for (int64_t p = c->pair_start[g->row]; p < c->pair_start[g->row + 1]; p++)
    s->block[c->pair_block[p]] = colour;
  for (int i = g->row; i < g->row + g->count; i++) {
    s->taken[i] = colour;
    if (s->findex && s->findex[i] >= 0)
      s->named[s->findex[i]] = colour;
    for (int64_t k = c->C.start[i]; k < c->C.start[i + 1]; k++)
      s->named[c->C.column[k]] = colour;
  }
}

/* Fills coloured and colour_start; `left` has room for all groups. */
static void peel_colours(const stamps *s, int *left, perp_contact_relaxer *r)
{
  int count = r->groups, filed = 0;
  for (int g = 0; g < count; g++)
    left[g] = g;
  for (r->colours = 0; count > 0 && r->colours < ROUNDS; r->colours++) {
    r->colour_start[r->colours] = filed;
    int kept = 0;
    for (int k = 0; k < count; k++) {
      const perp_contact_group *g = &r->group[left[k]];
      if (is_coupled(s, g, r->colours)) {
        left[kept++] = left[k];
      } else {
        take(s, g, r->colours);
        r->coloured[filed++] = left[k];
      }
    }
    count = kept;
  }
  for (int k = 0; k < count; k++) {
    r->colour_start[r->colours++] = filed;
    r->coloured[filed++] = left[k];
  }
  r->colour_start[r->colours] = filed;
}

perp_error perp_contact_group_rows(const perp_contact *c, const perp_set *K, int most,
                                   bool coloured, perp_arena *arena, perp_contact_relaxer *r)
{
  const size_t n = (size_t)c->data.rows, blocks = (size_t)c->data.blocks;
  r->group = perp_arena_alloc(arena, n, sizeof *r->group);
  if (!r->group)
    return PERP_ERROR_MEMORY;
  r->groups = list_groups(c, K->findex, most, r->group);
  if (!coloured)
    return PERP_OK;
  if (!PERP_TAKE(arena, PERP_ARRAY(r->coloured, n), PERP_ARRAY(r->colour_start, n + 1)))
    return PERP_ERROR_MEMORY;

  const perp_arena_mark mark = perp_arena_hold(arena);
  int *work = perp_arena_alloc(arena, blocks + 3 * n, sizeof *work);
  if (!work)
    return PERP_ERROR_MEMORY;
  memset(work, 0xff, (blocks + 2 * n) * sizeof *work); /* all -1 */
  const stamps s = {.c = c,
                    .findex = K->findex,
                    .block = work,
                    .taken = work + blocks,
                    .named = work + blocks + n};
  peel_colours(&s, work + blocks + 2 * n, r);
  perp_arena_release(arena, mark);
  return PERP_OK;
}
