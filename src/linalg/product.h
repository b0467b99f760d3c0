/* product.h: a matrix as its product, for all that needs no entries */
#ifndef PERP_LINALG_PRODUCT_H
#define PERP_LINALG_PRODUCT_H

/* y <- B x; x and y do not overlap. */
typedef void (*perp_product)(void *context, const double *x, double *y);

#endif
