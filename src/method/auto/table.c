/* table.c: the ladders of auto, written by tools/write-auto from measured.csv */
#include "method/auto/inspect.h"

extern const perp_method perp_method_admm, perp_method_alm, perp_method_apgd, perp_method_baraff,
    perp_method_bgs, perp_method_blockpivot, perp_method_coloured, perp_method_dantzig,
    perp_method_gpcg, perp_method_ipm, perp_method_kz, perp_method_lemke, perp_method_mg,
    perp_method_minmap, perp_method_nncg, perp_method_pgs, perp_method_pgssm, perp_method_prox,
    perp_method_psor, perp_method_spg, perp_method_spsor, perp_method_ssn;

/* clang-format off */
const perp_ladder perp_ladders[] = {
    /* 0: cold lcp stencil symmetric plain 100 and 62 more; 382 problems */
    {{{&perp_method_dantzig, 32}}},
    /* 1: cold lcp stencil symmetric plain 1000 and 14 more; 34 problems */
    {{{&perp_method_mg, 32}}},
    /* 2: cold lcp contact symmetric plain 10 and 22 more; 197 problems */
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
    /* 8: cold lcp tridiagonal unsymmetric plain 320 and 53 more; 151 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 9: cold lcp tridiagonal unsymmetric fair 32 and 61 more; 199 problems */
    {{{&perp_method_pgs, 32}}},
    /* 10: cold lcp tridiagonal symmetric fair 320 and 7 more; 11 problems */
    {{{&perp_method_gpcg, 32}}},
    /* 11: cold lcp tridiagonal symmetric fair 10000 and 42 more; 73 problems */
    {{{&perp_method_kz, 32}}},
    /* 12: cold lcp mmatrix unsymmetric plain 320 and 20 more; 28 problems */
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
    /* 19: cold mixed contact symmetric plain 32 and 14 more; 38 problems */
    {{{&perp_method_minmap, 32}}},
    /* 20: cold mixed contact symmetric plain 100 and 17 more; 55 problems */
    {{{&perp_method_baraff, 32}}},
    /* 21: cold mixed contact symmetric plain 1000 and 5 more; 33 problems */
    {{{&perp_method_pgssm, 276}}},
    /* 22: cold mixed tridiagonal symmetric holes 320; 2 problems */
    {{{&perp_method_prox, 32}}},
    /* 23: cold mixed tridiagonal symmetric holes 10000 and 1 more; 3 problems */
    {{{&perp_method_prox, 172}}},
    /* 24: cold mixed mmatrix unsymmetric plain 32 and 11 more; 17 problems */
    {{{&perp_method_psor, 32},
      {&perp_method_prox, 2608}}},
    /* 25: cold mixed sparse symmetric strong 100 and 10 more; 22 problems */
    {{{&perp_method_psor, 32}}},
    /* 26: cold mixed dense unsymmetric plain 100 and 2 more; 13 problems */
    {{{&perp_method_lemke, 188}}},
    /* 27: cold boxed tridiagonal symmetric fair 32; 2 problems */
    {{{&perp_method_psor, 36}}},
    /* 28: cold boxed mmatrix unsymmetric plain 32 and 7 more; 11 problems */
    {{{&perp_method_pgs, 32},
      {&perp_method_prox, 2104}}},
    /* 29: cold boxed mmatrix unsymmetric plain 10000 and 4 more; 8 problems */
    {{{&perp_method_spg, 32}}},
    /* 30: cold boxed dense unsymmetric plain 3 and 14 more; 76 problems */
    {{{&perp_method_blockpivot, 32},
      {&perp_method_ipm, 32}}},
    /* 31: cold boxed dense unsymmetric plain 320; 2 problems */
    {{{&perp_method_ipm, 36}}},
    /* 32: cold boxed dense symmetric plain 3; 7 problems */
    {{{&perp_method_pgs, 32},
      {&perp_method_blockpivot, 32}}},
    /* 33: cold findex faced symmetric plain 320 and 1 more; 17 problems */
    {{{&perp_method_alm, 88},
      {&perp_method_dantzig, 32}}},
    /* 34: cold findex faced symmetric plain 1000 and 1 more; 18 problems */
    {{{&perp_method_ipm, 1168},
      {&perp_method_dantzig, 92}}},
    /* 35: cold findex loose symmetric plain 1000 and 2 more; 21 problems */
    {{{&perp_method_coloured, 7304}}},
    /* 36: cold findex packed symmetric plain 10000; 7 problems */
    {{{&perp_method_nncg, 576},
      {&perp_method_coloured, 8104}}},
    /* 37: cold findex jammed symmetric plain 1000; 4 problems */
    {{{&perp_method_pgs, 2072}}},
    /* 38: cold findex jammed symmetric plain 10000 and 1 more; 33 problems */
    {{{&perp_method_nncg, 29304},
      {&perp_method_ipm, 256},
      {&perp_method_coloured, 26504},
      {&perp_method_dantzig, 84}}},
    /* 39: cold findex sparse symmetric plain 1000; 24 problems */
    {{{&perp_method_psor, 576},
      {&perp_method_dantzig, 32},
      {&perp_method_ipm, 80}}},
    /* 40: cold findex sparse symmetric fair 320; 4 problems */
    {{{&perp_method_pgs, 40}}},
    /* 41: cold findex sparse symmetric strong 32 and 5 more; 85 problems */
    {{{&perp_method_pgs, 44}}},
    /* 42: cold cone loose symmetric plain 32 and 6 more; 50 problems */
    {{{&perp_method_ssn, 60},
      {&perp_method_ipm, 96}}},
    /* 43: cold cone loose symmetric plain 320 and 3 more; 52 problems */
    {{{&perp_method_nncg, 324},
      {&perp_method_ipm, 96}}},
    /* 44: cold cone packed symmetric plain 10000 and 5 more; 41 problems */
    {{{&perp_method_ipm, 92},
      {&perp_method_ssn, 580}}},
    /* 45: cold cone tridiagonal symmetric strong 3 and 11 more; 40 problems */
    {{{&perp_method_bgs, 32}}},
    /* 46: cold cone sparse symmetric plain 10000; 16 problems */
    {{{&perp_method_nncg, 3304},
      {&perp_method_bgs, 1640},
      {&perp_method_ipm, 120},
      {&perp_method_ssn, 556}}},
    /* 47: warm lcp stencil symmetric plain 320 and 8 more; 39 problems */
    {{{&perp_method_kz, 32},
      {&perp_method_baraff, 32}}},
    /* 48: warm lcp faced symmetric plain 320 and 2 more; 6 problems */
    {{{&perp_method_apgd, 32},
      {&perp_method_nncg, 288},
      {&perp_method_dantzig, 32}}},
    /* 49: warm mixed mmatrix unsymmetric plain 100 and 3 more; 4 problems */
    {{{&perp_method_psor, 44}}},
    /* 50: warm findex faced symmetric plain 320 and 2 more; 19 problems */
    {{{&perp_method_alm, 160}}},
    /* 51: warm findex loose symmetric plain 1000 and 3 more; 16 problems */
    {{{&perp_method_coloured, 5304}}},
    /* 52: warm findex jammed symmetric plain 320 and 2 more; 11 problems */
    {{{&perp_method_psor, 40000}}},
    /* 53: warm findex sparse symmetric plain 1000; 12 problems */
    {{{&perp_method_psor, 32},
      {&perp_method_dantzig, 32}}},
    /* 54: warm findex sparse symmetric plain 10000; 9 problems */
    {{{&perp_method_ssn, 276},
      {&perp_method_psor, 3304}}},
    /* 55: warm cone loose symmetric plain 32 and 13 more; 87 problems */
    {{{&perp_method_ssn, 192}}},
    /* 56: warm cone sparse symmetric plain 100; 2 problems */
    {{{&perp_method_nncg, 288}}},
};

