/* product.h: a matrix given by its product with a vector, for algorithms that need no entries */
#ifndef PERP_LINALG_PRODUCT_H
#define PERP_LINALG_PRODUCT_H

/* y <- B x; x and y do not overlap. */
typedef void (*perp_product)(void *context, const double *x, double *y);

#endif
