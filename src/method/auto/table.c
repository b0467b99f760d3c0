/* table.c: the ladders of auto, written by tools/write-auto from measured.csv */
#include "method/auto/inspect.h"

extern const perp_method perp_method_admm, perp_method_alm, perp_method_apgd, perp_method_baraff,
    perp_method_bgs, perp_method_blockpivot, perp_method_coloured, perp_method_dantzig,
    perp_method_direct, perp_method_gpcg, perp_method_ipm, perp_method_kz, perp_method_lemke,
    perp_method_mg, perp_method_minmap, perp_method_nncg, perp_method_pgs, perp_method_pgssm,
    perp_method_prox, perp_method_psor, perp_method_spg, perp_method_spsor, perp_method_ssn;

/* clang-format off */
const perp_ladder perp_ladders[] = {
    /* 0: cold lcp stencil symmetric plain 100 and 61 more; 275 problems */
    {{{&perp_method_dantzig, 32}}},
    /* 1: cold lcp stencil symmetric plain 1000 and 14 more; 34 problems */
    {{{&perp_method_mg, 32}}},
    /* 2: cold lcp contact symmetric plain 10 and 73 more; 242 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 3: cold lcp contact symmetric plain 1000 and 4 more; 10 problems */
    {{{&perp_method_pgssm, 32}}},
    /* 4: cold lcp contact symmetric plain 10000; 2 problems */
    {{{&perp_method_coloured, 3704}}},
    /* 5: cold lcp faced symmetric plain 320; 6 problems */
    {{{&perp_method_psor, 324}}},
    /* 6: cold lcp faced symmetric plain 1000; 3 problems */
    {{{&perp_method_admm, 128},
      {&perp_method_baraff, 32}}},
    /* 7: cold lcp faced symmetric plain 10000; 3 problems */
    {{{&perp_method_ssn, 32},
      {&perp_method_ipm, 72}}},
    /* 8: cold lcp tridiagonal unsymmetric fair 32 and 28 more; 49 problems */
    {{{&perp_method_pgs, 32}}},
    /* 9: cold lcp tridiagonal symmetric fair 32 and 11 more; 18 problems */
    {{{&perp_method_gpcg, 32}}},
    /* 10: cold lcp tridiagonal symmetric fair 10000 and 43 more; 67 problems */
    {{{&perp_method_kz, 32}}},
    /* 11: cold lcp tridiagonal symmetric holes 32 and 7 more; 24 problems */
    {{{&perp_method_psor, 32}}},
    /* 12: cold lcp mmatrix unsymmetric plain 320 and 26 more; 40 problems */
    {{{&perp_method_spsor, 32}}},
    /* 13: cold lcp mmatrix unsymmetric plain 1000 and 2 more; 5 problems */
    {{{&perp_method_psor, 32},
      {&perp_method_prox, 2192}}},
    /* 14: cold lcp mmatrix unsymmetric plain 100000; 2 problems */
    {{{&perp_method_pgs, 36}}},
    /* 15: cold lcp mmatrix unsymmetric fair 10000 and 1 more; 4 problems */
    {{{&perp_method_spg, 116}}},
    /* 16: cold lcp sparse unsymmetric holes 32 and 9 more; 55 problems */
    {{{&perp_method_lemke, 4624}}},
    /* 17: cold lcp sparse symmetric plain 1000; 9 problems */
    {{{&perp_method_ssn, 32},
      {&perp_method_baraff, 32}}},
    /* 18: cold lcp sparse symmetric plain 10000; 6 problems */
    {{{&perp_method_psor, 48},
      {&perp_method_pgssm, 160}}},
    /* 19: cold lcp dense unsymmetric plain 3 and 6 more; 49 problems */
    {{{&perp_method_direct, 32}}},
    /* 20: cold mixed contact symmetric plain 32 and 19 more; 50 problems */
    {{{&perp_method_minmap, 32}}},
    /* 21: cold mixed contact symmetric plain 100 and 14 more; 41 problems */
    {{{&perp_method_baraff, 32}}},
    /* 22: cold mixed contact symmetric plain 1000 and 5 more; 33 problems */
    {{{&perp_method_pgssm, 276}}},
    /* 23: cold mixed tridiagonal symmetric holes 320; 2 problems */
    {{{&perp_method_prox, 32}}},
    /* 24: cold mixed tridiagonal symmetric holes 10000 and 1 more; 3 problems */
    {{{&perp_method_prox, 172}}},
    /* 25: cold mixed mmatrix unsymmetric plain 32 and 11 more; 17 problems */
    {{{&perp_method_psor, 32},
      {&perp_method_prox, 2608}}},
    /* 26: cold mixed dense unsymmetric plain 100 and 3 more; 14 problems */
    {{{&perp_method_lemke, 188}}},
    /* 27: cold boxed tridiagonal symmetric strong 10 and 16 more; 43 problems */
    {{{&perp_method_pgs, 32},
      {&perp_method_ipm, 36}}},
    /* 28: cold boxed mmatrix unsymmetric plain 320 and 3 more; 6 problems */
    {{{&perp_method_spsor, 32},
      {&perp_method_prox, 2104}}},
    /* 29: cold boxed mmatrix unsymmetric plain 10000 and 3 more; 6 problems */
    {{{&perp_method_spg, 32}}},
    /* 30: cold boxed dense unsymmetric plain 3 and 14 more; 68 problems */
    {{{&perp_method_blockpivot, 32},
      {&perp_method_ipm, 32}}},
    /* 31: cold findex faced symmetric plain 320; 14 problems */
    {{{&perp_method_alm, 92}}},
    /* 32: cold findex faced symmetric plain 1000; 6 problems */
    {{{&perp_method_ipm, 32},
      {&perp_method_alm, 644}}},
    /* 33: cold findex faced symmetric plain 10000; 8 problems */
    {{{&perp_method_ipm, 328}}},
    /* 34: cold findex loose symmetric plain 1000 and 2 more; 21 problems */
    {{{&perp_method_coloured, 456},
      {&perp_method_ipm, 104}}},
    /* 35: cold findex packed symmetric plain 10000; 7 problems */
    {{{&perp_method_nncg, 576},
      {&perp_method_coloured, 8104}}},
    /* 36: cold findex jammed symmetric plain 1000 and 1 more; 12 problems */
    {{{&perp_method_nncg, 2940}}},
    /* 37: cold findex sparse symmetric plain 1000; 22 problems */
    {{{&perp_method_nncg, 576},
      {&perp_method_dantzig, 32}}},
    /* 38: cold findex sparse symmetric plain 10000; 17 problems */
    {{{&perp_method_nncg, 2940},
      {&perp_method_ipm, 156},
      {&perp_method_coloured, 26504},
      {&perp_method_dantzig, 92}}},
    /* 39: cold cone loose symmetric plain 32 and 11 more; 93 problems */
    {{{&perp_method_ssn, 124}}},
    /* 40: cold cone packed symmetric plain 1000; 10 problems */
    {{{&perp_method_bgs, 456},
      {&perp_method_ssn, 72}}},
    /* 41: cold cone packed symmetric plain 10000 and 1 more; 13 problems */
    {{{&perp_method_bgs, 1640},
      {&perp_method_spg, 2092},
      {&perp_method_ssn, 532}}},
    /* 42: cold cone jammed symmetric plain 1000; 10 problems */
    {{{&perp_method_bgs, 816},
      {&perp_method_ssn, 72}}},
    /* 43: cold cone tridiagonal symmetric strong 3 and 12 more; 42 problems */
    {{{&perp_method_bgs, 32}}},
    /* 44: cold cone sparse symmetric plain 10000; 10 problems */
    {{{&perp_method_bgs, 1640},
      {&perp_method_ssn, 556}}},
    /* 45: warm lcp stencil symmetric plain 320 and 9 more; 47 problems */
    {{{&perp_method_kz, 32},
      {&perp_method_baraff, 32}}},
    /* 46: warm lcp faced symmetric plain 320 and 2 more; 6 problems */
    {{{&perp_method_apgd, 32},
      {&perp_method_nncg, 288},
      {&perp_method_dantzig, 32}}},
    /* 47: warm lcp mmatrix unsymmetric plain 320 and 2 more; 3 problems */
    {{{&perp_method_ssn, 32}}},
    /* 48: warm mixed mmatrix unsymmetric plain 100 and 3 more; 4 problems */
    {{{&perp_method_psor, 44}}},
    /* 49: warm boxed dense symmetric strong 32; 2 problems */
    {{{&perp_method_nncg, 32}}},
    /* 50: warm findex faced symmetric plain 320 and 2 more; 18 problems */
    {{{&perp_method_alm, 644}}},
    /* 51: warm findex loose symmetric plain 1000 and 1 more; 7 problems */
    {{{&perp_method_coloured, 648},
      {&perp_method_ipm, 104}}},
    /* 52: warm findex packed symmetric plain 10000 and 3 more; 13 problems */
    {{{&perp_method_psor, 40000}}},
    /* 53: warm findex sparse symmetric plain 10000; 9 problems */
    {{{&perp_method_ssn, 212},
      {&perp_method_psor, 3304}}},
    /* 54: warm cone loose symmetric plain 32 and 13 more; 86 problems */
    {{{&perp_method_ssn, 192}}},
    /* 55: warm cone packed symmetric plain 100 and 1 more; 5 problems */
    {{{&perp_method_spg, 32},
      {&perp_method_ssn, 32}}},
};

