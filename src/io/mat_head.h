/* mat_head.h: what a MATLAB file declares, seen before libmatio allocates it */
#pragma once

#include <perp/base.h>

/* Refuses a file of version 5 with a variable whose head is not sound, or that declares more than its
 * bytes can hold. Other versions pass. */
perp_error perp_mat_head_check(const char *path, perp_message *why);
