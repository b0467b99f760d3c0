/* mat_head.c: see mat_head.h
 *
 * A file of version 5 has a header of 128 bytes and then one element per variable: a tag (type, number
 * of bytes), and the matrix, or a zlib stream that holds such an element. A matrix begins with
 *
 *   6, 8, flags and class, entries of a sparse one;   5, 4 rank, the dimensions,
 *
 * all of them numbers of 32 bits. libmatio takes memory by these numbers and reads afterwards, so a
 * few bytes can ask for gigabytes. zlib makes at most 1,032 bytes of one; a cell or a struct takes at
 * least 8. Their own parts are not looked at.
 * Cost: a few kilobytes of each variable are read. */
#include "io/mat_head.h"

#include "base/message.h"
#include "io/file.h"
#include "io/gzip.h"

#include <stdio.h>
#include <string.h>

enum {
  HEADER = 128,
  TAG = 8,
  MATRIX = 14,
  COMPRESSED = 15,
  MOST_RANK = 32,
  HEAD = TAG + 24 + 4 * MOST_RANK, /* of a matrix, its own tag included */
  READ = 4096,                     /* holds that, compressed */
  LAST_CONTAINER = 3,              /* classes 1 to 3: cell, struct, object */
};
static const double MOST_GROWTH = 1032, LEAST_PART = 8;

typedef struct element {
  uint32_t type, bytes;
  char head[HEAD]; /* of the matrix */
  size_t known;    /* bytes of it */
} element;

static uint32_t number(const char *at, bool swapped)
{
  uint32_t v;
  memcpy(&v, at, sizeof v);
  return swapped ? v << 24 | (v & 0xff00) << 8 | (v >> 8 & 0xff00) | v >> 24 : v;
}

/* Whether a matrix of `bytes` bytes can begin like that. One that ends early is left to libmatio. */
static bool is_sound(const element *e, bool swapped)
{
  uint32_t word[HEAD / 4];
  const size_t words = e->known / 4;
  for (size_t k = 0; k < words; k++)
    word[k] = number(e->head + 4 * k, swapped);
  if (words < 8)
    return true;
  const uint32_t class = word[4] & 0xff, rank = word[7] / 4;
  if (word[2] != 6 || word[3] != 8 || word[6] != 5 || word[7] % 4 != 0 || rank > MOST_RANK)
    return false;
  double parts = 1;
  for (uint32_t k = 0; k < rank && 8 + k < words; k++)
    parts *= word[8 + k];
  const double bytes = e->type == COMPRESSED ? MOST_GROWTH * e->bytes : e->bytes;
  return class == 0 || class > LAST_CONTAINER || parts * LEAST_PART <= bytes;
}

/* The next element; false at the end of the file. */
static bool read_element(FILE *file, bool swapped, element *e)
{
  char tag[TAG], bytes[READ];
  if (fread(tag, 1, TAG, file) != TAG)
    return false;
  e->type = number(tag, swapped);
  e->bytes = number(tag + 4, swapped);
  e->known = 0;
  const long at = ftell(file);
  const size_t count = fread(bytes, 1, e->bytes < READ ? e->bytes : READ, file);
  if (e->type == COMPRESSED) {
    e->known = perp_inflate_head(bytes, count, e->head, HEAD);
  } else if (e->type == MATRIX) {
    memcpy(e->head, tag, TAG);
    e->known = TAG + (count < HEAD - TAG ? count : HEAD - TAG);
    memcpy(e->head + TAG, bytes, e->known - TAG);
  }
  return at >= 0 && fseek(file, at + (long)e->bytes, SEEK_SET) == 0;
}

perp_error perp_mat_head_check(const char *path, perp_message *why)
{
  static const uint16_t mark = 'M' << 8 | 'I';
  FILE *file = fopen(path, "rb");
  char header[HEADER];
  if (!file)
    return PERP_OK; /* libmatio says so too */
  const bool five =
      fread(header, 1, HEADER, file) == HEADER &&
      (memcmp(header + HEADER - 2, "IM", 2) == 0 || memcmp(header + HEADER - 2, "MI", 2) == 0);
  const bool swapped = memcmp(header + HEADER - 2, &mark, 2) != 0;
  element e;
  bool sound = true;
  int variable = 0;
  while (five && sound && read_element(file, swapped, &e)) {
    sound = is_sound(&e, swapped);
    variable++;
  }
  fclose(file);
  return sound ? PERP_OK
               : perp_fail(why, PERP_ERROR_FILE,
                           "%s: variable %d declares what a file of its length cannot hold",
                           perp_path_shown(path), variable);
}
