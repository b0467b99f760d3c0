/* table.c: the ladders of auto, written by tools/write-auto from measured.csv */
#include "method/auto/inspect.h"

extern const perp_method perp_method_alm;
extern const perp_method perp_method_baraff;
extern const perp_method perp_method_bgs;
extern const perp_method perp_method_blockpivot;
extern const perp_method perp_method_coloured;
extern const perp_method perp_method_dantzig;
extern const perp_method perp_method_direct;
extern const perp_method perp_method_gpcg;
extern const perp_method perp_method_homotopy;
extern const perp_method perp_method_ipm;
extern const perp_method perp_method_kz;
extern const perp_method perp_method_lemke;
extern const perp_method perp_method_mg;
extern const perp_method perp_method_nncg;
extern const perp_method perp_method_pgs;
extern const perp_method perp_method_pgssm;
extern const perp_method perp_method_prox;
extern const perp_method perp_method_psor;
extern const perp_method perp_method_spg;
extern const perp_method perp_method_spsor;
extern const perp_method perp_method_ssn;

/* clang-format off */
const perp_ladder perp_ladders[] = {
    /* 0: cold lcp stencil symmetric plain 100 and 9 more; 58 problems */
    {{{&perp_method_dantzig, 32}}},
    /* 1: cold lcp stencil symmetric plain 1000 and 5 more; 13 problems */
    {{{&perp_method_mg, 32}}},
    /* 2: cold lcp contact symmetric plain 10; 2 problems */
    {{{&perp_method_spg, 32}}},
    /* 3: cold lcp contact symmetric plain 32; 7 problems */
    {{{&perp_method_baraff, 32}}},
    /* 4: cold lcp contact symmetric plain 1000; 12 problems */
    {{{&perp_method_psor, 512},
      {&perp_method_baraff, 32}}},
    /* 5: cold lcp contact symmetric plain 10000; 5 problems */
    {{{&perp_method_alm, 184},
      {&perp_method_psor, 3704},
      {&perp_method_homotopy, 212}}},
    /* 6: cold lcp tridiagonal unsymmetric plain 1000 and 2 more; 6 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 7: cold lcp tridiagonal unsymmetric fair 32 and 1 more; 3 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 8: cold lcp tridiagonal symmetric fair 32 and 11 more; 35 problems */
    {{{&perp_method_gpcg, 144},
      {&perp_method_ssn, 2100}}},
    /* 9: cold lcp tridiagonal symmetric fair 10000 and 1 more; 4 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 10: cold lcp tridiagonal symmetric fair 100000; 2 problems */
    {{{&perp_method_coloured, 40}}},
    /* 11: cold lcp tridiagonal symmetric strong 3 and 5 more; 43 problems */
    {{{&perp_method_direct, 32}}},
    /* 12: cold lcp tridiagonal symmetric strong 10 and 3 more; 7 problems */
    {{{&perp_method_pgs, 32}}},
    /* 13: cold lcp tridiagonal symmetric strong 1000 and 7 more; 9 problems */
    {{{&perp_method_spsor, 32}}},
    /* 14: cold lcp mmatrix unsymmetric plain 32 and 11 more; 50 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 15: cold lcp mmatrix unsymmetric plain 100 and 2 more; 3 problems */
    {{{&perp_method_pgs, 32}}},
    /* 16: cold lcp mmatrix unsymmetric plain 1000 and 3 more; 8 problems */
    {{{&perp_method_psor, 52}}},
    /* 17: cold lcp mmatrix unsymmetric plain 100000; 2 problems */
    {{{&perp_method_pgs, 36}}},
    /* 18: cold lcp mmatrix unsymmetric fair 1000; 2 problems */
    {{{&perp_method_spsor, 32}}},
    /* 19: cold lcp sparse unsymmetric holes 32 and 8 more; 53 problems */
    {{{&perp_method_lemke, 5760}}},
    /* 20: cold lcp sparse symmetric plain 10000 and 5 more; 13 problems */
    {{{&perp_method_psor, 32},
      {&perp_method_pgssm, 32},
      {&perp_method_ipm, 72}}},
    /* 21: cold lcp sparse symmetric fair 10; 2 problems */
    {{{&perp_method_pgs, 32}}},
    /* 22: cold lcp sparse symmetric holes 32; 3 problems */
    {{{&perp_method_baraff, 32}}},
    /* 23: cold lcp dense symmetric strong 100; 2 problems */
    {{{&perp_method_pgs, 32}}},
    /* 24: cold mixed stencil symmetric plain 100 and 5 more; 24 problems */
    {{{&perp_method_dantzig, 32},
      {&perp_method_ipm, 32}}},
    /* 25: cold mixed stencil symmetric plain 1000 and 2 more; 6 problems */
    {{{&perp_method_mg, 32}}},
    /* 26: cold mixed contact symmetric plain 10 and 2 more; 13 problems */
    {{{&perp_method_baraff, 32}}},
    /* 27: cold mixed contact symmetric plain 100 and 3 more; 23 problems */
    {{{&perp_method_dantzig, 32},
      {&perp_method_alm, 32}}},
    /* 28: cold mixed contact symmetric plain 10000; 3 problems */
    {{{&perp_method_nncg, 816},
      {&perp_method_ipm, 80}}},
    /* 29: cold mixed tridiagonal symmetric fair 32 and 10 more; 22 problems */
    {{{&perp_method_gpcg, 256}}},
    /* 30: cold mixed tridiagonal symmetric strong 10 and 2 more; 3 problems */
    {{{&perp_method_pgs, 32}}},
    /* 31: cold mixed tridiagonal symmetric strong 1000 and 1 more; 2 problems */
    {{{&perp_method_coloured, 32}}},
    /* 32: cold mixed tridiagonal symmetric strong 100000 and 5 more; 6 problems */
    {{{&perp_method_spsor, 32}}},
    /* 33: cold mixed tridiagonal symmetric holes 32; 2 problems */
    {{{&perp_method_prox, 32}}},
    /* 34: cold mixed tridiagonal symmetric holes 1000 and 1 more; 4 problems */
    {{{&perp_method_prox, 32}}},
    /* 35: cold mixed mmatrix unsymmetric plain 32 and 12 more; 43 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 36: cold mixed mmatrix unsymmetric plain 100 and 3 more; 4 problems */
    {{{&perp_method_spsor, 32}}},
    /* 37: cold mixed mmatrix unsymmetric plain 1000 and 1 more; 4 problems */
    {{{&perp_method_psor, 36}}},
    /* 38: cold mixed mmatrix unsymmetric plain 100000 and 2 more; 4 problems */
    {{{&perp_method_spg, 32}}},
    /* 39: cold mixed sparse symmetric plain 10000; 10 problems */
    {{{&perp_method_pgssm, 492},
      {&perp_method_ipm, 92}}},
    /* 40: cold mixed sparse symmetric holes 32; 3 problems */
    {{{&perp_method_baraff, 32}}},
    /* 41: cold mixed dense unsymmetric plain 100 and 2 more; 10 problems */
    {{{&perp_method_lemke, 84}}},
    /* 42: cold mixed dense unsymmetric strong 3 and 1 more; 4 problems */
    {{{&perp_method_direct, 32}}},
    /* 43: cold mixed dense unsymmetric strong 100 and 1 more; 3 problems */
    {{{&perp_method_spsor, 32}}},
    /* 44: cold mixed dense symmetric strong 100 and 1 more; 3 problems */
    {{{&perp_method_pgs, 32}}},
    /* 45: cold boxed stencil symmetric plain 100; 2 problems */
    {{{&perp_method_coloured, 120}}},
    /* 46: cold boxed stencil symmetric plain 1000 and 1 more; 4 problems */
    {{{&perp_method_mg, 32}}},
    /* 47: cold boxed stencil symmetric plain 100000 and 2 more; 10 problems */
    {{{&perp_method_mg, 32}}},
    /* 48: cold boxed tridiagonal symmetric fair 32 and 2 more; 7 problems */
    {{{&perp_method_dantzig, 32}}},
    /* 49: cold boxed tridiagonal symmetric fair 1000 and 8 more; 16 problems */
    {{{&perp_method_gpcg, 236}}},
    /* 50: cold boxed tridiagonal symmetric strong 10 and 9 more; 10 problems */
    {{{&perp_method_spsor, 32}}},
    /* 51: cold boxed tridiagonal symmetric holes 1000 and 8 more; 28 problems */
    {{{&perp_method_dantzig, 32}}},
    /* 52: cold boxed tridiagonal symmetric holes 10000; 2 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 53: cold boxed mmatrix unsymmetric plain 32; 2 problems */
    {{{&perp_method_spsor, 32}}},
    /* 54: cold boxed mmatrix unsymmetric plain 100 and 2 more; 3 problems */
    {{{&perp_method_pgs, 32}}},
    /* 55: cold boxed mmatrix unsymmetric plain 1000 and 1 more; 3 problems */
    {{{&perp_method_spsor, 32}}},
    /* 56: cold boxed mmatrix unsymmetric plain 10000 and 1 more; 4 problems */
    {{{&perp_method_pgs, 32}}},
    /* 57: cold boxed mmatrix unsymmetric fair 10000 and 1 more; 2 problems */
    {{{&perp_method_spg, 32}}},
    /* 58: cold boxed sparse symmetric plain 1000 and 2 more; 3 problems */
    {{{&perp_method_spg, 64}}},
    /* 59: cold boxed dense unsymmetric plain 3 and 1 more; 11 problems */
    {{{&perp_method_direct, 32}}},
    /* 60: cold boxed dense unsymmetric plain 10 and 10 more; 35 problems */
    {{{&perp_method_blockpivot, 248}}},
    /* 61: cold boxed dense unsymmetric plain 100; 4 problems */
    {{{&perp_method_kz, 32},
      {&perp_method_ipm, 32}}},
    /* 62: cold boxed dense unsymmetric plain 1000; 2 problems */
    {{{&perp_method_prox, 1256}}},
    /* 63: cold boxed dense unsymmetric strong 3 and 2 more; 9 problems */
    {{{&perp_method_pgs, 32}}},
    /* 64: cold boxed dense unsymmetric strong 32 and 3 more; 5 problems */
    {{{&perp_method_pgs, 32}}},
    /* 65: cold boxed dense unsymmetric strong 100 and 1 more; 3 problems */
    {{{&perp_method_spsor, 32}}},
    /* 66: cold boxed dense symmetric holes 10; 2 problems */
    {{{&perp_method_baraff, 32}}},
    /* 67: cold findex loose symmetric plain 32 and 10 more; 34 problems */
    {{{&perp_method_dantzig, 32}}},
    /* 68: cold findex packed symmetric plain 1000; 22 problems */
    {{{&perp_method_coloured, 364},
      {&perp_method_alm, 72},
      {&perp_method_nncg, 5304}}},
    /* 69: cold findex packed symmetric plain 10000 and 1 more; 18 problems */
    {{{&perp_method_nncg, 4504},
      {&perp_method_ipm, 156},
      {&perp_method_ssn, 1244},
      {&perp_method_coloured, 8504}}},
    /* 70: cold findex jammed symmetric plain 1000; 9 problems */
    {{{&perp_method_alm, 84},
      {&perp_method_ipm, 124}}},
    /* 71: cold findex jammed symmetric plain 10000; 12 problems */
    {{{&perp_method_psor, 4104},
      {&perp_method_ipm, 328},
      {&perp_method_nncg, 8504}}},
    /* 72: cold findex tridiagonal symmetric strong 3; 4 problems */
    {{{&perp_method_pgs, 32}}},
    /* 73: cold findex sparse symmetric plain 10 and 2 more; 4 problems */
    {{{&perp_method_psor, 32}}},
    /* 74: cold findex sparse symmetric plain 1000; 35 problems */
    {{{&perp_method_nncg, 512},
      {&perp_method_dantzig, 32}}},
    /* 75: cold findex sparse symmetric strong 1000; 4 problems */
    {{{&perp_method_spsor, 32}}},
    /* 76: cold findex dense symmetric fair 3; 5 problems */
    {{{&perp_method_bgs, 32}}},
    /* 77: cold findex dense symmetric fair 10; 7 problems */
    {{{&perp_method_pgs, 32}}},
    /* 78: cold findex dense symmetric strong 3 and 3 more; 16 problems */
    {{{&perp_method_spsor, 32}}},
    /* 79: cold cone loose symmetric plain 32 and 10 more; 91 problems */
    {{{&perp_method_ssn, 120}}},
    /* 80: cold cone packed symmetric plain 10000 and 2 more; 17 problems */
    {{{&perp_method_bgs, 1640},
      {&perp_method_ssn, 532}}},
    /* 81: cold cone tridiagonal symmetric strong 3 and 10 more; 38 problems */
    {{{&perp_method_bgs, 32}}},
    /* 82: cold cone sparse symmetric strong 1000; 4 problems */
    {{{&perp_method_spg, 32}}},
    /* 83: warm lcp stencil symmetric plain 100 and 6 more; 32 problems */
    {{{&perp_method_baraff, 32}}},
    /* 84: warm lcp contact symmetric plain 10 and 2 more; 13 problems */
    {{{&perp_method_dantzig, 32}}},
    /* 85: warm lcp contact symmetric plain 1000 and 1 more; 16 problems */
    {{{&perp_method_psor, 204},
      {&perp_method_gpcg, 36},
      {&perp_method_baraff, 32}}},
    /* 86: warm lcp tridiagonal unsymmetric plain 1000 and 6 more; 16 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 87: warm lcp tridiagonal unsymmetric fair 100 and 5 more; 6 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 88: warm lcp mmatrix unsymmetric plain 100 and 2 more; 3 problems */
    {{{&perp_method_pgs, 32}}},
    /* 89: warm lcp sparse symmetric fair 10; 1 problems */
    {{{&perp_method_pgs, 32}}},
    /* 90: warm lcp sparse symmetric strong 100 and 4 more; 7 problems */
    {{{&perp_method_spsor, 32}}},
    /* 91: warm mixed stencil symmetric plain 100 and 3 more; 18 problems */
    {{{&perp_method_dantzig, 32}}},
    /* 92: warm mixed stencil symmetric plain 1000 and 7 more; 27 problems */
    {{{&perp_method_baraff, 32}}},
    /* 93: warm mixed contact symmetric plain 10000 and 1 more; 2 problems */
    {{{&perp_method_kz, 32}}},
    /* 94: warm mixed tridiagonal symmetric fair 100 and 5 more; 6 problems */
    {{{&perp_method_gpcg, 32}}},
    /* 95: warm mixed mmatrix unsymmetric plain 100 and 3 more; 7 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 96: warm mixed mmatrix unsymmetric plain 1000 and 1 more; 2 problems */
    {{{&perp_method_spg, 60}}},
    /* 97: warm mixed sparse symmetric strong 100 and 2 more; 3 problems */
    {{{&perp_method_spsor, 32}}},
    /* 98: warm mixed dense symmetric strong 32; 2 problems */
    {{{&perp_method_spsor, 32}}},
    /* 99: warm mixed dense symmetric strong 100 and 1 more; 4 problems */
    {{{&perp_method_gpcg, 32}}},
    /* 100: warm boxed stencil symmetric plain 1000 and 1 more; 4 problems */
    {{{&perp_method_mg, 32}}},
    /* 101: warm boxed stencil symmetric plain 100000 and 1 more; 4 problems */
    {{{&perp_method_mg, 32}}},
    /* 102: warm boxed tridiagonal symmetric fair 100 and 3 more; 4 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 103: warm boxed mmatrix unsymmetric plain 100 and 5 more; 15 problems */
    {{{&perp_method_blockpivot, 32}}},
    /* 104: warm boxed mmatrix unsymmetric plain 1000 and 1 more; 2 problems */
    {{{&perp_method_psor, 32}}},
    /* 105: warm boxed sparse symmetric fair 1000 and 1 more; 2 problems */
    {{{&perp_method_gpcg, 32}}},
    /* 106: warm boxed sparse symmetric strong 100 and 3 more; 5 problems */
    {{{&perp_method_spsor, 32}}},
    /* 107: warm boxed dense symmetric plain 1000; 4 problems */
    {{{&perp_method_baraff, 32}}},
    /* 108: warm boxed dense symmetric strong 32; 2 problems */
    {{{&perp_method_nncg, 32}}},
    /* 109: warm boxed dense symmetric strong 1000; 2 problems */
    {{{&perp_method_nncg, 32}}},
    /* 110: warm findex loose symmetric plain 32 and 6 more; 30 problems */
    {{{&perp_method_dantzig, 32}}},
    /* 111: warm findex loose symmetric plain 1000; 2 problems */
    {{{&perp_method_psor, 256}}},
    /* 112: warm findex packed symmetric plain 100 and 1 more; 3 problems */
    {{{&perp_method_spg, 32},
      {&perp_method_dantzig, 32}}},
    /* 113: warm findex packed symmetric plain 1000; 15 problems */
    {{{&perp_method_alm, 60},
      {&perp_method_nncg, 4904}}},
    /* 114: warm findex packed symmetric plain 10000; 2 problems */
    {{{&perp_method_psor, 1300}}},
    /* 115: warm findex jammed symmetric plain 1000 and 1 more; 15 problems */
    {{{&perp_method_alm, 32},
      {&perp_method_coloured, 1844},
      {&perp_method_ipm, 180},
      {&perp_method_spsor, 10504}}},
    /* 116: warm findex sparse symmetric plain 10000; 5 problems */
    {{{&perp_method_coloured, 4504},
      {&perp_method_ssn, 280}}},
    /* 117: warm cone loose symmetric plain 32 and 10 more; 66 problems */
    {{{&perp_method_ssn, 176},
      {&perp_method_bgs, 3704}}},
    /* 118: warm cone packed symmetric plain 100 and 1 more; 5 problems */
    {{{&perp_method_spg, 32},
      {&perp_method_ssn, 32}}},
};

