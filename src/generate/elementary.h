/* elementary.h: sin, cos, exp and log of + - * / alone
 *
 * Those of the C library may differ in the last bit from one machine to the next; these do not,
 * and are within 2 units in the last place (tests/test_generate_grid.c). */
#ifndef PERP_GENERATE_ELEMENTARY_H
#define PERP_GENERATE_ELEMENTARY_H

/* |x| <= 1e5; beyond that the argument is reduced with fewer bits than a result has. */
double perp_sin(double x);
double perp_cos(double x);
/* 0 below -745, infinity above 710. */
double perp_exp(double x);
/* x > 0 and finite. */
double perp_log(double x);

#endif
