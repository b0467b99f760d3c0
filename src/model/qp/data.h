/* model/qp/data.h: the data of a quadratic program: checks, a copy by rows, and its scaling */
#pragma once

#include "model/qp/qp.h"

perp_error perp_qp_validate_bounds(const char *low, const char *high, int n, const double *lo,
                                   const double *hi, perp_message *why);
/* Reads and checks all, into an empty solver: what perp_qp_verdict_of needs. */
perp_error perp_qp_load(perp_qp_solver *s, const perp_qp *from, perp_message *why);
void perp_qp_set_bounds(int n, const double *lo, const double *hi, double *L, double *U);

bool perp_qp_take_rows(perp_arena *arena, int rows, int columns, int64_t entries, perp_qp_rows *A);

/* D and the scaled copy; and the vectors alone, after they have changed. */
bool perp_qp_scale(perp_qp_solver *s);
void perp_qp_scale_vectors(perp_qp_solver *s);
