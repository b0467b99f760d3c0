/* collection.h: `perp bench collection DIR` */
#pragma once

#include <perp/perp.h>
#include <stdio.h>

typedef struct collection_settings {
  const char *folder;
  const char *methods; /* of perp, "auto,ipm" */
  const char *peers;   /* the folder of their programs; NULL: without */
  const char *only;    /* what a name must contain; NULL: all */
  int share;           /* 1: the first, third... program only, 2: the others, 0: all */
  double tol, seconds; /* CPU seconds for one solve */
  FILE *out;           /* a line of comma separated values for each solve */
  bool (*progress)(const char *what, int done, int of); /* false: stop */
} collection_settings;

/* Runs every program of the folder by every method and peer, and prints a summary. */
perp_error bench_collection(const collection_settings *s, perp_message *why);
