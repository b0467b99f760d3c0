/* table.c: the ladders of auto, written by tools/write-auto from measured.csv */
#include "method/auto/inspect.h"

extern const perp_method perp_method_admm, perp_method_alm, perp_method_apgd, perp_method_baraff,
    perp_method_bgs, perp_method_blockpivot, perp_method_coloured, perp_method_dantzig,
    perp_method_gpcg, perp_method_ipm, perp_method_kz, perp_method_lemke, perp_method_mg,
    perp_method_minmap, perp_method_nncg, perp_method_pgs, perp_method_pgssm, perp_method_prox,
    perp_method_psor, perp_method_spg, perp_method_spsor, perp_method_ssn;

/* clang-format off */
const perp_ladder perp_ladders[] = {
    /* 0: cold lcp stencil symmetric plain 100 and 63 more; 405 problems */
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
    /* 8: cold lcp tridiagonal unsymmetric plain 320 and 55 more; 153 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 9: cold lcp tridiagonal unsymmetric fair 32 and 66 more; 198 problems */
    {{{&perp_method_pgs, 32}}},
    /* 10: cold lcp tridiagonal symmetric fair 320 and 5 more; 9 problems */
    {{{&perp_method_gpcg, 32}}},
    /* 11: cold lcp tridiagonal symmetric fair 10000 and 42 more; 75 problems */
    {{{&perp_method_kz, 32}}},
    /* 12: cold lcp mmatrix unsymmetric plain 320 and 24 more; 35 problems */
    {{{&perp_method_spsor, 32}}},
    /* 13: cold lcp mmatrix unsymmetric plain 1000 and 14 more; 34 problems */
    {{{&perp_method_psor, 32}}},
    /* 14: cold lcp mmatrix unsymmetric plain 100000; 2 problems */
    {{{&perp_method_pgs, 36}}},
    /* 15: cold lcp mmatrix unsymmetric fair 10000 and 7 more; 12 problems */
    {{{&perp_method_spg, 32}}},
    /* 16: cold lcp mmatrix unsymmetric fair 100000; 2 problems */
    {{{&perp_method_psor, 184}}},
    /* 17: cold lcp sparse unsymmetric holes 32 and 9 more; 52 problems */
    {{{&perp_method_lemke, 5760}}},
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
    /* 25: cold mixed mmatrix unsymmetric plain 32 and 4 more; 10 problems */
    {{{&perp_method_psor, 36}}},
    /* 26: cold mixed sparse symmetric plain 10000; 13 problems */
    {{{&perp_method_pgssm, 172}}},
    /* 27: cold mixed dense unsymmetric plain 100 and 3 more; 18 problems */
    {{{&perp_method_lemke, 3696}}},
    /* 28: cold boxed stencil symmetric plain 100; 2 problems */
    {{{&perp_method_coloured, 120}}},
    /* 29: cold boxed sparse symmetric fair 10000; 2 problems */
    {{{&perp_method_ssn, 32}}},
    /* 30: cold boxed dense unsymmetric plain 3 and 14 more; 76 problems */
    {{{&perp_method_blockpivot, 32},
      {&perp_method_ipm, 32}}},
    /* 31: cold boxed dense unsymmetric plain 320; 2 problems */
    {{{&perp_method_ipm, 36}}},
    /* 32: cold boxed dense unsymmetric plain 1000; 5 problems */
    {{{&perp_method_prox, 1420}}},
    /* 33: cold boxed dense symmetric plain 3; 7 problems */
    {{{&perp_method_pgs, 32},
      {&perp_method_blockpivot, 32}}},
    /* 34: cold findex faced symmetric plain 320; 19 problems */
    {{{&perp_method_alm, 180},
      {&perp_method_dantzig, 32}}},
    /* 35: cold findex faced symmetric plain 1000 and 2 more; 24 problems */
    {{{&perp_method_ipm, 136},
      {&perp_method_dantzig, 92}}},
    /* 36: cold findex loose symmetric plain 1000 and 2 more; 28 problems */
    {{{&perp_method_psor, 576},
      {&perp_method_dantzig, 32},
      {&perp_method_ipm, 140}}},
    /* 37: cold findex packed symmetric plain 320; 13 problems */
    {{{&perp_method_coloured, 916},
      {&perp_method_alm, 56}}},
    /* 38: cold findex packed symmetric plain 1000; 10 problems */
    {{{&perp_method_coloured, 1300}}},
    /* 39: cold findex packed symmetric plain 10000; 7 problems */
    {{{&perp_method_nncg, 576},
      {&perp_method_coloured, 8104}}},
    /* 40: cold findex jammed symmetric plain 1000; 4 problems */
    {{{&perp_method_pgs, 2072}}},
    /* 41: cold findex jammed symmetric plain 10000 and 1 more; 33 problems */
    {{{&perp_method_nncg, 29304},
      {&perp_method_ipm, 108},
      {&perp_method_coloured, 26504},
      {&perp_method_dantzig, 92}}},
    /* 42: cold findex sparse symmetric fair 320; 4 problems */
    {{{&perp_method_pgs, 40}}},
    /* 43: cold findex sparse symmetric strong 32 and 5 more; 85 problems */
    {{{&perp_method_pgs, 44}}},
    /* 44: cold cone loose symmetric plain 32 and 6 more; 50 problems */
    {{{&perp_method_ssn, 60},
      {&perp_method_ipm, 104}}},
    /* 45: cold cone loose symmetric plain 320 and 1 more; 17 problems */
    {{{&perp_method_nncg, 324},
      {&perp_method_ipm, 64}}},
    /* 46: cold cone packed symmetric plain 1000 and 1 more; 44 problems */
    {{{&perp_method_nncg, 512},
      {&perp_method_ipm, 80}}},
    /* 47: cold cone packed symmetric plain 10000 and 4 more; 46 problems */
    {{{&perp_method_ipm, 96},
      {&perp_method_ssn, 580}}},
    /* 48: cold cone jammed symmetric plain 100; 2 problems */
    {{{&perp_method_nncg, 916}}},
    /* 49: cold cone tridiagonal symmetric strong 3 and 11 more; 40 problems */
    {{{&perp_method_bgs, 32}}},
    /* 50: cold cone sparse symmetric plain 10000; 15 problems */
    {{{&perp_method_nncg, 3304},
      {&perp_method_bgs, 1640},
      {&perp_method_ssn, 556}}},
    /* 51: warm lcp stencil symmetric plain 320 and 8 more; 39 problems */
    {{{&perp_method_kz, 32},
      {&perp_method_baraff, 32}}},
    /* 52: warm lcp faced symmetric plain 320 and 2 more; 6 problems */
    {{{&perp_method_apgd, 32},
      {&perp_method_nncg, 288},
      {&perp_method_dantzig, 32}}},
    /* 53: warm mixed mmatrix unsymmetric plain 100 and 3 more; 4 problems */
    {{{&perp_method_psor, 44}}},
    /* 54: warm findex faced symmetric plain 320 and 2 more; 22 problems */
    {{{&perp_method_alm, 656}}},
    /* 55: warm findex loose symmetric plain 1000 and 2 more; 9 problems */
    {{{&perp_method_coloured, 1460}}},
    /* 56: warm findex packed symmetric plain 320; 10 problems */
    {{{&perp_method_coloured, 816},
      {&perp_method_alm, 56}}},
    /* 57: warm findex jammed symmetric plain 320 and 2 more; 11 problems */
    {{{&perp_method_psor, 40000}}},
    /* 58: warm findex sparse symmetric plain 1000; 13 problems */
    {{{&perp_method_psor, 32},
      {&perp_method_dantzig, 32}}},
    /* 59: warm findex sparse symmetric plain 10000; 9 problems */
    {{{&perp_method_ssn, 276},
      {&perp_method_psor, 3304}}},
    /* 60: warm cone loose symmetric plain 32 and 14 more; 104 problems */
    {{{&perp_method_ssn, 176}}},
    /* 61: warm cone sparse symmetric plain 100; 2 problems */
    {{{&perp_method_nncg, 288}}},
};