const short perp_ladders_by_size[][PERP_SIZES] = {
    {19, 2, 11, 8, 12, 13, 13, 14, 14}, /* 0 */
    {19, 2, 8, 8, 12, 13, 15, 15, 15}, /* 1 */
    {19, 2, 2, 12, 12, 13, 15, 15, 15}, /* 2 */
    {19, 16, 16, 16, 16, 16, 13, 14, 14}, /* 3 */
    {19, 2, 2, 0, 0, 1, 1, 1, 1}, /* 4 */
    {19, 2, 9, 9, 10, 10, 10, 10, 1}, /* 5 */
    {19, 2, 8, 11, 10, 10, 10, 10, 1}, /* 6 */
    {19, 2, 8, 11, 9, 1, 2, 1, 1}, /* 7 */
    {19, 2, 2, 16, 16, 13, 13, 14, 14}, /* 8 */
    {19, 2, 2, 0, 0, 3, 4, 10, 10}, /* 9 */
    {19, 2, 9, 9, 10, 10, 10, 10, 10}, /* 10 */
    {19, 2, 8, 11, 10, 10, 10, 10, 10}, /* 11 */
    {19, 2, 8, 11, 9, 3, 2, 10, 10}, /* 12 */
    {19, 2, 2, 16, 16, 13, 13, 13, 13}, /* 13 */
    {19, 2, 2, 12, 12, 13, 13, 13, 13}, /* 14 */
    {19, 16, 16, 16, 16, 16, 16, 16, 16}, /* 15 */
    {19, 2, 0, 0, 5, 6, 7, 10, 10}, /* 16 */
    {19, 2, 8, 11, 9, 6, 2, 10, 10}, /* 17 */
    {19, 2, 11, 8, 2, 2, 2, 2, 2}, /* 18 */
    {19, 2, 8, 2, 12, 2, 15, 15, 15}, /* 19 */
    {19, 2, 2, 12, 12, 2, 15, 15, 15}, /* 20 */
    {19, 16, 16, 16, 16, 16, 2, 2, 2}, /* 21 */
    {19, 2, 2, 0, 0, 17, 18, 10, 10}, /* 22 */
    {19, 2, 9, 9, 9, 10, 10, 10, 10}, /* 23 */
    {2, 2, 8, 11, 10, 10, 10, 10, 10}, /* 24 */
    {19, 2, 11, 11, 9, 17, 2, 10, 10}, /* 25 */
    {19, 2, 2, 0, 0, 1, 18, 1, 1}, /* 26 */
    {19, 2, 8, 11, 9, 17, 2, 10, 10}, /* 27 */
    {19, 16, 16, 16, 16, 13, 13, 13, 13}, /* 28 */
    {19, 2, 2, 0, 0, 0, 0, 0, 0}, /* 29 */
    {19, 2, 2, 11, 0, 0, 0, 0, 0}, /* 30 */
    {2, 2, 25, 25, 25, 25, 25, 25, 25}, /* 31 */
    {2, 8, 2, 8, 8, 25, 25, 25, 25}, /* 32 */
    {2, 2, 2, 26, 26, 25, 25, 25, 25}, /* 33 */
    {2, 2, 20, 10, 10, 10, 1, 1, 1}, /* 34 */
    {2, 2, 8, 8, 10, 10, 10, 10, 10}, /* 35 */
    {2, 2, 8, 8, 22, 10, 12, 12, 12}, /* 36 */
    {2, 2, 8, 8, 0, 10, 24, 1, 1}, /* 37 */
    {2, 2, 20, 21, 0, 22, 22, 10, 10}, /* 38 */
    {2, 2, 8, 8, 0, 22, 24, 10, 10}, /* 39 */
    {2, 2, 0, 0, 21, 21, 21, 10, 10}, /* 40 */
    {2, 2, 8, 8, 0, 21, 24, 10, 10}, /* 41 */
    {2, 2, 20, 0, 22, 22, 22, 10, 10}, /* 42 */
    {2, 2, 9, 8, 10, 10, 10, 10, 10}, /* 43 */
    {2, 2, 8, 8, 23, 22, 24, 10, 10}, /* 44 */
    {2, 2, 2, 0, 0, 0, 0, 0, 0}, /* 45 */
    {2, 2, 2, 8, 0, 0, 0, 0, 0}, /* 46 */
    {2, 2, 2, 8, 8, 0, 0, 0, 0}, /* 47 */
    {30, 30, 11, 8, 28, 28, 29, 29, 29}, /* 48 */
    {30, 30, 8, 8, 28, 28, 29, 29, 29}, /* 49 */
    {12, 30, 27, 27, 27, 28, 29, 29, 29}, /* 50 */
    {30, 30, 30, 30, 30, 28, 29, 29, 29}, /* 51 */
    {19, 30, 30, 3, 10, 1, 10, 1, 1}, /* 52 */
    {19, 30, 9, 27, 10, 10, 10, 10, 1}, /* 53 */
    {30, 30, 27, 27, 27, 10, 3, 3, 1}, /* 54 */
    {19, 8, 11, 27, 0, 1, 2, 1, 1}, /* 55 */
    {30, 30, 30, 30, 27, 28, 29, 29, 29}, /* 56 */
    {19, 30, 30, 0, 10, 0, 10, 10, 10}, /* 57 */
    {19, 30, 9, 27, 10, 10, 10, 10, 10}, /* 58 */
    {30, 30, 27, 27, 27, 10, 3, 3, 3}, /* 59 */
    {19, 8, 11, 27, 0, 0, 2, 10, 10}, /* 60 */
    {30, 30, 30, 30, 27, 28, 28, 28, 28}, /* 61 */
    {12, 30, 27, 27, 27, 28, 28, 28, 28}, /* 62 */
    {30, 30, 30, 30, 30, 28, 28, 28, 28}, /* 63 */
    {19, 30, 30, 3, 10, 1, 10, 10, 10}, /* 64 */
    {19, 30, 10, 27, 10, 10, 10, 10, 10}, /* 65 */
    {30, 27, 27, 27, 27, 10, 10, 10, 10}, /* 66 */
    {19, 8, 27, 27, 0, 1, 2, 10, 10}, /* 67 */
    {19, 30, 30, 0, 0, 0, 0, 0, 0}, /* 68 */
    {19, 30, 30, 27, 0, 0, 0, 0, 0}, /* 69 */
    {30, 30, 27, 27, 27, 0, 0, 0, 0}, /* 70 */
    {19, 8, 30, 27, 0, 0, 0, 0, 0}, /* 71 */
    {0, 0, 0, 0, 0, 37, 38, 38, 38}, /* 72 */
    {0, 0, 0, 0, 12, 12, 38, 38, 38}, /* 73 */
    {0, 0, 0, 0, 31, 32, 33, 33, 33}, /* 74 */
    {0, 0, 0, 0, 12, 12, 33, 33, 33}, /* 75 */
    {0, 0, 0, 0, 34, 34, 35, 35, 35}, /* 76 */
    {0, 0, 0, 0, 12, 12, 35, 35, 35}, /* 77 */
    {0, 0, 0, 0, 0, 36, 36, 36, 36}, /* 78 */
    {0, 0, 0, 0, 12, 12, 36, 36, 36}, /* 79 */
    {0, 0, 0, 0, 0, 0, 0, 0, 0}, /* 80 */
    {43, 43, 39, 39, 39, 39, 44, 44, 44}, /* 81 */
    {43, 43, 43, 39, 39, 39, 44, 44, 44}, /* 82 */
    {43, 43, 43, 43, 43, 43, 44, 44, 44}, /* 83 */
    {43, 43, 39, 39, 39, 42, 41, 41, 41}, /* 84 */
    {43, 43, 43, 39, 39, 42, 41, 41, 41}, /* 85 */
    {43, 43, 43, 43, 43, 43, 41, 41, 41}, /* 86 */
    {43, 43, 39, 39, 39, 40, 41, 41, 41}, /* 87 */
    {43, 43, 43, 39, 39, 40, 41, 41, 41}, /* 88 */
    {39, 39, 39, 39, 39, 39, 39, 39, 39}, /* 89 */
    {43, 43, 43, 39, 39, 39, 39, 39, 39}, /* 90 */
    {43, 43, 43, 43, 43, 43, 43, 43, 43}, /* 91 */
    {2, 2, 2, 2, 47, 47, 47, 47, 47}, /* 92 */
    {2, 2, 2, 21, 45, 45, 45, 45, 45}, /* 93 */
    {2, 2, 2, 20, 20, 20, 20, 20, 20}, /* 94 */
    {2, 2, 2, 12, 12, 12, 12, 12, 12}, /* 95 */
    {2, 2, 2, 2, 2, 47, 47, 47, 47}, /* 96 */
    {2, 2, 21, 20, 20, 45, 46, 46, 46}, /* 97 */
    {2, 2, 21, 20, 20, 20, 20, 20, 20}, /* 98 */
    {2, 2, 2, 2, 2, 2, 2, 2, 2}, /* 99 */
    {2, 2, 21, 20, 46, 46, 46, 46, 46}, /* 100 */
    {2, 2, 2, 2, 47, 2, 2, 2, 2}, /* 101 */
    {2, 2, 2, 45, 45, 45, 45, 45, 45}, /* 102 */
    {2, 2, 2, 2, 2, 2, 20, 20, 20}, /* 103 */
    {2, 2, 2, 21, 21, 21, 21, 21, 21}, /* 104 */
    {2, 2, 2, 48, 48, 48, 48, 48, 48}, /* 105 */
    {2, 2, 2, 21, 21, 45, 45, 45, 45}, /* 106 */
    {2, 2, 2, 21, 20, 45, 2, 2, 2}, /* 107 */
    {2, 2, 12, 12, 12, 12, 12, 12, 12}, /* 108 */
    {2, 2, 2, 2, 2, 48, 48, 48, 48}, /* 109 */
    {2, 2, 20, 20, 20, 20, 45, 45, 45}, /* 110 */
    {2, 2, 20, 21, 20, 45, 2, 2, 2}, /* 111 */
    {2, 2, 20, 20, 20, 45, 45, 45, 45}, /* 112 */
    {2, 2, 2, 21, 20, 45, 45, 45, 45}, /* 113 */
    {2, 2, 2, 20, 20, 2, 2, 2, 2}, /* 114 */
    {2, 2, 2, 8, 8, 8, 8, 8, 8}, /* 115 */
    {2, 2, 2, 0, 21, 2, 1, 1, 1}, /* 116 */
    {2, 2, 2, 10, 10, 2, 2, 1, 1}, /* 117 */
    {49, 49, 49, 12, 10, 12, 12, 1, 1}, /* 118 */
    {2, 2, 2, 9, 9, 9, 9, 1, 1}, /* 119 */
    {2, 2, 2, 2, 2, 8, 8, 8, 8}, /* 120 */
    {2, 2, 2, 0, 21, 21, 21, 21, 21}, /* 121 */
    {49, 49, 49, 12, 12, 12, 12, 12, 12}, /* 122 */
    {0, 0, 0, 0, 50, 50, 50, 50, 50}, /* 123 */
    {0, 0, 0, 0, 0, 51, 52, 52, 52}, /* 124 */
    {0, 0, 0, 0, 52, 52, 52, 52, 52}, /* 125 */
    {0, 0, 0, 0, 0, 0, 53, 53, 53}, /* 126 */
    {54, 54, 54, 55, 54, 54, 54, 54, 54}, /* 127 */
    {54, 54, 54, 54, 54, 54, 54, 54, 54}, /* 128 */
};

