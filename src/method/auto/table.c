/* table.c: the ladders of auto, written by tools/write-auto from measured.csv */
#include "method/auto/inspect.h"

extern const perp_method perp_method_admm, perp_method_alm, perp_method_apgd, perp_method_baraff,
    perp_method_bgs, perp_method_blockpivot, perp_method_coloured, perp_method_dantzig,
    perp_method_direct, perp_method_gpcg, perp_method_ipm, perp_method_kz, perp_method_lemke,
    perp_method_mg, perp_method_minmap, perp_method_nncg, perp_method_pgs, perp_method_pgssm,
    perp_method_prox, perp_method_psor, perp_method_spg, perp_method_spsor, perp_method_ssn;

/* clang-format off */
const perp_ladder perp_ladders[] = {
    /* 0: cold lcp stencil symmetric plain 100 and 62 more; 282 problems */
    {{{&perp_method_dantzig, 32}}},
    /* 1: cold lcp stencil symmetric plain 1000 and 14 more; 34 problems */
    {{{&perp_method_mg, 32}}},
    /* 2: cold lcp contact symmetric plain 10 and 9 more; 15 problems */
    {{{&perp_method_spg, 32}}},
    /* 3: cold lcp contact symmetric plain 1000 and 5 more; 12 problems */
    {{{&perp_method_pgssm, 32}}},
    /* 4: cold lcp faced symmetric plain 320; 6 problems */
    {{{&perp_method_psor, 324}}},
    /* 5: cold lcp faced symmetric plain 1000; 3 problems */
    {{{&perp_method_admm, 128},
      {&perp_method_baraff, 32}}},
    /* 6: cold lcp faced symmetric plain 10000; 3 problems */
    {{{&perp_method_ssn, 32},
      {&perp_method_ipm, 72}}},
    /* 7: cold lcp tridiagonal unsymmetric plain 320 and 66 more; 160 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 8: cold lcp tridiagonal symmetric fair 32 and 15 more; 29 problems */
    {{{&perp_method_gpcg, 32}}},
    /* 9: cold lcp tridiagonal symmetric fair 10000 and 45 more; 69 problems */
    {{{&perp_method_kz, 32}}},
    /* 10: cold lcp tridiagonal symmetric strong 3 and 9 more; 58 problems */
    {{{&perp_method_direct, 32}}},
    /* 11: cold lcp tridiagonal symmetric strong 10 and 14 more; 32 problems */
    {{{&perp_method_pgs, 32}}},
    /* 12: cold lcp mmatrix unsymmetric plain 100 and 49 more; 80 problems */
    {{{&perp_method_spsor, 32}}},
    /* 13: cold lcp mmatrix unsymmetric plain 1000 and 2 more; 5 problems */
    {{{&perp_method_psor, 32},
      {&perp_method_prox, 2192}}},
    /* 14: cold lcp mmatrix unsymmetric plain 100000 and 2 more; 6 problems */
    {{{&perp_method_spg, 76}}},
    /* 15: cold lcp sparse unsymmetric holes 32 and 9 more; 53 problems */
    {{{&perp_method_lemke, 4624}}},
    /* 16: cold lcp sparse symmetric plain 1000; 9 problems */
    {{{&perp_method_ssn, 32},
      {&perp_method_baraff, 32}}},
    /* 17: cold lcp sparse symmetric plain 10000; 6 problems */
    {{{&perp_method_psor, 48},
      {&perp_method_pgssm, 160}}},
    /* 18: cold mixed contact symmetric plain 10 and 21 more; 63 problems */
    {{{&perp_method_baraff, 32}}},
    /* 19: cold mixed contact symmetric plain 1000 and 4 more; 32 problems */
    {{{&perp_method_pgssm, 276}}},
    /* 20: cold mixed tridiagonal symmetric holes 320; 2 problems */
    {{{&perp_method_prox, 32}}},
    /* 21: cold mixed tridiagonal symmetric holes 10000 and 1 more; 3 problems */
    {{{&perp_method_prox, 172}}},
    /* 22: cold mixed mmatrix unsymmetric plain 100 and 10 more; 15 problems */
    {{{&perp_method_psor, 32},
      {&perp_method_prox, 2608}}},
    /* 23: cold mixed dense unsymmetric plain 100 and 2 more; 11 problems */
    {{{&perp_method_lemke, 196}}},
    /* 24: cold boxed mmatrix unsymmetric plain 32 and 7 more; 11 problems */
    {{{&perp_method_spsor, 32},
      {&perp_method_prox, 2104}}},
    /* 25: cold boxed dense unsymmetric plain 10 and 11 more; 39 problems */
    {{{&perp_method_blockpivot, 32},
      {&perp_method_ipm, 32}}},
    /* 26: cold boxed dense unsymmetric plain 320; 2 problems */
    {{{&perp_method_ipm, 36}}},
    /* 27: cold findex faced symmetric plain 320; 14 problems */
    {{{&perp_method_alm, 92}}},
    /* 28: cold findex faced symmetric plain 1000; 6 problems */
    {{{&perp_method_ipm, 32},
      {&perp_method_alm, 644}}},
    /* 29: cold findex faced symmetric plain 10000; 8 problems */
    {{{&perp_method_ipm, 328}}},
    /* 30: cold findex loose symmetric plain 1000 and 2 more; 21 problems */
    {{{&perp_method_coloured, 456},
      {&perp_method_ipm, 104}}},
    /* 31: cold findex packed symmetric plain 10000; 7 problems */
    {{{&perp_method_nncg, 576},
      {&perp_method_coloured, 8104}}},
    /* 32: cold findex jammed symmetric plain 1000 and 1 more; 12 problems */
    {{{&perp_method_nncg, 2940}}},
    /* 33: cold findex sparse symmetric plain 1000; 22 problems */
    {{{&perp_method_nncg, 576},
      {&perp_method_dantzig, 32}}},
    /* 34: cold findex sparse symmetric plain 10000; 17 problems */
    {{{&perp_method_nncg, 2940},
      {&perp_method_ipm, 156},
      {&perp_method_coloured, 26504},
      {&perp_method_dantzig, 92}}},
    /* 35: cold findex dense symmetric fair 3 and 13 more; 47 problems */
    {{{&perp_method_bgs, 32}}},
    /* 36: cold cone loose symmetric plain 32 and 11 more; 93 problems */
    {{{&perp_method_ssn, 124}}},
    /* 37: cold cone packed symmetric plain 1000; 10 problems */
    {{{&perp_method_bgs, 456},
      {&perp_method_ssn, 72}}},
    /* 38: cold cone packed symmetric plain 10000 and 1 more; 13 problems */
    {{{&perp_method_bgs, 1640},
      {&perp_method_spg, 2092},
      {&perp_method_ssn, 532}}},
    /* 39: cold cone jammed symmetric plain 1000; 10 problems */
    {{{&perp_method_bgs, 816},
      {&perp_method_ssn, 72}}},
    /* 40: cold cone sparse symmetric plain 10000; 10 problems */
    {{{&perp_method_bgs, 1640},
      {&perp_method_ssn, 556}}},
    /* 41: warm lcp stencil symmetric plain 320 and 9 more; 46 problems */
    {{{&perp_method_kz, 32},
      {&perp_method_baraff, 32}}},
    /* 42: warm lcp contact symmetric plain 100 and 16 more; 42 problems */
    {{{&perp_method_minmap, 32}}},
    /* 43: warm lcp faced symmetric plain 320 and 2 more; 6 problems */
    {{{&perp_method_apgd, 32},
      {&perp_method_nncg, 288},
      {&perp_method_dantzig, 32}}},
    /* 44: warm lcp mmatrix unsymmetric plain 320 and 6 more; 7 problems */
    {{{&perp_method_ssn, 32}}},
    /* 45: warm mixed mmatrix unsymmetric plain 320 and 2 more; 3 problems */
    {{{&perp_method_psor, 48}}},
    /* 46: warm boxed dense symmetric strong 32; 2 problems */
    {{{&perp_method_nncg, 32}}},
    /* 47: warm findex faced symmetric plain 320 and 2 more; 18 problems */
    {{{&perp_method_alm, 644}}},
    /* 48: warm findex loose symmetric plain 1000 and 1 more; 7 problems */
    {{{&perp_method_coloured, 648},
      {&perp_method_ipm, 104}}},
    /* 49: warm findex packed symmetric plain 10000 and 3 more; 13 problems */
    {{{&perp_method_psor, 40000}}},
    /* 50: warm findex sparse symmetric plain 10000; 9 problems */
    {{{&perp_method_ssn, 212},
      {&perp_method_psor, 3304}}},
    /* 51: warm cone loose symmetric plain 32 and 14 more; 90 problems */
    {{{&perp_method_ssn, 192}}},
};

