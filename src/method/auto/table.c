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
    /* 3: cold lcp contact symmetric plain 1000 and 3 more; 8 problems */
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
    /* 9: cold lcp tridiagonal unsymmetric fair 32 and 63 more; 194 problems */
    {{{&perp_method_pgs, 32}}},
    /* 10: cold lcp tridiagonal symmetric fair 320 and 5 more; 9 problems */
    {{{&perp_method_gpcg, 32}}},
    /* 11: cold lcp tridiagonal symmetric fair 10000 and 42 more; 75 problems */
    {{{&perp_method_kz, 32}}},
    /* 12: cold lcp mmatrix unsymmetric plain 320 and 21 more; 30 problems */
    {{{&perp_method_spsor, 32}}},
    /* 13: cold lcp mmatrix unsymmetric plain 1000 and 2 more; 5 problems */
    {{{&perp_method_psor, 32},
      {&perp_method_prox, 2192}}},
    /* 14: cold lcp mmatrix unsymmetric plain 100000; 2 problems */
    {{{&perp_method_pgs, 36}}},
    /* 15: cold lcp mmatrix unsymmetric fair 10000 and 7 more; 12 problems */
    {{{&perp_method_spg, 32}}},
    /* 16: cold lcp mmatrix unsymmetric fair 100000; 2 problems */
    {{{&perp_method_psor, 184}}},
    /* 17: cold lcp sparse unsymmetric holes 100 and 7 more; 45 problems */
    {{{&perp_method_lemke, 4624}}},
    /* 18: cold lcp sparse symmetric plain 1000; 9 problems */
    {{{&perp_method_ssn, 32},
      {&perp_method_baraff, 32}}},
    /* 19: cold lcp sparse symmetric plain 10000; 6 problems */
    {{{&perp_method_psor, 48},
      {&perp_method_pgssm, 160}}},
    /* 20: cold mixed contact symmetric plain 32 and 14 more; 38 problems */
    {{{&perp_method_minmap, 32}}},
    /* 21: cold mixed contact symmetric plain 100 and 16 more; 51 problems */
    {{{&perp_method_baraff, 32}}},
    /* 22: cold mixed contact symmetric plain 1000 and 4 more; 20 problems */
    {{{&perp_method_pgssm, 32},
      {&perp_method_baraff, 32}}},
    /* 23: cold mixed tridiagonal symmetric holes 320; 2 problems */
    {{{&perp_method_prox, 32}}},
    /* 24: cold mixed tridiagonal symmetric holes 10000 and 1 more; 3 problems */
    {{{&perp_method_prox, 172}}},
    /* 25: cold mixed mmatrix unsymmetric plain 32 and 2 more; 6 problems */
    {{{&perp_method_psor, 36}}},
    /* 26: cold mixed mmatrix unsymmetric plain 320 and 2 more; 5 problems */
    {{{&perp_method_psor, 36},
      {&perp_method_prox, 2608}}},
    /* 27: cold mixed sparse symmetric plain 10000; 13 problems */
    {{{&perp_method_pgssm, 172}}},
    /* 28: cold mixed sparse symmetric strong 100 and 16 more; 36 problems */
    {{{&perp_method_psor, 32}}},
    /* 29: cold mixed dense unsymmetric plain 100 and 2 more; 13 problems */
    {{{&perp_method_lemke, 188}}},
    /* 30: cold boxed stencil symmetric plain 100; 2 problems */
    {{{&perp_method_coloured, 120}}},
    /* 31: cold boxed mmatrix unsymmetric plain 320 and 3 more; 6 problems */
    {{{&perp_method_spsor, 32},
      {&perp_method_prox, 2104}}},
    /* 32: cold boxed sparse symmetric fair 10000; 2 problems */
    {{{&perp_method_ssn, 32}}},
    /* 33: cold boxed dense unsymmetric plain 3 and 14 more; 76 problems */
    {{{&perp_method_blockpivot, 32},
      {&perp_method_ipm, 32}}},
    /* 34: cold boxed dense unsymmetric plain 320; 2 problems */
    {{{&perp_method_ipm, 36}}},
    /* 35: cold boxed dense symmetric plain 3; 7 problems */
    {{{&perp_method_pgs, 32},
      {&perp_method_blockpivot, 32}}},
    /* 36: cold findex faced symmetric plain 320 and 1 more; 17 problems */
    {{{&perp_method_alm, 88},
      {&perp_method_dantzig, 32}}},
    /* 37: cold findex faced symmetric plain 1000 and 1 more; 19 problems */
    {{{&perp_method_ipm, 108},
      {&perp_method_dantzig, 92}}},
    /* 38: cold findex faced symmetric plain 100000; 2 problems */
    {{{&perp_method_ipm, 184}}},
    /* 39: cold findex loose symmetric plain 1000 and 2 more; 21 problems */
    {{{&perp_method_coloured, 7304}}},
    /* 40: cold findex packed symmetric plain 10000; 7 problems */
    {{{&perp_method_nncg, 576},
      {&perp_method_coloured, 8104}}},
    /* 41: cold findex jammed symmetric plain 1000; 4 problems */
    {{{&perp_method_pgs, 2072}}},
    /* 42: cold findex jammed symmetric plain 10000 and 1 more; 33 problems */
    {{{&perp_method_nncg, 29304},
      {&perp_method_ipm, 108},
      {&perp_method_coloured, 26504},
      {&perp_method_dantzig, 92}}},
    /* 43: cold findex sparse symmetric plain 1000; 24 problems */
    {{{&perp_method_psor, 576},
      {&perp_method_dantzig, 32},
      {&perp_method_ipm, 140}}},
    /* 44: cold findex sparse symmetric fair 320; 4 problems */
    {{{&perp_method_pgs, 40}}},
    /* 45: cold findex sparse symmetric strong 32 and 5 more; 85 problems */
    {{{&perp_method_pgs, 44}}},
    /* 46: cold cone loose symmetric plain 32 and 6 more; 50 problems */
    {{{&perp_method_ssn, 60},
      {&perp_method_ipm, 104}}},
    /* 47: cold cone loose symmetric plain 320 and 3 more; 52 problems */
    {{{&perp_method_nncg, 324},
      {&perp_method_ipm, 92}}},
    /* 48: cold cone packed symmetric plain 10000 and 4 more; 40 problems */
    {{{&perp_method_ipm, 92},
      {&perp_method_ssn, 580}}},
    /* 49: cold cone jammed symmetric plain 100; 2 problems */
    {{{&perp_method_nncg, 916}}},
    /* 50: cold cone tridiagonal symmetric strong 3 and 11 more; 40 problems */
    {{{&perp_method_bgs, 32}}},
    /* 51: cold cone sparse symmetric plain 10000; 15 problems */
    {{{&perp_method_nncg, 3304},
      {&perp_method_bgs, 1640},
      {&perp_method_ssn, 556}}},
    /* 52: warm lcp stencil symmetric plain 320 and 8 more; 39 problems */
    {{{&perp_method_kz, 32},
      {&perp_method_baraff, 32}}},
    /* 53: warm lcp faced symmetric plain 320 and 2 more; 6 problems */
    {{{&perp_method_apgd, 32},
      {&perp_method_nncg, 288},
      {&perp_method_dantzig, 32}}},
    /* 54: warm mixed mmatrix unsymmetric plain 100 and 3 more; 4 problems */
    {{{&perp_method_psor, 44}}},
    /* 55: warm findex faced symmetric plain 320 and 2 more; 19 problems */
    {{{&perp_method_alm, 160}}},
    /* 56: warm findex loose symmetric plain 1000 and 3 more; 16 problems */
    {{{&perp_method_coloured, 5304}}},
    /* 57: warm findex jammed symmetric plain 320 and 2 more; 11 problems */
    {{{&perp_method_psor, 40000}}},
    /* 58: warm findex sparse symmetric plain 1000; 12 problems */
    {{{&perp_method_psor, 32},
      {&perp_method_dantzig, 32}}},
    /* 59: warm findex sparse symmetric plain 10000; 9 problems */
    {{{&perp_method_ssn, 276},
      {&perp_method_psor, 3304}}},
    /* 60: warm cone loose symmetric plain 32 and 14 more; 89 problems */
    {{{&perp_method_ssn, 192}}},
    /* 61: warm cone sparse symmetric plain 100; 2 problems */
    {{{&perp_method_nncg, 288}}},
};

