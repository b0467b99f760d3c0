/* table.c: the ladders of auto, written by tools/write-auto from measured.csv */
#include "method/auto/inspect.h"

extern const perp_method perp_method_admm, perp_method_alm, perp_method_apgd, perp_method_baraff,
    perp_method_bgs, perp_method_blockpivot, perp_method_coloured, perp_method_dantzig,
    perp_method_direct, perp_method_gpcg, perp_method_ipm, perp_method_kz, perp_method_lemke,
    perp_method_mg, perp_method_minmap, perp_method_nncg, perp_method_pgs, perp_method_pgssm,
    perp_method_prox, perp_method_psor, perp_method_spg, perp_method_spsor, perp_method_ssn;

/* clang-format off */
const perp_ladder perp_ladders[] = {
    /* 0: cold lcp stencil symmetric plain 100 and 16 more; 97 problems */
    {{{&perp_method_dantzig, 32}}},
    /* 1: cold lcp stencil symmetric plain 1000 and 5 more; 12 problems */
    {{{&perp_method_mg, 32}}},
    /* 2: cold lcp contact symmetric plain 10; 2 problems */
    {{{&perp_method_spg, 32}}},
    /* 3: cold lcp contact symmetric plain 1000 and 1 more; 6 problems */
    {{{&perp_method_pgssm, 32}}},
    /* 4: cold lcp faced symmetric plain 320; 6 problems */
    {{{&perp_method_psor, 324}}},
    /* 5: cold lcp faced symmetric plain 1000; 3 problems */
    {{{&perp_method_admm, 128},
      {&perp_method_baraff, 32}}},
    /* 6: cold lcp faced symmetric plain 10000; 3 problems */
    {{{&perp_method_ssn, 32},
      {&perp_method_ipm, 72}}},
    /* 7: cold lcp tridiagonal unsymmetric plain 320 and 3 more; 6 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 8: cold lcp tridiagonal unsymmetric fair 32 and 1 more; 3 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 9: cold lcp tridiagonal symmetric fair 32 and 3 more; 9 problems */
    {{{&perp_method_gpcg, 32}}},
    /* 10: cold lcp tridiagonal symmetric fair 320 and 2 more; 5 problems */
    {{{&perp_method_gpcg, 32}}},
    /* 11: cold lcp tridiagonal symmetric fair 10000 and 15 more; 23 problems */
    {{{&perp_method_kz, 32}}},
    /* 12: cold lcp tridiagonal symmetric strong 3 and 5 more; 43 problems */
    {{{&perp_method_direct, 32}}},
    /* 13: cold lcp tridiagonal symmetric strong 10 and 3 more; 7 problems */
    {{{&perp_method_pgs, 32}}},
    /* 14: cold lcp tridiagonal symmetric holes 10000 and 1 more; 3 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 15: cold lcp mmatrix unsymmetric plain 32 and 11 more; 50 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 16: cold lcp mmatrix unsymmetric plain 100 and 4 more; 7 problems */
    {{{&perp_method_spsor, 32}}},
    /* 17: cold lcp mmatrix unsymmetric plain 1000 and 2 more; 5 problems */
    {{{&perp_method_psor, 32},
      {&perp_method_prox, 2192}}},
    /* 18: cold lcp mmatrix unsymmetric plain 100000 and 2 more; 6 problems */
    {{{&perp_method_spg, 76}}},
    /* 19: cold lcp sparse unsymmetric holes 32 and 9 more; 53 problems */
    {{{&perp_method_lemke, 4624}}},
    /* 20: cold lcp sparse symmetric plain 1000; 9 problems */
    {{{&perp_method_ssn, 32},
      {&perp_method_baraff, 32}}},
    /* 21: cold lcp sparse symmetric plain 10000; 6 problems */
    {{{&perp_method_psor, 48},
      {&perp_method_pgssm, 160}}},
    /* 22: cold lcp sparse symmetric fair 10; 2 problems */
    {{{&perp_method_pgs, 32}}},
    /* 23: cold lcp dense unsymmetric strong 100 and 3 more; 6 problems */
    {{{&perp_method_spg, 32}}},
    /* 24: cold mixed stencil symmetric plain 100 and 2 more; 4 problems */
    {{{&perp_method_kz, 32}}},
    /* 25: cold mixed stencil symmetric plain 10000 and 1 more; 4 problems */
    {{{&perp_method_mg, 32}}},
    /* 26: cold mixed contact symmetric plain 10 and 3 more; 13 problems */
    {{{&perp_method_baraff, 32}}},
    /* 27: cold mixed contact symmetric plain 100 and 10 more; 49 problems */
    {{{&perp_method_dantzig, 32}}},
    /* 28: cold mixed contact symmetric plain 1000 and 4 more; 32 problems */
    {{{&perp_method_pgssm, 276}}},
    /* 29: cold mixed faced symmetric plain 320 and 2 more; 5 problems */
    {{{&perp_method_baraff, 32}}},
    /* 30: cold mixed tridiagonal symmetric fair 32 and 2 more; 8 problems */
    {{{&perp_method_gpcg, 32}}},
    /* 31: cold mixed tridiagonal symmetric fair 320 and 11 more; 19 problems */
    {{{&perp_method_kz, 32}}},
    /* 32: cold mixed tridiagonal symmetric strong 10 and 8 more; 11 problems */
    {{{&perp_method_spsor, 32}}},
    /* 33: cold mixed tridiagonal symmetric holes 32 and 1 more; 5 problems */
    {{{&perp_method_baraff, 32}}},
    /* 34: cold mixed tridiagonal symmetric holes 320; 2 problems */
    {{{&perp_method_prox, 32}}},
    /* 35: cold mixed tridiagonal symmetric holes 10000 and 1 more; 3 problems */
    {{{&perp_method_prox, 172}}},
    /* 36: cold mixed mmatrix unsymmetric plain 32 and 13 more; 44 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 37: cold mixed mmatrix unsymmetric plain 100 and 10 more; 15 problems */
    {{{&perp_method_psor, 32},
      {&perp_method_prox, 2608}}},
    /* 38: cold mixed sparse symmetric strong 10000 and 1 more; 2 problems */
    {{{&perp_method_spsor, 32}}},
    /* 39: cold mixed dense unsymmetric plain 100 and 2 more; 11 problems */
    {{{&perp_method_lemke, 196}}},
    /* 40: cold mixed dense unsymmetric strong 3 and 1 more; 4 problems */
    {{{&perp_method_direct, 32}}},
    /* 41: cold boxed stencil symmetric plain 100 and 1 more; 4 problems */
    {{{&perp_method_pgssm, 32}}},
    /* 42: cold boxed stencil symmetric plain 1000 and 1 more; 4 problems */
    {{{&perp_method_mg, 32}}},
    /* 43: cold boxed stencil symmetric plain 100000 and 2 more; 10 problems */
    {{{&perp_method_mg, 32}}},
    /* 44: cold boxed tridiagonal symmetric fair 32 and 2 more; 7 problems */
    {{{&perp_method_dantzig, 32}}},
    /* 45: cold boxed tridiagonal symmetric fair 320 and 11 more; 19 problems */
    {{{&perp_method_kz, 32}}},
    /* 46: cold boxed tridiagonal symmetric strong 10 and 9 more; 12 problems */
    {{{&perp_method_spsor, 32}}},
    /* 47: cold boxed tridiagonal symmetric strong 320 and 1 more; 2 problems */
    {{{&perp_method_pgs, 32}}},
    /* 48: cold boxed tridiagonal symmetric holes 320 and 8 more; 28 problems */
    {{{&perp_method_dantzig, 32}}},
    /* 49: cold boxed tridiagonal symmetric holes 10000 and 1 more; 3 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 50: cold boxed mmatrix unsymmetric plain 32 and 7 more; 11 problems */
    {{{&perp_method_spsor, 32},
      {&perp_method_prox, 2104}}},
    /* 51: cold boxed mmatrix unsymmetric plain 10000 and 3 more; 6 problems */
    {{{&perp_method_spg, 32}}},
    /* 52: cold boxed sparse symmetric fair 32 and 1 more; 3 problems */
    {{{&perp_method_gpcg, 32}}},
    /* 53: cold boxed sparse symmetric strong 10000 and 1 more; 2 problems */
    {{{&perp_method_pgssm, 32}}},
    /* 54: cold boxed dense unsymmetric plain 3 and 1 more; 11 problems */
    {{{&perp_method_direct, 32}}},
    /* 55: cold boxed dense unsymmetric plain 10 and 11 more; 39 problems */
    {{{&perp_method_blockpivot, 32},
      {&perp_method_ipm, 32}}},
    /* 56: cold boxed dense unsymmetric plain 320; 2 problems */
    {{{&perp_method_ipm, 36}}},
    /* 57: cold boxed dense unsymmetric strong 3 and 2 more; 9 problems */
    {{{&perp_method_pgs, 32}}},
    /* 58: cold boxed dense symmetric holes 10; 2 problems */
    {{{&perp_method_baraff, 32}}},
    /* 59: cold findex faced symmetric plain 32 and 11 more; 56 problems */
    {{{&perp_method_dantzig, 32}}},
    /* 60: cold findex faced symmetric plain 320; 14 problems */
    {{{&perp_method_alm, 92}}},
    /* 61: cold findex faced symmetric plain 1000; 6 problems */
    {{{&perp_method_ipm, 32},
      {&perp_method_alm, 644}}},
    /* 62: cold findex faced symmetric plain 10000; 8 problems */
    {{{&perp_method_ipm, 328}}},
    /* 63: cold findex loose symmetric plain 1000 and 2 more; 21 problems */
    {{{&perp_method_coloured, 456},
      {&perp_method_ipm, 104}}},
    /* 64: cold findex packed symmetric plain 10000; 7 problems */
    {{{&perp_method_nncg, 576},
      {&perp_method_coloured, 8104}}},
    /* 65: cold findex jammed symmetric plain 1000 and 1 more; 12 problems */
    {{{&perp_method_nncg, 2940}}},
    /* 66: cold findex tridiagonal symmetric strong 3 and 4 more; 20 problems */
    {{{&perp_method_spsor, 32}}},
    /* 67: cold findex sparse symmetric plain 10 and 3 more; 11 problems */
    {{{&perp_method_pgs, 32}}},
    /* 68: cold findex sparse symmetric plain 1000; 22 problems */
    {{{&perp_method_nncg, 576},
      {&perp_method_dantzig, 32}}},
    /* 69: cold findex sparse symmetric plain 10000; 17 problems */
    {{{&perp_method_nncg, 2940},
      {&perp_method_ipm, 156},
      {&perp_method_coloured, 26504},
      {&perp_method_dantzig, 92}}},
    /* 70: cold findex sparse symmetric strong 320 and 1 more; 4 problems */
    {{{&perp_method_spsor, 32}}},
    /* 71: cold findex dense symmetric fair 3; 5 problems */
    {{{&perp_method_bgs, 32}}},
    /* 72: cold cone loose symmetric plain 32 and 11 more; 93 problems */
    {{{&perp_method_ssn, 124}}},
    /* 73: cold cone packed symmetric plain 1000; 10 problems */
    {{{&perp_method_bgs, 456},
      {&perp_method_ssn, 72}}},
    /* 74: cold cone packed symmetric plain 10000 and 1 more; 13 problems */
    {{{&perp_method_bgs, 1640},
      {&perp_method_spg, 2092},
      {&perp_method_ssn, 532}}},
    /* 75: cold cone jammed symmetric plain 1000; 10 problems */
    {{{&perp_method_bgs, 816},
      {&perp_method_ssn, 72}}},
    /* 76: cold cone tridiagonal symmetric strong 3 and 10 more; 38 problems */
    {{{&perp_method_bgs, 32}}},
    /* 77: cold cone sparse symmetric plain 10000; 10 problems */
    {{{&perp_method_bgs, 1640},
      {&perp_method_ssn, 556}}},
    /* 78: cold cone sparse symmetric strong 320 and 1 more; 4 problems */
    {{{&perp_method_bgs, 32}}},
    /* 79: warm lcp stencil symmetric plain 100 and 2 more; 9 problems */
    {{{&perp_method_baraff, 32}}},
    /* 80: warm lcp stencil symmetric plain 320 and 4 more; 33 problems */
    {{{&perp_method_kz, 32},
      {&perp_method_baraff, 32}}},
    /* 81: warm lcp contact symmetric plain 10; 1 problems */
    {{{&perp_method_spg, 32}}},
    /* 82: warm lcp contact symmetric plain 100 and 2 more; 15 problems */
    {{{&perp_method_minmap, 32}}},
    /* 83: warm lcp faced symmetric plain 32; 3 problems */
    {{{&perp_method_dantzig, 32}}},
    /* 84: warm lcp faced symmetric plain 320 and 2 more; 6 problems */
    {{{&perp_method_apgd, 32},
      {&perp_method_nncg, 288},
      {&perp_method_dantzig, 32}}},
    /* 85: warm lcp tridiagonal unsymmetric plain 1000 and 1 more; 2 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 86: warm lcp tridiagonal unsymmetric fair 100 and 3 more; 4 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 87: warm lcp tridiagonal symmetric fair 10000 and 4 more; 5 problems */
    {{{&perp_method_minmap, 32}}},
    /* 88: warm lcp mmatrix unsymmetric plain 100 and 5 more; 15 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 89: warm lcp mmatrix unsymmetric plain 320 and 2 more; 3 problems */
    {{{&perp_method_ssn, 32}}},
    /* 90: warm lcp sparse symmetric fair 10; 1 problems */
    {{{&perp_method_pgs, 32}}},
    /* 91: warm lcp sparse symmetric strong 100 and 5 more; 8 problems */
    {{{&perp_method_spsor, 32}}},
    /* 92: warm mixed stencil symmetric plain 100 and 6 more; 21 problems */
    {{{&perp_method_baraff, 32}}},
    /* 93: warm mixed contact symmetric plain 10 and 1 more; 2 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 94: warm mixed contact symmetric plain 100 and 8 more; 22 problems */
    {{{&perp_method_minmap, 32}}},
    /* 95: warm mixed contact symmetric plain 10000 and 4 more; 13 problems */
    {{{&perp_method_kz, 32},
      {&perp_method_baraff, 32}}},
    /* 96: warm mixed faced symmetric plain 100; 2 problems */
    {{{&perp_method_kz, 32}}},
    /* 97: warm mixed tridiagonal symmetric fair 1000 and 2 more; 3 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 98: warm mixed mmatrix unsymmetric plain 100 and 3 more; 7 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 99: warm mixed mmatrix unsymmetric plain 320 and 2 more; 3 problems */
    {{{&perp_method_psor, 48}}},
    /* 100: warm mixed sparse symmetric strong 100 and 6 more; 10 problems */
    {{{&perp_method_spsor, 32}}},
    /* 101: warm boxed stencil symmetric plain 1000 and 1 more; 4 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 102: warm boxed stencil symmetric plain 100000 and 1 more; 4 problems */
    {{{&perp_method_mg, 32}}},
    /* 103: warm boxed tridiagonal symmetric fair 100 and 1 more; 2 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 104: warm boxed tridiagonal symmetric fair 1000 and 1 more; 2 problems */
    {{{&perp_method_gpcg, 32}}},
    /* 105: warm boxed mmatrix unsymmetric plain 100 and 3 more; 4 problems */
    {{{&perp_method_ssn, 32}}},
    /* 106: warm boxed sparse symmetric fair 100 and 1 more; 2 problems */
    {{{&perp_method_gpcg, 32}}},
    /* 107: warm boxed sparse symmetric fair 1000 and 1 more; 2 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 108: warm boxed sparse symmetric strong 100 and 1 more; 2 problems */
    {{{&perp_method_kz, 32}}},
    /* 109: warm boxed sparse symmetric strong 1000 and 1 more; 2 problems */
    {{{&perp_method_spsor, 32}}},
    /* 110: warm boxed dense unsymmetric plain 32 and 3 more; 10 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 111: warm boxed dense symmetric plain 100 and 1 more; 8 problems */
    {{{&perp_method_baraff, 32}}},
    /* 112: warm boxed dense symmetric strong 32; 2 problems */
    {{{&perp_method_nncg, 32}}},
    /* 113: warm boxed dense symmetric strong 100 and 1 more; 4 problems */
    {{{&perp_method_spsor, 32}}},
    /* 114: warm findex faced symmetric plain 32 and 9 more; 42 problems */
    {{{&perp_method_dantzig, 32}}},
    /* 115: warm findex faced symmetric plain 320 and 2 more; 18 problems */
    {{{&perp_method_alm, 644}}},
    /* 116: warm findex loose symmetric plain 1000 and 1 more; 7 problems */
    {{{&perp_method_coloured, 648},
      {&perp_method_ipm, 104}}},
    /* 117: warm findex packed symmetric plain 10000 and 3 more; 13 problems */
    {{{&perp_method_psor, 40000}}},
    /* 118: warm findex sparse symmetric plain 10000; 9 problems */
    {{{&perp_method_ssn, 212},
      {&perp_method_psor, 3304}}},
    /* 119: warm cone loose symmetric plain 32 and 14 more; 90 problems */
    {{{&perp_method_ssn, 192}}},
};