const short perp_ladders_by_size[][PERP_SIZES] = {
    {2, 2, 9, 9, 12, 13, 13, 14, 14}, /* 0 */
    {2, 2, 9, 12, 12, 13, 15, 16, 16}, /* 1 */
    {2, 2, 9, 9, 9, 13, 15, 16, 16}, /* 2 */
    {2, 2, 17, 17, 17, 17, 13, 14, 14}, /* 3 */
    {2, 2, 2, 0, 0, 1, 1, 1, 1}, /* 4 */
    {2, 2, 9, 9, 11, 11, 11, 11, 1}, /* 5 */
    {2, 2, 9, 9, 10, 1, 8, 1, 1}, /* 6 */
    {2, 2, 2, 17, 17, 17, 13, 14, 14}, /* 7 */
    {2, 2, 9, 12, 12, 17, 15, 16, 16}, /* 8 */
    {2, 2, 9, 9, 9, 17, 15, 16, 16}, /* 9 */
    {2, 2, 2, 0, 0, 3, 4, 11, 11}, /* 10 */
    {2, 2, 9, 9, 11, 11, 11, 11, 11}, /* 11 */
    {2, 2, 9, 9, 10, 3, 8, 11, 11}, /* 12 */
    {2, 2, 2, 17, 17, 17, 17, 17, 17}, /* 13 */
    {2, 2, 9, 9, 9, 17, 17, 17, 17}, /* 14 */
    {2, 2, 17, 17, 17, 17, 17, 17, 17}, /* 15 */
    {2, 2, 0, 0, 5, 6, 7, 11, 11}, /* 16 */
    {2, 2, 9, 9, 10, 6, 8, 11, 11}, /* 17 */
    {2, 2, 9, 9, 8, 8, 8, 8, 8}, /* 18 */
    {2, 2, 9, 8, 12, 8, 15, 16, 16}, /* 19 */
    {2, 2, 9, 9, 9, 8, 15, 16, 16}, /* 20 */
    {2, 2, 17, 17, 17, 17, 8, 8, 8}, /* 21 */
    {2, 2, 2, 0, 0, 18, 19, 11, 11}, /* 22 */
    {2, 2, 0, 9, 10, 11, 11, 11, 11}, /* 23 */
    {2, 2, 9, 9, 10, 18, 8, 11, 11}, /* 24 */
    {2, 2, 2, 0, 0, 1, 19, 1, 1}, /* 25 */
    {2, 2, 2, 0, 0, 0, 0, 0, 0}, /* 26 */
    {2, 2, 2, 9, 0, 0, 0, 0, 0}, /* 27 */
    {8, 8, 25, 9, 25, 25, 15, 25, 25}, /* 28 */
    {8, 8, 9, 9, 9, 25, 15, 15, 15}, /* 29 */
    {8, 9, 8, 9, 9, 25, 15, 15, 15}, /* 30 */
    {8, 8, 8, 8, 27, 25, 15, 25, 25}, /* 31 */
    {8, 8, 9, 11, 11, 11, 1, 1, 1}, /* 32 */
    {8, 8, 9, 9, 11, 11, 11, 11, 11}, /* 33 */
    {8, 8, 9, 13, 22, 11, 12, 12, 12}, /* 34 */
    {8, 8, 9, 13, 0, 11, 24, 1, 1}, /* 35 */
    {8, 8, 8, 27, 27, 27, 15, 25, 25}, /* 36 */
    {8, 8, 9, 9, 9, 27, 15, 15, 15}, /* 37 */
    {8, 9, 8, 9, 9, 27, 15, 15, 15}, /* 38 */
    {8, 8, 8, 8, 27, 27, 15, 25, 25}, /* 39 */
    {8, 8, 20, 21, 0, 22, 22, 11, 11}, /* 40 */
    {8, 8, 9, 13, 0, 22, 24, 11, 11}, /* 41 */
    {8, 8, 8, 27, 27, 27, 27, 27, 27}, /* 42 */
    {8, 9, 8, 9, 9, 27, 27, 27, 27}, /* 43 */
    {8, 8, 8, 8, 27, 27, 27, 27, 27}, /* 44 */
    {8, 8, 0, 0, 21, 21, 21, 11, 11}, /* 45 */
    {8, 8, 9, 13, 0, 21, 24, 11, 11}, /* 46 */
    {8, 8, 9, 0, 22, 22, 26, 11, 11}, /* 47 */
    {8, 8, 10, 9, 11, 11, 11, 11, 11}, /* 48 */
    {8, 9, 9, 13, 11, 11, 11, 11, 11}, /* 49 */
    {8, 8, 9, 13, 23, 22, 24, 11, 11}, /* 50 */
    {8, 8, 8, 0, 0, 0, 0, 0, 0}, /* 51 */
    {8, 8, 8, 13, 0, 0, 0, 0, 0}, /* 52 */
    {8, 8, 9, 9, 9, 0, 0, 0, 0}, /* 53 */
    {8, 8, 8, 9, 0, 0, 0, 0, 0}, /* 54 */
    {30, 30, 9, 9, 12, 12, 13, 15, 15}, /* 55 */
    {30, 30, 9, 9, 12, 12, 15, 15, 15}, /* 56 */
    {9, 30, 30, 12, 12, 12, 15, 15, 15}, /* 57 */
    {30, 30, 30, 30, 30, 12, 13, 15, 15}, /* 58 */
    {33, 30, 11, 28, 11, 1, 11, 1, 1}, /* 59 */
    {30, 30, 9, 9, 11, 11, 29, 11, 1}, /* 60 */
    {30, 9, 9, 9, 9, 11, 3, 3, 1}, /* 61 */
    {33, 9, 9, 9, 0, 1, 8, 1, 1}, /* 62 */
    {30, 30, 30, 30, 31, 32, 13, 15, 15}, /* 63 */
    {30, 30, 9, 9, 12, 32, 15, 15, 15}, /* 64 */
    {9, 30, 30, 12, 12, 32, 15, 15, 15}, /* 65 */
    {30, 30, 30, 30, 30, 32, 13, 15, 15}, /* 66 */
    {33, 30, 11, 0, 11, 0, 11, 11, 11}, /* 67 */
    {30, 30, 9, 9, 11, 11, 29, 11, 11}, /* 68 */
    {30, 9, 9, 9, 9, 11, 3, 3, 3}, /* 69 */
    {33, 9, 9, 9, 0, 0, 8, 11, 11}, /* 70 */
    {30, 30, 30, 30, 31, 32, 32, 32, 32}, /* 71 */
    {9, 30, 30, 12, 12, 32, 32, 32, 32}, /* 72 */
    {30, 30, 30, 30, 30, 32, 32, 32, 32}, /* 73 */
    {33, 30, 11, 3, 11, 1, 11, 11, 11}, /* 74 */
    {30, 30, 25, 9, 11, 11, 11, 11, 11}, /* 75 */
    {30, 9, 9, 9, 9, 11, 11, 11, 11}, /* 76 */
    {33, 9, 9, 9, 0, 1, 8, 11, 11}, /* 77 */
    {33, 30, 11, 3, 11, 1, 11, 1, 1}, /* 78 */
    {33, 30, 11, 0, 0, 0, 0, 0, 0}, /* 79 */
    {30, 30, 30, 13, 0, 0, 0, 0, 0}, /* 80 */
    {30, 9, 9, 9, 12, 0, 0, 0, 0}, /* 81 */
    {33, 9, 11, 9, 0, 0, 0, 0, 0}, /* 82 */
    {0, 0, 0, 0, 0, 36, 41, 41, 41}, /* 83 */
    {0, 0, 0, 0, 42, 36, 41, 41, 41}, /* 84 */
    {9, 0, 43, 43, 13, 36, 41, 41, 41}, /* 85 */
    {0, 0, 43, 43, 13, 36, 41, 41, 41}, /* 86 */
    {0, 0, 0, 0, 34, 35, 35, 35, 35}, /* 87 */
    {0, 0, 0, 0, 42, 35, 35, 35, 35}, /* 88 */
    {9, 0, 43, 43, 13, 36, 35, 35, 35}, /* 89 */
    {0, 0, 43, 43, 13, 35, 35, 35, 35}, /* 90 */
    {0, 0, 0, 0, 37, 36, 39, 35, 35}, /* 91 */
    {0, 0, 0, 0, 42, 36, 39, 35, 35}, /* 92 */
    {9, 0, 43, 43, 13, 36, 39, 35, 35}, /* 93 */
    {0, 0, 43, 43, 13, 36, 39, 35, 35}, /* 94 */
    {0, 0, 0, 0, 37, 38, 39, 35, 35}, /* 95 */
    {0, 0, 0, 0, 42, 38, 39, 35, 35}, /* 96 */
    {0, 0, 43, 43, 13, 38, 39, 35, 35}, /* 97 */
    {0, 0, 0, 0, 0, 40, 41, 35, 35}, /* 98 */
    {0, 0, 0, 0, 42, 40, 41, 35, 35}, /* 99 */
    {9, 0, 43, 43, 13, 36, 41, 35, 35}, /* 100 */
    {0, 0, 43, 43, 13, 40, 41, 35, 35}, /* 101 */
    {0, 0, 0, 0, 0, 0, 0, 0, 0}, /* 102 */
    {0, 0, 0, 43, 43, 43, 43, 43, 43}, /* 103 */
    {9, 0, 0, 43, 43, 43, 43, 43, 43}, /* 104 */
    {49, 49, 44, 44, 44, 46, 50, 50, 50}, /* 105 */
    {49, 49, 49, 44, 44, 46, 50, 50, 50}, /* 106 */
    {49, 49, 49, 49, 15, 49, 50, 50, 50}, /* 107 */
    {49, 49, 44, 48, 47, 47, 47, 47, 47}, /* 108 */
    {49, 49, 49, 48, 47, 47, 47, 47, 47}, /* 109 */
    {49, 49, 49, 49, 15, 49, 47, 47, 47}, /* 110 */
    {49, 49, 44, 44, 45, 46, 47, 47, 47}, /* 111 */
    {49, 49, 49, 44, 45, 46, 47, 47, 47}, /* 112 */
    {44, 44, 44, 44, 44, 44, 44, 44, 44}, /* 113 */
    {49, 49, 49, 44, 44, 44, 44, 44, 44}, /* 114 */
    {49, 49, 49, 49, 49, 49, 49, 49, 49}, /* 115 */
    {8, 8, 8, 13, 13, 13, 13, 13, 13}, /* 116 */
    {8, 8, 8, 21, 51, 51, 51, 51, 51}, /* 117 */
    {8, 8, 8, 21, 20, 20, 20, 20, 20}, /* 118 */
    {8, 8, 8, 12, 12, 12, 12, 12, 12}, /* 119 */
    {8, 8, 8, 8, 8, 13, 13, 13, 13}, /* 120 */
    {8, 8, 0, 20, 20, 51, 52, 52, 52}, /* 121 */
    {8, 8, 0, 21, 20, 20, 20, 20, 20}, /* 122 */
    {8, 8, 8, 8, 8, 8, 8, 8, 8}, /* 123 */
    {8, 8, 0, 11, 52, 52, 52, 52, 52}, /* 124 */
    {8, 8, 8, 13, 13, 8, 8, 8, 8}, /* 125 */
    {8, 8, 8, 8, 13, 8, 8, 8, 8}, /* 126 */
    {8, 8, 8, 8, 8, 8, 20, 20, 20}, /* 127 */
    {8, 8, 8, 21, 21, 21, 21, 21, 21}, /* 128 */
    {8, 8, 8, 53, 53, 53, 53, 53, 53}, /* 129 */
    {8, 8, 8, 21, 21, 51, 51, 51, 51}, /* 130 */
    {8, 8, 8, 21, 20, 51, 8, 8, 8}, /* 131 */
    {8, 8, 12, 13, 12, 12, 12, 12, 12}, /* 132 */
    {8, 8, 8, 8, 8, 53, 53, 53, 53}, /* 133 */
    {8, 8, 0, 20, 20, 20, 51, 51, 51}, /* 134 */
    {8, 8, 0, 21, 20, 51, 8, 8, 8}, /* 135 */
    {8, 8, 0, 0, 20, 51, 51, 51, 51}, /* 136 */
    {8, 8, 8, 21, 20, 51, 51, 51, 51}, /* 137 */
    {8, 8, 8, 20, 20, 8, 8, 8, 8}, /* 138 */
    {8, 8, 8, 9, 9, 9, 9, 9, 9}, /* 139 */
    {8, 8, 8, 21, 21, 8, 1, 1, 1}, /* 140 */
    {8, 8, 8, 9, 11, 8, 8, 1, 1}, /* 141 */
    {9, 9, 9, 9, 11, 12, 12, 1, 1}, /* 142 */
    {8, 8, 8, 8, 8, 10, 10, 1, 1}, /* 143 */
    {8, 8, 8, 8, 8, 9, 9, 9, 9}, /* 144 */
    {9, 9, 9, 9, 12, 12, 12, 12, 12}, /* 145 */
    {0, 0, 0, 0, 54, 54, 54, 54, 54}, /* 146 */
    {0, 0, 0, 0, 56, 55, 55, 55, 55}, /* 147 */
    {0, 0, 0, 0, 57, 57, 57, 57, 57}, /* 148 */
    {0, 0, 0, 0, 0, 58, 59, 59, 59}, /* 149 */
    {60, 60, 60, 60, 60, 60, 60, 60, 60}, /* 150 */
    {60, 60, 60, 61, 60, 60, 60, 60, 60}, /* 151 */
};