const short perp_ladders_by_size[][PERP_SIZES] = {
    {10, 7, 7, 12, 12, 13, 13, 14, 14}, /* 0 */
    {10, 7, 12, 12, 12, 13, 14, 14, 14}, /* 1 */
    {10, 7, 7, 2, 2, 13, 14, 14, 14}, /* 2 */
    {10, 15, 15, 15, 15, 15, 13, 14, 14}, /* 3 */
    {10, 7, 11, 0, 0, 1, 1, 1, 1}, /* 4 */
    {10, 11, 8, 9, 9, 9, 9, 9, 1}, /* 5 */
    {10, 7, 11, 9, 9, 9, 9, 9, 1}, /* 6 */
    {10, 7, 8, 0, 8, 1, 7, 1, 1}, /* 7 */
    {10, 7, 7, 15, 15, 13, 13, 14, 14}, /* 8 */
    {10, 2, 0, 0, 0, 3, 3, 9, 9}, /* 9 */
    {10, 11, 8, 9, 9, 9, 9, 9, 9}, /* 10 */
    {10, 7, 11, 9, 9, 9, 9, 9, 9}, /* 11 */
    {10, 7, 8, 0, 8, 3, 7, 9, 9}, /* 12 */
    {10, 7, 7, 15, 15, 13, 13, 13, 13}, /* 13 */
    {10, 7, 7, 2, 2, 13, 13, 13, 13}, /* 14 */
    {10, 15, 15, 15, 15, 15, 15, 15, 15}, /* 15 */
    {10, 2, 0, 0, 4, 5, 6, 9, 9}, /* 16 */
    {10, 7, 8, 0, 8, 5, 7, 9, 9}, /* 17 */
    {10, 7, 0, 0, 4, 5, 6, 9, 9}, /* 18 */
    {10, 7, 7, 12, 7, 7, 7, 7, 7}, /* 19 */
    {10, 7, 7, 7, 12, 7, 14, 14, 14}, /* 20 */
    {10, 7, 7, 2, 2, 7, 14, 14, 14}, /* 21 */
    {10, 15, 15, 15, 15, 15, 7, 7, 7}, /* 22 */
    {10, 7, 11, 0, 0, 16, 17, 9, 9}, /* 23 */
    {10, 11, 8, 9, 8, 9, 9, 9, 9}, /* 24 */
    {10, 11, 11, 9, 9, 9, 9, 9, 9}, /* 25 */
    {10, 7, 8, 0, 8, 16, 7, 9, 9}, /* 26 */
    {10, 7, 11, 0, 0, 1, 17, 1, 1}, /* 27 */
    {10, 15, 15, 15, 15, 13, 13, 13, 13}, /* 28 */
    {10, 7, 0, 0, 0, 0, 0, 0, 0}, /* 29 */
    {10, 7, 7, 0, 0, 0, 0, 0, 0}, /* 30 */
    {10, 7, 7, 2, 2, 0, 0, 0, 0}, /* 31 */
    {7, 7, 7, 22, 22, 22, 22, 22, 22}, /* 32 */
    {7, 7, 22, 22, 22, 22, 22, 22, 22}, /* 33 */
    {10, 7, 7, 12, 12, 22, 22, 22, 22}, /* 34 */
    {7, 7, 7, 7, 23, 22, 22, 22, 22}, /* 35 */
    {7, 7, 8, 9, 9, 9, 1, 1, 1}, /* 36 */
    {7, 7, 8, 9, 9, 9, 9, 9, 9}, /* 37 */
    {10, 7, 12, 12, 12, 9, 12, 12, 12}, /* 38 */
    {7, 7, 18, 0, 0, 9, 21, 1, 1}, /* 39 */
    {7, 7, 7, 23, 23, 22, 22, 22, 22}, /* 40 */
    {18, 18, 18, 0, 0, 19, 19, 9, 9}, /* 41 */
    {7, 7, 18, 0, 0, 19, 21, 9, 9}, /* 42 */
    {18, 18, 18, 0, 18, 18, 18, 9, 9}, /* 43 */
    {7, 7, 18, 0, 0, 18, 21, 9, 9}, /* 44 */
    {7, 7, 18, 0, 18, 18, 18, 9, 9}, /* 45 */
    {7, 7, 8, 0, 19, 19, 19, 9, 9}, /* 46 */
    {10, 12, 12, 12, 9, 9, 9, 9, 9}, /* 47 */
    {7, 7, 18, 0, 20, 19, 21, 9, 9}, /* 48 */
    {7, 7, 18, 0, 0, 0, 0, 0, 0}, /* 49 */
    {7, 7, 7, 0, 0, 0, 0, 0, 0}, /* 50 */
    {10, 7, 7, 12, 12, 0, 0, 0, 0}, /* 51 */
    {10, 25, 24, 24, 24, 24, 2, 2, 2}, /* 52 */
    {11, 25, 12, 12, 12, 24, 2, 2, 2}, /* 53 */
    {10, 25, 25, 25, 25, 24, 2, 2, 2}, /* 54 */
    {10, 25, 0, 3, 9, 1, 9, 1, 1}, /* 55 */
    {11, 25, 8, 8, 9, 9, 9, 9, 1}, /* 56 */
    {11, 25, 12, 12, 11, 9, 3, 3, 1}, /* 57 */
    {10, 18, 0, 0, 0, 1, 7, 1, 1}, /* 58 */
    {10, 25, 25, 25, 26, 24, 2, 2, 2}, /* 59 */
    {10, 25, 0, 0, 9, 0, 9, 9, 9}, /* 60 */
    {11, 25, 8, 8, 9, 9, 9, 9, 9}, /* 61 */
    {11, 25, 12, 12, 11, 9, 3, 3, 3}, /* 62 */
    {10, 18, 0, 0, 0, 0, 7, 9, 9}, /* 63 */
    {10, 25, 25, 25, 26, 24, 24, 24, 24}, /* 64 */
    {11, 25, 12, 12, 12, 24, 24, 24, 24}, /* 65 */
    {10, 25, 25, 25, 25, 24, 24, 24, 24}, /* 66 */
    {10, 25, 0, 3, 9, 1, 9, 9, 9}, /* 67 */
    {11, 25, 0, 8, 9, 9, 9, 9, 9}, /* 68 */
    {11, 12, 12, 12, 11, 9, 9, 9, 9}, /* 69 */
    {10, 18, 0, 0, 0, 1, 7, 9, 9}, /* 70 */
    {10, 25, 0, 0, 0, 0, 0, 0, 0}, /* 71 */
    {11, 25, 25, 0, 0, 0, 0, 0, 0}, /* 72 */
    {11, 25, 12, 12, 12, 0, 0, 0, 0}, /* 73 */
    {10, 18, 0, 0, 0, 0, 0, 0, 0}, /* 74 */
    {11, 11, 0, 0, 0, 33, 34, 34, 34}, /* 75 */
    {35, 11, 0, 0, 0, 33, 34, 34, 34}, /* 76 */
    {12, 11, 12, 12, 12, 12, 34, 34, 34}, /* 77 */
    {11, 11, 0, 0, 27, 28, 29, 29, 29}, /* 78 */
    {35, 11, 0, 0, 27, 28, 29, 29, 29}, /* 79 */
    {12, 11, 12, 12, 12, 12, 29, 29, 29}, /* 80 */
    {11, 11, 0, 0, 30, 30, 31, 31, 31}, /* 81 */
    {35, 11, 0, 0, 30, 30, 31, 31, 31}, /* 82 */
    {12, 11, 12, 12, 12, 12, 31, 31, 31}, /* 83 */
    {11, 11, 0, 0, 0, 32, 32, 32, 32}, /* 84 */
    {35, 11, 0, 0, 0, 32, 32, 32, 32}, /* 85 */
    {12, 11, 12, 12, 12, 12, 32, 32, 32}, /* 86 */
    {0, 0, 0, 0, 0, 0, 0, 0, 0}, /* 87 */
    {35, 11, 0, 0, 0, 0, 0, 0, 0}, /* 88 */
    {12, 12, 12, 12, 12, 12, 12, 12, 12}, /* 89 */
    {35, 35, 36, 36, 36, 36, 40, 40, 40}, /* 90 */
    {35, 35, 35, 36, 36, 36, 40, 40, 40}, /* 91 */
    {35, 35, 35, 35, 35, 35, 40, 40, 40}, /* 92 */
    {35, 35, 36, 36, 36, 39, 38, 38, 38}, /* 93 */
    {35, 35, 35, 36, 36, 39, 38, 38, 38}, /* 94 */
    {35, 35, 35, 35, 35, 35, 38, 38, 38}, /* 95 */
    {35, 35, 36, 36, 36, 37, 38, 38, 38}, /* 96 */
    {35, 35, 35, 36, 36, 37, 38, 38, 38}, /* 97 */
    {36, 36, 36, 36, 36, 36, 36, 36, 36}, /* 98 */
    {35, 35, 35, 36, 36, 36, 36, 36, 36}, /* 99 */
    {35, 35, 35, 35, 35, 35, 35, 35, 35}, /* 100 */
    {7, 7, 7, 7, 44, 44, 44, 44, 44}, /* 101 */
    {7, 7, 7, 18, 41, 41, 41, 41, 41}, /* 102 */
    {11, 11, 7, 42, 42, 42, 42, 42, 42}, /* 103 */
    {11, 11, 7, 12, 12, 12, 12, 12, 12}, /* 104 */
    {7, 7, 7, 7, 7, 44, 44, 44, 44}, /* 105 */
    {2, 2, 0, 42, 42, 41, 43, 43, 43}, /* 106 */
    {11, 11, 0, 42, 42, 42, 42, 42, 42}, /* 107 */
    {7, 7, 7, 7, 7, 7, 7, 7, 7}, /* 108 */
    {2, 2, 0, 42, 43, 43, 43, 43, 43}, /* 109 */
    {7, 7, 7, 7, 44, 7, 7, 7, 7}, /* 110 */
    {7, 7, 7, 41, 41, 41, 41, 41, 41}, /* 111 */
    {11, 11, 7, 7, 7, 7, 42, 42, 42}, /* 112 */
    {2, 2, 7, 41, 41, 41, 41, 41, 41}, /* 113 */
    {7, 7, 7, 18, 18, 18, 18, 18, 18}, /* 114 */
    {7, 7, 7, 12, 12, 12, 12, 12, 12}, /* 115 */
    {7, 7, 7, 7, 45, 45, 45, 45, 45}, /* 116 */
    {7, 7, 18, 18, 18, 41, 41, 41, 41}, /* 117 */
    {7, 7, 18, 42, 42, 41, 7, 7, 7}, /* 118 */
    {7, 7, 12, 12, 12, 12, 12, 12, 12}, /* 119 */
    {7, 7, 7, 7, 7, 45, 45, 45, 45}, /* 120 */
    {7, 7, 18, 42, 42, 42, 41, 41, 41}, /* 121 */
    {7, 7, 18, 9, 42, 41, 41, 41, 41}, /* 122 */
    {7, 7, 18, 18, 42, 41, 41, 41, 41}, /* 123 */
    {7, 7, 18, 42, 42, 7, 7, 7, 7}, /* 124 */
    {7, 7, 18, 18, 18, 18, 18, 18, 18}, /* 125 */
    {7, 7, 7, 44, 44, 44, 44, 44, 44}, /* 126 */
    {7, 7, 7, 18, 18, 7, 1, 1, 1}, /* 127 */
    {7, 7, 7, 8, 8, 7, 7, 1, 1}, /* 128 */
    {46, 46, 46, 9, 9, 12, 12, 1, 1}, /* 129 */
    {7, 7, 7, 7, 7, 8, 8, 1, 1}, /* 130 */
    {46, 46, 46, 12, 12, 12, 12, 12, 12}, /* 131 */
    {0, 0, 0, 0, 47, 47, 47, 47, 47}, /* 132 */
    {0, 0, 0, 0, 0, 48, 49, 49, 49}, /* 133 */
    {0, 0, 0, 0, 49, 49, 49, 49, 49}, /* 134 */
    {0, 0, 0, 0, 0, 0, 50, 50, 50}, /* 135 */
    {51, 51, 51, 51, 51, 51, 51, 51, 51}, /* 136 */
};

