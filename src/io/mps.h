/* mps.h: MPS and QPS files */
#pragma once

#include <perp/qp.h>

/* As perp_qp_mps_read, of a text in memory; `path` is used only in messages: "path:line: what". */
perp_error perp_qp_mps_parse(const char *path, const char *text, size_t bytes,
                             perp_qp_instance *instance, perp_message *why);
