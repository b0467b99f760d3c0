/* nl.h: models of AMPL, Pyomo and JuMP */
#pragma once

#include "ncp.h"

/* Returns true if a problem of perp solve is an .nl file. */
bool nl_is(const char *where);
/* Solves, writes and prints; the exit status. */
int nl_solve(const app_call *app, const ncp_request *r);
/* Returns true if the program was called as a solver of AMPL: perp STUB -AMPL, perp -s STUB, ... */
bool nl_is_ampl_call(int argc, char **argv);
/* perp STUB [-AMPL] [key=value ...] */
int nl_ampl(int argc, char **argv);
