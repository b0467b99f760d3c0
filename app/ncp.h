/* ncp.h: perp solve ncp:NAME */
#pragma once

#include "app.h"

typedef struct ncp_request {
  const char *where; /* "ncp:nash10,start=1" */
  const char *method, *start, *out, *out_y;
  const app_list *set;
  double tol, time_limit;
  int64_t max_iterations, verbose;
  uint64_t seed;
  bool print;
} ncp_request;

/* Returns true if a problem of perp solve is a nonlinear one. */
bool ncp_is(const char *where);
/* Solves, writes and prints; the exit status. */
int ncp_solve(const app_call *app, const ncp_request *r);
/* The problems and the methods: perp list ncp. */
int ncp_list(const app_call *app);
