/* picture.h: a frame as an image */
#pragma once

#include "app.h"

typedef struct picture {
  int width, height;
  unsigned char *rgb; /* by rows from the top; the caller's to free */
  float *depth;       /* of each pixel, for views of space */
} picture;

/* An image of this width; its height follows from the view. False when out of memory. */
bool picture_make(const perp_view *view, int width, picture *image);
void picture_free(picture *image);
/* Replaces the image before. `heaviest` is the load that has the hottest colour. */
void picture_draw(const perp_view *view, double heaviest, picture *image);
