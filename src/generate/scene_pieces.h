/* generate/scene_pieces.h: a scene of which each process makes the rows of some contacts only
 *
 * A contact belongs to the process of its first body, the one with the lower number. Every process
 * goes through the whole scene, in the same order and with the same random numbers, so that the
 * problem does not depend on how many there are. It keeps two integers of every contact, the place
 * of every body, and the rows of its own contacts. */
#pragma once

#include <perp/generate.h>

typedef struct perp_pieces {
  int bodies, contacts; /* of the scene */
  int *pair; /* 2 for each contact: its bodies, the lower one first; -1: only one moves */
  int room;  /* of `pair`, in contacts */
  int width; /* rows of a contact */
  /* Given for perp_generate_piece: the process of each body, and this one; whether `mine` is true
   * in all processes, for which they wait. */
  const int *part;
  int rank;
  bool (*all)(void *context, bool mine);
  void *context;
  /* The piece, made by it: the numbers in the scene of its contacts and of its bodies, which are
   * those of this process and those that its contacts touch. Both ascend. */
  int own_contacts, own_bodies;
  int *contact, *body;
  /* while a scene is made */
  int seen;
  bool refused;
} perp_pieces;

/* Goes through the scene that `text` names: bodies, contacts, pair and width. *yes: it can be made
 * in pieces, as scenes with operator = contact can, without joints, a planted solution, friction by
 * index or polyhedra. An error only if perp_generate gives one too. */
perp_error perp_pieces_begin(const char *text, perp_pieces *pieces, bool *yes, perp_message *why);
/* The contacts of this process, as an instance with the bodies of the piece; perhaps of 0 rows. */
perp_error perp_generate_piece(const char *text, perp_pieces *pieces, perp_instance *instance,
                               perp_message *why);
void perp_pieces_free(perp_pieces *pieces);
