/* table.c: the ladders of auto, written by tools/write-auto from measured.csv */
#include "method/auto/inspect.h"

extern const perp_method perp_method_admm, perp_method_alm, perp_method_apgd, perp_method_baraff,
    perp_method_bgs, perp_method_blockpivot, perp_method_coloured, perp_method_dantzig,
    perp_method_gpcg, perp_method_ipm, perp_method_kz, perp_method_lemke, perp_method_mg,
    perp_method_minmap, perp_method_nncg, perp_method_pgs, perp_method_pgssm, perp_method_prox,
    perp_method_psor, perp_method_spg, perp_method_spsor, perp_method_ssn;

/* clang-format off */
const perp_ladder perp_ladders[] = {
    /* 0: cold lcp stencil symmetric plain 100 and 62 more; 400 problems */
    {{{&perp_method_dantzig, 32}}},
    /* 1: cold lcp stencil symmetric plain 1000 and 14 more; 34 problems */
    {{{&perp_method_mg, 32}}},
    /* 2: cold lcp contact symmetric plain 10 and 23 more; 198 problems */
    {{{&perp_method_blockpivot, 32},
      {&perp_method_lemke, 32}}},
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
    /* 8: cold lcp tridiagonal unsymmetric plain 320 and 56 more; 155 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 9: cold lcp tridiagonal unsymmetric fair 32 and 57 more; 168 problems */
    {{{&perp_method_pgs, 32}}},
    /* 10: cold lcp tridiagonal symmetric fair 32 and 43 more; 74 problems */
    {{{&perp_method_kz, 32}}},
    /* 11: cold lcp tridiagonal symmetric fair 320 and 4 more; 7 problems */
    {{{&perp_method_gpcg, 32}}},
    /* 12: cold lcp mmatrix unsymmetric plain 320 and 27 more; 40 problems */
    {{{&perp_method_spsor, 32}}},
    /* 13: cold lcp mmatrix unsymmetric plain 1000 and 2 more; 5 problems */
    {{{&perp_method_psor, 32},
      {&perp_method_prox, 2192}}},
    /* 14: cold lcp mmatrix unsymmetric plain 100000; 2 problems */
    {{{&perp_method_pgs, 36}}},
    /* 15: cold lcp mmatrix unsymmetric fair 10000 and 1 more; 4 problems */
    {{{&perp_method_spg, 116}}},
    /* 16: cold lcp sparse unsymmetric holes 32 and 8 more; 47 problems */
    {{{&perp_method_lemke, 4624}}},
    /* 17: cold lcp sparse symmetric plain 1000; 9 problems */
    {{{&perp_method_ssn, 32},
      {&perp_method_baraff, 32}}},
    /* 18: cold lcp sparse symmetric plain 10000; 6 problems */
    {{{&perp_method_psor, 48},
      {&perp_method_pgssm, 160}}},
    /* 19: cold lcp sparse symmetric strong 100 and 2 more; 11 problems */
    {{{&perp_method_psor, 32}}},
    /* 20: cold mixed contact symmetric plain 32 and 18 more; 46 problems */
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
    /* 27: cold boxed mmatrix unsymmetric plain 320 and 3 more; 6 problems */
    {{{&perp_method_spsor, 32},
      {&perp_method_prox, 2104}}},
    /* 28: cold boxed mmatrix unsymmetric plain 10000 and 3 more; 6 problems */
    {{{&perp_method_spg, 32}}},
    /* 29: cold boxed sparse symmetric fair 10000 and 3 more; 5 problems */
    {{{&perp_method_ssn, 32}}},
    /* 30: cold boxed dense unsymmetric plain 3 and 14 more; 90 problems */
    {{{&perp_method_blockpivot, 32},
      {&perp_method_ipm, 32}}},
    /* 31: cold boxed dense unsymmetric plain 320; 2 problems */
    {{{&perp_method_ipm, 36}}},
    /* 32: cold boxed dense symmetric plain 3; 7 problems */
    {{{&perp_method_pgs, 32},
      {&perp_method_blockpivot, 32}}},
    /* 33: cold findex faced symmetric plain 320; 14 problems */
    {{{&perp_method_alm, 92}}},
    /* 34: cold findex faced symmetric plain 1000; 6 problems */
    {{{&perp_method_ipm, 32},
      {&perp_method_alm, 644}}},
    /* 35: cold findex faced symmetric plain 10000; 8 problems */
    {{{&perp_method_ipm, 328}}},
    /* 36: cold findex loose symmetric plain 1000 and 2 more; 21 problems */
    {{{&perp_method_coloured, 456},
      {&perp_method_ipm, 104}}},
    /* 37: cold findex packed symmetric plain 10000; 7 problems */
    {{{&perp_method_nncg, 576},
      {&perp_method_coloured, 8104}}},
    /* 38: cold findex jammed symmetric plain 1000 and 1 more; 12 problems */
    {{{&perp_method_nncg, 2940}}},
    /* 39: cold findex sparse symmetric plain 1000; 22 problems */
    {{{&perp_method_nncg, 576},
      {&perp_method_dantzig, 32}}},
    /* 40: cold findex sparse symmetric plain 10000; 17 problems */
    {{{&perp_method_nncg, 2940},
      {&perp_method_ipm, 156},
      {&perp_method_coloured, 26504},
      {&perp_method_dantzig, 92}}},
    /* 41: cold findex sparse symmetric fair 320 and 9 more; 100 problems */
    {{{&perp_method_pgs, 44}}},
    /* 42: cold cone loose symmetric plain 32 and 11 more; 93 problems */
    {{{&perp_method_ssn, 124}}},
    /* 43: cold cone packed symmetric plain 1000; 10 problems */
    {{{&perp_method_bgs, 456},
      {&perp_method_ssn, 72}}},
    /* 44: cold cone packed symmetric plain 10000 and 1 more; 13 problems */
    {{{&perp_method_bgs, 1640},
      {&perp_method_spg, 2092},
      {&perp_method_ssn, 532}}},
    /* 45: cold cone jammed symmetric plain 1000; 10 problems */
    {{{&perp_method_bgs, 816},
      {&perp_method_ssn, 72}}},
    /* 46: cold cone tridiagonal symmetric strong 3 and 12 more; 42 problems */
    {{{&perp_method_bgs, 32}}},
    /* 47: cold cone sparse symmetric plain 10000; 10 problems */
    {{{&perp_method_bgs, 1640},
      {&perp_method_ssn, 556}}},
    /* 48: warm lcp stencil symmetric plain 320 and 9 more; 47 problems */
    {{{&perp_method_kz, 32},
      {&perp_method_baraff, 32}}},
    /* 49: warm lcp faced symmetric plain 320 and 2 more; 6 problems */
    {{{&perp_method_apgd, 32},
      {&perp_method_nncg, 288},
      {&perp_method_dantzig, 32}}},
    /* 50: warm mixed mmatrix unsymmetric plain 100 and 3 more; 4 problems */
    {{{&perp_method_psor, 44}}},
    /* 51: warm boxed dense symmetric strong 32; 2 problems */
    {{{&perp_method_nncg, 32}}},
    /* 52: warm findex faced symmetric plain 320 and 2 more; 18 problems */
    {{{&perp_method_alm, 644}}},
    /* 53: warm findex loose symmetric plain 1000 and 1 more; 7 problems */
    {{{&perp_method_coloured, 648},
      {&perp_method_ipm, 104}}},
    /* 54: warm findex packed symmetric plain 10000 and 3 more; 13 problems */
    {{{&perp_method_psor, 40000}}},
    /* 55: warm findex sparse symmetric plain 10000; 9 problems */
    {{{&perp_method_ssn, 212},
      {&perp_method_psor, 3304}}},
    /* 56: warm cone loose symmetric plain 32 and 13 more; 86 problems */
    {{{&perp_method_ssn, 192}}},
    /* 57: warm cone packed symmetric plain 100 and 1 more; 5 problems */
    {{{&perp_method_spg, 32},
      {&perp_method_ssn, 32}}},
};

