/* basis.h: the basis of Lemke's method, as its small essential part
 *
 * The variables satisfy w - A z - d z0 = b (after scaling). Of the n basic ones those w_i that are
 * basic need no storage, so a basis is given by the m rows whose w_i is not basic and by the m
 * columns (of A, or d) whose variable is:
 *
 *   C = [d A]_(rows, columns),   C zeta + b_rows = 0,   w_i = b_i + [d A]_(i, columns) zeta
 *
 * m is the number of positive x_i plus at most one, so that a pivot costs O(n m + m^2) instead of
 * the O(n^2) of a tableau. */
#pragma once

#include "method/run/method.h"

typedef enum perp_lemke_scaling {
  PERP_LEMKE_SCALE_NONE,
  PERP_LEMKE_SCALE_SYMMETRIC, /* D A D: preserves definiteness and copositivity */
  PERP_LEMKE_SCALE_BOTH,      /* R A S: preserves only the signs of principal minors */
} perp_lemke_scaling;

struct perp_lemke_kept;

typedef struct perp_lemke {
  perp_run *run;
  struct perp_lemke_kept *kept; /* holds scales and matrices */
  const perp_operator *A;
  int n;
  const double *entries; /* of a dense operator, row major; else NULL */
  int64_t stride;
  bool panel; /* the columns of C are stored in all n rows; else the operator makes the products */

  double *row_scale, *column_scale; /* n: powers of two; A and d below are the scaled ones */
  double *b, *cover;                /* n: right-hand side and covering vector d */

  int m;                   /* rows and columns of C */
  int *rows, *columns;     /* m: the row of A; the variable, z_j or n for z0 */
  int *row_at, *column_at; /* n, n + 1: places in C, -1: not in C */
  double *value;           /* m: zeta */

  /* C^-1 = B - X Y: the latest exchanges are pending, each a column of X and a row of Y */
  int room, pending;
  double *B;       /* room x room */
  double *X;       /* room x PERP_LEMKE_DELAY */
  double *Y;       /* PERP_LEMKE_DELAY x room */
  double *P;       /* n x room: [d A]_(., columns) if `panel` */
  size_t bytes;    /* bytes taken so far for matrices */
  size_t factored; /* numbers of them that factorisations share */

  double *column, *next;  /* n: of the entering variable (-e_i for w_i); scratch */
  double *v;              /* m: C^-1 column; the rates of zeta are -v */
  double *g, *h, *u;      /* m: scratch */
  double *full, *product; /* n: scratch of products with the operator */
  int *index;             /* row_capacity: one row or column */
  double *number;
} perp_lemke;

enum { PERP_LEMKE_DELAY = 8 };

/* Allocates, scales, and makes an empty C; perp_lemke_close closes it. The caller sets the
 * right-hand side. */
perp_error perp_lemke_create(perp_lemke *s, perp_run *run, perp_lemke_scaling scaling);
/* Call at the end of every solve. */
void perp_lemke_close(perp_lemke *s);
void perp_lemke_clear(perp_lemke *s);
/* Restores the basis of these rows and columns into an empty s, if it is stored. Returns true if it
 * was. */
bool perp_lemke_recall(perp_lemke *s, int count, const int *rows);
/* Stores the basis of s, which was made from the list of its rows, equal to its columns. */
void perp_lemke_keep(perp_lemke *s);
/* Checks the bytes of a matrix against the caller's limit. */
perp_error perp_lemke_charge(perp_lemke *s, size_t doubles);

/* Adds row i and variable j to the list of C; perp_lemke_factor makes the list the basis. */
perp_error perp_lemke_list(perp_lemke *s, int i, int j);
/* Returns the flops of C^-1 from its entries: 2/3 m^3 for its factors and 2 m^3 more. */
static inline double perp_lemke_flops(int m)
{
  return 8.0 / 3 * m * m * m;
}
/* Computes C^-1 from the entries of C. *regular: true if C is regular up to rounding; false also if
 * the time runs out. */
perp_error perp_lemke_factor(perp_lemke *s, bool *regular);

/* Call before the matrices of C change: the stored basis becomes invalid. */
void perp_lemke_change(perp_lemke *s);
/* Ensures room for one more row and column. */
perp_error perp_lemke_make_room(perp_lemke *s);
/* Sets column c of C in all rows. */
void perp_lemke_place(perp_lemke *s, int c, const double *column);
/* h <- [d A]_(i, columns) */
void perp_lemke_fetch_row(perp_lemke *s, int i, double *h);
/* column <- the column of variable j in all rows. */
void perp_lemke_fetch(perp_lemke *s, int j, double *column);
/* v <- C^-1 g; they do not overlap. */
void perp_lemke_solve(perp_lemke *s, const double *g, double *v);
/* out <- column p of C^-1. */
void perp_lemke_inverse_column(const perp_lemke *s, int p, double *out);
/* [d A]_(i, columns) zeta */
double perp_lemke_row_dot(perp_lemke *s, int i, const double *zeta);
/* out_i <- start_i + sign [d A]_(i, columns) zeta, for rows with basic w_i, or for all. */
void perp_lemke_product(perp_lemke *s, const double *start, double sign, const double *zeta,
                        bool all, double *out);
/* zeta <- zeta - C^-1 (C zeta + b_rows). Returns max |C zeta + b_rows| before. `exactly`: in twice
 * the precision, if the columns are stored. */
double perp_lemke_refine(perp_lemke *s, bool exactly);

/* v for an entering z_j (whose column is fetched) or w_i (i a row of C). */
void perp_lemke_enter_z(perp_lemke *s, int j);
void perp_lemke_enter_w(perp_lemke *s, int i);
/* v <- v + C^-1 (column - C v). Returns max |column - C v| before. */
double perp_lemke_refine_rates(perp_lemke *s, bool exactly);

/* The four exchanges: entering for leaving variable. On return the complement of the leaving
 * variable is the entering one, with its column and v. The other variables keep their values; the
 * caller sets the value of an entering z, at the place column_at[j]. */
perp_error perp_lemke_z_for_w(perp_lemke *s, int j, int i);
void perp_lemke_z_for_z(perp_lemke *s, int j, int place);
void perp_lemke_w_for_w(perp_lemke *s, int entering, int leaving);
void perp_lemke_w_for_z(perp_lemke *s, int i, int place);