const short perp_ladders_by_size[][PERP_SIZES] = {
    {11, 14, 14, 15, 16, 16, 17, 17}, /* 0 */
    {11, 14, 15, 15, 18, 16, 16, 16}, /* 1 */
    {11, 14, 14, 13, 13, 16, 16, 16}, /* 2 */
    {11, 19, 19, 19, 19, 8, 17, 17}, /* 3 */
    {11, 14, 12, 0, 1, 1, 1, 1}, /* 4 */
    {11, 21, 8, 8, 8, 20, 20, 1}, /* 5 */
    {11, 14, 12, 13, 13, 20, 20, 1}, /* 6 */
    {11, 14, 22, 0, 8, 8, 1, 1}, /* 7 */
    {11, 14, 14, 19, 19, 16, 17, 17}, /* 8 */
    {11, 2, 3, 0, 4, 5, 20, 20}, /* 9 */
    {11, 21, 8, 8, 8, 20, 20, 20}, /* 10 */
    {11, 14, 12, 13, 13, 20, 20, 20}, /* 11 */
    {11, 14, 22, 0, 8, 8, 20, 20}, /* 12 */
    {11, 14, 14, 19, 19, 19, 19, 19}, /* 13 */
    {11, 14, 14, 13, 13, 13, 13, 13}, /* 14 */
    {11, 19, 19, 19, 19, 8, 8, 8}, /* 15 */
    {11, 14, 12, 0, 8, 20, 20, 20}, /* 16 */
    {11, 14, 14, 15, 6, 6, 6, 6}, /* 17 */
    {11, 14, 7, 7, 18, 16, 16, 16}, /* 18 */
    {11, 19, 19, 19, 19, 8, 6, 6}, /* 19 */
    {11, 21, 8, 8, 8, 9, 10, 10}, /* 20 */
    {11, 12, 12, 13, 13, 13, 13, 13}, /* 21 */
    {11, 14, 8, 0, 8, 9, 20, 20}, /* 22 */
    {11, 14, 12, 0, 1, 20, 1, 1}, /* 23 */
    {11, 19, 19, 19, 19, 19, 19, 19}, /* 24 */
    {11, 14, 0, 0, 0, 0, 0, 0}, /* 25 */
    {11, 14, 14, 0, 0, 0, 0, 0}, /* 26 */
    {11, 14, 14, 23, 13, 13, 13, 13}, /* 27 */
    {35, 35, 35, 36, 37, 37, 38, 38}, /* 28 */
    {35, 35, 36, 36, 36, 38, 38, 38}, /* 29 */
    {42, 35, 35, 43, 43, 38, 38, 38}, /* 30 */
    {35, 35, 35, 41, 41, 37, 38, 38}, /* 31 */
    {35, 35, 29, 24, 25, 25, 25, 25}, /* 32 */
    {35, 35, 29, 29, 29, 29, 29, 29}, /* 33 */
    {42, 35, 30, 32, 32, 32, 32, 32}, /* 34 */
    {35, 35, 40, 24, 24, 29, 25, 25}, /* 35 */
    {35, 35, 35, 41, 37, 37, 38, 38}, /* 36 */
    {26, 26, 26, 27, 27, 28, 32, 32}, /* 37 */
    {35, 35, 40, 24, 24, 29, 32, 32}, /* 38 */
    {35, 35, 35, 41, 41, 41, 41, 41}, /* 39 */
    {42, 35, 35, 43, 43, 43, 43, 43}, /* 40 */
    {35, 35, 29, 24, 24, 39, 32, 32}, /* 41 */
    {42, 30, 30, 32, 31, 31, 32, 32}, /* 42 */
    {35, 35, 33, 24, 34, 34, 32, 32}, /* 43 */
    {35, 35, 26, 27, 27, 27, 27, 27}, /* 44 */
    {35, 35, 35, 27, 27, 27, 27, 27}, /* 45 */
    {42, 35, 35, 44, 44, 44, 44, 44}, /* 46 */
    {35, 35, 26, 24, 24, 24, 24, 24}, /* 47 */
    {59, 60, 53, 54, 55, 56, 56, 56}, /* 48 */
    {59, 60, 54, 54, 55, 57, 57, 57}, /* 49 */
    {63, 60, 64, 65, 65, 57, 57, 57}, /* 50 */
    {59, 60, 60, 60, 60, 56, 56, 56}, /* 51 */
    {59, 60, 51, 45, 46, 58, 47, 47}, /* 52 */
    {63, 60, 49, 49, 49, 49, 49, 47}, /* 53 */
    {63, 60, 50, 50, 50, 50, 50, 47}, /* 54 */
    {59, 66, 48, 51, 51, 49, 47, 47}, /* 55 */
    {59, 60, 60, 61, 62, 56, 56, 56}, /* 56 */
    {59, 60, 51, 51, 58, 58, 58, 58}, /* 57 */
    {63, 60, 49, 49, 49, 49, 49, 49}, /* 58 */
    {63, 60, 50, 50, 50, 50, 50, 50}, /* 59 */
    {59, 66, 48, 51, 51, 49, 58, 58}, /* 60 */
    {59, 60, 60, 61, 62, 62, 62, 62}, /* 61 */
    {63, 60, 64, 65, 65, 65, 65, 65}, /* 62 */
    {59, 60, 60, 60, 60, 60, 60, 60}, /* 63 */
    {63, 60, 48, 49, 49, 49, 49, 49}, /* 64 */
    {63, 50, 50, 50, 50, 50, 50, 50}, /* 65 */
    {59, 66, 48, 51, 51, 52, 58, 58}, /* 66 */
    {59, 60, 51, 51, 46, 58, 47, 47}, /* 67 */
    {59, 60, 51, 51, 51, 51, 51, 51}, /* 68 */
    {63, 60, 60, 51, 51, 51, 51, 51}, /* 69 */
    {63, 60, 64, 64, 64, 64, 64, 64}, /* 70 */
    {59, 66, 51, 51, 51, 51, 51, 51}, /* 71 */
    {73, 73, 67, 67, 74, 69, 69, 69}, /* 72 */
    {76, 73, 67, 67, 74, 69, 69, 69}, /* 73 */
    {78, 73, 78, 78, 75, 69, 69, 69}, /* 74 */
    {73, 73, 67, 67, 67, 69, 69, 69}, /* 75 */
    {76, 73, 67, 67, 67, 69, 69, 69}, /* 76 */
    {73, 73, 67, 67, 68, 69, 69, 69}, /* 77 */
    {76, 73, 67, 67, 68, 69, 69, 69}, /* 78 */
    {73, 73, 67, 67, 70, 71, 71, 71}, /* 79 */
    {76, 73, 67, 67, 70, 71, 71, 71}, /* 80 */
    {78, 73, 78, 78, 75, 71, 71, 71}, /* 81 */
    {72, 73, 78, 78, 75, 69, 69, 69}, /* 82 */
    {67, 67, 67, 67, 67, 67, 67, 67}, /* 83 */
    {76, 77, 67, 67, 67, 67, 67, 67}, /* 84 */
    {78, 78, 78, 78, 78, 78, 78, 78}, /* 85 */
    {81, 81, 79, 79, 79, 80, 80, 80}, /* 86 */
    {81, 81, 81, 79, 79, 80, 80, 80}, /* 87 */
    {81, 81, 81, 81, 82, 80, 80, 80}, /* 88 */
    {79, 79, 79, 79, 79, 79, 79, 79}, /* 89 */
    {81, 81, 81, 79, 79, 79, 79, 79}, /* 90 */
    {81, 81, 81, 81, 81, 81, 81, 81}, /* 91 */
    {86, 86, 86, 88, 88, 88, 88, 88}, /* 92 */
    {86, 86, 86, 83, 83, 83, 83, 83}, /* 93 */
    {89, 89, 86, 83, 87, 87, 87, 87}, /* 94 */
    {89, 89, 86, 90, 90, 90, 90, 90}, /* 95 */
    {86, 86, 86, 86, 86, 88, 88, 88}, /* 96 */
    {84, 84, 84, 84, 85, 85, 85, 85}, /* 97 */
    {89, 89, 84, 83, 87, 87, 87, 87}, /* 98 */
    {86, 86, 86, 88, 86, 86, 86, 86}, /* 99 */
    {86, 86, 86, 87, 86, 86, 86, 86}, /* 100 */
    {89, 89, 86, 87, 87, 87, 87, 87}, /* 101 */
    {84, 84, 86, 83, 83, 85, 85, 85}, /* 102 */
    {86, 86, 86, 86, 86, 86, 86, 86}, /* 103 */
    {86, 86, 86, 90, 90, 90, 90, 90}, /* 104 */
    {95, 95, 95, 95, 96, 96, 96, 96}, /* 105 */
    {92, 92, 92, 91, 92, 93, 93, 93}, /* 106 */
    {92, 92, 92, 94, 94, 94, 94, 94}, /* 107 */
    {92, 92, 98, 97, 97, 97, 97, 97}, /* 108 */
    {95, 95, 95, 95, 95, 96, 96, 96}, /* 109 */
    {92, 92, 92, 92, 92, 93, 93, 93}, /* 110 */
    {92, 92, 92, 91, 91, 93, 93, 93}, /* 111 */
    {95, 95, 95, 95, 95, 95, 95, 95}, /* 112 */
    {92, 92, 92, 91, 92, 92, 92, 92}, /* 113 */
    {92, 92, 98, 99, 99, 99, 99, 99}, /* 114 */
    {103, 103, 103, 103, 104, 104, 104, 104}, /* 115 */
    {103, 103, 103, 103, 100, 101, 101, 101}, /* 116 */
    {103, 103, 103, 102, 105, 105, 101, 101}, /* 117 */
    {108, 108, 108, 106, 106, 106, 101, 101}, /* 118 */
    {103, 103, 103, 102, 102, 102, 101, 101}, /* 119 */
    {103, 103, 103, 103, 103, 104, 104, 104}, /* 120 */
    {103, 103, 103, 103, 107, 101, 101, 101}, /* 121 */
    {103, 103, 103, 103, 103, 103, 103, 103}, /* 122 */
    {103, 103, 103, 103, 107, 107, 107, 107}, /* 123 */
    {108, 108, 108, 106, 109, 109, 109, 109}, /* 124 */
    {110, 110, 110, 110, 111, 114, 114, 114}, /* 125 */
    {110, 110, 110, 112, 113, 114, 114, 114}, /* 126 */
    {110, 110, 110, 112, 115, 115, 115, 115}, /* 127 */
    {110, 110, 110, 110, 110, 116, 116, 116}, /* 128 */
    {110, 110, 110, 110, 110, 110, 110, 110}, /* 129 */
    {117, 117, 117, 118, 117, 117, 117, 117}, /* 130 */
    {117, 117, 117, 117, 117, 117, 117, 117}, /* 131 */
};

