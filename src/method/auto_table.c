/* auto_table.c: written by tools/write-auto from docs/measured.csv */
#include "method/inspect.h"

const perp_ladder perp_ladders[] = {
    {0},
};