const short perp_ladder_kinds[2][PERP_FORM_CONE + 1][PERP_STRUCTURES][2][PERP_DIAGONALS] = {
  {
   {
    {{0, 1, 2, 3}, {4, 5, 5, 6}}, /* cold lcp stencil */
    {{7, 8, 9, 3}, {10, 11, 11, 12}}, /* cold lcp contact */
    {{13, 13, 14, 15}, {16, 11, 11, 17}}, /* cold lcp faced */
    {{13, 13, 14, 15}, {16, 11, 11, 17}}, /* cold lcp loose */
    {{13, 13, 14, 15}, {16, 11, 11, 17}}, /* cold lcp packed */
    {{13, 13, 14, 15}, {16, 11, 11, 17}}, /* cold lcp jammed */
    {{18, 19, 20, 21}, {22, 23, 11, 24}}, /* cold lcp tridiagonal */
    {{0, 1, 2, 3}, {25, 11, 11, 6}}, /* cold lcp mmatrix */
    {{7, 8, 9, 3}, {22, 11, 11, 24}}, /* cold lcp sparse */
    {{13, 13, 14, 15}, {26, 27, 27, 27}}, /* cold lcp dense */
    {{13, 13, 14, 15}, {22, 11, 11, 24}}, /* cold lcp hidden */
   },
   {
    {{28, 29, 30, 31}, {32, 33, 34, 35}}, /* cold mixed stencil */
    {{36, 37, 38, 39}, {40, 33, 34, 41}}, /* cold mixed contact */
    {{42, 42, 43, 44}, {45, 33, 34, 46}}, /* cold mixed faced */
    {{42, 42, 43, 44}, {45, 33, 34, 46}}, /* cold mixed loose */
    {{42, 42, 43, 44}, {45, 33, 34, 46}}, /* cold mixed packed */
    {{42, 42, 43, 44}, {45, 33, 34, 46}}, /* cold mixed jammed */
    {{28, 29, 30, 31}, {47, 48, 49, 50}}, /* cold mixed tridiagonal */
    {{28, 29, 30, 31}, {47, 33, 34, 41}}, /* cold mixed mmatrix */
    {{36, 37, 38, 39}, {47, 33, 34, 41}}, /* cold mixed sparse */
    {{42, 42, 43, 44}, {51, 52, 53, 54}}, /* cold mixed dense */
    {{42, 42, 43, 44}, {47, 33, 34, 41}}, /* cold mixed hidden */
   },
   {
    {{55, 56, 57, 58}, {59, 60, 61, 62}}, /* cold boxed stencil */
    {{63, 64, 65, 66}, {67, 68, 69, 70}}, /* cold boxed contact */
    {{71, 71, 72, 73}, {67, 68, 69, 70}}, /* cold boxed faced */
    {{71, 71, 72, 73}, {67, 68, 69, 70}}, /* cold boxed loose */
    {{71, 71, 72, 73}, {67, 68, 69, 70}}, /* cold boxed packed */
    {{71, 71, 72, 73}, {67, 68, 69, 70}}, /* cold boxed jammed */
    {{55, 56, 57, 58}, {74, 75, 76, 77}}, /* cold boxed tridiagonal */
    {{55, 56, 57, 58}, {78, 68, 69, 62}}, /* cold boxed mmatrix */
    {{63, 64, 65, 66}, {67, 68, 69, 70}}, /* cold boxed sparse */
    {{71, 71, 72, 73}, {79, 80, 81, 82}}, /* cold boxed dense */
    {{71, 71, 72, 73}, {67, 68, 69, 70}}, /* cold boxed hidden */
   },
   {
    {{83, 84, 85, 86}, {83, 84, 85, 86}}, /* cold findex stencil */
    {{87, 88, 89, 90}, {87, 88, 89, 90}}, /* cold findex contact */
    {{87, 88, 89, 90}, {87, 88, 89, 90}}, /* cold findex faced */
    {{91, 92, 93, 94}, {91, 92, 93, 94}}, /* cold findex loose */
    {{95, 96, 93, 97}, {95, 96, 93, 97}}, /* cold findex packed */
    {{98, 99, 100, 101}, {98, 99, 100, 101}}, /* cold findex jammed */
    {{83, 84, 86, 86}, {83, 84, 86, 86}}, /* cold findex tridiagonal */
    {{83, 84, 85, 86}, {83, 84, 85, 86}}, /* cold findex mmatrix */
    {{83, 84, 85, 86}, {83, 84, 85, 86}}, /* cold findex sparse */
    {{102, 103, 104, 102}, {102, 103, 104, 102}}, /* cold findex dense */
    {{83, 84, 85, 86}, {83, 84, 85, 86}}, /* cold findex hidden */
   },
   {
    {{105, 106, 107, 105}, {105, 106, 107, 105}}, /* cold cone stencil */
    {{105, 106, 107, 105}, {105, 106, 107, 105}}, /* cold cone contact */
    {{108, 109, 110, 108}, {108, 109, 110, 108}}, /* cold cone faced */
    {{111, 112, 110, 111}, {111, 112, 110, 111}}, /* cold cone loose */
    {{111, 112, 110, 111}, {111, 112, 110, 111}}, /* cold cone packed */
    {{108, 109, 110, 108}, {108, 109, 110, 108}}, /* cold cone jammed */
    {{105, 106, 107, 105}, {105, 106, 107, 105}}, /* cold cone tridiagonal */
    {{105, 106, 107, 105}, {105, 106, 107, 105}}, /* cold cone mmatrix */
    {{105, 106, 107, 105}, {105, 106, 107, 105}}, /* cold cone sparse */
    {{113, 114, 115, 113}, {113, 114, 115, 113}}, /* cold cone dense */
    {{105, 106, 107, 105}, {105, 106, 107, 105}}, /* cold cone hidden */
   },
  },
  {
   {
    {{116, 116, 116, 116}, {117, 118, 119, 117}}, /* warm lcp stencil */
    {{120, 120, 120, 120}, {121, 122, 119, 121}}, /* warm lcp contact */
    {{123, 123, 123, 123}, {124, 122, 119, 124}}, /* warm lcp faced */
    {{13, 13, 14, 15}, {16, 11, 11, 17}}, /* warm lcp loose */
    {{13, 13, 14, 15}, {16, 11, 11, 17}}, /* warm lcp packed */
    {{13, 13, 14, 15}, {16, 11, 11, 17}}, /* warm lcp jammed */
    {{125, 126, 126, 125}, {117, 127, 119, 117}}, /* warm lcp tridiagonal */
    {{116, 116, 116, 116}, {117, 118, 119, 117}}, /* warm lcp mmatrix */
    {{120, 120, 120, 120}, {117, 118, 119, 117}}, /* warm lcp sparse */
    {{123, 123, 123, 123}, {128, 128, 119, 128}}, /* warm lcp dense */
    {{13, 13, 14, 15}, {22, 11, 11, 24}}, /* warm lcp hidden */
   },
   {
    {{129, 129, 129, 129}, {130, 131, 132, 130}}, /* warm mixed stencil */
    {{133, 133, 133, 133}, {134, 135, 132, 134}}, /* warm mixed contact */
    {{123, 123, 123, 123}, {136, 135, 132, 136}}, /* warm mixed faced */
    {{42, 42, 43, 44}, {45, 33, 34, 46}}, /* warm mixed loose */
    {{42, 42, 43, 44}, {45, 33, 34, 46}}, /* warm mixed packed */
    {{42, 42, 43, 44}, {45, 33, 34, 46}}, /* warm mixed jammed */
    {{129, 129, 129, 129}, {137, 138, 132, 137}}, /* warm mixed tridiagonal */
    {{129, 129, 129, 129}, {137, 131, 132, 137}}, /* warm mixed mmatrix */
    {{133, 133, 133, 133}, {137, 131, 132, 137}}, /* warm mixed sparse */
    {{123, 123, 123, 123}, {128, 128, 132, 128}}, /* warm mixed dense */
    {{42, 42, 43, 44}, {47, 33, 34, 41}}, /* warm mixed hidden */
   },
   {
    {{139, 139, 139, 139}, {140, 141, 142, 140}}, /* warm boxed stencil */
    {{63, 64, 65, 66}, {67, 68, 69, 70}}, /* warm boxed contact */
    {{71, 71, 72, 73}, {67, 68, 69, 70}}, /* warm boxed faced */
    {{71, 71, 72, 73}, {67, 68, 69, 70}}, /* warm boxed loose */
    {{71, 71, 72, 73}, {67, 68, 69, 70}}, /* warm boxed packed */
    {{71, 71, 72, 73}, {67, 68, 69, 70}}, /* warm boxed jammed */
    {{139, 139, 139, 139}, {140, 143, 142, 140}}, /* warm boxed tridiagonal */
    {{139, 139, 139, 139}, {140, 141, 142, 140}}, /* warm boxed mmatrix */
    {{144, 144, 144, 144}, {140, 141, 142, 140}}, /* warm boxed sparse */
    {{123, 123, 123, 123}, {128, 128, 145, 128}}, /* warm boxed dense */
    {{71, 71, 72, 73}, {67, 68, 69, 70}}, /* warm boxed hidden */
   },
   {
    {{83, 84, 85, 86}, {83, 84, 85, 86}}, /* warm findex stencil */
    {{87, 88, 89, 90}, {87, 88, 89, 90}}, /* warm findex contact */
    {{146, 146, 146, 146}, {146, 146, 146, 146}}, /* warm findex faced */
    {{147, 147, 147, 147}, {147, 147, 147, 147}}, /* warm findex loose */
    {{147, 147, 147, 147}, {147, 147, 147, 147}}, /* warm findex packed */
    {{148, 148, 148, 148}, {148, 148, 148, 148}}, /* warm findex jammed */
    {{83, 84, 86, 86}, {83, 84, 86, 86}}, /* warm findex tridiagonal */
    {{83, 84, 85, 86}, {83, 84, 85, 86}}, /* warm findex mmatrix */
    {{149, 149, 149, 149}, {149, 149, 149, 149}}, /* warm findex sparse */
    {{102, 102, 102, 102}, {102, 102, 102, 102}}, /* warm findex dense */
    {{83, 84, 85, 86}, {83, 84, 85, 86}}, /* warm findex hidden */
   },
   {
    {{105, 106, 107, 105}, {105, 106, 107, 105}}, /* warm cone stencil */
    {{105, 106, 107, 105}, {105, 106, 107, 105}}, /* warm cone contact */
    {{108, 109, 110, 108}, {108, 109, 110, 108}}, /* warm cone faced */
    {{150, 150, 150, 150}, {150, 150, 150, 150}}, /* warm cone loose */
    {{150, 150, 150, 150}, {150, 150, 150, 150}}, /* warm cone packed */
    {{150, 150, 150, 150}, {150, 150, 150, 150}}, /* warm cone jammed */
    {{105, 106, 107, 105}, {105, 106, 107, 105}}, /* warm cone tridiagonal */
    {{105, 106, 107, 105}, {105, 106, 107, 105}}, /* warm cone mmatrix */
    {{151, 151, 151, 151}, {151, 151, 151, 151}}, /* warm cone sparse */
    {{150, 150, 150, 150}, {150, 150, 150, 150}}, /* warm cone dense */
    {{105, 106, 107, 105}, {105, 106, 107, 105}}, /* warm cone hidden */
   },
  },
};
/* clang-format on */