const short perp_ladders_by_size[][PERP_SIZES] = {
    {2, 2, 9, 9, 12, 13, 13, 14, 14}, /* 0 */
    {2, 2, 9, 12, 12, 13, 15, 15, 15}, /* 1 */
    {2, 2, 9, 9, 9, 13, 15, 15, 15}, /* 2 */
    {2, 2, 16, 16, 16, 16, 13, 14, 14}, /* 3 */
    {2, 2, 2, 0, 0, 1, 1, 1, 1}, /* 4 */
    {2, 2, 9, 9, 11, 11, 11, 11, 1}, /* 5 */
    {2, 2, 9, 9, 10, 1, 8, 1, 1}, /* 6 */
    {2, 2, 2, 16, 16, 13, 13, 14, 14}, /* 7 */
    {2, 2, 2, 0, 0, 3, 4, 11, 11}, /* 8 */
    {2, 2, 9, 9, 11, 11, 11, 11, 11}, /* 9 */
    {2, 2, 9, 9, 10, 3, 8, 11, 11}, /* 10 */
    {2, 2, 2, 16, 16, 13, 13, 13, 13}, /* 11 */
    {2, 2, 9, 9, 9, 13, 13, 13, 13}, /* 12 */
    {2, 2, 16, 16, 16, 16, 16, 16, 16}, /* 13 */
    {2, 2, 0, 0, 5, 6, 7, 11, 11}, /* 14 */
    {2, 2, 9, 9, 10, 6, 8, 11, 11}, /* 15 */
    {2, 2, 9, 9, 8, 8, 8, 8, 8}, /* 16 */
    {2, 2, 9, 8, 12, 8, 15, 15, 15}, /* 17 */
    {2, 2, 9, 9, 9, 8, 15, 15, 15}, /* 18 */
    {2, 2, 16, 16, 16, 16, 8, 8, 8}, /* 19 */
    {2, 2, 2, 0, 0, 17, 18, 11, 11}, /* 20 */
    {2, 2, 0, 9, 10, 11, 11, 11, 11}, /* 21 */
    {2, 2, 9, 9, 10, 17, 8, 11, 11}, /* 22 */
    {2, 2, 2, 0, 0, 1, 18, 1, 1}, /* 23 */
    {2, 2, 16, 16, 16, 13, 13, 13, 13}, /* 24 */
    {2, 2, 2, 0, 0, 0, 0, 0, 0}, /* 25 */
    {2, 2, 2, 9, 0, 0, 0, 0, 0}, /* 26 */
    {8, 8, 24, 24, 24, 24, 24, 24, 24}, /* 27 */
    {8, 9, 8, 9, 9, 24, 24, 24, 24}, /* 28 */
    {8, 8, 8, 8, 26, 24, 24, 24, 24}, /* 29 */
    {8, 8, 9, 11, 11, 11, 1, 1, 1}, /* 30 */
    {8, 8, 9, 9, 11, 11, 11, 11, 11}, /* 31 */
    {8, 8, 9, 25, 21, 11, 12, 12, 12}, /* 32 */
    {8, 8, 9, 25, 0, 11, 23, 1, 1}, /* 33 */
    {8, 8, 8, 26, 26, 24, 24, 24, 24}, /* 34 */
    {8, 8, 19, 20, 0, 21, 21, 11, 11}, /* 35 */
    {8, 8, 9, 25, 0, 21, 23, 11, 11}, /* 36 */
    {8, 8, 0, 0, 20, 20, 20, 11, 11}, /* 37 */
    {8, 8, 9, 25, 0, 20, 23, 11, 11}, /* 38 */
    {8, 8, 9, 0, 21, 21, 21, 11, 11}, /* 39 */
    {8, 8, 10, 9, 11, 11, 11, 11, 11}, /* 40 */
    {8, 9, 9, 25, 11, 11, 11, 11, 11}, /* 41 */
    {8, 8, 9, 25, 22, 21, 23, 11, 11}, /* 42 */
    {8, 8, 8, 0, 0, 0, 0, 0, 0}, /* 43 */
    {8, 8, 8, 9, 0, 0, 0, 0, 0}, /* 44 */
    {8, 8, 9, 9, 9, 0, 0, 0, 0}, /* 45 */
    {30, 30, 28, 28, 28, 28, 29, 29, 29}, /* 46 */
    {9, 30, 30, 12, 12, 28, 29, 29, 29}, /* 47 */
    {30, 30, 30, 30, 30, 28, 29, 29, 29}, /* 48 */
    {32, 30, 11, 3, 11, 1, 11, 1, 1}, /* 49 */
    {30, 30, 9, 9, 11, 11, 11, 11, 1}, /* 50 */
    {30, 9, 9, 9, 9, 11, 3, 3, 1}, /* 51 */
    {32, 9, 9, 9, 0, 1, 8, 1, 1}, /* 52 */
    {30, 30, 30, 30, 31, 28, 29, 29, 29}, /* 53 */
    {32, 30, 11, 0, 11, 0, 11, 11, 11}, /* 54 */
    {30, 30, 9, 9, 11, 11, 11, 11, 11}, /* 55 */
    {30, 9, 9, 9, 9, 11, 3, 3, 3}, /* 56 */
    {32, 9, 9, 9, 0, 0, 8, 11, 11}, /* 57 */
    {30, 30, 30, 30, 31, 28, 28, 28, 28}, /* 58 */
    {9, 30, 30, 12, 12, 28, 28, 28, 28}, /* 59 */
    {30, 30, 30, 30, 30, 28, 28, 28, 28}, /* 60 */
    {32, 30, 11, 3, 11, 1, 11, 11, 11}, /* 61 */
    {30, 30, 27, 9, 11, 11, 11, 11, 11}, /* 62 */
    {30, 9, 9, 9, 9, 11, 11, 11, 11}, /* 63 */
    {32, 9, 9, 9, 0, 1, 8, 11, 11}, /* 64 */
    {32, 30, 11, 0, 0, 0, 0, 0, 0}, /* 65 */
    {30, 30, 30, 9, 0, 0, 0, 0, 0}, /* 66 */
    {30, 9, 9, 9, 12, 0, 0, 0, 0}, /* 67 */
    {32, 9, 11, 9, 0, 0, 0, 0, 0}, /* 68 */
    {0, 0, 0, 0, 0, 39, 38, 38, 38}, /* 69 */
    {0, 0, 0, 0, 40, 39, 38, 38, 38}, /* 70 */
    {9, 0, 41, 41, 25, 25, 38, 38, 38}, /* 71 */
    {0, 0, 41, 41, 25, 39, 38, 38, 38}, /* 72 */
    {0, 0, 0, 0, 33, 34, 34, 34, 34}, /* 73 */
    {0, 0, 0, 0, 40, 34, 34, 34, 34}, /* 74 */
    {9, 0, 41, 41, 25, 25, 34, 34, 34}, /* 75 */
    {0, 0, 41, 41, 25, 34, 34, 34, 34}, /* 76 */
    {0, 0, 0, 0, 35, 35, 36, 36, 36}, /* 77 */
    {0, 0, 0, 0, 40, 35, 36, 36, 36}, /* 78 */
    {9, 0, 41, 41, 25, 25, 36, 36, 36}, /* 79 */
    {0, 0, 41, 41, 25, 35, 36, 36, 36}, /* 80 */
    {0, 0, 0, 0, 33, 37, 38, 38, 38}, /* 81 */
    {0, 0, 0, 0, 40, 37, 38, 38, 38}, /* 82 */
    {0, 0, 41, 41, 25, 37, 38, 38, 38}, /* 83 */
    {0, 0, 41, 41, 25, 25, 38, 38, 38}, /* 84 */
    {0, 0, 0, 0, 0, 0, 0, 0, 0}, /* 85 */
    {0, 0, 0, 41, 41, 41, 41, 41, 41}, /* 86 */
    {9, 0, 0, 41, 41, 41, 41, 41, 41}, /* 87 */
    {45, 45, 42, 42, 42, 43, 46, 46, 46}, /* 88 */
    {45, 45, 45, 42, 42, 43, 46, 46, 46}, /* 89 */
    {45, 45, 45, 45, 29, 45, 46, 46, 46}, /* 90 */
    {45, 45, 42, 44, 44, 44, 44, 44, 44}, /* 91 */
    {45, 45, 45, 44, 44, 44, 44, 44, 44}, /* 92 */
    {45, 45, 45, 45, 29, 45, 44, 44, 44}, /* 93 */
    {45, 45, 42, 42, 43, 43, 44, 44, 44}, /* 94 */
    {45, 45, 45, 42, 43, 43, 44, 44, 44}, /* 95 */
    {42, 42, 42, 42, 42, 42, 42, 42, 42}, /* 96 */
    {45, 45, 45, 42, 42, 42, 42, 42, 42}, /* 97 */
    {45, 45, 45, 45, 45, 45, 45, 45, 45}, /* 98 */
    {8, 8, 8, 25, 25, 25, 25, 25, 25}, /* 99 */
    {8, 8, 8, 20, 47, 47, 47, 47, 47}, /* 100 */
    {8, 8, 8, 20, 19, 19, 19, 19, 19}, /* 101 */
    {8, 8, 8, 12, 12, 12, 12, 12, 12}, /* 102 */
    {8, 8, 8, 8, 8, 25, 25, 25, 25}, /* 103 */
    {8, 8, 0, 19, 19, 47, 48, 48, 48}, /* 104 */
    {8, 8, 0, 20, 19, 19, 19, 19, 19}, /* 105 */
    {8, 8, 8, 8, 8, 8, 8, 8, 8}, /* 106 */
    {8, 8, 0, 20, 48, 48, 48, 48, 48}, /* 107 */
    {8, 8, 8, 25, 25, 8, 8, 8, 8}, /* 108 */
    {8, 8, 8, 8, 25, 8, 8, 8, 8}, /* 109 */
    {8, 8, 8, 8, 8, 8, 19, 19, 19}, /* 110 */
    {8, 8, 8, 20, 20, 20, 20, 20, 20}, /* 111 */
    {8, 8, 8, 49, 49, 49, 49, 49, 49}, /* 112 */
    {8, 8, 8, 20, 20, 47, 47, 47, 47}, /* 113 */
    {8, 8, 8, 20, 19, 47, 8, 8, 8}, /* 114 */
    {8, 8, 12, 25, 12, 12, 12, 12, 12}, /* 115 */
    {8, 8, 8, 8, 8, 49, 49, 49, 49}, /* 116 */
    {8, 8, 0, 19, 19, 19, 47, 47, 47}, /* 117 */
    {8, 8, 0, 20, 19, 47, 8, 8, 8}, /* 118 */
    {8, 8, 0, 0, 19, 47, 47, 47, 47}, /* 119 */
    {8, 8, 8, 20, 19, 47, 47, 47, 47}, /* 120 */
    {8, 8, 8, 19, 19, 8, 8, 8, 8}, /* 121 */
    {8, 8, 8, 9, 9, 9, 9, 9, 9}, /* 122 */
    {8, 8, 8, 20, 20, 8, 1, 1, 1}, /* 123 */
    {8, 8, 8, 9, 11, 8, 8, 1, 1}, /* 124 */
    {9, 9, 9, 9, 11, 12, 12, 1, 1}, /* 125 */
    {8, 8, 8, 10, 10, 10, 10, 1, 1}, /* 126 */
    {8, 8, 8, 8, 8, 9, 9, 9, 9}, /* 127 */
    {9, 9, 9, 9, 9, 9, 9, 9, 9}, /* 128 */
    {0, 0, 0, 0, 50, 50, 50, 50, 50}, /* 129 */
    {0, 0, 0, 0, 51, 51, 51, 51, 51}, /* 130 */
    {0, 0, 0, 0, 52, 52, 52, 52, 52}, /* 131 */
    {0, 0, 0, 0, 0, 53, 54, 54, 54}, /* 132 */
    {55, 55, 55, 55, 55, 55, 55, 55, 55}, /* 133 */
    {55, 55, 55, 56, 55, 55, 55, 55, 55}, /* 134 */
};

