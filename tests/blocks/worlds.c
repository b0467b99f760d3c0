// docs/api.md: perp_batch_worlds(
#include <perp/perp.h>

enum { COUNT = 8192, ROWS = 162, BODIES = 27 };

/* docs/device.md has the contents of the arrays, and a solve. */
int main(void)
{
  static const int body[1], findex[1];
  static const double J[1], Minv[1], b[1], lo[1], hi[1];
  // BLOCK
  return !(batch.count == COUNT && batch.lo == lo && batch.findex == findex);
}
