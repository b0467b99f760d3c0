/* outcome.c: how a run ends, in words */
#include <perp/solver.h>

const char *perp_outcome_name(perp_outcome outcome)
{
  static const char *const names[] = {
      "not-run",       "solved",     "iteration-limit", "time-limit",
      "stagnated",     "diverged",   "local-minimum",   "non-descent",
      "ray",           "infeasible", "non-finite",      "stopped",
      "merit-reached", "refuted",    "unsolvable",      "precision",
  };
  return outcome <= PERP_PRECISION ? names[outcome] : "unknown";
}