const short perp_ladder_kinds[2][PERP_FORM_CONE + 1][PERP_STRUCTURES][2][PERP_DIAGONALS] = {
  {
   {
    {{0, 1, 2, 3}, {4, 5, 6, 7}}, /* cold lcp stencil */
    {{8, 1, 2, 3}, {9, 10, 11, 12}}, /* cold lcp contact */
    {{13, 13, 14, 15}, {16, 10, 11, 17}}, /* cold lcp faced */
    {{13, 13, 14, 15}, {18, 10, 11, 17}}, /* cold lcp loose */
    {{13, 13, 14, 15}, {18, 10, 11, 17}}, /* cold lcp packed */
    {{13, 13, 14, 15}, {18, 10, 11, 17}}, /* cold lcp jammed */
    {{19, 20, 21, 22}, {23, 24, 25, 26}}, /* cold lcp tridiagonal */
    {{0, 1, 2, 3}, {27, 10, 11, 7}}, /* cold lcp mmatrix */
    {{8, 1, 2, 3}, {23, 10, 11, 26}}, /* cold lcp sparse */
    {{13, 13, 14, 28}, {29, 30, 31, 29}}, /* cold lcp dense */
    {{13, 13, 14, 15}, {23, 10, 11, 26}}, /* cold lcp hidden */
   },
   {
    {{32, 33, 34, 35}, {36, 37, 38, 39}}, /* cold mixed stencil */
    {{40, 33, 34, 35}, {41, 37, 38, 42}}, /* cold mixed contact */
    {{40, 40, 34, 35}, {43, 37, 38, 44}}, /* cold mixed faced */
    {{40, 40, 34, 35}, {45, 37, 38, 44}}, /* cold mixed loose */
    {{40, 40, 34, 35}, {45, 37, 38, 44}}, /* cold mixed packed */
    {{40, 40, 34, 35}, {45, 37, 38, 44}}, /* cold mixed jammed */
    {{32, 33, 34, 35}, {46, 37, 47, 48}}, /* cold mixed tridiagonal */
    {{32, 33, 34, 35}, {46, 37, 38, 42}}, /* cold mixed mmatrix */
    {{40, 33, 34, 35}, {46, 37, 38, 42}}, /* cold mixed sparse */
    {{40, 40, 34, 35}, {49, 50, 51, 49}}, /* cold mixed dense */
    {{40, 40, 34, 35}, {46, 37, 38, 42}}, /* cold mixed hidden */
   },
   {
    {{52, 52, 53, 54}, {55, 56, 57, 58}}, /* cold boxed stencil */
    {{59, 52, 53, 54}, {60, 61, 62, 63}}, /* cold boxed contact */
    {{64, 64, 65, 66}, {60, 61, 62, 63}}, /* cold boxed faced */
    {{64, 64, 65, 66}, {60, 61, 62, 63}}, /* cold boxed loose */
    {{64, 64, 65, 66}, {60, 61, 62, 63}}, /* cold boxed packed */
    {{64, 64, 65, 66}, {60, 61, 62, 63}}, /* cold boxed jammed */
    {{52, 52, 53, 54}, {67, 68, 69, 70}}, /* cold boxed tridiagonal */
    {{52, 52, 53, 54}, {55, 61, 62, 58}}, /* cold boxed mmatrix */
    {{59, 52, 53, 54}, {60, 61, 62, 63}}, /* cold boxed sparse */
    {{64, 64, 65, 66}, {71, 72, 73, 74}}, /* cold boxed dense */
    {{64, 64, 65, 66}, {60, 61, 62, 63}}, /* cold boxed hidden */
   },
   {
    {{75, 76, 77, 75}, {75, 76, 77, 75}}, /* cold findex stencil */
    {{78, 79, 80, 78}, {78, 79, 80, 78}}, /* cold findex contact */
    {{78, 79, 80, 78}, {78, 79, 80, 78}}, /* cold findex faced */
    {{81, 82, 83, 81}, {81, 82, 83, 81}}, /* cold findex loose */
    {{81, 82, 83, 81}, {81, 82, 83, 81}}, /* cold findex packed */
    {{84, 85, 86, 84}, {84, 85, 86, 84}}, /* cold findex jammed */
    {{75, 76, 77, 75}, {75, 76, 77, 75}}, /* cold findex tridiagonal */
    {{75, 76, 77, 75}, {75, 76, 77, 75}}, /* cold findex mmatrix */
    {{75, 76, 77, 75}, {75, 76, 77, 75}}, /* cold findex sparse */
    {{87, 88, 89, 87}, {87, 88, 89, 87}}, /* cold findex dense */
    {{75, 76, 77, 75}, {75, 76, 77, 75}}, /* cold findex hidden */
   },
   {
    {{90, 91, 92, 90}, {90, 91, 92, 90}}, /* cold cone stencil */
    {{90, 91, 92, 90}, {90, 91, 92, 90}}, /* cold cone contact */
    {{93, 94, 95, 93}, {93, 94, 95, 93}}, /* cold cone faced */
    {{96, 97, 95, 96}, {96, 97, 95, 96}}, /* cold cone loose */
    {{96, 97, 95, 96}, {96, 97, 95, 96}}, /* cold cone packed */
    {{93, 94, 95, 93}, {93, 94, 95, 93}}, /* cold cone jammed */
    {{90, 91, 92, 90}, {90, 91, 92, 90}}, /* cold cone tridiagonal */
    {{90, 91, 92, 90}, {90, 91, 92, 90}}, /* cold cone mmatrix */
    {{90, 91, 92, 90}, {90, 91, 92, 90}}, /* cold cone sparse */
    {{98, 99, 100, 98}, {98, 99, 100, 98}}, /* cold cone dense */
    {{90, 91, 92, 90}, {90, 91, 92, 90}}, /* cold cone hidden */
   },
  },
  {
   {
    {{101, 101, 101, 101}, {102, 103, 104, 102}}, /* warm lcp stencil */
    {{105, 105, 105, 105}, {106, 107, 104, 106}}, /* warm lcp contact */
    {{108, 108, 108, 108}, {109, 107, 104, 109}}, /* warm lcp faced */
    {{13, 13, 14, 15}, {18, 10, 11, 17}}, /* warm lcp loose */
    {{13, 13, 14, 15}, {18, 10, 11, 17}}, /* warm lcp packed */
    {{13, 13, 14, 15}, {18, 10, 11, 17}}, /* warm lcp jammed */
    {{110, 110, 110, 110}, {111, 112, 104, 111}}, /* warm lcp tridiagonal */
    {{101, 101, 101, 101}, {111, 103, 104, 111}}, /* warm lcp mmatrix */
    {{105, 105, 105, 105}, {113, 103, 104, 113}}, /* warm lcp sparse */
    {{108, 108, 108, 108}, {114, 114, 115, 114}}, /* warm lcp dense */
    {{13, 13, 14, 15}, {23, 10, 11, 26}}, /* warm lcp hidden */
   },
   {
    {{116, 116, 116, 116}, {117, 118, 119, 117}}, /* warm mixed stencil */
    {{120, 120, 120, 120}, {121, 118, 119, 121}}, /* warm mixed contact */
    {{108, 108, 108, 108}, {122, 118, 119, 122}}, /* warm mixed faced */
    {{40, 40, 34, 35}, {45, 37, 38, 44}}, /* warm mixed loose */
    {{40, 40, 34, 35}, {45, 37, 38, 44}}, /* warm mixed packed */
    {{40, 40, 34, 35}, {45, 37, 38, 44}}, /* warm mixed jammed */
    {{116, 116, 116, 116}, {123, 124, 119, 123}}, /* warm mixed tridiagonal */
    {{116, 116, 116, 116}, {123, 118, 119, 123}}, /* warm mixed mmatrix */
    {{120, 120, 120, 120}, {123, 118, 119, 123}}, /* warm mixed sparse */
    {{108, 108, 108, 108}, {125, 125, 119, 125}}, /* warm mixed dense */
    {{40, 40, 34, 35}, {46, 37, 38, 42}}, /* warm mixed hidden */
   },
   {
    {{126, 126, 126, 126}, {127, 128, 129, 127}}, /* warm boxed stencil */
    {{59, 52, 53, 54}, {60, 61, 62, 63}}, /* warm boxed contact */
    {{64, 64, 65, 66}, {60, 61, 62, 63}}, /* warm boxed faced */
    {{64, 64, 65, 66}, {60, 61, 62, 63}}, /* warm boxed loose */
    {{64, 64, 65, 66}, {60, 61, 62, 63}}, /* warm boxed packed */
    {{64, 64, 65, 66}, {60, 61, 62, 63}}, /* warm boxed jammed */
    {{126, 126, 126, 126}, {127, 130, 129, 127}}, /* warm boxed tridiagonal */
    {{126, 126, 126, 126}, {127, 128, 129, 127}}, /* warm boxed mmatrix */
    {{105, 105, 105, 105}, {127, 128, 129, 127}}, /* warm boxed sparse */
    {{108, 108, 108, 108}, {114, 114, 131, 114}}, /* warm boxed dense */
    {{64, 64, 65, 66}, {60, 61, 62, 63}}, /* warm boxed hidden */
   },
   {
    {{75, 76, 77, 75}, {75, 76, 77, 75}}, /* warm findex stencil */
    {{78, 79, 80, 78}, {78, 79, 80, 78}}, /* warm findex contact */
    {{132, 132, 132, 132}, {132, 132, 132, 132}}, /* warm findex faced */
    {{133, 133, 133, 133}, {133, 133, 133, 133}}, /* warm findex loose */
    {{133, 133, 133, 133}, {133, 133, 133, 133}}, /* warm findex packed */
    {{134, 134, 134, 134}, {134, 134, 134, 134}}, /* warm findex jammed */
    {{75, 76, 77, 75}, {75, 76, 77, 75}}, /* warm findex tridiagonal */
    {{75, 76, 77, 75}, {75, 76, 77, 75}}, /* warm findex mmatrix */
    {{135, 135, 135, 135}, {135, 135, 135, 135}}, /* warm findex sparse */
    {{87, 87, 87, 87}, {87, 87, 87, 87}}, /* warm findex dense */
    {{75, 76, 77, 75}, {75, 76, 77, 75}}, /* warm findex hidden */
   },
   {
    {{90, 91, 92, 90}, {90, 91, 92, 90}}, /* warm cone stencil */
    {{90, 91, 92, 90}, {90, 91, 92, 90}}, /* warm cone contact */
    {{93, 94, 95, 93}, {93, 94, 95, 93}}, /* warm cone faced */
    {{136, 136, 136, 136}, {136, 136, 136, 136}}, /* warm cone loose */
    {{136, 136, 136, 136}, {136, 136, 136, 136}}, /* warm cone packed */
    {{136, 136, 136, 136}, {136, 136, 136, 136}}, /* warm cone jammed */
    {{90, 91, 92, 90}, {90, 91, 92, 90}}, /* warm cone tridiagonal */
    {{90, 91, 92, 90}, {90, 91, 92, 90}}, /* warm cone mmatrix */
    {{136, 136, 136, 136}, {136, 136, 136, 136}}, /* warm cone sparse */
    {{136, 136, 136, 136}, {136, 136, 136, 136}}, /* warm cone dense */
    {{90, 91, 92, 90}, {90, 91, 92, 90}}, /* warm cone hidden */
   },
  },
};
/* clang-format on */