const short perp_ladder_kinds[2][PERP_FORM_CONE + 1][PERP_STRUCTURES][2][PERP_DIAGONALS] = {
  {
   {
    {{0, 1, 2, 3}, {4, 5, 6, 7}}, /* cold lcp stencil */
    {{8, 1, 2, 3}, {9, 10, 11, 12}}, /* cold lcp contact */
    {{13, 13, 14, 15}, {16, 10, 11, 17}}, /* cold lcp faced */
    {{13, 13, 14, 15}, {16, 10, 11, 17}}, /* cold lcp loose */
    {{13, 13, 14, 15}, {16, 10, 11, 17}}, /* cold lcp packed */
    {{13, 13, 14, 15}, {16, 10, 11, 17}}, /* cold lcp jammed */
    {{18, 19, 20, 21}, {22, 23, 24, 25}}, /* cold lcp tridiagonal */
    {{0, 1, 2, 3}, {26, 10, 11, 7}}, /* cold lcp mmatrix */
    {{8, 1, 2, 3}, {22, 10, 11, 27}}, /* cold lcp sparse */
    {{13, 13, 14, 28}, {29, 30, 30, 30}}, /* cold lcp dense */
    {{13, 13, 14, 15}, {22, 10, 11, 27}}, /* cold lcp hidden */
   },
   {
    {{31, 31, 32, 33}, {34, 35, 36, 37}}, /* cold mixed stencil */
    {{33, 31, 32, 33}, {38, 35, 36, 39}}, /* cold mixed contact */
    {{33, 33, 32, 33}, {40, 35, 36, 41}}, /* cold mixed faced */
    {{33, 33, 32, 33}, {40, 35, 36, 41}}, /* cold mixed loose */
    {{33, 33, 32, 33}, {40, 35, 36, 41}}, /* cold mixed packed */
    {{33, 33, 32, 33}, {40, 35, 36, 41}}, /* cold mixed jammed */
    {{31, 31, 32, 33}, {42, 43, 35, 44}}, /* cold mixed tridiagonal */
    {{31, 31, 32, 33}, {42, 35, 36, 39}}, /* cold mixed mmatrix */
    {{33, 31, 32, 33}, {42, 35, 36, 39}}, /* cold mixed sparse */
    {{33, 33, 32, 33}, {45, 46, 47, 46}}, /* cold mixed dense */
    {{33, 33, 32, 33}, {42, 35, 36, 39}}, /* cold mixed hidden */
   },
   {
    {{48, 49, 50, 51}, {52, 53, 54, 55}}, /* cold boxed stencil */
    {{56, 49, 50, 51}, {57, 58, 59, 60}}, /* cold boxed contact */
    {{61, 61, 62, 63}, {57, 58, 59, 60}}, /* cold boxed faced */
    {{61, 61, 62, 63}, {57, 58, 59, 60}}, /* cold boxed loose */
    {{61, 61, 62, 63}, {57, 58, 59, 60}}, /* cold boxed packed */
    {{61, 61, 62, 63}, {57, 58, 59, 60}}, /* cold boxed jammed */
    {{48, 49, 50, 51}, {64, 65, 66, 67}}, /* cold boxed tridiagonal */
    {{48, 49, 50, 51}, {52, 58, 59, 55}}, /* cold boxed mmatrix */
    {{56, 49, 50, 51}, {57, 58, 59, 60}}, /* cold boxed sparse */
    {{61, 61, 62, 63}, {68, 69, 70, 71}}, /* cold boxed dense */
    {{61, 61, 62, 63}, {57, 58, 59, 60}}, /* cold boxed hidden */
   },
   {
    {{72, 72, 73, 72}, {72, 72, 73, 72}}, /* cold findex stencil */
    {{74, 74, 75, 74}, {74, 74, 75, 74}}, /* cold findex contact */
    {{74, 74, 75, 74}, {74, 74, 75, 74}}, /* cold findex faced */
    {{76, 76, 77, 76}, {76, 76, 77, 76}}, /* cold findex loose */
    {{76, 76, 77, 76}, {76, 76, 77, 76}}, /* cold findex packed */
    {{78, 78, 79, 78}, {78, 78, 79, 78}}, /* cold findex jammed */
    {{72, 72, 73, 72}, {72, 72, 73, 72}}, /* cold findex tridiagonal */
    {{72, 72, 73, 72}, {72, 72, 73, 72}}, /* cold findex mmatrix */
    {{72, 72, 73, 72}, {72, 72, 73, 72}}, /* cold findex sparse */
    {{80, 80, 80, 80}, {80, 80, 80, 80}}, /* cold findex dense */
    {{72, 72, 73, 72}, {72, 72, 73, 72}}, /* cold findex hidden */
   },
   {
    {{81, 82, 83, 81}, {81, 82, 83, 81}}, /* cold cone stencil */
    {{81, 82, 83, 81}, {81, 82, 83, 81}}, /* cold cone contact */
    {{84, 85, 86, 84}, {84, 85, 86, 84}}, /* cold cone faced */
    {{87, 88, 86, 87}, {87, 88, 86, 87}}, /* cold cone loose */
    {{87, 88, 86, 87}, {87, 88, 86, 87}}, /* cold cone packed */
    {{84, 85, 86, 84}, {84, 85, 86, 84}}, /* cold cone jammed */
    {{81, 82, 83, 81}, {81, 82, 83, 81}}, /* cold cone tridiagonal */
    {{81, 82, 83, 81}, {81, 82, 83, 81}}, /* cold cone mmatrix */
    {{81, 82, 83, 81}, {81, 82, 83, 81}}, /* cold cone sparse */
    {{89, 90, 91, 89}, {89, 90, 91, 89}}, /* cold cone dense */
    {{81, 82, 83, 81}, {81, 82, 83, 81}}, /* cold cone hidden */
   },
  },
  {
   {
    {{92, 92, 92, 92}, {93, 94, 95, 93}}, /* warm lcp stencil */
    {{96, 96, 96, 96}, {97, 98, 95, 97}}, /* warm lcp contact */
    {{99, 99, 99, 99}, {100, 98, 95, 100}}, /* warm lcp faced */
    {{13, 13, 14, 15}, {16, 10, 11, 17}}, /* warm lcp loose */
    {{13, 13, 14, 15}, {16, 10, 11, 17}}, /* warm lcp packed */
    {{13, 13, 14, 15}, {16, 10, 11, 17}}, /* warm lcp jammed */
    {{101, 101, 101, 101}, {102, 103, 95, 102}}, /* warm lcp tridiagonal */
    {{92, 92, 92, 92}, {102, 94, 95, 102}}, /* warm lcp mmatrix */
    {{96, 96, 96, 96}, {102, 94, 95, 102}}, /* warm lcp sparse */
    {{99, 99, 99, 99}, {104, 104, 95, 104}}, /* warm lcp dense */
    {{13, 13, 14, 15}, {22, 10, 11, 27}}, /* warm lcp hidden */
   },
   {
    {{105, 105, 105, 105}, {106, 107, 108, 106}}, /* warm mixed stencil */
    {{109, 109, 109, 109}, {110, 111, 108, 110}}, /* warm mixed contact */
    {{99, 99, 99, 99}, {112, 111, 108, 112}}, /* warm mixed faced */
    {{33, 33, 32, 33}, {40, 35, 36, 41}}, /* warm mixed loose */
    {{33, 33, 32, 33}, {40, 35, 36, 41}}, /* warm mixed packed */
    {{33, 33, 32, 33}, {40, 35, 36, 41}}, /* warm mixed jammed */
    {{105, 105, 105, 105}, {113, 114, 108, 113}}, /* warm mixed tridiagonal */
    {{105, 105, 105, 105}, {113, 107, 108, 113}}, /* warm mixed mmatrix */
    {{109, 109, 109, 109}, {113, 107, 108, 113}}, /* warm mixed sparse */
    {{99, 99, 99, 99}, {104, 104, 108, 104}}, /* warm mixed dense */
    {{33, 33, 32, 33}, {42, 35, 36, 39}}, /* warm mixed hidden */
   },
   {
    {{115, 115, 115, 115}, {116, 117, 118, 116}}, /* warm boxed stencil */
    {{56, 49, 50, 51}, {57, 58, 59, 60}}, /* warm boxed contact */
    {{61, 61, 62, 63}, {57, 58, 59, 60}}, /* warm boxed faced */
    {{61, 61, 62, 63}, {57, 58, 59, 60}}, /* warm boxed loose */
    {{61, 61, 62, 63}, {57, 58, 59, 60}}, /* warm boxed packed */
    {{61, 61, 62, 63}, {57, 58, 59, 60}}, /* warm boxed jammed */
    {{115, 115, 115, 115}, {116, 119, 118, 116}}, /* warm boxed tridiagonal */
    {{115, 115, 115, 115}, {116, 117, 118, 116}}, /* warm boxed mmatrix */
    {{120, 120, 120, 120}, {116, 117, 118, 116}}, /* warm boxed sparse */
    {{99, 99, 99, 99}, {121, 121, 122, 121}}, /* warm boxed dense */
    {{61, 61, 62, 63}, {57, 58, 59, 60}}, /* warm boxed hidden */
   },
   {
    {{72, 72, 73, 72}, {72, 72, 73, 72}}, /* warm findex stencil */
    {{74, 74, 75, 74}, {74, 74, 75, 74}}, /* warm findex contact */
    {{123, 123, 123, 123}, {123, 123, 123, 123}}, /* warm findex faced */
    {{124, 124, 124, 124}, {124, 124, 124, 124}}, /* warm findex loose */
    {{124, 124, 124, 124}, {124, 124, 124, 124}}, /* warm findex packed */
    {{125, 125, 125, 125}, {125, 125, 125, 125}}, /* warm findex jammed */
    {{72, 72, 73, 72}, {72, 72, 73, 72}}, /* warm findex tridiagonal */
    {{72, 72, 73, 72}, {72, 72, 73, 72}}, /* warm findex mmatrix */
    {{126, 126, 126, 126}, {126, 126, 126, 126}}, /* warm findex sparse */
    {{80, 80, 80, 80}, {80, 80, 80, 80}}, /* warm findex dense */
    {{72, 72, 73, 72}, {72, 72, 73, 72}}, /* warm findex hidden */
   },
   {
    {{81, 82, 83, 81}, {81, 82, 83, 81}}, /* warm cone stencil */
    {{81, 82, 83, 81}, {81, 82, 83, 81}}, /* warm cone contact */
    {{84, 85, 86, 84}, {84, 85, 86, 84}}, /* warm cone faced */
    {{127, 127, 127, 127}, {127, 127, 127, 127}}, /* warm cone loose */
    {{127, 127, 127, 127}, {127, 127, 127, 127}}, /* warm cone packed */
    {{127, 127, 127, 127}, {127, 127, 127, 127}}, /* warm cone jammed */
    {{81, 82, 83, 81}, {81, 82, 83, 81}}, /* warm cone tridiagonal */
    {{81, 82, 83, 81}, {81, 82, 83, 81}}, /* warm cone mmatrix */
    {{128, 128, 128, 128}, {128, 128, 128, 128}}, /* warm cone sparse */
    {{128, 128, 128, 128}, {128, 128, 128, 128}}, /* warm cone dense */
    {{81, 82, 83, 81}, {81, 82, 83, 81}}, /* warm cone hidden */
   },
  },
};
/* clang-format on */
