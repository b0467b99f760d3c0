/* generate/scene_pieces.h: a scene of which each process generates the rows of some contacts
 *
 * A contact belongs to the process of its first body, the one with the lower index. Every process
 * goes through the whole scene, in the same order and with the same random numbers, so that the
 * problem does not depend on the number of processes. It stores two integers per contact, the place
 * of every body, and the rows of its own contacts. */
#pragma once

#include <perp/generate.h>

typedef struct perp_pieces {
  int bodies, contacts; /* of the scene */
  int *pair; /* 2 for each contact: its bodies, the lower one first; -1: only one moves */
  int room;  /* of `pair`, in contacts */
  int width; /* rows of a contact */
  /* Input of perp_generate_piece: the process of each body, and this one; and a function that
   * returns true if `mine` is true in all processes, for which it waits. */
  const int *part;
  int rank;
  bool (*all)(void *context, bool mine);
  void *context;
  /* The generated piece: the scene's indices of its contacts and of its bodies, which are the
   * bodies of this process and the bodies that its contacts touch. Both ascend. */
  int *contact, *body;
  /* while a scene is made */
  int seen;
  bool refused;
} perp_pieces;

/* Goes through the scene that `text` names: bodies, contacts, pair and width. *yes: it can be
 * generated in pieces; this needs operator = contact, and no joints, planted solution, friction by
 * index or polyhedra. Returns an error only if perp_generate does. */
perp_error perp_pieces_begin(const char *text, perp_pieces *pieces, bool *yes, perp_message *why);
/* Generates the contacts of this process, as an instance with the bodies of the piece; perhaps of 0
 * rows. */
perp_error perp_generate_piece(const char *text, perp_pieces *pieces, perp_instance *instance,
                               perp_message *why);
void perp_pieces_free(perp_pieces *pieces);
