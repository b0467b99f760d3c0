/* boxes.c: contacts of the bodies whose boxes overlap
 *
 * Sweep and prune (Baraff 1992): the boxes are sorted by their lower ends along the axis along which
 * their centres spread most, and each is tested against those that begin before it ends. Time: n log
 * n, and a test for every two boxes whose intervals overlap. */
#include "simulate/rigid/world.h"

#include <stdlib.h>

typedef struct entry {
  double lo; /* of the box along the axis */
  perp_box box;
  int index;
} entry;

static int by_lower_end(const void *a, const void *b)
{
  const entry *p = a, *q = b;
  return p->lo != q->lo ? (p->lo > q->lo) - (p->lo < q->lo) : p->index - q->index;
}

static bool overlap(const perp_box *a, const perp_box *b)
{
  for (int k = 0; k < 3; k++)
    if (!(a->lo[k] <= b->hi[k] && b->lo[k] <= a->hi[k]))
      return false;
  return true;
}

/* Returns the axis along which the centres of the listed boxes spread most. */
static int widest_axis(int count, const entry *list)
{
  double most = -1;
  int axis = 0;
  for (int k = 0; k < 3; k++) {
    double sum = 0, squares = 0;
    for (int i = 0; i < count; i++) {
      const double centre = 0.5 * list[i].box.lo[k] + 0.5 * list[i].box.hi[k];
      sum += centre;
      squares += centre * centre;
    }
    if (squares - sum * sum / count > most) {
      most = squares - sum * sum / count;
      axis = k;
    }
  }
  return axis;
}

bool perp_boxes_meet(int count, const perp_box *box, perp_arena *arena, perp_meet *meet,
                     void *context)
{
  entry *list;
  int listed = 0;
  if (!PERP_TAKE(arena, PERP_ARRAY(list, count)))
    return false;
  for (int k = 0; k < count; k++)
    if (overlap(&box[k], &box[k])) /* not empty */
      list[listed++] = (entry){.box = box[k], .index = k};
  const int axis = widest_axis(listed, list);
  for (int k = 0; k < listed; k++)
    list[k].lo = list[k].box.lo[axis];
  if (listed > 1)
    qsort(list, (size_t)listed, sizeof *list, by_lower_end);
  for (const entry *p = list; p < list + listed; p++)
    for (const entry *q = p + 1; q < list + listed && q->lo <= p->box.hi[axis]; q++)
      if (overlap(&p->box, &q->box) && !meet(context, p->index, q->index))
        return false;
  return true;
}

/* Orders by name; points of one name keep their order. */
static int by_name(const void *a, const void *b)
{
  const perp_scene_contact *p = a, *q = b;
  if (p->id != q->id)
    return p->id < q->id ? -1 : 1;
  for (int k = 0; k < 3; k++)
    if (p->at[k] != q->at[k])
      return p->at[k] < q->at[k] ? -1 : 1;
  return 0;
}

perp_error perp_world_meet(perp_world *world, int count, const perp_box *box, perp_meet *meet,
                           perp_message *why)
{
  world->contacts = 0;
  if (!perp_boxes_meet(count, box, &world->frame, meet, world))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for the contacts of %d bodies",
                     world->bodies);
  if (world->contacts > 1)
    qsort(world->contact, (size_t)world->contacts, sizeof *world->contact, by_name);
  return PERP_OK;
}