const short perp_ladder_kinds[2][PERP_FORM_CONE + 1][PERP_STRUCTURES][2][PERP_DIAGONALS] = {
  {
   {
    {{0, 1, 2, 3}, {4, 5, 5, 6}}, /* cold lcp stencil */
    {{7, 1, 2, 3}, {8, 9, 9, 10}}, /* cold lcp contact */
    {{11, 11, 12, 13}, {14, 9, 9, 15}}, /* cold lcp faced */
    {{11, 11, 12, 13}, {14, 9, 9, 15}}, /* cold lcp loose */
    {{11, 11, 12, 13}, {14, 9, 9, 15}}, /* cold lcp packed */
    {{11, 11, 12, 13}, {14, 9, 9, 15}}, /* cold lcp jammed */
    {{16, 17, 18, 19}, {20, 21, 9, 22}}, /* cold lcp tridiagonal */
    {{0, 1, 2, 3}, {23, 9, 9, 6}}, /* cold lcp mmatrix */
    {{7, 1, 2, 3}, {20, 9, 9, 22}}, /* cold lcp sparse */
    {{11, 11, 12, 24}, {25, 26, 26, 26}}, /* cold lcp dense */
    {{11, 11, 12, 13}, {20, 9, 9, 22}}, /* cold lcp hidden */
   },
   {
    {{27, 27, 28, 29}, {30, 31, 32, 33}}, /* cold mixed stencil */
    {{34, 27, 28, 29}, {35, 31, 32, 36}}, /* cold mixed contact */
    {{34, 34, 28, 29}, {37, 31, 32, 38}}, /* cold mixed faced */
    {{34, 34, 28, 29}, {37, 31, 32, 38}}, /* cold mixed loose */
    {{34, 34, 28, 29}, {37, 31, 32, 38}}, /* cold mixed packed */
    {{34, 34, 28, 29}, {37, 31, 32, 38}}, /* cold mixed jammed */
    {{27, 27, 28, 29}, {39, 40, 41, 42}}, /* cold mixed tridiagonal */
    {{27, 27, 28, 29}, {39, 31, 32, 36}}, /* cold mixed mmatrix */
    {{34, 27, 28, 29}, {39, 31, 32, 36}}, /* cold mixed sparse */
    {{34, 34, 28, 29}, {43, 44, 45, 44}}, /* cold mixed dense */
    {{34, 34, 28, 29}, {39, 31, 32, 36}}, /* cold mixed hidden */
   },
   {
    {{46, 46, 47, 48}, {49, 50, 51, 52}}, /* cold boxed stencil */
    {{53, 46, 47, 48}, {54, 55, 56, 57}}, /* cold boxed contact */
    {{58, 58, 59, 60}, {54, 55, 56, 57}}, /* cold boxed faced */
    {{58, 58, 59, 60}, {54, 55, 56, 57}}, /* cold boxed loose */
    {{58, 58, 59, 60}, {54, 55, 56, 57}}, /* cold boxed packed */
    {{58, 58, 59, 60}, {54, 55, 56, 57}}, /* cold boxed jammed */
    {{46, 46, 47, 48}, {61, 62, 63, 64}}, /* cold boxed tridiagonal */
    {{46, 46, 47, 48}, {49, 55, 56, 52}}, /* cold boxed mmatrix */
    {{53, 46, 47, 48}, {54, 55, 56, 57}}, /* cold boxed sparse */
    {{58, 58, 59, 60}, {65, 66, 67, 68}}, /* cold boxed dense */
    {{58, 58, 59, 60}, {54, 55, 56, 57}}, /* cold boxed hidden */
   },
   {
    {{69, 70, 71, 72}, {69, 70, 71, 72}}, /* cold findex stencil */
    {{73, 74, 75, 76}, {73, 74, 75, 76}}, /* cold findex contact */
    {{73, 74, 75, 76}, {73, 74, 75, 76}}, /* cold findex faced */
    {{77, 78, 79, 80}, {77, 78, 79, 80}}, /* cold findex loose */
    {{77, 78, 79, 80}, {77, 78, 79, 80}}, /* cold findex packed */
    {{81, 82, 71, 83}, {81, 82, 71, 83}}, /* cold findex jammed */
    {{69, 70, 84, 72}, {69, 70, 84, 72}}, /* cold findex tridiagonal */
    {{69, 70, 71, 72}, {69, 70, 71, 72}}, /* cold findex mmatrix */
    {{69, 70, 71, 72}, {69, 70, 71, 72}}, /* cold findex sparse */
    {{85, 86, 87, 85}, {85, 86, 87, 85}}, /* cold findex dense */
    {{69, 70, 71, 72}, {69, 70, 71, 72}}, /* cold findex hidden */
   },
   {
    {{88, 89, 90, 88}, {88, 89, 90, 88}}, /* cold cone stencil */
    {{88, 89, 90, 88}, {88, 89, 90, 88}}, /* cold cone contact */
    {{91, 92, 93, 91}, {91, 92, 93, 91}}, /* cold cone faced */
    {{94, 95, 93, 94}, {94, 95, 93, 94}}, /* cold cone loose */
    {{94, 95, 93, 94}, {94, 95, 93, 94}}, /* cold cone packed */
    {{91, 92, 93, 91}, {91, 92, 93, 91}}, /* cold cone jammed */
    {{88, 89, 90, 88}, {88, 89, 90, 88}}, /* cold cone tridiagonal */
    {{88, 89, 90, 88}, {88, 89, 90, 88}}, /* cold cone mmatrix */
    {{88, 89, 90, 88}, {88, 89, 90, 88}}, /* cold cone sparse */
    {{96, 97, 98, 96}, {96, 97, 98, 96}}, /* cold cone dense */
    {{88, 89, 90, 88}, {88, 89, 90, 88}}, /* cold cone hidden */
   },
  },
  {
   {
    {{99, 99, 99, 99}, {100, 101, 102, 100}}, /* warm lcp stencil */
    {{103, 103, 103, 103}, {104, 105, 102, 104}}, /* warm lcp contact */
    {{106, 106, 106, 106}, {107, 105, 102, 107}}, /* warm lcp faced */
    {{11, 11, 12, 13}, {14, 9, 9, 15}}, /* warm lcp loose */
    {{11, 11, 12, 13}, {14, 9, 9, 15}}, /* warm lcp packed */
    {{11, 11, 12, 13}, {14, 9, 9, 15}}, /* warm lcp jammed */
    {{108, 109, 109, 108}, {100, 110, 102, 100}}, /* warm lcp tridiagonal */
    {{99, 99, 99, 99}, {100, 101, 102, 100}}, /* warm lcp mmatrix */
    {{103, 103, 103, 103}, {100, 101, 102, 100}}, /* warm lcp sparse */
    {{106, 106, 106, 106}, {111, 111, 102, 111}}, /* warm lcp dense */
    {{11, 11, 12, 13}, {20, 9, 9, 22}}, /* warm lcp hidden */
   },
   {
    {{112, 112, 112, 112}, {113, 114, 115, 113}}, /* warm mixed stencil */
    {{116, 116, 116, 116}, {117, 118, 115, 117}}, /* warm mixed contact */
    {{106, 106, 106, 106}, {119, 118, 115, 119}}, /* warm mixed faced */
    {{34, 34, 28, 29}, {37, 31, 32, 38}}, /* warm mixed loose */
    {{34, 34, 28, 29}, {37, 31, 32, 38}}, /* warm mixed packed */
    {{34, 34, 28, 29}, {37, 31, 32, 38}}, /* warm mixed jammed */
    {{112, 112, 112, 112}, {120, 121, 115, 120}}, /* warm mixed tridiagonal */
    {{112, 112, 112, 112}, {120, 114, 115, 120}}, /* warm mixed mmatrix */
    {{116, 116, 116, 116}, {120, 114, 115, 120}}, /* warm mixed sparse */
    {{106, 106, 106, 106}, {111, 111, 115, 111}}, /* warm mixed dense */
    {{34, 34, 28, 29}, {39, 31, 32, 36}}, /* warm mixed hidden */
   },
   {
    {{122, 122, 122, 122}, {123, 124, 125, 123}}, /* warm boxed stencil */
    {{53, 46, 47, 48}, {54, 55, 56, 57}}, /* warm boxed contact */
    {{58, 58, 59, 60}, {54, 55, 56, 57}}, /* warm boxed faced */
    {{58, 58, 59, 60}, {54, 55, 56, 57}}, /* warm boxed loose */
    {{58, 58, 59, 60}, {54, 55, 56, 57}}, /* warm boxed packed */
    {{58, 58, 59, 60}, {54, 55, 56, 57}}, /* warm boxed jammed */
    {{122, 122, 122, 122}, {123, 126, 125, 123}}, /* warm boxed tridiagonal */
    {{122, 122, 122, 122}, {123, 124, 125, 123}}, /* warm boxed mmatrix */
    {{127, 127, 127, 127}, {123, 124, 125, 123}}, /* warm boxed sparse */
    {{106, 106, 106, 106}, {111, 111, 128, 111}}, /* warm boxed dense */
    {{58, 58, 59, 60}, {54, 55, 56, 57}}, /* warm boxed hidden */
   },
   {
    {{69, 70, 71, 72}, {69, 70, 71, 72}}, /* warm findex stencil */
    {{73, 74, 75, 76}, {73, 74, 75, 76}}, /* warm findex contact */
    {{129, 129, 129, 129}, {129, 129, 129, 129}}, /* warm findex faced */
    {{130, 130, 130, 130}, {130, 130, 130, 130}}, /* warm findex loose */
    {{130, 130, 130, 130}, {130, 130, 130, 130}}, /* warm findex packed */
    {{131, 131, 131, 131}, {131, 131, 131, 131}}, /* warm findex jammed */
    {{69, 70, 84, 72}, {69, 70, 84, 72}}, /* warm findex tridiagonal */
    {{69, 70, 71, 72}, {69, 70, 71, 72}}, /* warm findex mmatrix */
    {{132, 132, 132, 132}, {132, 132, 132, 132}}, /* warm findex sparse */
    {{85, 85, 85, 85}, {85, 85, 85, 85}}, /* warm findex dense */
    {{69, 70, 71, 72}, {69, 70, 71, 72}}, /* warm findex hidden */
   },
   {
    {{88, 89, 90, 88}, {88, 89, 90, 88}}, /* warm cone stencil */
    {{88, 89, 90, 88}, {88, 89, 90, 88}}, /* warm cone contact */
    {{91, 92, 93, 91}, {91, 92, 93, 91}}, /* warm cone faced */
    {{133, 133, 133, 133}, {133, 133, 133, 133}}, /* warm cone loose */
    {{133, 133, 133, 133}, {133, 133, 133, 133}}, /* warm cone packed */
    {{133, 133, 133, 133}, {133, 133, 133, 133}}, /* warm cone jammed */
    {{88, 89, 90, 88}, {88, 89, 90, 88}}, /* warm cone tridiagonal */
    {{88, 89, 90, 88}, {88, 89, 90, 88}}, /* warm cone mmatrix */
    {{134, 134, 134, 134}, {134, 134, 134, 134}}, /* warm cone sparse */
    {{133, 133, 133, 133}, {133, 133, 133, 133}}, /* warm cone dense */
    {{88, 89, 90, 88}, {88, 89, 90, 88}}, /* warm cone hidden */
   },
  },
};
/* clang-format on */