const short perp_ladders_by_size[][PERP_SIZES] = {
    {12, 15, 15, 16, 16, 17, 17, 18, 18}, /* 0 */
    {12, 15, 16, 16, 16, 17, 18, 18, 18}, /* 1 */
    {12, 15, 15, 23, 23, 17, 18, 18, 18}, /* 2 */
    {12, 19, 19, 19, 19, 19, 17, 18, 18}, /* 3 */
    {12, 15, 13, 0, 0, 1, 1, 1, 1}, /* 4 */
    {12, 22, 9, 11, 11, 11, 11, 11, 1}, /* 5 */
    {12, 15, 13, 11, 11, 11, 11, 11, 1}, /* 6 */
    {12, 15, 9, 0, 10, 1, 14, 1, 1}, /* 7 */
    {12, 15, 15, 19, 19, 17, 17, 18, 18}, /* 8 */
    {12, 2, 0, 0, 0, 3, 3, 11, 11}, /* 9 */
    {12, 22, 9, 11, 11, 11, 11, 11, 11}, /* 10 */
    {12, 15, 13, 11, 11, 11, 11, 11, 11}, /* 11 */
    {12, 15, 9, 0, 10, 3, 14, 11, 11}, /* 12 */
    {12, 15, 15, 19, 19, 17, 17, 17, 17}, /* 13 */
    {12, 15, 15, 23, 23, 17, 17, 17, 17}, /* 14 */
    {12, 19, 19, 19, 19, 19, 19, 19, 19}, /* 15 */
    {12, 2, 0, 0, 4, 5, 6, 11, 11}, /* 16 */
    {12, 15, 9, 0, 10, 5, 14, 11, 11}, /* 17 */
    {12, 15, 0, 0, 4, 5, 6, 11, 11}, /* 18 */
    {12, 15, 15, 16, 7, 7, 7, 7, 7}, /* 19 */
    {12, 15, 8, 8, 16, 7, 18, 18, 18}, /* 20 */
    {12, 15, 15, 23, 23, 7, 18, 18, 18}, /* 21 */
    {12, 19, 19, 19, 19, 19, 7, 7, 7}, /* 22 */
    {12, 15, 13, 0, 0, 20, 21, 11, 11}, /* 23 */
    {12, 22, 9, 11, 10, 11, 11, 11, 11}, /* 24 */
    {12, 13, 13, 11, 11, 11, 11, 11, 11}, /* 25 */
    {12, 15, 9, 0, 10, 20, 14, 11, 11}, /* 26 */
    {12, 15, 13, 0, 0, 1, 21, 1, 1}, /* 27 */
    {12, 19, 19, 19, 19, 17, 17, 17, 17}, /* 28 */
    {12, 15, 0, 0, 0, 0, 0, 0, 0}, /* 29 */
    {12, 15, 15, 0, 0, 0, 0, 0, 0}, /* 30 */
    {12, 15, 15, 23, 23, 0, 0, 0, 0}, /* 31 */
    {36, 36, 36, 37, 37, 37, 37, 37, 37}, /* 32 */
    {36, 36, 37, 37, 37, 37, 37, 37, 37}, /* 33 */
    {40, 36, 36, 32, 32, 37, 37, 37, 37}, /* 34 */
    {36, 36, 36, 36, 39, 37, 37, 37, 37}, /* 35 */
    {36, 36, 30, 24, 24, 24, 25, 25, 25}, /* 36 */
    {36, 36, 30, 31, 31, 31, 31, 31, 31}, /* 37 */
    {40, 36, 32, 32, 32, 31, 38, 38, 38}, /* 38 */
    {36, 36, 33, 27, 27, 24, 35, 25, 25}, /* 39 */
    {36, 36, 36, 39, 39, 37, 37, 37, 37}, /* 40 */
    {26, 26, 26, 27, 27, 28, 28, 31, 31}, /* 41 */
    {36, 36, 33, 27, 27, 28, 35, 31, 31}, /* 42 */
    {26, 26, 26, 27, 29, 29, 29, 31, 31}, /* 43 */
    {36, 36, 33, 27, 27, 29, 35, 31, 31}, /* 44 */
    {36, 36, 26, 27, 29, 29, 29, 31, 31}, /* 45 */
    {36, 36, 30, 27, 28, 28, 28, 31, 31}, /* 46 */
    {40, 32, 32, 32, 31, 31, 31, 31, 31}, /* 47 */
    {36, 36, 33, 27, 34, 28, 35, 31, 31}, /* 48 */
    {36, 36, 26, 27, 27, 27, 27, 27, 27}, /* 49 */
    {36, 36, 36, 27, 27, 27, 27, 27, 27}, /* 50 */
    {40, 36, 36, 32, 32, 27, 27, 27, 27}, /* 51 */
    {54, 55, 50, 50, 50, 50, 51, 51, 51}, /* 52 */
    {57, 55, 46, 46, 46, 50, 51, 51, 51}, /* 53 */
    {54, 55, 55, 55, 55, 50, 51, 51, 51}, /* 54 */
    {54, 55, 48, 41, 45, 42, 45, 43, 43}, /* 55 */
    {57, 55, 52, 52, 45, 45, 45, 45, 43}, /* 56 */
    {57, 55, 46, 46, 47, 45, 53, 53, 43}, /* 57 */
    {54, 58, 44, 48, 48, 42, 49, 43, 43}, /* 58 */
    {54, 55, 55, 55, 56, 50, 51, 51, 51}, /* 59 */
    {54, 55, 48, 48, 45, 48, 45, 45, 45}, /* 60 */
    {57, 55, 52, 52, 45, 45, 45, 45, 45}, /* 61 */
    {57, 55, 46, 46, 47, 45, 53, 53, 53}, /* 62 */
    {54, 58, 44, 48, 48, 48, 49, 45, 45}, /* 63 */
    {54, 55, 55, 55, 56, 50, 50, 50, 50}, /* 64 */
    {57, 55, 46, 46, 46, 50, 50, 50, 50}, /* 65 */
    {54, 55, 55, 55, 55, 50, 50, 50, 50}, /* 66 */
    {54, 55, 48, 41, 45, 42, 45, 45, 45}, /* 67 */
    {57, 55, 44, 52, 45, 45, 45, 45, 45}, /* 68 */
    {57, 46, 46, 46, 47, 45, 45, 45, 45}, /* 69 */
    {54, 58, 44, 48, 48, 42, 49, 45, 45}, /* 70 */
    {54, 55, 48, 48, 48, 48, 48, 48, 48}, /* 71 */
    {57, 55, 55, 48, 48, 48, 48, 48, 48}, /* 72 */
    {57, 55, 46, 46, 46, 48, 48, 48, 48}, /* 73 */
    {54, 58, 48, 48, 48, 48, 48, 48, 48}, /* 74 */
    {67, 67, 59, 59, 59, 68, 69, 69, 69}, /* 75 */
    {71, 67, 59, 59, 59, 68, 69, 69, 69}, /* 76 */
    {66, 67, 66, 66, 70, 70, 69, 69, 69}, /* 77 */
    {67, 67, 59, 59, 60, 61, 62, 62, 62}, /* 78 */
    {71, 67, 59, 59, 60, 61, 62, 62, 62}, /* 79 */
    {66, 67, 66, 66, 70, 70, 62, 62, 62}, /* 80 */
    {67, 67, 59, 59, 63, 63, 64, 64, 64}, /* 81 */
    {71, 67, 59, 59, 63, 63, 64, 64, 64}, /* 82 */
    {66, 67, 66, 66, 70, 70, 64, 64, 64}, /* 83 */
    {67, 67, 59, 59, 59, 65, 65, 65, 65}, /* 84 */
    {71, 67, 59, 59, 59, 65, 65, 65, 65}, /* 85 */
    {66, 67, 66, 66, 70, 70, 65, 65, 65}, /* 86 */
    {59, 59, 59, 59, 59, 59, 59, 59, 59}, /* 87 */
    {71, 67, 59, 59, 59, 59, 59, 59, 59}, /* 88 */
    {66, 66, 66, 66, 66, 66, 66, 66, 66}, /* 89 */
    {76, 76, 72, 72, 72, 72, 77, 77, 77}, /* 90 */
    {76, 76, 76, 72, 72, 72, 77, 77, 77}, /* 91 */
    {76, 76, 76, 76, 78, 78, 77, 77, 77}, /* 92 */
    {76, 76, 72, 72, 72, 75, 74, 74, 74}, /* 93 */
    {76, 76, 76, 72, 72, 75, 74, 74, 74}, /* 94 */
    {76, 76, 76, 76, 78, 78, 74, 74, 74}, /* 95 */
    {76, 76, 72, 72, 72, 73, 74, 74, 74}, /* 96 */
    {76, 76, 76, 72, 72, 73, 74, 74, 74}, /* 97 */
    {72, 72, 72, 72, 72, 72, 72, 72, 72}, /* 98 */
    {76, 76, 76, 72, 72, 72, 72, 72, 72}, /* 99 */
    {76, 76, 76, 76, 76, 76, 76, 76, 76}, /* 100 */
    {88, 88, 88, 88, 89, 89, 89, 89, 89}, /* 101 */
    {88, 88, 88, 79, 80, 80, 80, 80, 80}, /* 102 */
    {90, 90, 88, 87, 87, 87, 87, 87, 87}, /* 103 */
    {90, 90, 88, 91, 91, 91, 91, 91, 91}, /* 104 */
    {88, 88, 88, 88, 88, 89, 89, 89, 89}, /* 105 */
    {81, 81, 83, 82, 82, 80, 84, 84, 84}, /* 106 */
    {90, 90, 83, 87, 87, 87, 87, 87, 87}, /* 107 */
    {88, 88, 88, 88, 88, 88, 88, 88, 88}, /* 108 */
    {81, 81, 83, 82, 84, 84, 84, 84, 84}, /* 109 */
    {88, 88, 88, 88, 89, 85, 85, 85, 85}, /* 110 */
    {88, 88, 88, 86, 89, 85, 85, 85, 85}, /* 111 */
    {88, 88, 88, 80, 80, 80, 80, 80, 80}, /* 112 */
    {90, 90, 88, 86, 86, 86, 87, 87, 87}, /* 113 */
    {81, 81, 88, 80, 80, 80, 80, 80, 80}, /* 114 */
    {88, 88, 88, 79, 79, 79, 79, 79, 79}, /* 115 */
    {88, 88, 88, 91, 91, 91, 91, 91, 91}, /* 116 */
    {98, 98, 98, 98, 99, 99, 99, 99, 99}, /* 117 */
    {93, 93, 92, 92, 92, 95, 95, 95, 95}, /* 118 */
    {93, 93, 92, 94, 94, 95, 97, 97, 97}, /* 119 */
    {93, 93, 100, 100, 100, 100, 100, 100, 100}, /* 120 */
    {98, 98, 98, 98, 98, 99, 99, 99, 99}, /* 121 */
    {93, 93, 92, 94, 94, 94, 95, 95, 95}, /* 122 */
    {98, 98, 98, 98, 98, 98, 98, 98, 98}, /* 123 */
    {93, 93, 92, 96, 94, 95, 95, 95, 95}, /* 124 */
    {93, 93, 92, 92, 94, 95, 95, 95, 95}, /* 125 */
    {93, 93, 92, 94, 94, 97, 97, 97, 97}, /* 126 */
    {93, 93, 92, 92, 92, 92, 92, 92, 92}, /* 127 */
    {110, 110, 110, 105, 105, 105, 105, 105, 105}, /* 128 */
    {110, 110, 110, 111, 111, 101, 102, 102, 102}, /* 129 */
    {110, 110, 110, 106, 106, 107, 107, 102, 102}, /* 130 */
    {112, 112, 112, 108, 108, 109, 109, 102, 102}, /* 131 */
    {110, 110, 110, 103, 103, 104, 104, 102, 102}, /* 132 */
    {110, 110, 110, 110, 110, 105, 105, 105, 105}, /* 133 */
    {110, 110, 110, 110, 110, 110, 110, 110, 110}, /* 134 */
    {110, 110, 110, 111, 111, 111, 111, 111, 111}, /* 135 */
    {112, 112, 112, 113, 113, 113, 113, 113, 113}, /* 136 */
    {114, 114, 114, 114, 115, 115, 115, 115, 115}, /* 137 */
    {114, 114, 114, 114, 114, 116, 117, 117, 117}, /* 138 */
    {114, 114, 114, 114, 117, 117, 117, 117, 117}, /* 139 */
    {114, 114, 114, 114, 114, 114, 118, 118, 118}, /* 140 */
    {114, 114, 114, 114, 114, 114, 114, 114, 114}, /* 141 */
    {119, 119, 119, 119, 119, 119, 119, 119, 119}, /* 142 */
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
    {{110, 111, 111, 110}, {112, 113, 104, 112}}, /* warm lcp tridiagonal */
    {{101, 101, 101, 101}, {112, 103, 104, 112}}, /* warm lcp mmatrix */
    {{105, 105, 105, 105}, {114, 103, 104, 114}}, /* warm lcp sparse */
    {{108, 108, 108, 108}, {115, 115, 116, 115}}, /* warm lcp dense */
    {{13, 13, 14, 15}, {23, 10, 11, 26}}, /* warm lcp hidden */
   },
   {
    {{117, 117, 117, 117}, {118, 119, 120, 118}}, /* warm mixed stencil */
    {{121, 121, 121, 121}, {122, 119, 120, 122}}, /* warm mixed contact */
    {{123, 123, 123, 123}, {124, 119, 120, 124}}, /* warm mixed faced */
    {{40, 40, 34, 35}, {45, 37, 38, 44}}, /* warm mixed loose */
    {{40, 40, 34, 35}, {45, 37, 38, 44}}, /* warm mixed packed */
    {{40, 40, 34, 35}, {45, 37, 38, 44}}, /* warm mixed jammed */
    {{117, 117, 117, 117}, {125, 126, 120, 125}}, /* warm mixed tridiagonal */
    {{117, 117, 117, 117}, {125, 119, 120, 125}}, /* warm mixed mmatrix */
    {{121, 121, 121, 121}, {125, 119, 120, 125}}, /* warm mixed sparse */
    {{123, 123, 123, 123}, {127, 127, 120, 127}}, /* warm mixed dense */
    {{40, 40, 34, 35}, {46, 37, 38, 42}}, /* warm mixed hidden */
   },
   {
    {{128, 128, 128, 128}, {129, 130, 131, 129}}, /* warm boxed stencil */
    {{59, 52, 53, 54}, {60, 61, 62, 63}}, /* warm boxed contact */
    {{64, 64, 65, 66}, {60, 61, 62, 63}}, /* warm boxed faced */
    {{64, 64, 65, 66}, {60, 61, 62, 63}}, /* warm boxed loose */
    {{64, 64, 65, 66}, {60, 61, 62, 63}}, /* warm boxed packed */
    {{64, 64, 65, 66}, {60, 61, 62, 63}}, /* warm boxed jammed */
    {{128, 128, 128, 128}, {129, 132, 131, 129}}, /* warm boxed tridiagonal */
    {{128, 128, 128, 128}, {129, 130, 131, 129}}, /* warm boxed mmatrix */
    {{133, 133, 133, 133}, {129, 130, 131, 129}}, /* warm boxed sparse */
    {{134, 134, 134, 134}, {135, 135, 136, 135}}, /* warm boxed dense */
    {{64, 64, 65, 66}, {60, 61, 62, 63}}, /* warm boxed hidden */
   },
   {
    {{75, 76, 77, 75}, {75, 76, 77, 75}}, /* warm findex stencil */
    {{78, 79, 80, 78}, {78, 79, 80, 78}}, /* warm findex contact */
    {{137, 137, 137, 137}, {137, 137, 137, 137}}, /* warm findex faced */
    {{138, 138, 138, 138}, {138, 138, 138, 138}}, /* warm findex loose */
    {{138, 138, 138, 138}, {138, 138, 138, 138}}, /* warm findex packed */
    {{139, 139, 139, 139}, {139, 139, 139, 139}}, /* warm findex jammed */
    {{75, 76, 77, 75}, {75, 76, 77, 75}}, /* warm findex tridiagonal */
    {{75, 76, 77, 75}, {75, 76, 77, 75}}, /* warm findex mmatrix */
    {{140, 140, 140, 140}, {140, 140, 140, 140}}, /* warm findex sparse */
    {{141, 141, 141, 141}, {141, 141, 141, 141}}, /* warm findex dense */
    {{75, 76, 77, 75}, {75, 76, 77, 75}}, /* warm findex hidden */
   },
   {
    {{90, 91, 92, 90}, {90, 91, 92, 90}}, /* warm cone stencil */
    {{90, 91, 92, 90}, {90, 91, 92, 90}}, /* warm cone contact */
    {{93, 94, 95, 93}, {93, 94, 95, 93}}, /* warm cone faced */
    {{142, 142, 142, 142}, {142, 142, 142, 142}}, /* warm cone loose */
    {{142, 142, 142, 142}, {142, 142, 142, 142}}, /* warm cone packed */
    {{142, 142, 142, 142}, {142, 142, 142, 142}}, /* warm cone jammed */
    {{90, 91, 92, 90}, {90, 91, 92, 90}}, /* warm cone tridiagonal */
    {{90, 91, 92, 90}, {90, 91, 92, 90}}, /* warm cone mmatrix */
    {{142, 142, 142, 142}, {142, 142, 142, 142}}, /* warm cone sparse */
    {{142, 142, 142, 142}, {142, 142, 142, 142}}, /* warm cone dense */
    {{90, 91, 92, 90}, {90, 91, 92, 90}}, /* warm cone hidden */
   },
  },
};
/* clang-format on */
