/* particle.h: the particle that hits a plane (Lu and Trinkle), in two models
 *
 * PARTICLE_PYRAMID  their LCP (33) of six rows: normal, four friction directions, slip speed s
 * PARTICLE_DISC     their Algorithm 1, rows n, t, o with A = (1/m + zeta) I: the normal impulse is
 *                   projected on p_n >= 0, then friction on |p_f| <= mu p_n with the new p_n. Their
 *                   particle moves along t, so that the disc is the friction-index box. */
#pragma once

#include "experiment.h"

typedef enum particle_model { PARTICLE_PYRAMID, PARTICLE_DISC } particle_model;

enum { PARTICLE_ROWS = 6 }; /* the most */

typedef struct particle {
  perp_instance instance; /* pyramid: owns all */
  perp_operator *A;       /* disc: owned */
  double b[3], lo[3], hi[3];
  int findex[3];
  perp_problem problem; /* valid while the particle stays where it is */
} particle;

/* Returns false if the experiment has failed. */
bool particle_make(experiment *e, particle_model model, double gravity, double zeta,
                   particle *made);
void particle_destroy(particle *made);

/* 1/2 |phi|^2 with the function of Chen, Chen and Kanzow, xi = 0.7: their total error (31). */
double particle_error(const particle *p, const double *x);

/* From 0 by the prox method with these settings ("strategy=fixed,r=1") until their total error is
 * at most `enough`, 300 iterations at the most, as in the paper. */
typedef struct particle_run {
  int iterations;
  bool converged;
  double x[PARTICLE_ROWS];
} particle_run;

particle_run particle_solve(const particle *p, const char *settings, double enough);