const short perp_ladders_by_size[][PERP_SIZES] = {
    {2, 2, 9, 9, 12, 13, 13, 14, 14}, /* 0 */
    {2, 2, 9, 12, 12, 13, 15, 16, 16}, /* 1 */
    {2, 2, 9, 9, 9, 13, 15, 16, 16}, /* 2 */
    {2, 2, 8, 17, 17, 17, 13, 14, 14}, /* 3 */
    {2, 2, 2, 0, 0, 1, 1, 1, 1}, /* 4 */
    {2, 2, 9, 9, 11, 11, 11, 11, 1}, /* 5 */
    {2, 2, 9, 9, 10, 1, 8, 1, 1}, /* 6 */
    {2, 2, 2, 17, 17, 13, 13, 14, 14}, /* 7 */
    {2, 2, 2, 0, 0, 3, 4, 11, 11}, /* 8 */
    {2, 2, 9, 9, 11, 11, 11, 11, 11}, /* 9 */
    {2, 2, 9, 9, 10, 3, 8, 11, 11}, /* 10 */
    {2, 2, 2, 17, 17, 13, 13, 13, 13}, /* 11 */
    {2, 2, 9, 9, 9, 13, 13, 13, 13}, /* 12 */
    {2, 2, 8, 17, 17, 17, 17, 17, 17}, /* 13 */
    {2, 2, 0, 0, 5, 6, 7, 11, 11}, /* 14 */
    {2, 2, 9, 9, 10, 6, 8, 11, 11}, /* 15 */
    {2, 2, 9, 9, 8, 8, 8, 8, 8}, /* 16 */
    {2, 2, 9, 8, 12, 8, 15, 16, 16}, /* 17 */
    {2, 2, 9, 9, 9, 8, 15, 16, 16}, /* 18 */
    {2, 2, 8, 17, 17, 17, 8, 8, 8}, /* 19 */
    {2, 2, 2, 0, 0, 18, 19, 11, 11}, /* 20 */
    {2, 2, 0, 9, 10, 11, 11, 11, 11}, /* 21 */
    {2, 2, 9, 9, 10, 18, 8, 11, 11}, /* 22 */
    {2, 2, 2, 0, 0, 1, 19, 1, 1}, /* 23 */
    {2, 2, 17, 17, 17, 13, 13, 13, 13}, /* 24 */
    {2, 2, 2, 0, 0, 0, 0, 0, 0}, /* 25 */
    {2, 2, 2, 9, 0, 0, 0, 0, 0}, /* 26 */
    {8, 8, 25, 9, 26, 26, 15, 25, 25}, /* 27 */
    {8, 8, 9, 9, 9, 26, 15, 15, 15}, /* 28 */
    {8, 9, 8, 9, 9, 26, 15, 15, 15}, /* 29 */
    {8, 8, 8, 8, 29, 26, 15, 25, 25}, /* 30 */
    {8, 8, 9, 11, 11, 11, 1, 1, 1}, /* 31 */
    {8, 8, 9, 9, 11, 11, 11, 11, 11}, /* 32 */
    {8, 8, 9, 28, 22, 11, 12, 12, 12}, /* 33 */
    {8, 8, 9, 28, 0, 11, 24, 1, 1}, /* 34 */
    {8, 8, 8, 29, 29, 26, 15, 25, 25}, /* 35 */
    {8, 8, 20, 21, 0, 22, 22, 11, 11}, /* 36 */
    {8, 8, 9, 28, 0, 22, 24, 11, 11}, /* 37 */
    {8, 8, 8, 29, 29, 26, 26, 26, 26}, /* 38 */
    {8, 9, 8, 9, 9, 26, 26, 26, 26}, /* 39 */
    {8, 8, 8, 8, 29, 26, 26, 26, 26}, /* 40 */
    {8, 8, 0, 0, 21, 21, 21, 11, 11}, /* 41 */
    {8, 8, 9, 28, 0, 21, 24, 11, 11}, /* 42 */
    {8, 8, 9, 0, 22, 22, 27, 11, 11}, /* 43 */
    {8, 8, 10, 9, 11, 11, 11, 11, 11}, /* 44 */
    {8, 9, 9, 28, 11, 11, 11, 11, 11}, /* 45 */
    {8, 8, 9, 28, 23, 22, 24, 11, 11}, /* 46 */
    {8, 8, 8, 0, 0, 0, 0, 0, 0}, /* 47 */
    {8, 8, 8, 28, 0, 0, 0, 0, 0}, /* 48 */
    {8, 8, 9, 9, 9, 0, 0, 0, 0}, /* 49 */
    {8, 8, 8, 9, 0, 0, 0, 0, 0}, /* 50 */
    {33, 33, 9, 9, 31, 31, 28, 15, 15}, /* 51 */
    {33, 33, 9, 9, 31, 31, 15, 15, 15}, /* 52 */
    {9, 33, 33, 12, 12, 31, 15, 15, 15}, /* 53 */
    {33, 33, 33, 33, 33, 31, 28, 15, 15}, /* 54 */
    {35, 33, 11, 30, 11, 1, 11, 1, 1}, /* 55 */
    {33, 33, 9, 9, 11, 11, 32, 11, 1}, /* 56 */
    {33, 9, 28, 28, 9, 11, 3, 3, 1}, /* 57 */
    {35, 9, 9, 28, 0, 1, 8, 1, 1}, /* 58 */
    {33, 33, 33, 33, 34, 31, 28, 15, 15}, /* 59 */
    {35, 33, 11, 0, 11, 0, 11, 11, 11}, /* 60 */
    {33, 33, 9, 9, 11, 11, 32, 11, 11}, /* 61 */
    {33, 9, 28, 28, 9, 11, 3, 3, 3}, /* 62 */
    {35, 9, 9, 28, 0, 0, 8, 11, 11}, /* 63 */
    {33, 33, 33, 33, 34, 31, 31, 31, 31}, /* 64 */
    {9, 33, 33, 12, 12, 31, 31, 31, 31}, /* 65 */
    {33, 33, 33, 33, 33, 31, 31, 31, 31}, /* 66 */
    {35, 33, 11, 3, 11, 1, 11, 11, 11}, /* 67 */
    {33, 33, 25, 9, 11, 11, 11, 11, 11}, /* 68 */
    {33, 9, 9, 28, 9, 11, 11, 11, 11}, /* 69 */
    {35, 9, 9, 28, 0, 1, 8, 11, 11}, /* 70 */
    {35, 33, 11, 3, 11, 1, 11, 1, 1}, /* 71 */
    {35, 33, 11, 0, 0, 0, 0, 0, 0}, /* 72 */
    {33, 33, 33, 28, 0, 0, 0, 0, 0}, /* 73 */
    {33, 9, 9, 9, 12, 0, 0, 0, 0}, /* 74 */
    {35, 9, 11, 9, 0, 0, 0, 0, 0}, /* 75 */
    {0, 0, 0, 0, 0, 43, 42, 42, 42}, /* 76 */
    {0, 0, 0, 0, 44, 43, 42, 42, 42}, /* 77 */
    {9, 0, 45, 45, 28, 28, 42, 42, 42}, /* 78 */
    {0, 0, 45, 45, 28, 43, 42, 42, 42}, /* 79 */
    {0, 0, 0, 0, 36, 37, 37, 38, 38}, /* 80 */
    {0, 0, 0, 0, 44, 37, 37, 38, 38}, /* 81 */
    {9, 0, 45, 45, 28, 28, 37, 38, 38}, /* 82 */
    {0, 0, 45, 45, 28, 37, 37, 38, 38}, /* 83 */
    {0, 0, 0, 0, 39, 39, 40, 38, 38}, /* 84 */
    {0, 0, 0, 0, 44, 39, 40, 38, 38}, /* 85 */
    {9, 0, 45, 45, 28, 28, 40, 38, 38}, /* 86 */
    {0, 0, 45, 45, 28, 39, 40, 38, 38}, /* 87 */
    {0, 0, 0, 0, 36, 41, 42, 38, 38}, /* 88 */
    {0, 0, 0, 0, 44, 41, 42, 38, 38}, /* 89 */
    {9, 0, 45, 45, 28, 28, 42, 38, 38}, /* 90 */
    {0, 0, 45, 45, 28, 41, 42, 38, 38}, /* 91 */
    {0, 0, 45, 45, 28, 28, 42, 42, 42}, /* 92 */
    {0, 0, 0, 0, 0, 0, 0, 0, 0}, /* 93 */
    {0, 0, 0, 45, 45, 45, 45, 45, 45}, /* 94 */
    {9, 0, 0, 45, 45, 45, 45, 45, 45}, /* 95 */
    {50, 50, 46, 46, 46, 47, 51, 51, 51}, /* 96 */
    {50, 50, 50, 46, 46, 47, 51, 51, 51}, /* 97 */
    {50, 50, 50, 50, 15, 50, 51, 51, 51}, /* 98 */
    {50, 50, 46, 49, 48, 48, 48, 48, 48}, /* 99 */
    {50, 50, 50, 49, 48, 48, 48, 48, 48}, /* 100 */
    {50, 50, 50, 50, 15, 50, 48, 48, 48}, /* 101 */
    {50, 50, 46, 46, 47, 47, 48, 48, 48}, /* 102 */
    {50, 50, 50, 46, 47, 47, 48, 48, 48}, /* 103 */
    {46, 46, 46, 46, 46, 46, 46, 46, 46}, /* 104 */
    {50, 50, 50, 46, 46, 46, 46, 46, 46}, /* 105 */
    {50, 50, 50, 50, 50, 50, 50, 50, 50}, /* 106 */
    {8, 8, 8, 28, 28, 28, 28, 28, 28}, /* 107 */
    {8, 8, 8, 21, 52, 52, 52, 52, 52}, /* 108 */
    {8, 8, 8, 21, 20, 20, 20, 20, 20}, /* 109 */
    {8, 8, 8, 12, 12, 12, 12, 12, 12}, /* 110 */
    {8, 8, 8, 8, 8, 28, 28, 28, 28}, /* 111 */
    {8, 8, 0, 20, 20, 52, 53, 53, 53}, /* 112 */
    {8, 8, 0, 21, 20, 20, 20, 20, 20}, /* 113 */
    {8, 8, 8, 8, 8, 8, 8, 8, 8}, /* 114 */
    {8, 8, 0, 11, 53, 53, 53, 53, 53}, /* 115 */
    {8, 8, 8, 28, 28, 8, 8, 8, 8}, /* 116 */
    {8, 8, 8, 8, 28, 8, 8, 8, 8}, /* 117 */
    {8, 8, 8, 8, 8, 8, 20, 20, 20}, /* 118 */
    {8, 8, 8, 21, 21, 21, 21, 21, 21}, /* 119 */
    {8, 8, 8, 54, 54, 54, 54, 54, 54}, /* 120 */
    {8, 8, 8, 21, 21, 52, 52, 52, 52}, /* 121 */
    {8, 8, 8, 21, 20, 52, 8, 8, 8}, /* 122 */
    {8, 8, 12, 28, 12, 12, 12, 12, 12}, /* 123 */
    {8, 8, 8, 8, 8, 54, 54, 54, 54}, /* 124 */
    {8, 8, 0, 20, 20, 20, 52, 52, 52}, /* 125 */
    {8, 8, 0, 21, 20, 52, 8, 8, 8}, /* 126 */
    {8, 8, 0, 0, 20, 52, 52, 52, 52}, /* 127 */
    {8, 8, 8, 21, 20, 52, 52, 52, 52}, /* 128 */
    {8, 8, 8, 20, 20, 8, 8, 8, 8}, /* 129 */
    {8, 8, 8, 9, 9, 9, 9, 9, 9}, /* 130 */
    {8, 8, 8, 21, 21, 8, 1, 1, 1}, /* 131 */
    {8, 8, 8, 9, 11, 8, 8, 1, 1}, /* 132 */
    {9, 9, 9, 9, 11, 12, 12, 1, 1}, /* 133 */
    {8, 8, 8, 8, 8, 10, 10, 1, 1}, /* 134 */
    {8, 8, 8, 8, 8, 9, 9, 9, 9}, /* 135 */
    {9, 9, 9, 9, 12, 12, 12, 12, 12}, /* 136 */
    {0, 0, 0, 0, 55, 55, 55, 55, 55}, /* 137 */
    {0, 0, 0, 0, 56, 56, 56, 56, 56}, /* 138 */
    {0, 0, 0, 0, 57, 57, 57, 57, 57}, /* 139 */
    {0, 0, 0, 0, 0, 58, 59, 59, 59}, /* 140 */
    {60, 60, 60, 60, 60, 60, 60, 60, 60}, /* 141 */
    {60, 60, 60, 61, 60, 60, 60, 60, 60}, /* 142 */
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
    {{27, 28, 29, 30}, {31, 32, 33, 34}}, /* cold mixed stencil */
    {{35, 28, 29, 30}, {36, 32, 33, 37}}, /* cold mixed contact */
    {{38, 38, 39, 40}, {41, 32, 33, 42}}, /* cold mixed faced */
    {{38, 38, 39, 40}, {41, 32, 33, 42}}, /* cold mixed loose */
    {{38, 38, 39, 40}, {41, 32, 33, 42}}, /* cold mixed packed */
    {{38, 38, 39, 40}, {41, 32, 33, 42}}, /* cold mixed jammed */
    {{27, 28, 29, 30}, {43, 44, 45, 46}}, /* cold mixed tridiagonal */
    {{27, 28, 29, 30}, {43, 32, 33, 37}}, /* cold mixed mmatrix */
    {{35, 28, 29, 30}, {43, 32, 33, 37}}, /* cold mixed sparse */
    {{38, 38, 39, 40}, {47, 48, 49, 50}}, /* cold mixed dense */
    {{38, 38, 39, 40}, {43, 32, 33, 37}}, /* cold mixed hidden */
   },
   {
    {{51, 52, 53, 54}, {55, 56, 57, 58}}, /* cold boxed stencil */
    {{59, 52, 53, 54}, {60, 61, 62, 63}}, /* cold boxed contact */
    {{64, 64, 65, 66}, {60, 61, 62, 63}}, /* cold boxed faced */
    {{64, 64, 65, 66}, {60, 61, 62, 63}}, /* cold boxed loose */
    {{64, 64, 65, 66}, {60, 61, 62, 63}}, /* cold boxed packed */
    {{64, 64, 65, 66}, {60, 61, 62, 63}}, /* cold boxed jammed */
    {{51, 52, 53, 54}, {67, 68, 69, 70}}, /* cold boxed tridiagonal */
    {{51, 52, 53, 54}, {71, 61, 62, 58}}, /* cold boxed mmatrix */
    {{59, 52, 53, 54}, {60, 61, 62, 63}}, /* cold boxed sparse */
    {{64, 64, 65, 66}, {72, 73, 74, 75}}, /* cold boxed dense */
    {{64, 64, 65, 66}, {60, 61, 62, 63}}, /* cold boxed hidden */
   },
   {
    {{76, 77, 78, 79}, {76, 77, 78, 79}}, /* cold findex stencil */
    {{80, 81, 82, 83}, {80, 81, 82, 83}}, /* cold findex contact */
    {{80, 81, 82, 83}, {80, 81, 82, 83}}, /* cold findex faced */
    {{84, 85, 86, 87}, {84, 85, 86, 87}}, /* cold findex loose */
    {{84, 85, 86, 87}, {84, 85, 86, 87}}, /* cold findex packed */
    {{88, 89, 90, 91}, {88, 89, 90, 91}}, /* cold findex jammed */
    {{76, 77, 92, 79}, {76, 77, 92, 79}}, /* cold findex tridiagonal */
    {{76, 77, 78, 79}, {76, 77, 78, 79}}, /* cold findex mmatrix */
    {{76, 77, 78, 79}, {76, 77, 78, 79}}, /* cold findex sparse */
    {{93, 94, 95, 93}, {93, 94, 95, 93}}, /* cold findex dense */
    {{76, 77, 78, 79}, {76, 77, 78, 79}}, /* cold findex hidden */
   },
   {
    {{96, 97, 98, 96}, {96, 97, 98, 96}}, /* cold cone stencil */
    {{96, 97, 98, 96}, {96, 97, 98, 96}}, /* cold cone contact */
    {{99, 100, 101, 99}, {99, 100, 101, 99}}, /* cold cone faced */
    {{102, 103, 101, 102}, {102, 103, 101, 102}}, /* cold cone loose */
    {{102, 103, 101, 102}, {102, 103, 101, 102}}, /* cold cone packed */
    {{99, 100, 101, 99}, {99, 100, 101, 99}}, /* cold cone jammed */
    {{96, 97, 98, 96}, {96, 97, 98, 96}}, /* cold cone tridiagonal */
    {{96, 97, 98, 96}, {96, 97, 98, 96}}, /* cold cone mmatrix */
    {{96, 97, 98, 96}, {96, 97, 98, 96}}, /* cold cone sparse */
    {{104, 105, 106, 104}, {104, 105, 106, 104}}, /* cold cone dense */
    {{96, 97, 98, 96}, {96, 97, 98, 96}}, /* cold cone hidden */
   },
  },
  {
   {
    {{107, 107, 107, 107}, {108, 109, 110, 108}}, /* warm lcp stencil */
    {{111, 111, 111, 111}, {112, 113, 110, 112}}, /* warm lcp contact */
    {{114, 114, 114, 114}, {115, 113, 110, 115}}, /* warm lcp faced */
    {{11, 11, 12, 13}, {14, 9, 9, 15}}, /* warm lcp loose */
    {{11, 11, 12, 13}, {14, 9, 9, 15}}, /* warm lcp packed */
    {{11, 11, 12, 13}, {14, 9, 9, 15}}, /* warm lcp jammed */
    {{116, 117, 117, 116}, {108, 118, 110, 108}}, /* warm lcp tridiagonal */
    {{107, 107, 107, 107}, {108, 109, 110, 108}}, /* warm lcp mmatrix */
    {{111, 111, 111, 111}, {108, 109, 110, 108}}, /* warm lcp sparse */
    {{114, 114, 114, 114}, {119, 119, 110, 119}}, /* warm lcp dense */
    {{11, 11, 12, 13}, {20, 9, 9, 22}}, /* warm lcp hidden */
   },
   {
    {{120, 120, 120, 120}, {121, 122, 123, 121}}, /* warm mixed stencil */
    {{124, 124, 124, 124}, {125, 126, 123, 125}}, /* warm mixed contact */
    {{114, 114, 114, 114}, {127, 126, 123, 127}}, /* warm mixed faced */
    {{38, 38, 39, 40}, {41, 32, 33, 42}}, /* warm mixed loose */
    {{38, 38, 39, 40}, {41, 32, 33, 42}}, /* warm mixed packed */
    {{38, 38, 39, 40}, {41, 32, 33, 42}}, /* warm mixed jammed */
    {{120, 120, 120, 120}, {128, 129, 123, 128}}, /* warm mixed tridiagonal */
    {{120, 120, 120, 120}, {128, 122, 123, 128}}, /* warm mixed mmatrix */
    {{124, 124, 124, 124}, {128, 122, 123, 128}}, /* warm mixed sparse */
    {{114, 114, 114, 114}, {119, 119, 123, 119}}, /* warm mixed dense */
    {{38, 38, 39, 40}, {43, 32, 33, 37}}, /* warm mixed hidden */
   },
   {
    {{130, 130, 130, 130}, {131, 132, 133, 131}}, /* warm boxed stencil */
    {{59, 52, 53, 54}, {60, 61, 62, 63}}, /* warm boxed contact */
    {{64, 64, 65, 66}, {60, 61, 62, 63}}, /* warm boxed faced */
    {{64, 64, 65, 66}, {60, 61, 62, 63}}, /* warm boxed loose */
    {{64, 64, 65, 66}, {60, 61, 62, 63}}, /* warm boxed packed */
    {{64, 64, 65, 66}, {60, 61, 62, 63}}, /* warm boxed jammed */
    {{130, 130, 130, 130}, {131, 134, 133, 131}}, /* warm boxed tridiagonal */
    {{130, 130, 130, 130}, {131, 132, 133, 131}}, /* warm boxed mmatrix */
    {{135, 135, 135, 135}, {131, 132, 133, 131}}, /* warm boxed sparse */
    {{114, 114, 114, 114}, {119, 119, 136, 119}}, /* warm boxed dense */
    {{64, 64, 65, 66}, {60, 61, 62, 63}}, /* warm boxed hidden */
   },
   {
    {{76, 77, 78, 79}, {76, 77, 78, 79}}, /* warm findex stencil */
    {{80, 81, 82, 83}, {80, 81, 82, 83}}, /* warm findex contact */
    {{137, 137, 137, 137}, {137, 137, 137, 137}}, /* warm findex faced */
    {{138, 138, 138, 138}, {138, 138, 138, 138}}, /* warm findex loose */
    {{138, 138, 138, 138}, {138, 138, 138, 138}}, /* warm findex packed */
    {{139, 139, 139, 139}, {139, 139, 139, 139}}, /* warm findex jammed */
    {{76, 77, 92, 79}, {76, 77, 92, 79}}, /* warm findex tridiagonal */
    {{76, 77, 78, 79}, {76, 77, 78, 79}}, /* warm findex mmatrix */
    {{140, 140, 140, 140}, {140, 140, 140, 140}}, /* warm findex sparse */
    {{93, 93, 93, 93}, {93, 93, 93, 93}}, /* warm findex dense */
    {{76, 77, 78, 79}, {76, 77, 78, 79}}, /* warm findex hidden */
   },
   {
    {{96, 97, 98, 96}, {96, 97, 98, 96}}, /* warm cone stencil */
    {{96, 97, 98, 96}, {96, 97, 98, 96}}, /* warm cone contact */
    {{99, 100, 101, 99}, {99, 100, 101, 99}}, /* warm cone faced */
    {{141, 141, 141, 141}, {141, 141, 141, 141}}, /* warm cone loose */
    {{141, 141, 141, 141}, {141, 141, 141, 141}}, /* warm cone packed */
    {{141, 141, 141, 141}, {141, 141, 141, 141}}, /* warm cone jammed */
    {{96, 97, 98, 96}, {96, 97, 98, 96}}, /* warm cone tridiagonal */
    {{96, 97, 98, 96}, {96, 97, 98, 96}}, /* warm cone mmatrix */
    {{142, 142, 142, 142}, {142, 142, 142, 142}}, /* warm cone sparse */
    {{141, 141, 141, 141}, {141, 141, 141, 141}}, /* warm cone dense */
    {{96, 97, 98, 96}, {96, 97, 98, 96}}, /* warm cone hidden */
   },
  },
};
/* clang-format on */