const short perp_ladders_by_size[][PERP_SIZES] = {
    {2, 2, 9, 9, 12, 13, 13, 14, 14}, /* 0 */
    {2, 2, 9, 9, 12, 13, 15, 15, 15}, /* 1 */
    {2, 2, 2, 12, 12, 13, 15, 15, 15}, /* 2 */
    {2, 2, 16, 16, 16, 16, 13, 14, 14}, /* 3 */
    {2, 2, 2, 0, 0, 1, 1, 1, 1}, /* 4 */
    {2, 2, 9, 9, 10, 10, 10, 10, 1}, /* 5 */
    {2, 2, 9, 19, 10, 10, 10, 10, 1}, /* 6 */
    {2, 2, 9, 9, 11, 1, 8, 1, 1}, /* 7 */
    {2, 2, 2, 16, 16, 13, 13, 14, 14}, /* 8 */
    {2, 2, 2, 0, 0, 3, 4, 10, 10}, /* 9 */
    {2, 2, 9, 9, 10, 10, 10, 10, 10}, /* 10 */
    {2, 2, 9, 19, 10, 10, 10, 10, 10}, /* 11 */
    {2, 2, 9, 9, 11, 3, 8, 10, 10}, /* 12 */
    {2, 2, 2, 16, 16, 13, 13, 13, 13}, /* 13 */
    {2, 2, 2, 12, 12, 13, 13, 13, 13}, /* 14 */
    {2, 2, 16, 16, 16, 16, 16, 16, 16}, /* 15 */
    {2, 2, 0, 0, 5, 6, 7, 10, 10}, /* 16 */
    {2, 2, 9, 9, 11, 6, 8, 10, 10}, /* 17 */
    {2, 2, 9, 9, 8, 8, 8, 8, 8}, /* 18 */
    {2, 2, 9, 8, 12, 8, 15, 15, 15}, /* 19 */
    {2, 2, 2, 12, 12, 8, 15, 15, 15}, /* 20 */
    {2, 2, 16, 16, 16, 16, 8, 8, 8}, /* 21 */
    {2, 2, 2, 0, 0, 17, 18, 10, 10}, /* 22 */
    {2, 2, 10, 9, 11, 10, 10, 10, 10}, /* 23 */
    {2, 2, 9, 9, 11, 17, 8, 10, 10}, /* 24 */
    {2, 2, 2, 0, 0, 1, 18, 1, 1}, /* 25 */
    {2, 2, 16, 16, 16, 13, 13, 13, 13}, /* 26 */
    {2, 2, 2, 0, 0, 0, 0, 0, 0}, /* 27 */
    {2, 2, 2, 19, 0, 0, 0, 0, 0}, /* 28 */
    {2, 2, 2, 9, 0, 0, 0, 0, 0}, /* 29 */
    {8, 8, 25, 25, 25, 25, 25, 25, 25}, /* 30 */
    {8, 9, 8, 9, 9, 25, 25, 25, 25}, /* 31 */
    {8, 8, 8, 26, 26, 25, 25, 25, 25}, /* 32 */
    {8, 8, 9, 10, 10, 10, 1, 1, 1}, /* 33 */
    {8, 8, 9, 9, 10, 10, 10, 10, 10}, /* 34 */
    {8, 8, 9, 9, 22, 10, 12, 12, 12}, /* 35 */
    {8, 8, 9, 9, 0, 10, 24, 1, 1}, /* 36 */
    {8, 8, 20, 21, 0, 22, 22, 10, 10}, /* 37 */
    {8, 8, 9, 9, 0, 22, 24, 10, 10}, /* 38 */
    {8, 8, 0, 0, 21, 21, 21, 10, 10}, /* 39 */
    {8, 8, 9, 9, 0, 21, 24, 10, 10}, /* 40 */
    {8, 8, 9, 0, 22, 22, 22, 10, 10}, /* 41 */
    {8, 8, 8, 9, 10, 10, 10, 10, 10}, /* 42 */
    {8, 9, 9, 9, 10, 10, 10, 10, 10}, /* 43 */
    {8, 8, 9, 9, 23, 22, 24, 10, 10}, /* 44 */
    {8, 8, 8, 0, 0, 0, 0, 0, 0}, /* 45 */
    {8, 8, 8, 9, 0, 0, 0, 0, 0}, /* 46 */
    {8, 8, 9, 9, 9, 0, 0, 0, 0}, /* 47 */
    {30, 30, 9, 9, 27, 27, 28, 28, 28}, /* 48 */
    {9, 30, 9, 12, 12, 27, 28, 28, 28}, /* 49 */
    {30, 30, 30, 30, 30, 27, 28, 28, 28}, /* 50 */
    {32, 30, 10, 3, 10, 1, 10, 1, 1}, /* 51 */
    {30, 30, 9, 9, 10, 10, 29, 10, 1}, /* 52 */
    {30, 30, 9, 9, 9, 10, 3, 3, 1}, /* 53 */
    {32, 9, 9, 9, 0, 1, 8, 1, 1}, /* 54 */
    {30, 30, 30, 30, 31, 27, 28, 28, 28}, /* 55 */
    {32, 30, 10, 0, 10, 0, 10, 10, 10}, /* 56 */
    {30, 30, 9, 9, 10, 10, 29, 10, 10}, /* 57 */
    {30, 30, 9, 9, 9, 10, 3, 3, 3}, /* 58 */
    {32, 9, 9, 9, 0, 0, 8, 10, 10}, /* 59 */
    {30, 30, 30, 30, 31, 27, 27, 27, 27}, /* 60 */
    {9, 30, 9, 12, 12, 27, 27, 27, 27}, /* 61 */
    {30, 30, 30, 30, 30, 27, 27, 27, 27}, /* 62 */
    {32, 30, 10, 3, 10, 1, 10, 10, 10}, /* 63 */
    {30, 30, 9, 9, 10, 10, 10, 10, 10}, /* 64 */
    {30, 9, 9, 9, 9, 10, 10, 10, 10}, /* 65 */
    {32, 9, 9, 9, 0, 1, 8, 10, 10}, /* 66 */
    {32, 30, 10, 0, 0, 0, 0, 0, 0}, /* 67 */
    {30, 30, 30, 9, 0, 0, 0, 0, 0}, /* 68 */
    {30, 30, 9, 9, 12, 0, 0, 0, 0}, /* 69 */
    {32, 9, 10, 9, 0, 0, 0, 0, 0}, /* 70 */
    {0, 0, 0, 0, 0, 39, 40, 40, 40}, /* 71 */
    {0, 0, 0, 0, 41, 39, 40, 40, 40}, /* 72 */
    {0, 41, 41, 41, 41, 12, 40, 40, 40}, /* 73 */
    {0, 0, 41, 41, 41, 39, 40, 40, 40}, /* 74 */
    {0, 0, 0, 0, 33, 34, 35, 35, 35}, /* 75 */
    {0, 0, 0, 0, 41, 34, 35, 35, 35}, /* 76 */
    {0, 41, 41, 41, 41, 12, 35, 35, 35}, /* 77 */
    {0, 0, 41, 41, 41, 34, 35, 35, 35}, /* 78 */
    {0, 0, 0, 0, 36, 36, 37, 37, 37}, /* 79 */
    {0, 0, 0, 0, 41, 36, 37, 37, 37}, /* 80 */
    {0, 41, 41, 41, 41, 12, 37, 37, 37}, /* 81 */
    {0, 0, 41, 41, 41, 36, 37, 37, 37}, /* 82 */
    {0, 0, 0, 0, 0, 38, 38, 38, 38}, /* 83 */
    {0, 0, 0, 0, 41, 38, 38, 38, 38}, /* 84 */
    {0, 41, 41, 41, 41, 12, 38, 38, 38}, /* 85 */
    {0, 0, 41, 41, 41, 38, 38, 38, 38}, /* 86 */
    {0, 0, 0, 0, 0, 0, 0, 0, 0}, /* 87 */
    {0, 0, 0, 41, 41, 41, 41, 41, 41}, /* 88 */
    {46, 46, 42, 42, 42, 42, 47, 47, 47}, /* 89 */
    {46, 46, 46, 42, 42, 42, 47, 47, 47}, /* 90 */
    {46, 46, 46, 46, 46, 46, 47, 47, 47}, /* 91 */
    {46, 46, 42, 42, 42, 45, 44, 44, 44}, /* 92 */
    {46, 46, 46, 42, 42, 45, 44, 44, 44}, /* 93 */
    {46, 46, 46, 46, 46, 46, 44, 44, 44}, /* 94 */
    {46, 46, 42, 42, 42, 43, 44, 44, 44}, /* 95 */
    {46, 46, 46, 42, 42, 43, 44, 44, 44}, /* 96 */
    {42, 42, 42, 42, 42, 42, 42, 42, 42}, /* 97 */
    {46, 46, 46, 42, 42, 42, 42, 42, 42}, /* 98 */
    {46, 46, 46, 46, 46, 46, 46, 46, 46}, /* 99 */
    {8, 8, 8, 8, 29, 29, 29, 29, 29}, /* 100 */
    {8, 8, 8, 21, 48, 48, 48, 48, 48}, /* 101 */
    {8, 8, 8, 20, 20, 20, 20, 20, 20}, /* 102 */
    {8, 8, 8, 12, 12, 12, 12, 12, 12}, /* 103 */
    {8, 8, 8, 8, 8, 29, 29, 29, 29}, /* 104 */
    {8, 8, 21, 20, 20, 48, 49, 49, 49}, /* 105 */
    {8, 8, 21, 20, 20, 20, 20, 20, 20}, /* 106 */
    {8, 8, 8, 8, 8, 8, 8, 8, 8}, /* 107 */
    {8, 8, 21, 20, 49, 49, 49, 49, 49}, /* 108 */
    {8, 8, 8, 8, 29, 8, 8, 8, 8}, /* 109 */
    {8, 8, 8, 48, 48, 48, 48, 48, 48}, /* 110 */
    {8, 8, 8, 8, 8, 8, 20, 20, 20}, /* 111 */
    {8, 8, 8, 21, 21, 21, 21, 21, 21}, /* 112 */
    {8, 8, 8, 50, 50, 50, 50, 50, 50}, /* 113 */
    {8, 8, 8, 21, 21, 48, 48, 48, 48}, /* 114 */
    {8, 8, 8, 21, 20, 48, 8, 8, 8}, /* 115 */
    {8, 8, 12, 12, 12, 12, 12, 12, 12}, /* 116 */
    {8, 8, 8, 8, 8, 50, 50, 50, 50}, /* 117 */
    {8, 8, 20, 20, 20, 20, 48, 48, 48}, /* 118 */
    {8, 8, 20, 21, 20, 48, 8, 8, 8}, /* 119 */
    {8, 8, 20, 20, 20, 48, 48, 48, 48}, /* 120 */
    {8, 8, 8, 21, 20, 48, 48, 48, 48}, /* 121 */
    {8, 8, 8, 20, 20, 8, 8, 8, 8}, /* 122 */
    {8, 8, 8, 9, 9, 9, 9, 9, 9}, /* 123 */
    {8, 8, 8, 0, 21, 8, 1, 1, 1}, /* 124 */
    {8, 8, 8, 10, 10, 8, 8, 1, 1}, /* 125 */
    {51, 51, 51, 12, 10, 12, 12, 1, 1}, /* 126 */
    {8, 8, 8, 8, 8, 11, 11, 1, 1}, /* 127 */
    {8, 8, 8, 8, 8, 9, 9, 9, 9}, /* 128 */
    {8, 8, 8, 0, 21, 21, 21, 21, 21}, /* 129 */
    {51, 51, 51, 12, 12, 12, 12, 12, 12}, /* 130 */
    {0, 0, 0, 0, 52, 52, 52, 52, 52}, /* 131 */
    {0, 0, 0, 0, 0, 53, 54, 54, 54}, /* 132 */
    {0, 0, 0, 0, 54, 54, 54, 54, 54}, /* 133 */
    {0, 0, 0, 0, 0, 0, 55, 55, 55}, /* 134 */
    {56, 56, 56, 57, 56, 56, 56, 56, 56}, /* 135 */
    {56, 56, 56, 56, 56, 56, 56, 56, 56}, /* 136 */
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
    {{18, 19, 20, 21}, {22, 23, 11, 24}}, /* cold lcp tridiagonal */
    {{0, 1, 2, 3}, {25, 10, 11, 7}}, /* cold lcp mmatrix */
    {{8, 1, 2, 3}, {22, 10, 11, 24}}, /* cold lcp sparse */
    {{13, 13, 14, 26}, {27, 28, 28, 29}}, /* cold lcp dense */
    {{13, 13, 14, 15}, {22, 10, 11, 24}}, /* cold lcp hidden */
   },
   {
    {{30, 30, 31, 32}, {33, 34, 35, 36}}, /* cold mixed stencil */
    {{32, 30, 31, 32}, {37, 34, 35, 38}}, /* cold mixed contact */
    {{32, 32, 31, 32}, {39, 34, 35, 40}}, /* cold mixed faced */
    {{32, 32, 31, 32}, {39, 34, 35, 40}}, /* cold mixed loose */
    {{32, 32, 31, 32}, {39, 34, 35, 40}}, /* cold mixed packed */
    {{32, 32, 31, 32}, {39, 34, 35, 40}}, /* cold mixed jammed */
    {{30, 30, 31, 32}, {41, 42, 43, 44}}, /* cold mixed tridiagonal */
    {{30, 30, 31, 32}, {41, 34, 35, 38}}, /* cold mixed mmatrix */
    {{32, 30, 31, 32}, {41, 34, 35, 38}}, /* cold mixed sparse */
    {{32, 32, 31, 32}, {45, 46, 47, 46}}, /* cold mixed dense */
    {{32, 32, 31, 32}, {41, 34, 35, 38}}, /* cold mixed hidden */
   },
   {
    {{48, 48, 49, 50}, {51, 52, 53, 54}}, /* cold boxed stencil */
    {{55, 48, 49, 50}, {56, 57, 58, 59}}, /* cold boxed contact */
    {{60, 60, 61, 62}, {56, 57, 58, 59}}, /* cold boxed faced */
    {{60, 60, 61, 62}, {56, 57, 58, 59}}, /* cold boxed loose */
    {{60, 60, 61, 62}, {56, 57, 58, 59}}, /* cold boxed packed */
    {{60, 60, 61, 62}, {56, 57, 58, 59}}, /* cold boxed jammed */
    {{48, 48, 49, 50}, {63, 64, 65, 66}}, /* cold boxed tridiagonal */
    {{48, 48, 49, 50}, {51, 57, 58, 54}}, /* cold boxed mmatrix */
    {{55, 48, 49, 50}, {56, 57, 58, 59}}, /* cold boxed sparse */
    {{60, 60, 61, 62}, {67, 68, 69, 70}}, /* cold boxed dense */
    {{60, 60, 61, 62}, {56, 57, 58, 59}}, /* cold boxed hidden */
   },
   {
    {{71, 72, 73, 74}, {71, 72, 73, 74}}, /* cold findex stencil */
    {{75, 76, 77, 78}, {75, 76, 77, 78}}, /* cold findex contact */
    {{75, 76, 77, 78}, {75, 76, 77, 78}}, /* cold findex faced */
    {{79, 80, 81, 82}, {79, 80, 81, 82}}, /* cold findex loose */
    {{79, 80, 81, 82}, {79, 80, 81, 82}}, /* cold findex packed */
    {{83, 84, 85, 86}, {83, 84, 85, 86}}, /* cold findex jammed */
    {{71, 72, 73, 74}, {71, 72, 73, 74}}, /* cold findex tridiagonal */
    {{71, 72, 73, 74}, {71, 72, 73, 74}}, /* cold findex mmatrix */
    {{71, 72, 73, 74}, {71, 72, 73, 74}}, /* cold findex sparse */
    {{87, 88, 88, 87}, {87, 88, 88, 87}}, /* cold findex dense */
    {{71, 72, 73, 74}, {71, 72, 73, 74}}, /* cold findex hidden */
   },
   {
    {{89, 90, 91, 89}, {89, 90, 91, 89}}, /* cold cone stencil */
    {{89, 90, 91, 89}, {89, 90, 91, 89}}, /* cold cone contact */
    {{92, 93, 94, 92}, {92, 93, 94, 92}}, /* cold cone faced */
    {{95, 96, 94, 95}, {95, 96, 94, 95}}, /* cold cone loose */
    {{95, 96, 94, 95}, {95, 96, 94, 95}}, /* cold cone packed */
    {{92, 93, 94, 92}, {92, 93, 94, 92}}, /* cold cone jammed */
    {{89, 90, 91, 89}, {89, 90, 91, 89}}, /* cold cone tridiagonal */
    {{89, 90, 91, 89}, {89, 90, 91, 89}}, /* cold cone mmatrix */
    {{89, 90, 91, 89}, {89, 90, 91, 89}}, /* cold cone sparse */
    {{97, 98, 99, 97}, {97, 98, 99, 97}}, /* cold cone dense */
    {{89, 90, 91, 89}, {89, 90, 91, 89}}, /* cold cone hidden */
   },
  },
  {
   {
    {{100, 100, 100, 100}, {101, 102, 103, 101}}, /* warm lcp stencil */
    {{104, 104, 104, 104}, {105, 106, 103, 105}}, /* warm lcp contact */
    {{107, 107, 107, 107}, {108, 106, 103, 108}}, /* warm lcp faced */
    {{13, 13, 14, 15}, {16, 10, 11, 17}}, /* warm lcp loose */
    {{13, 13, 14, 15}, {16, 10, 11, 17}}, /* warm lcp packed */
    {{13, 13, 14, 15}, {16, 10, 11, 17}}, /* warm lcp jammed */
    {{109, 109, 109, 109}, {110, 111, 103, 110}}, /* warm lcp tridiagonal */
    {{100, 100, 100, 100}, {110, 102, 103, 110}}, /* warm lcp mmatrix */
    {{104, 104, 104, 104}, {110, 102, 103, 110}}, /* warm lcp sparse */
    {{107, 107, 107, 107}, {112, 112, 103, 112}}, /* warm lcp dense */
    {{13, 13, 14, 15}, {22, 10, 11, 24}}, /* warm lcp hidden */
   },
   {
    {{113, 113, 113, 113}, {114, 115, 116, 114}}, /* warm mixed stencil */
    {{117, 117, 117, 117}, {118, 119, 116, 118}}, /* warm mixed contact */
    {{107, 107, 107, 107}, {120, 119, 116, 120}}, /* warm mixed faced */
    {{32, 32, 31, 32}, {39, 34, 35, 40}}, /* warm mixed loose */
    {{32, 32, 31, 32}, {39, 34, 35, 40}}, /* warm mixed packed */
    {{32, 32, 31, 32}, {39, 34, 35, 40}}, /* warm mixed jammed */
    {{113, 113, 113, 113}, {121, 122, 116, 121}}, /* warm mixed tridiagonal */
    {{113, 113, 113, 113}, {121, 115, 116, 121}}, /* warm mixed mmatrix */
    {{117, 117, 117, 117}, {121, 115, 116, 121}}, /* warm mixed sparse */
    {{107, 107, 107, 107}, {112, 112, 116, 112}}, /* warm mixed dense */
    {{32, 32, 31, 32}, {41, 34, 35, 38}}, /* warm mixed hidden */
   },
   {
    {{123, 123, 123, 123}, {124, 125, 126, 124}}, /* warm boxed stencil */
    {{55, 48, 49, 50}, {56, 57, 58, 59}}, /* warm boxed contact */
    {{60, 60, 61, 62}, {56, 57, 58, 59}}, /* warm boxed faced */
    {{60, 60, 61, 62}, {56, 57, 58, 59}}, /* warm boxed loose */
    {{60, 60, 61, 62}, {56, 57, 58, 59}}, /* warm boxed packed */
    {{60, 60, 61, 62}, {56, 57, 58, 59}}, /* warm boxed jammed */
    {{123, 123, 123, 123}, {124, 127, 126, 124}}, /* warm boxed tridiagonal */
    {{123, 123, 123, 123}, {124, 125, 126, 124}}, /* warm boxed mmatrix */
    {{128, 128, 128, 128}, {124, 125, 126, 124}}, /* warm boxed sparse */
    {{107, 107, 107, 107}, {129, 129, 130, 129}}, /* warm boxed dense */
    {{60, 60, 61, 62}, {56, 57, 58, 59}}, /* warm boxed hidden */
   },
   {
    {{71, 72, 73, 74}, {71, 72, 73, 74}}, /* warm findex stencil */
    {{75, 76, 77, 78}, {75, 76, 77, 78}}, /* warm findex contact */
    {{131, 131, 131, 131}, {131, 131, 131, 131}}, /* warm findex faced */
    {{132, 132, 132, 132}, {132, 132, 132, 132}}, /* warm findex loose */
    {{132, 132, 132, 132}, {132, 132, 132, 132}}, /* warm findex packed */
    {{133, 133, 133, 133}, {133, 133, 133, 133}}, /* warm findex jammed */
    {{71, 72, 73, 74}, {71, 72, 73, 74}}, /* warm findex tridiagonal */
    {{71, 72, 73, 74}, {71, 72, 73, 74}}, /* warm findex mmatrix */
    {{134, 134, 134, 134}, {134, 134, 134, 134}}, /* warm findex sparse */
    {{87, 87, 87, 87}, {87, 87, 87, 87}}, /* warm findex dense */
    {{71, 72, 73, 74}, {71, 72, 73, 74}}, /* warm findex hidden */
   },
   {
    {{89, 90, 91, 89}, {89, 90, 91, 89}}, /* warm cone stencil */
    {{89, 90, 91, 89}, {89, 90, 91, 89}}, /* warm cone contact */
    {{92, 93, 94, 92}, {92, 93, 94, 92}}, /* warm cone faced */
    {{135, 135, 135, 135}, {135, 135, 135, 135}}, /* warm cone loose */
    {{135, 135, 135, 135}, {135, 135, 135, 135}}, /* warm cone packed */
    {{135, 135, 135, 135}, {135, 135, 135, 135}}, /* warm cone jammed */
    {{89, 90, 91, 89}, {89, 90, 91, 89}}, /* warm cone tridiagonal */
    {{89, 90, 91, 89}, {89, 90, 91, 89}}, /* warm cone mmatrix */
    {{136, 136, 136, 136}, {136, 136, 136, 136}}, /* warm cone sparse */
    {{136, 136, 136, 136}, {136, 136, 136, 136}}, /* warm cone dense */
    {{89, 90, 91, 89}, {89, 90, 91, 89}}, /* warm cone hidden */
   },
  },
};
/* clang-format on */