const short perp_ladder_kinds[2][PERP_FORM_CONE + 1][PERP_STRUCTURES][2][PERP_DIAGONALS] = {
  {
   {
    {{0, 1, 2, 3}, {4, 5, 6, 7}}, /* cold lcp stencil */
    {{8, 1, 2, 3}, {9, 10, 11, 12}}, /* cold lcp contact */
    {{13, 13, 14, 15}, {16, 10, 11, 12}}, /* cold lcp loose */
    {{13, 13, 14, 15}, {16, 10, 11, 12}}, /* cold lcp packed */
    {{13, 13, 14, 15}, {16, 10, 11, 12}}, /* cold lcp jammed */
    {{17, 18, 2, 19}, {16, 20, 21, 22}}, /* cold lcp tridiagonal */
    {{0, 1, 2, 3}, {23, 10, 11, 7}}, /* cold lcp mmatrix */
    {{8, 1, 2, 3}, {16, 10, 11, 12}}, /* cold lcp sparse */
    {{13, 13, 14, 24}, {25, 26, 27, 25}}, /* cold lcp dense */
    {{13, 13, 14, 15}, {16, 10, 11, 12}}, /* cold lcp hidden */
   },
   {
    {{28, 29, 30, 31}, {32, 33, 34, 35}}, /* cold mixed stencil */
    {{36, 29, 30, 31}, {37, 33, 34, 38}}, /* cold mixed contact */
    {{39, 39, 40, 39}, {41, 33, 34, 38}}, /* cold mixed loose */
    {{39, 39, 40, 39}, {41, 33, 34, 38}}, /* cold mixed packed */
    {{39, 39, 40, 39}, {41, 33, 34, 38}}, /* cold mixed jammed */
    {{28, 29, 30, 31}, {41, 33, 42, 43}}, /* cold mixed tridiagonal */
    {{28, 29, 30, 31}, {41, 33, 34, 38}}, /* cold mixed mmatrix */
    {{36, 29, 30, 31}, {41, 33, 34, 38}}, /* cold mixed sparse */
    {{39, 39, 40, 39}, {44, 45, 46, 47}}, /* cold mixed dense */
    {{39, 39, 40, 39}, {41, 33, 34, 38}}, /* cold mixed hidden */
   },
   {
    {{48, 49, 50, 51}, {52, 53, 54, 55}}, /* cold boxed stencil */
    {{56, 49, 50, 51}, {57, 58, 59, 60}}, /* cold boxed contact */
    {{61, 61, 62, 63}, {57, 58, 59, 60}}, /* cold boxed loose */
    {{61, 61, 62, 63}, {57, 58, 59, 60}}, /* cold boxed packed */
    {{61, 61, 62, 63}, {57, 58, 59, 60}}, /* cold boxed jammed */
    {{48, 49, 50, 51}, {57, 64, 65, 66}}, /* cold boxed tridiagonal */
    {{48, 49, 50, 51}, {67, 58, 59, 55}}, /* cold boxed mmatrix */
    {{56, 49, 50, 51}, {57, 58, 59, 60}}, /* cold boxed sparse */
    {{61, 61, 62, 63}, {68, 69, 70, 71}}, /* cold boxed dense */
    {{61, 61, 62, 63}, {57, 58, 59, 60}}, /* cold boxed hidden */
   },
   {
    {{72, 73, 74, 72}, {72, 73, 74, 72}}, /* cold findex stencil */
    {{72, 73, 74, 72}, {72, 73, 74, 72}}, /* cold findex contact */
    {{75, 76, 74, 75}, {75, 76, 74, 75}}, /* cold findex loose */
    {{77, 78, 74, 77}, {77, 78, 74, 77}}, /* cold findex packed */
    {{79, 80, 81, 79}, {79, 80, 81, 79}}, /* cold findex jammed */
    {{72, 73, 82, 72}, {72, 73, 82, 72}}, /* cold findex tridiagonal */
    {{72, 73, 74, 72}, {72, 73, 74, 72}}, /* cold findex mmatrix */
    {{72, 73, 74, 72}, {72, 73, 74, 72}}, /* cold findex sparse */
    {{83, 84, 85, 83}, {83, 84, 85, 83}}, /* cold findex dense */
    {{72, 73, 74, 72}, {72, 73, 74, 72}}, /* cold findex hidden */
   },
   {
    {{86, 87, 88, 86}, {86, 87, 88, 86}}, /* cold cone stencil */
    {{86, 87, 88, 86}, {86, 87, 88, 86}}, /* cold cone contact */
    {{86, 87, 88, 86}, {86, 87, 88, 86}}, /* cold cone loose */
    {{86, 87, 88, 86}, {86, 87, 88, 86}}, /* cold cone packed */
    {{86, 87, 88, 86}, {86, 87, 88, 86}}, /* cold cone jammed */
    {{86, 87, 88, 86}, {86, 87, 88, 86}}, /* cold cone tridiagonal */
    {{86, 87, 88, 86}, {86, 87, 88, 86}}, /* cold cone mmatrix */
    {{86, 87, 88, 86}, {86, 87, 88, 86}}, /* cold cone sparse */
    {{89, 90, 91, 89}, {89, 90, 91, 89}}, /* cold cone dense */
    {{86, 87, 88, 86}, {86, 87, 88, 86}}, /* cold cone hidden */
   },
  },
  {
   {
    {{92, 92, 92, 92}, {93, 94, 95, 93}}, /* warm lcp stencil */
    {{96, 96, 96, 96}, {97, 98, 95, 97}}, /* warm lcp contact */
    {{13, 13, 14, 15}, {16, 10, 11, 12}}, /* warm lcp loose */
    {{13, 13, 14, 15}, {16, 10, 11, 12}}, /* warm lcp packed */
    {{13, 13, 14, 15}, {16, 10, 11, 12}}, /* warm lcp jammed */
    {{99, 100, 100, 99}, {93, 101, 95, 93}}, /* warm lcp tridiagonal */
    {{92, 92, 92, 92}, {93, 94, 95, 93}}, /* warm lcp mmatrix */
    {{96, 96, 96, 96}, {102, 94, 95, 102}}, /* warm lcp sparse */
    {{103, 103, 103, 103}, {93, 93, 104, 93}}, /* warm lcp dense */
    {{13, 13, 14, 15}, {16, 10, 11, 12}}, /* warm lcp hidden */
   },
   {
    {{105, 105, 105, 105}, {106, 107, 108, 106}}, /* warm mixed stencil */
    {{109, 109, 109, 109}, {110, 107, 108, 110}}, /* warm mixed contact */
    {{39, 39, 40, 39}, {41, 33, 34, 38}}, /* warm mixed loose */
    {{39, 39, 40, 39}, {41, 33, 34, 38}}, /* warm mixed packed */
    {{39, 39, 40, 39}, {41, 33, 34, 38}}, /* warm mixed jammed */
    {{105, 105, 105, 105}, {111, 107, 108, 111}}, /* warm mixed tridiagonal */
    {{105, 105, 105, 105}, {111, 107, 108, 111}}, /* warm mixed mmatrix */
    {{109, 109, 109, 109}, {111, 107, 108, 111}}, /* warm mixed sparse */
    {{112, 112, 112, 112}, {113, 113, 114, 113}}, /* warm mixed dense */
    {{39, 39, 40, 39}, {41, 33, 34, 38}}, /* warm mixed hidden */
   },
   {
    {{115, 115, 115, 115}, {116, 117, 118, 116}}, /* warm boxed stencil */
    {{56, 49, 50, 51}, {57, 58, 59, 60}}, /* warm boxed contact */
    {{61, 61, 62, 63}, {57, 58, 59, 60}}, /* warm boxed loose */
    {{61, 61, 62, 63}, {57, 58, 59, 60}}, /* warm boxed packed */
    {{61, 61, 62, 63}, {57, 58, 59, 60}}, /* warm boxed jammed */
    {{115, 115, 115, 115}, {116, 119, 118, 116}}, /* warm boxed tridiagonal */
    {{115, 115, 115, 115}, {116, 117, 118, 116}}, /* warm boxed mmatrix */
    {{120, 120, 120, 120}, {121, 117, 118, 121}}, /* warm boxed sparse */
    {{122, 122, 122, 122}, {123, 123, 124, 123}}, /* warm boxed dense */
    {{61, 61, 62, 63}, {57, 58, 59, 60}}, /* warm boxed hidden */
   },
   {
    {{72, 73, 74, 72}, {72, 73, 74, 72}}, /* warm findex stencil */
    {{72, 73, 74, 72}, {72, 73, 74, 72}}, /* warm findex contact */
    {{125, 125, 125, 125}, {125, 125, 125, 125}}, /* warm findex loose */
    {{126, 126, 126, 126}, {126, 126, 126, 126}}, /* warm findex packed */
    {{127, 127, 127, 127}, {127, 127, 127, 127}}, /* warm findex jammed */
    {{72, 73, 82, 72}, {72, 73, 82, 72}}, /* warm findex tridiagonal */
    {{72, 73, 74, 72}, {72, 73, 74, 72}}, /* warm findex mmatrix */
    {{128, 128, 128, 128}, {128, 128, 128, 128}}, /* warm findex sparse */
    {{129, 129, 129, 129}, {129, 129, 129, 129}}, /* warm findex dense */
    {{72, 73, 74, 72}, {72, 73, 74, 72}}, /* warm findex hidden */
   },
   {
    {{86, 87, 88, 86}, {86, 87, 88, 86}}, /* warm cone stencil */
    {{86, 87, 88, 86}, {86, 87, 88, 86}}, /* warm cone contact */
    {{130, 130, 130, 130}, {130, 130, 130, 130}}, /* warm cone loose */
    {{130, 130, 130, 130}, {130, 130, 130, 130}}, /* warm cone packed */
    {{130, 130, 130, 130}, {130, 130, 130, 130}}, /* warm cone jammed */
    {{86, 87, 88, 86}, {86, 87, 88, 86}}, /* warm cone tridiagonal */
    {{86, 87, 88, 86}, {86, 87, 88, 86}}, /* warm cone mmatrix */
    {{131, 131, 131, 131}, {131, 131, 131, 131}}, /* warm cone sparse */
    {{131, 131, 131, 131}, {131, 131, 131, 131}}, /* warm cone dense */
    {{86, 87, 88, 86}, {86, 87, 88, 86}}, /* warm cone hidden */
   },
  },
};
/* clang-format on */
