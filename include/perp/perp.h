/* perp: complementarity problems, 0 <= x ⊥ A x + b >= 0 and relatives
 *
 * set.h       the set K: bounds, friction, cones, projection
 * operator.h  the matrix as an object: dense, csr, bsr, contact, stencil, shell
 * problem.h   problems, residuals, merits, facts
 * solver.h    methods, options, results
 * derivative.h  derivatives of a solution with respect to the data
 * qp.h        quadratic programs
 * ncp.h       nonlinear complementarity problems
 * nl.h        models of AMPL, Pyomo and JuMP
 * frame.h     islands, contacts that persist
 * batch.h     many problems in one call
 * device.h    devices: the CPU or a GPU
 * ode.h       drop-in replacement for ODE's LCP solver
 * io.h        problem folders
 * record.h    failed solves recorded on disk
 *
 * <perp/lab.h> has the rest: generators, simulators, MATLAB files, images. */
#ifndef PERP_PERP_H
#define PERP_PERP_H

#include <perp/batch.h>
#include <perp/derivative.h>
#include <perp/device.h>
#include <perp/frame.h>
#include <perp/io.h>
#include <perp/ncp.h>
#include <perp/nl.h>
#include <perp/ode.h>
#include <perp/qp.h>
#include <perp/record.h>
#include <perp/solver.h>

#endif
