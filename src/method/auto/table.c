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
    {{{&perp_method_dantzig, PERP_FAMILY_PIVOTING, 32}}},
    /* 1: cold lcp stencil symmetric plain 1000 and 5 more; 13 problems */
    {{{&perp_method_mg, PERP_FAMILY_OTHER, 32}}},
    /* 2: cold lcp contact symmetric plain 10; 2 problems */
    {{{&perp_method_spg, PERP_FAMILY_OTHER, 32}}},
    /* 3: cold lcp contact symmetric plain 32; 7 problems */
    {{{&perp_method_baraff, PERP_FAMILY_PIVOTING, 32}}},
    /* 4: cold lcp contact symmetric plain 1000; 12 problems */
    {{{&perp_method_psor, PERP_FAMILY_SPLITTING, 512},
      {&perp_method_baraff, PERP_FAMILY_PIVOTING, 32}}},
    /* 5: cold lcp contact symmetric plain 10000; 5 problems */
    {{{&perp_method_alm, PERP_FAMILY_OTHER, 184},
      {&perp_method_psor, PERP_FAMILY_SPLITTING, 3704},
      {&perp_method_homotopy, PERP_FAMILY_OTHER, 212}}},
    /* 6: cold lcp tridiagonal unsymmetric plain 1000 and 2 more; 6 problems */
    {{{&perp_method_blockpivot, PERP_FAMILY_PIVOTING, 32}}},
    /* 7: cold lcp tridiagonal unsymmetric fair 32 and 1 more; 3 problems */
    {{{&perp_method_blockpivot, PERP_FAMILY_PIVOTING, 32}}},
    /* 8: cold lcp tridiagonal symmetric fair 32 and 11 more; 35 problems */
    {{{&perp_method_gpcg, PERP_FAMILY_OTHER, 144},
      {&perp_method_ssn, PERP_FAMILY_OTHER, 2100}}},
    /* 9: cold lcp tridiagonal symmetric fair 10000 and 1 more; 4 problems */
    {{{&perp_method_blockpivot, PERP_FAMILY_PIVOTING, 32}}},
    /* 10: cold lcp tridiagonal symmetric fair 100000; 2 problems */
    {{{&perp_method_coloured, PERP_FAMILY_SPLITTING, 40}}},
    /* 11: cold lcp tridiagonal symmetric strong 3 and 5 more; 43 problems */
    {{{&perp_method_direct, PERP_FAMILY_PIVOTING, 32}}},
    /* 12: cold lcp tridiagonal symmetric strong 10 and 3 more; 7 problems */
    {{{&perp_method_pgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 13: cold lcp tridiagonal symmetric strong 1000 and 7 more; 9 problems */
    {{{&perp_method_spsor, PERP_FAMILY_SPLITTING, 32}}},
    /* 14: cold lcp mmatrix unsymmetric plain 32 and 11 more; 50 problems */
    {{{&perp_method_blockpivot, PERP_FAMILY_PIVOTING, 32}}},
    /* 15: cold lcp mmatrix unsymmetric plain 100 and 2 more; 3 problems */
    {{{&perp_method_pgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 16: cold lcp mmatrix unsymmetric plain 1000 and 3 more; 8 problems */
    {{{&perp_method_psor, PERP_FAMILY_SPLITTING, 52}}},
    /* 17: cold lcp mmatrix unsymmetric plain 100000; 2 problems */
    {{{&perp_method_pgs, PERP_FAMILY_SPLITTING, 36}}},
    /* 18: cold lcp mmatrix unsymmetric fair 1000; 2 problems */
    {{{&perp_method_spsor, PERP_FAMILY_SPLITTING, 32}}},
    /* 19: cold lcp sparse unsymmetric holes 32 and 8 more; 53 problems */
    {{{&perp_method_lemke, PERP_FAMILY_PIVOTING, 5760}}},
    /* 20: cold lcp sparse symmetric plain 10000 and 5 more; 13 problems */
    {{{&perp_method_psor, PERP_FAMILY_SPLITTING, 32},
      {&perp_method_pgssm, PERP_FAMILY_OTHER, 32},
      {&perp_method_ipm, PERP_FAMILY_OTHER, 72}}},
    /* 21: cold lcp sparse symmetric fair 10; 2 problems */
    {{{&perp_method_pgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 22: cold lcp sparse symmetric holes 32; 3 problems */
    {{{&perp_method_baraff, PERP_FAMILY_PIVOTING, 32}}},
    /* 23: cold lcp dense symmetric strong 100; 2 problems */
    {{{&perp_method_pgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 24: cold mixed stencil symmetric plain 100 and 5 more; 24 problems */
    {{{&perp_method_dantzig, PERP_FAMILY_PIVOTING, 32},
      {&perp_method_ipm, PERP_FAMILY_OTHER, 32}}},
    /* 25: cold mixed stencil symmetric plain 1000 and 2 more; 6 problems */
    {{{&perp_method_mg, PERP_FAMILY_OTHER, 32}}},
    /* 26: cold mixed contact symmetric plain 10 and 2 more; 13 problems */
    {{{&perp_method_baraff, PERP_FAMILY_PIVOTING, 32}}},
    /* 27: cold mixed contact symmetric plain 100 and 3 more; 23 problems */
    {{{&perp_method_dantzig, PERP_FAMILY_PIVOTING, 32},
      {&perp_method_alm, PERP_FAMILY_OTHER, 32}}},
    /* 28: cold mixed contact symmetric plain 10000; 3 problems */
    {{{&perp_method_nncg, PERP_FAMILY_SPLITTING, 816},
      {&perp_method_ipm, PERP_FAMILY_OTHER, 80}}},
    /* 29: cold mixed tridiagonal symmetric fair 32 and 10 more; 22 problems */
    {{{&perp_method_gpcg, PERP_FAMILY_OTHER, 256}}},
    /* 30: cold mixed tridiagonal symmetric strong 10 and 2 more; 3 problems */
    {{{&perp_method_pgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 31: cold mixed tridiagonal symmetric strong 1000 and 1 more; 2 problems */
    {{{&perp_method_coloured, PERP_FAMILY_SPLITTING, 32}}},
    /* 32: cold mixed tridiagonal symmetric strong 100000 and 5 more; 6 problems */
    {{{&perp_method_spsor, PERP_FAMILY_SPLITTING, 32}}},
    /* 33: cold mixed tridiagonal symmetric holes 32; 2 problems */
    {{{&perp_method_prox, PERP_FAMILY_OTHER, 32}}},
    /* 34: cold mixed tridiagonal symmetric holes 1000 and 1 more; 4 problems */
    {{{&perp_method_prox, PERP_FAMILY_OTHER, 32}}},
    /* 35: cold mixed mmatrix unsymmetric plain 32 and 12 more; 43 problems */
    {{{&perp_method_blockpivot, PERP_FAMILY_PIVOTING, 32}}},
    /* 36: cold mixed mmatrix unsymmetric plain 100 and 3 more; 4 problems */
    {{{&perp_method_spsor, PERP_FAMILY_SPLITTING, 32}}},
    /* 37: cold mixed mmatrix unsymmetric plain 1000 and 1 more; 4 problems */
    {{{&perp_method_psor, PERP_FAMILY_SPLITTING, 36}}},
    /* 38: cold mixed mmatrix unsymmetric plain 100000 and 2 more; 4 problems */
    {{{&perp_method_spg, PERP_FAMILY_OTHER, 32}}},
    /* 39: cold mixed sparse symmetric plain 10000; 10 problems */
    {{{&perp_method_pgssm, PERP_FAMILY_OTHER, 492},
      {&perp_method_ipm, PERP_FAMILY_OTHER, 92}}},
    /* 40: cold mixed sparse symmetric holes 32; 3 problems */
    {{{&perp_method_baraff, PERP_FAMILY_PIVOTING, 32}}},
    /* 41: cold mixed dense unsymmetric plain 100 and 2 more; 10 problems */
    {{{&perp_method_lemke, PERP_FAMILY_PIVOTING, 84}}},
    /* 42: cold mixed dense unsymmetric strong 3 and 1 more; 4 problems */
    {{{&perp_method_direct, PERP_FAMILY_PIVOTING, 32}}},
    /* 43: cold mixed dense unsymmetric strong 100 and 1 more; 3 problems */
    {{{&perp_method_spsor, PERP_FAMILY_SPLITTING, 32}}},
    /* 44: cold mixed dense symmetric strong 100 and 1 more; 3 problems */
    {{{&perp_method_pgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 45: cold boxed stencil symmetric plain 100; 2 problems */
    {{{&perp_method_coloured, PERP_FAMILY_SPLITTING, 120}}},
    /* 46: cold boxed stencil symmetric plain 1000 and 1 more; 4 problems */
    {{{&perp_method_mg, PERP_FAMILY_OTHER, 32}}},
    /* 47: cold boxed stencil symmetric plain 100000 and 2 more; 10 problems */
    {{{&perp_method_mg, PERP_FAMILY_OTHER, 32}}},
    /* 48: cold boxed tridiagonal symmetric fair 32 and 2 more; 7 problems */
    {{{&perp_method_dantzig, PERP_FAMILY_PIVOTING, 32}}},
    /* 49: cold boxed tridiagonal symmetric fair 1000 and 8 more; 16 problems */
    {{{&perp_method_gpcg, PERP_FAMILY_OTHER, 236}}},
    /* 50: cold boxed tridiagonal symmetric strong 10 and 9 more; 10 problems */
    {{{&perp_method_spsor, PERP_FAMILY_SPLITTING, 32}}},
    /* 51: cold boxed tridiagonal symmetric holes 1000 and 8 more; 28 problems */
    {{{&perp_method_dantzig, PERP_FAMILY_PIVOTING, 32}}},
    /* 52: cold boxed tridiagonal symmetric holes 10000; 2 problems */
    {{{&perp_method_blockpivot, PERP_FAMILY_PIVOTING, 32}}},
    /* 53: cold boxed mmatrix unsymmetric plain 32; 2 problems */
    {{{&perp_method_spsor, PERP_FAMILY_SPLITTING, 32}}},
    /* 54: cold boxed mmatrix unsymmetric plain 100 and 2 more; 3 problems */
    {{{&perp_method_pgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 55: cold boxed mmatrix unsymmetric plain 1000 and 1 more; 3 problems */
    {{{&perp_method_spsor, PERP_FAMILY_SPLITTING, 32}}},
    /* 56: cold boxed mmatrix unsymmetric plain 10000 and 1 more; 4 problems */
    {{{&perp_method_pgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 57: cold boxed mmatrix unsymmetric fair 10000 and 1 more; 2 problems */
    {{{&perp_method_spg, PERP_FAMILY_OTHER, 32}}},
    /* 58: cold boxed sparse symmetric plain 1000 and 2 more; 3 problems */
    {{{&perp_method_spg, PERP_FAMILY_OTHER, 64}}},
    /* 59: cold boxed dense unsymmetric plain 3 and 1 more; 11 problems */
    {{{&perp_method_direct, PERP_FAMILY_PIVOTING, 32}}},
    /* 60: cold boxed dense unsymmetric plain 10 and 10 more; 35 problems */
    {{{&perp_method_blockpivot, PERP_FAMILY_PIVOTING, 248}}},
    /* 61: cold boxed dense unsymmetric plain 100; 4 problems */
    {{{&perp_method_kz, PERP_FAMILY_OTHER, 32},
      {&perp_method_ipm, PERP_FAMILY_OTHER, 32}}},
    /* 62: cold boxed dense unsymmetric plain 1000; 2 problems */
    {{{&perp_method_prox, PERP_FAMILY_OTHER, 1256}}},
    /* 63: cold boxed dense unsymmetric strong 3 and 2 more; 9 problems */
    {{{&perp_method_pgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 64: cold boxed dense unsymmetric strong 32 and 3 more; 5 problems */
    {{{&perp_method_pgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 65: cold boxed dense unsymmetric strong 100 and 1 more; 3 problems */
    {{{&perp_method_spsor, PERP_FAMILY_SPLITTING, 32}}},
    /* 66: cold boxed dense symmetric holes 10; 2 problems */
    {{{&perp_method_baraff, PERP_FAMILY_PIVOTING, 32}}},
    /* 67: cold findex loose symmetric plain 32 and 10 more; 34 problems */
    {{{&perp_method_dantzig, PERP_FAMILY_PIVOTING, 32}}},
    /* 68: cold findex packed symmetric plain 1000; 22 problems */
    {{{&perp_method_coloured, PERP_FAMILY_SPLITTING, 364},
      {&perp_method_alm, PERP_FAMILY_OTHER, 72},
      {&perp_method_nncg, PERP_FAMILY_SPLITTING, 5304}}},
    /* 69: cold findex packed symmetric plain 10000 and 1 more; 18 problems */
    {{{&perp_method_nncg, PERP_FAMILY_SPLITTING, 4504},
      {&perp_method_ipm, PERP_FAMILY_OTHER, 156},
      {&perp_method_ssn, PERP_FAMILY_OTHER, 1244},
      {&perp_method_coloured, PERP_FAMILY_SPLITTING, 8504}}},
    /* 70: cold findex jammed symmetric plain 1000; 9 problems */
    {{{&perp_method_alm, PERP_FAMILY_OTHER, 84},
      {&perp_method_ipm, PERP_FAMILY_OTHER, 124}}},
    /* 71: cold findex jammed symmetric plain 10000; 12 problems */
    {{{&perp_method_psor, PERP_FAMILY_SPLITTING, 4104},
      {&perp_method_ipm, PERP_FAMILY_OTHER, 328},
      {&perp_method_nncg, PERP_FAMILY_SPLITTING, 8504}}},
    /* 72: cold findex tridiagonal symmetric strong 3; 4 problems */
    {{{&perp_method_pgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 73: cold findex sparse symmetric plain 10 and 2 more; 4 problems */
    {{{&perp_method_psor, PERP_FAMILY_SPLITTING, 32}}},
    /* 74: cold findex sparse symmetric plain 1000; 35 problems */
    {{{&perp_method_nncg, PERP_FAMILY_SPLITTING, 512},
      {&perp_method_dantzig, PERP_FAMILY_PIVOTING, 32}}},
    /* 75: cold findex sparse symmetric strong 1000; 4 problems */
    {{{&perp_method_spsor, PERP_FAMILY_SPLITTING, 32}}},
    /* 76: cold findex dense symmetric fair 3; 5 problems */
    {{{&perp_method_bgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 77: cold findex dense symmetric fair 10; 7 problems */
    {{{&perp_method_pgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 78: cold findex dense symmetric strong 3 and 3 more; 16 problems */
    {{{&perp_method_spsor, PERP_FAMILY_SPLITTING, 32}}},
    /* 79: cold cone loose symmetric plain 32 and 10 more; 91 problems */
    {{{&perp_method_ssn, PERP_FAMILY_OTHER, 120}}},
    /* 80: cold cone packed symmetric plain 10000 and 2 more; 17 problems */
    {{{&perp_method_bgs, PERP_FAMILY_SPLITTING, 1640},
      {&perp_method_ssn, PERP_FAMILY_OTHER, 532}}},
    /* 81: cold cone tridiagonal symmetric strong 3 and 10 more; 38 problems */
    {{{&perp_method_bgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 82: cold cone sparse symmetric strong 1000; 4 problems */
    {{{&perp_method_spg, PERP_FAMILY_OTHER, 32}}},
    /* 83: warm lcp stencil symmetric plain 100 and 6 more; 32 problems */
    {{{&perp_method_baraff, PERP_FAMILY_PIVOTING, 32}}},
    /* 84: warm lcp contact symmetric plain 10 and 2 more; 13 problems */
    {{{&perp_method_dantzig, PERP_FAMILY_PIVOTING, 32}}},
    /* 85: warm lcp contact symmetric plain 1000 and 1 more; 16 problems */
    {{{&perp_method_psor, PERP_FAMILY_SPLITTING, 204},
      {&perp_method_gpcg, PERP_FAMILY_OTHER, 36},
      {&perp_method_baraff, PERP_FAMILY_PIVOTING, 32}}},
    /* 86: warm lcp tridiagonal unsymmetric plain 1000 and 6 more; 16 problems */
    {{{&perp_method_blockpivot, PERP_FAMILY_PIVOTING, 32}}},
    /* 87: warm lcp tridiagonal unsymmetric fair 100 and 5 more; 6 problems */
    {{{&perp_method_blockpivot, PERP_FAMILY_PIVOTING, 32}}},
    /* 88: warm lcp mmatrix unsymmetric plain 100 and 2 more; 3 problems */
    {{{&perp_method_pgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 89: warm lcp sparse symmetric fair 10; 1 problems */
    {{{&perp_method_pgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 90: warm lcp sparse symmetric strong 100 and 4 more; 7 problems */
    {{{&perp_method_spsor, PERP_FAMILY_SPLITTING, 32}}},
    /* 91: warm mixed stencil symmetric plain 100 and 3 more; 18 problems */
    {{{&perp_method_dantzig, PERP_FAMILY_PIVOTING, 32}}},
    /* 92: warm mixed stencil symmetric plain 1000 and 7 more; 27 problems */
    {{{&perp_method_baraff, PERP_FAMILY_PIVOTING, 32}}},
    /* 93: warm mixed contact symmetric plain 10000 and 1 more; 2 problems */
    {{{&perp_method_kz, PERP_FAMILY_OTHER, 32}}},
    /* 94: warm mixed tridiagonal symmetric fair 100 and 5 more; 6 problems */
    {{{&perp_method_gpcg, PERP_FAMILY_OTHER, 32}}},
    /* 95: warm mixed mmatrix unsymmetric plain 100 and 3 more; 7 problems */
    {{{&perp_method_blockpivot, PERP_FAMILY_PIVOTING, 32}}},
    /* 96: warm mixed mmatrix unsymmetric plain 1000 and 1 more; 2 problems */
    {{{&perp_method_spg, PERP_FAMILY_OTHER, 60}}},
    /* 97: warm mixed sparse symmetric strong 100 and 2 more; 3 problems */
    {{{&perp_method_spsor, PERP_FAMILY_SPLITTING, 32}}},
    /* 98: warm mixed dense symmetric strong 32; 2 problems */
    {{{&perp_method_spsor, PERP_FAMILY_SPLITTING, 32}}},
    /* 99: warm mixed dense symmetric strong 100 and 1 more; 4 problems */
    {{{&perp_method_gpcg, PERP_FAMILY_OTHER, 32}}},
    /* 100: warm boxed stencil symmetric plain 1000 and 1 more; 4 problems */
    {{{&perp_method_mg, PERP_FAMILY_OTHER, 32}}},
    /* 101: warm boxed stencil symmetric plain 100000 and 1 more; 4 problems */
    {{{&perp_method_mg, PERP_FAMILY_OTHER, 32}}},
    /* 102: warm boxed tridiagonal symmetric fair 100 and 3 more; 4 problems */
    {{{&perp_method_blockpivot, PERP_FAMILY_PIVOTING, 32}}},
    /* 103: warm boxed mmatrix unsymmetric plain 100 and 5 more; 15 problems */
    {{{&perp_method_blockpivot, PERP_FAMILY_PIVOTING, 32}}},
    /* 104: warm boxed mmatrix unsymmetric plain 1000 and 1 more; 2 problems */
    {{{&perp_method_psor, PERP_FAMILY_SPLITTING, 32}}},
    /* 105: warm boxed sparse symmetric fair 1000 and 1 more; 2 problems */
    {{{&perp_method_gpcg, PERP_FAMILY_OTHER, 32}}},
    /* 106: warm boxed sparse symmetric strong 100 and 3 more; 5 problems */
    {{{&perp_method_spsor, PERP_FAMILY_SPLITTING, 32}}},
    /* 107: warm boxed dense symmetric plain 1000; 4 problems */
    {{{&perp_method_baraff, PERP_FAMILY_PIVOTING, 32}}},
    /* 108: warm boxed dense symmetric strong 32; 2 problems */
    {{{&perp_method_nncg, PERP_FAMILY_SPLITTING, 32}}},
    /* 109: warm boxed dense symmetric strong 1000; 2 problems */
    {{{&perp_method_nncg, PERP_FAMILY_SPLITTING, 32}}},
    /* 110: warm findex loose symmetric plain 32 and 6 more; 30 problems */
    {{{&perp_method_dantzig, PERP_FAMILY_PIVOTING, 32}}},
    /* 111: warm findex loose symmetric plain 1000; 2 problems */
    {{{&perp_method_psor, PERP_FAMILY_SPLITTING, 256}}},
    /* 112: warm findex packed symmetric plain 100 and 1 more; 3 problems */
    {{{&perp_method_spg, PERP_FAMILY_OTHER, 32},
      {&perp_method_dantzig, PERP_FAMILY_PIVOTING, 32}}},
    /* 113: warm findex packed symmetric plain 1000; 15 problems */
    {{{&perp_method_alm, PERP_FAMILY_OTHER, 60},
      {&perp_method_nncg, PERP_FAMILY_SPLITTING, 4904}}},
    /* 114: warm findex packed symmetric plain 10000; 2 problems */
    {{{&perp_method_psor, PERP_FAMILY_SPLITTING, 1300}}},
    /* 115: warm findex jammed symmetric plain 1000 and 1 more; 15 problems */
    {{{&perp_method_alm, PERP_FAMILY_OTHER, 32},
      {&perp_method_coloured, PERP_FAMILY_SPLITTING, 1844},
      {&perp_method_ipm, PERP_FAMILY_OTHER, 180},
      {&perp_method_spsor, PERP_FAMILY_SPLITTING, 10504}}},
    /* 116: warm findex sparse symmetric plain 10000; 5 problems */
    {{{&perp_method_coloured, PERP_FAMILY_SPLITTING, 4504},
      {&perp_method_ssn, PERP_FAMILY_OTHER, 280}}},
    /* 117: warm cone loose symmetric plain 32 and 10 more; 66 problems */
    {{{&perp_method_ssn, PERP_FAMILY_OTHER, 176},
      {&perp_method_bgs, PERP_FAMILY_SPLITTING, 3704}}},
    /* 118: warm cone packed symmetric plain 100 and 1 more; 5 problems */
    {{{&perp_method_spg, PERP_FAMILY_OTHER, 32},
      {&perp_method_ssn, PERP_FAMILY_OTHER, 32}}},
};

const short perp_ladder_of[2][PERP_FORM_CONE + 1][PERP_STRUCTURES][2]
                          [PERP_DIAGONALS][PERP_SIZES] = {
  {
   {
    { /* cold lcp stencil */
     {{11, 14, 14, 15, 16, 16, 17, 17}, {11, 14, 15, 15, 18, 16, 16, 16},
      {11, 14, 14, 13, 13, 16, 16, 16}, {11, 19, 19, 19, 19, 8, 17, 17}},
     {{11, 14, 12, 0, 1, 1, 1, 1}, {11, 21, 8, 8, 8, 20, 20, 1},
      {11, 14, 12, 13, 13, 20, 20, 1}, {11, 14, 22, 0, 8, 8, 1, 1}},
    },
    { /* cold lcp contact */
     {{11, 14, 14, 19, 19, 16, 17, 17}, {11, 14, 15, 15, 18, 16, 16, 16},
      {11, 14, 14, 13, 13, 16, 16, 16}, {11, 19, 19, 19, 19, 8, 17, 17}},
     {{11, 2, 3, 0, 4, 5, 20, 20}, {11, 21, 8, 8, 8, 20, 20, 20},
      {11, 14, 12, 13, 13, 20, 20, 20}, {11, 14, 22, 0, 8, 8, 20, 20}},
    },
    { /* cold lcp loose */
     {{11, 14, 14, 19, 19, 19, 19, 19}, {11, 14, 14, 19, 19, 19, 19, 19},
      {11, 14, 14, 13, 13, 13, 13, 13}, {11, 19, 19, 19, 19, 8, 8, 8}},
     {{11, 14, 12, 0, 8, 20, 20, 20}, {11, 21, 8, 8, 8, 20, 20, 20},
      {11, 14, 12, 13, 13, 20, 20, 20}, {11, 14, 22, 0, 8, 8, 20, 20}},
    },
    { /* cold lcp packed */
     {{11, 14, 14, 19, 19, 19, 19, 19}, {11, 14, 14, 19, 19, 19, 19, 19},
      {11, 14, 14, 13, 13, 13, 13, 13}, {11, 19, 19, 19, 19, 8, 8, 8}},
     {{11, 14, 12, 0, 8, 20, 20, 20}, {11, 21, 8, 8, 8, 20, 20, 20},
      {11, 14, 12, 13, 13, 20, 20, 20}, {11, 14, 22, 0, 8, 8, 20, 20}},
    },
    { /* cold lcp jammed */
     {{11, 14, 14, 19, 19, 19, 19, 19}, {11, 14, 14, 19, 19, 19, 19, 19},
      {11, 14, 14, 13, 13, 13, 13, 13}, {11, 19, 19, 19, 19, 8, 8, 8}},
     {{11, 14, 12, 0, 8, 20, 20, 20}, {11, 21, 8, 8, 8, 20, 20, 20},
      {11, 14, 12, 13, 13, 20, 20, 20}, {11, 14, 22, 0, 8, 8, 20, 20}},
    },
    { /* cold lcp tridiagonal */
     {{11, 14, 14, 15, 6, 6, 6, 6}, {11, 14, 7, 7, 18, 16, 16, 16},
      {11, 14, 14, 13, 13, 16, 16, 16}, {11, 19, 19, 19, 19, 8, 6, 6}},
     {{11, 14, 12, 0, 8, 20, 20, 20}, {11, 21, 8, 8, 8, 9, 10, 10},
      {11, 12, 12, 13, 13, 13, 13, 13}, {11, 14, 8, 0, 8, 9, 20, 20}},
    },
    { /* cold lcp mmatrix */
     {{11, 14, 14, 15, 16, 16, 17, 17}, {11, 14, 15, 15, 18, 16, 16, 16},
      {11, 14, 14, 13, 13, 16, 16, 16}, {11, 19, 19, 19, 19, 8, 17, 17}},
     {{11, 14, 12, 0, 1, 20, 1, 1}, {11, 21, 8, 8, 8, 20, 20, 20},
      {11, 14, 12, 13, 13, 20, 20, 20}, {11, 14, 22, 0, 8, 8, 1, 1}},
    },
    { /* cold lcp sparse */
     {{11, 14, 14, 19, 19, 16, 17, 17}, {11, 14, 15, 15, 18, 16, 16, 16},
      {11, 14, 14, 13, 13, 16, 16, 16}, {11, 19, 19, 19, 19, 8, 17, 17}},
     {{11, 14, 12, 0, 8, 20, 20, 20}, {11, 21, 8, 8, 8, 20, 20, 20},
      {11, 14, 12, 13, 13, 20, 20, 20}, {11, 14, 22, 0, 8, 8, 20, 20}},
    },
    { /* cold lcp dense */
     {{11, 14, 14, 19, 19, 19, 19, 19}, {11, 14, 14, 19, 19, 19, 19, 19},
      {11, 14, 14, 13, 13, 13, 13, 13}, {11, 19, 19, 19, 19, 19, 19, 19}},
     {{11, 14, 0, 0, 0, 0, 0, 0}, {11, 14, 14, 0, 0, 0, 0, 0},
      {11, 14, 14, 23, 13, 13, 13, 13}, {11, 14, 0, 0, 0, 0, 0, 0}},
    },
    { /* cold lcp hidden */
     {{11, 14, 14, 19, 19, 19, 19, 19}, {11, 14, 14, 19, 19, 19, 19, 19},
      {11, 14, 14, 13, 13, 13, 13, 13}, {11, 19, 19, 19, 19, 8, 8, 8}},
     {{11, 14, 12, 0, 8, 20, 20, 20}, {11, 21, 8, 8, 8, 20, 20, 20},
      {11, 14, 12, 13, 13, 20, 20, 20}, {11, 14, 22, 0, 8, 8, 20, 20}},
    },
   },
   {
    { /* cold mixed stencil */
     {{35, 35, 35, 36, 37, 37, 38, 38}, {35, 35, 36, 36, 36, 38, 38, 38},
      {42, 35, 35, 43, 43, 38, 38, 38}, {35, 35, 35, 41, 41, 37, 38, 38}},
     {{35, 35, 29, 24, 25, 25, 25, 25}, {35, 35, 29, 29, 29, 29, 29, 29},
      {42, 35, 30, 32, 32, 32, 32, 32}, {35, 35, 40, 24, 24, 29, 25, 25}},
    },
    { /* cold mixed contact */
     {{35, 35, 35, 41, 37, 37, 38, 38}, {35, 35, 36, 36, 36, 38, 38, 38},
      {42, 35, 35, 43, 43, 38, 38, 38}, {35, 35, 35, 41, 41, 37, 38, 38}},
     {{26, 26, 26, 27, 27, 28, 32, 32}, {35, 35, 29, 29, 29, 29, 29, 29},
      {42, 35, 30, 32, 32, 32, 32, 32}, {35, 35, 40, 24, 24, 29, 32, 32}},
    },
    { /* cold mixed loose */
     {{35, 35, 35, 41, 41, 41, 41, 41}, {35, 35, 35, 41, 41, 41, 41, 41},
      {42, 35, 35, 43, 43, 43, 43, 43}, {35, 35, 35, 41, 41, 41, 41, 41}},
     {{35, 35, 29, 24, 24, 39, 32, 32}, {35, 35, 29, 29, 29, 29, 29, 29},
      {42, 35, 30, 32, 32, 32, 32, 32}, {35, 35, 40, 24, 24, 29, 32, 32}},
    },
    { /* cold mixed packed */
     {{35, 35, 35, 41, 41, 41, 41, 41}, {35, 35, 35, 41, 41, 41, 41, 41},
      {42, 35, 35, 43, 43, 43, 43, 43}, {35, 35, 35, 41, 41, 41, 41, 41}},
     {{35, 35, 29, 24, 24, 39, 32, 32}, {35, 35, 29, 29, 29, 29, 29, 29},
      {42, 35, 30, 32, 32, 32, 32, 32}, {35, 35, 40, 24, 24, 29, 32, 32}},
    },
    { /* cold mixed jammed */
     {{35, 35, 35, 41, 41, 41, 41, 41}, {35, 35, 35, 41, 41, 41, 41, 41},
      {42, 35, 35, 43, 43, 43, 43, 43}, {35, 35, 35, 41, 41, 41, 41, 41}},
     {{35, 35, 29, 24, 24, 39, 32, 32}, {35, 35, 29, 29, 29, 29, 29, 29},
      {42, 35, 30, 32, 32, 32, 32, 32}, {35, 35, 40, 24, 24, 29, 32, 32}},
    },
    { /* cold mixed tridiagonal */
     {{35, 35, 35, 36, 37, 37, 38, 38}, {35, 35, 36, 36, 36, 38, 38, 38},
      {42, 35, 35, 43, 43, 38, 38, 38}, {35, 35, 35, 41, 41, 37, 38, 38}},
     {{35, 35, 29, 24, 24, 39, 32, 32}, {35, 35, 29, 29, 29, 29, 29, 29},
      {42, 30, 30, 32, 31, 31, 32, 32}, {35, 35, 33, 24, 34, 34, 32, 32}},
    },
    { /* cold mixed mmatrix */
     {{35, 35, 35, 36, 37, 37, 38, 38}, {35, 35, 36, 36, 36, 38, 38, 38},
      {42, 35, 35, 43, 43, 38, 38, 38}, {35, 35, 35, 41, 41, 37, 38, 38}},
     {{35, 35, 29, 24, 24, 39, 32, 32}, {35, 35, 29, 29, 29, 29, 29, 29},
      {42, 35, 30, 32, 32, 32, 32, 32}, {35, 35, 40, 24, 24, 29, 32, 32}},
    },
    { /* cold mixed sparse */
     {{35, 35, 35, 41, 37, 37, 38, 38}, {35, 35, 36, 36, 36, 38, 38, 38},
      {42, 35, 35, 43, 43, 38, 38, 38}, {35, 35, 35, 41, 41, 37, 38, 38}},
     {{35, 35, 29, 24, 24, 39, 32, 32}, {35, 35, 29, 29, 29, 29, 29, 29},
      {42, 35, 30, 32, 32, 32, 32, 32}, {35, 35, 40, 24, 24, 29, 32, 32}},
    },
    { /* cold mixed dense */
     {{35, 35, 35, 41, 41, 41, 41, 41}, {35, 35, 35, 41, 41, 41, 41, 41},
      {42, 35, 35, 43, 43, 43, 43, 43}, {35, 35, 35, 41, 41, 41, 41, 41}},
     {{35, 35, 26, 27, 27, 27, 27, 27}, {35, 35, 35, 27, 27, 27, 27, 27},
      {42, 35, 35, 44, 44, 44, 44, 44}, {35, 35, 26, 24, 24, 24, 24, 24}},
    },
    { /* cold mixed hidden */
     {{35, 35, 35, 41, 41, 41, 41, 41}, {35, 35, 35, 41, 41, 41, 41, 41},
      {42, 35, 35, 43, 43, 43, 43, 43}, {35, 35, 35, 41, 41, 41, 41, 41}},
     {{35, 35, 29, 24, 24, 39, 32, 32}, {35, 35, 29, 29, 29, 29, 29, 29},
      {42, 35, 30, 32, 32, 32, 32, 32}, {35, 35, 40, 24, 24, 29, 32, 32}},
    },
   },
   {
    { /* cold boxed stencil */
     {{59, 60, 53, 54, 55, 56, 56, 56}, {59, 60, 54, 54, 55, 57, 57, 57},
      {63, 60, 64, 65, 65, 57, 57, 57}, {59, 60, 60, 60, 60, 56, 56, 56}},
     {{59, 60, 51, 45, 46, 58, 47, 47}, {63, 60, 49, 49, 49, 49, 49, 47},
      {63, 60, 50, 50, 50, 50, 50, 47}, {59, 66, 48, 51, 51, 49, 47, 47}},
    },
    { /* cold boxed contact */
     {{59, 60, 60, 61, 62, 56, 56, 56}, {59, 60, 54, 54, 55, 57, 57, 57},
      {63, 60, 64, 65, 65, 57, 57, 57}, {59, 60, 60, 60, 60, 56, 56, 56}},
     {{59, 60, 51, 51, 58, 58, 58, 58}, {63, 60, 49, 49, 49, 49, 49, 49},
      {63, 60, 50, 50, 50, 50, 50, 50}, {59, 66, 48, 51, 51, 49, 58, 58}},
    },
    { /* cold boxed loose */
     {{59, 60, 60, 61, 62, 62, 62, 62}, {59, 60, 60, 61, 62, 62, 62, 62},
      {63, 60, 64, 65, 65, 65, 65, 65}, {59, 60, 60, 60, 60, 60, 60, 60}},
     {{59, 60, 51, 51, 58, 58, 58, 58}, {63, 60, 49, 49, 49, 49, 49, 49},
      {63, 60, 50, 50, 50, 50, 50, 50}, {59, 66, 48, 51, 51, 49, 58, 58}},
    },
    { /* cold boxed packed */
     {{59, 60, 60, 61, 62, 62, 62, 62}, {59, 60, 60, 61, 62, 62, 62, 62},
      {63, 60, 64, 65, 65, 65, 65, 65}, {59, 60, 60, 60, 60, 60, 60, 60}},
     {{59, 60, 51, 51, 58, 58, 58, 58}, {63, 60, 49, 49, 49, 49, 49, 49},
      {63, 60, 50, 50, 50, 50, 50, 50}, {59, 66, 48, 51, 51, 49, 58, 58}},
    },
    { /* cold boxed jammed */
     {{59, 60, 60, 61, 62, 62, 62, 62}, {59, 60, 60, 61, 62, 62, 62, 62},
      {63, 60, 64, 65, 65, 65, 65, 65}, {59, 60, 60, 60, 60, 60, 60, 60}},
     {{59, 60, 51, 51, 58, 58, 58, 58}, {63, 60, 49, 49, 49, 49, 49, 49},
      {63, 60, 50, 50, 50, 50, 50, 50}, {59, 66, 48, 51, 51, 49, 58, 58}},
    },
    { /* cold boxed tridiagonal */
     {{59, 60, 53, 54, 55, 56, 56, 56}, {59, 60, 54, 54, 55, 57, 57, 57},
      {63, 60, 64, 65, 65, 57, 57, 57}, {59, 60, 60, 60, 60, 56, 56, 56}},
     {{59, 60, 51, 51, 58, 58, 58, 58}, {63, 60, 48, 49, 49, 49, 49, 49},
      {63, 50, 50, 50, 50, 50, 50, 50}, {59, 66, 48, 51, 51, 52, 58, 58}},
    },
    { /* cold boxed mmatrix */
     {{59, 60, 53, 54, 55, 56, 56, 56}, {59, 60, 54, 54, 55, 57, 57, 57},
      {63, 60, 64, 65, 65, 57, 57, 57}, {59, 60, 60, 60, 60, 56, 56, 56}},
     {{59, 60, 51, 51, 46, 58, 47, 47}, {63, 60, 49, 49, 49, 49, 49, 49},
      {63, 60, 50, 50, 50, 50, 50, 50}, {59, 66, 48, 51, 51, 49, 47, 47}},
    },
    { /* cold boxed sparse */
     {{59, 60, 60, 61, 62, 56, 56, 56}, {59, 60, 54, 54, 55, 57, 57, 57},
      {63, 60, 64, 65, 65, 57, 57, 57}, {59, 60, 60, 60, 60, 56, 56, 56}},
     {{59, 60, 51, 51, 58, 58, 58, 58}, {63, 60, 49, 49, 49, 49, 49, 49},
      {63, 60, 50, 50, 50, 50, 50, 50}, {59, 66, 48, 51, 51, 49, 58, 58}},
    },
    { /* cold boxed dense */
     {{59, 60, 60, 61, 62, 62, 62, 62}, {59, 60, 60, 61, 62, 62, 62, 62},
      {63, 60, 64, 65, 65, 65, 65, 65}, {59, 60, 60, 60, 60, 60, 60, 60}},
     {{59, 60, 51, 51, 51, 51, 51, 51}, {63, 60, 60, 51, 51, 51, 51, 51},
      {63, 60, 64, 64, 64, 64, 64, 64}, {59, 66, 51, 51, 51, 51, 51, 51}},
    },
    { /* cold boxed hidden */
     {{59, 60, 60, 61, 62, 62, 62, 62}, {59, 60, 60, 61, 62, 62, 62, 62},
      {63, 60, 64, 65, 65, 65, 65, 65}, {59, 60, 60, 60, 60, 60, 60, 60}},
     {{59, 60, 51, 51, 58, 58, 58, 58}, {63, 60, 49, 49, 49, 49, 49, 49},
      {63, 60, 50, 50, 50, 50, 50, 50}, {59, 66, 48, 51, 51, 49, 58, 58}},
    },
   },
   {
    { /* cold findex stencil */
     {{73, 73, 67, 67, 74, 69, 69, 69}, {76, 73, 67, 67, 74, 69, 69, 69},
      {78, 73, 78, 78, 75, 69, 69, 69}, {73, 73, 67, 67, 74, 69, 69, 69}},
     {{73, 73, 67, 67, 74, 69, 69, 69}, {76, 73, 67, 67, 74, 69, 69, 69},
      {78, 73, 78, 78, 75, 69, 69, 69}, {73, 73, 67, 67, 74, 69, 69, 69}},
    },
    { /* cold findex contact */
     {{73, 73, 67, 67, 74, 69, 69, 69}, {76, 73, 67, 67, 74, 69, 69, 69},
      {78, 73, 78, 78, 75, 69, 69, 69}, {73, 73, 67, 67, 74, 69, 69, 69}},
     {{73, 73, 67, 67, 74, 69, 69, 69}, {76, 73, 67, 67, 74, 69, 69, 69},
      {78, 73, 78, 78, 75, 69, 69, 69}, {73, 73, 67, 67, 74, 69, 69, 69}},
    },
    { /* cold findex loose */
     {{73, 73, 67, 67, 67, 69, 69, 69}, {76, 73, 67, 67, 67, 69, 69, 69},
      {78, 73, 78, 78, 75, 69, 69, 69}, {73, 73, 67, 67, 67, 69, 69, 69}},
     {{73, 73, 67, 67, 67, 69, 69, 69}, {76, 73, 67, 67, 67, 69, 69, 69},
      {78, 73, 78, 78, 75, 69, 69, 69}, {73, 73, 67, 67, 67, 69, 69, 69}},
    },
    { /* cold findex packed */
     {{73, 73, 67, 67, 68, 69, 69, 69}, {76, 73, 67, 67, 68, 69, 69, 69},
      {78, 73, 78, 78, 75, 69, 69, 69}, {73, 73, 67, 67, 68, 69, 69, 69}},
     {{73, 73, 67, 67, 68, 69, 69, 69}, {76, 73, 67, 67, 68, 69, 69, 69},
      {78, 73, 78, 78, 75, 69, 69, 69}, {73, 73, 67, 67, 68, 69, 69, 69}},
    },
    { /* cold findex jammed */
     {{73, 73, 67, 67, 70, 71, 71, 71}, {76, 73, 67, 67, 70, 71, 71, 71},
      {78, 73, 78, 78, 75, 71, 71, 71}, {73, 73, 67, 67, 70, 71, 71, 71}},
     {{73, 73, 67, 67, 70, 71, 71, 71}, {76, 73, 67, 67, 70, 71, 71, 71},
      {78, 73, 78, 78, 75, 71, 71, 71}, {73, 73, 67, 67, 70, 71, 71, 71}},
    },
    { /* cold findex tridiagonal */
     {{73, 73, 67, 67, 74, 69, 69, 69}, {76, 73, 67, 67, 74, 69, 69, 69},
      {72, 73, 78, 78, 75, 69, 69, 69}, {73, 73, 67, 67, 74, 69, 69, 69}},
     {{73, 73, 67, 67, 74, 69, 69, 69}, {76, 73, 67, 67, 74, 69, 69, 69},
      {72, 73, 78, 78, 75, 69, 69, 69}, {73, 73, 67, 67, 74, 69, 69, 69}},
    },
    { /* cold findex mmatrix */
     {{73, 73, 67, 67, 74, 69, 69, 69}, {76, 73, 67, 67, 74, 69, 69, 69},
      {78, 73, 78, 78, 75, 69, 69, 69}, {73, 73, 67, 67, 74, 69, 69, 69}},
     {{73, 73, 67, 67, 74, 69, 69, 69}, {76, 73, 67, 67, 74, 69, 69, 69},
      {78, 73, 78, 78, 75, 69, 69, 69}, {73, 73, 67, 67, 74, 69, 69, 69}},
    },
    { /* cold findex sparse */
     {{73, 73, 67, 67, 74, 69, 69, 69}, {76, 73, 67, 67, 74, 69, 69, 69},
      {78, 73, 78, 78, 75, 69, 69, 69}, {73, 73, 67, 67, 74, 69, 69, 69}},
     {{73, 73, 67, 67, 74, 69, 69, 69}, {76, 73, 67, 67, 74, 69, 69, 69},
      {78, 73, 78, 78, 75, 69, 69, 69}, {73, 73, 67, 67, 74, 69, 69, 69}},
    },
    { /* cold findex dense */
     {{67, 67, 67, 67, 67, 67, 67, 67}, {76, 77, 67, 67, 67, 67, 67, 67},
      {78, 78, 78, 78, 78, 78, 78, 78}, {67, 67, 67, 67, 67, 67, 67, 67}},
     {{67, 67, 67, 67, 67, 67, 67, 67}, {76, 77, 67, 67, 67, 67, 67, 67},
      {78, 78, 78, 78, 78, 78, 78, 78}, {67, 67, 67, 67, 67, 67, 67, 67}},
    },
    { /* cold findex hidden */
     {{73, 73, 67, 67, 74, 69, 69, 69}, {76, 73, 67, 67, 74, 69, 69, 69},
      {78, 73, 78, 78, 75, 69, 69, 69}, {73, 73, 67, 67, 74, 69, 69, 69}},
     {{73, 73, 67, 67, 74, 69, 69, 69}, {76, 73, 67, 67, 74, 69, 69, 69},
      {78, 73, 78, 78, 75, 69, 69, 69}, {73, 73, 67, 67, 74, 69, 69, 69}},
    },
   },
   {
    { /* cold cone stencil */
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
    },
    { /* cold cone contact */
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
    },
    { /* cold cone loose */
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
    },
    { /* cold cone packed */
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
    },
    { /* cold cone jammed */
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
    },
    { /* cold cone tridiagonal */
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
    },
    { /* cold cone mmatrix */
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
    },
    { /* cold cone sparse */
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
    },
    { /* cold cone dense */
     {{79, 79, 79, 79, 79, 79, 79, 79}, {81, 81, 81, 79, 79, 79, 79, 79},
      {81, 81, 81, 81, 81, 81, 81, 81}, {79, 79, 79, 79, 79, 79, 79, 79}},
     {{79, 79, 79, 79, 79, 79, 79, 79}, {81, 81, 81, 79, 79, 79, 79, 79},
      {81, 81, 81, 81, 81, 81, 81, 81}, {79, 79, 79, 79, 79, 79, 79, 79}},
    },
    { /* cold cone hidden */
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
    },
   },
  },
  {
   {
    { /* warm lcp stencil */
     {{86, 86, 86, 88, 88, 88, 88, 88}, {86, 86, 86, 88, 88, 88, 88, 88},
      {86, 86, 86, 88, 88, 88, 88, 88}, {86, 86, 86, 88, 88, 88, 88, 88}},
     {{86, 86, 86, 83, 83, 83, 83, 83}, {89, 89, 86, 83, 87, 87, 87, 87},
      {89, 89, 86, 90, 90, 90, 90, 90}, {86, 86, 86, 83, 83, 83, 83, 83}},
    },
    { /* warm lcp contact */
     {{86, 86, 86, 86, 86, 88, 88, 88}, {86, 86, 86, 86, 86, 88, 88, 88},
      {86, 86, 86, 86, 86, 88, 88, 88}, {86, 86, 86, 86, 86, 88, 88, 88}},
     {{84, 84, 84, 84, 85, 85, 85, 85}, {89, 89, 84, 83, 87, 87, 87, 87},
      {89, 89, 86, 90, 90, 90, 90, 90}, {84, 84, 84, 84, 85, 85, 85, 85}},
    },
    { /* warm lcp loose */
     {{11, 14, 14, 19, 19, 19, 19, 19}, {11, 14, 14, 19, 19, 19, 19, 19},
      {11, 14, 14, 13, 13, 13, 13, 13}, {11, 19, 19, 19, 19, 8, 8, 8}},
     {{11, 14, 12, 0, 8, 20, 20, 20}, {11, 21, 8, 8, 8, 20, 20, 20},
      {11, 14, 12, 13, 13, 20, 20, 20}, {11, 14, 22, 0, 8, 8, 20, 20}},
    },
    { /* warm lcp packed */
     {{11, 14, 14, 19, 19, 19, 19, 19}, {11, 14, 14, 19, 19, 19, 19, 19},
      {11, 14, 14, 13, 13, 13, 13, 13}, {11, 19, 19, 19, 19, 8, 8, 8}},
     {{11, 14, 12, 0, 8, 20, 20, 20}, {11, 21, 8, 8, 8, 20, 20, 20},
      {11, 14, 12, 13, 13, 20, 20, 20}, {11, 14, 22, 0, 8, 8, 20, 20}},
    },
    { /* warm lcp jammed */
     {{11, 14, 14, 19, 19, 19, 19, 19}, {11, 14, 14, 19, 19, 19, 19, 19},
      {11, 14, 14, 13, 13, 13, 13, 13}, {11, 19, 19, 19, 19, 8, 8, 8}},
     {{11, 14, 12, 0, 8, 20, 20, 20}, {11, 21, 8, 8, 8, 20, 20, 20},
      {11, 14, 12, 13, 13, 20, 20, 20}, {11, 14, 22, 0, 8, 8, 20, 20}},
    },
    { /* warm lcp tridiagonal */
     {{86, 86, 86, 88, 86, 86, 86, 86}, {86, 86, 86, 87, 86, 86, 86, 86},
      {86, 86, 86, 87, 86, 86, 86, 86}, {86, 86, 86, 88, 86, 86, 86, 86}},
     {{86, 86, 86, 83, 83, 83, 83, 83}, {89, 89, 86, 87, 87, 87, 87, 87},
      {89, 89, 86, 90, 90, 90, 90, 90}, {86, 86, 86, 83, 83, 83, 83, 83}},
    },
    { /* warm lcp mmatrix */
     {{86, 86, 86, 88, 88, 88, 88, 88}, {86, 86, 86, 88, 88, 88, 88, 88},
      {86, 86, 86, 88, 88, 88, 88, 88}, {86, 86, 86, 88, 88, 88, 88, 88}},
     {{86, 86, 86, 83, 83, 83, 83, 83}, {89, 89, 86, 83, 87, 87, 87, 87},
      {89, 89, 86, 90, 90, 90, 90, 90}, {86, 86, 86, 83, 83, 83, 83, 83}},
    },
    { /* warm lcp sparse */
     {{86, 86, 86, 86, 86, 88, 88, 88}, {86, 86, 86, 86, 86, 88, 88, 88},
      {86, 86, 86, 86, 86, 88, 88, 88}, {86, 86, 86, 86, 86, 88, 88, 88}},
     {{84, 84, 86, 83, 83, 85, 85, 85}, {89, 89, 86, 83, 87, 87, 87, 87},
      {89, 89, 86, 90, 90, 90, 90, 90}, {84, 84, 86, 83, 83, 85, 85, 85}},
    },
    { /* warm lcp dense */
     {{86, 86, 86, 86, 86, 86, 86, 86}, {86, 86, 86, 86, 86, 86, 86, 86},
      {86, 86, 86, 86, 86, 86, 86, 86}, {86, 86, 86, 86, 86, 86, 86, 86}},
     {{86, 86, 86, 83, 83, 83, 83, 83}, {86, 86, 86, 83, 83, 83, 83, 83},
      {86, 86, 86, 90, 90, 90, 90, 90}, {86, 86, 86, 83, 83, 83, 83, 83}},
    },
    { /* warm lcp hidden */
     {{11, 14, 14, 19, 19, 19, 19, 19}, {11, 14, 14, 19, 19, 19, 19, 19},
      {11, 14, 14, 13, 13, 13, 13, 13}, {11, 19, 19, 19, 19, 8, 8, 8}},
     {{11, 14, 12, 0, 8, 20, 20, 20}, {11, 21, 8, 8, 8, 20, 20, 20},
      {11, 14, 12, 13, 13, 20, 20, 20}, {11, 14, 22, 0, 8, 8, 20, 20}},
    },
   },
   {
    { /* warm mixed stencil */
     {{95, 95, 95, 95, 96, 96, 96, 96}, {95, 95, 95, 95, 96, 96, 96, 96},
      {95, 95, 95, 95, 96, 96, 96, 96}, {95, 95, 95, 95, 96, 96, 96, 96}},
     {{92, 92, 92, 91, 92, 93, 93, 93}, {92, 92, 92, 94, 94, 94, 94, 94},
      {92, 92, 98, 97, 97, 97, 97, 97}, {92, 92, 92, 91, 92, 93, 93, 93}},
    },
    { /* warm mixed contact */
     {{95, 95, 95, 95, 95, 96, 96, 96}, {95, 95, 95, 95, 95, 96, 96, 96},
      {95, 95, 95, 95, 95, 96, 96, 96}, {95, 95, 95, 95, 95, 96, 96, 96}},
     {{92, 92, 92, 92, 92, 93, 93, 93}, {92, 92, 92, 94, 94, 94, 94, 94},
      {92, 92, 98, 97, 97, 97, 97, 97}, {92, 92, 92, 92, 92, 93, 93, 93}},
    },
    { /* warm mixed loose */
     {{35, 35, 35, 41, 41, 41, 41, 41}, {35, 35, 35, 41, 41, 41, 41, 41},
      {42, 35, 35, 43, 43, 43, 43, 43}, {35, 35, 35, 41, 41, 41, 41, 41}},
     {{35, 35, 29, 24, 24, 39, 32, 32}, {35, 35, 29, 29, 29, 29, 29, 29},
      {42, 35, 30, 32, 32, 32, 32, 32}, {35, 35, 40, 24, 24, 29, 32, 32}},
    },
    { /* warm mixed packed */
     {{35, 35, 35, 41, 41, 41, 41, 41}, {35, 35, 35, 41, 41, 41, 41, 41},
      {42, 35, 35, 43, 43, 43, 43, 43}, {35, 35, 35, 41, 41, 41, 41, 41}},
     {{35, 35, 29, 24, 24, 39, 32, 32}, {35, 35, 29, 29, 29, 29, 29, 29},
      {42, 35, 30, 32, 32, 32, 32, 32}, {35, 35, 40, 24, 24, 29, 32, 32}},
    },
    { /* warm mixed jammed */
     {{35, 35, 35, 41, 41, 41, 41, 41}, {35, 35, 35, 41, 41, 41, 41, 41},
      {42, 35, 35, 43, 43, 43, 43, 43}, {35, 35, 35, 41, 41, 41, 41, 41}},
     {{35, 35, 29, 24, 24, 39, 32, 32}, {35, 35, 29, 29, 29, 29, 29, 29},
      {42, 35, 30, 32, 32, 32, 32, 32}, {35, 35, 40, 24, 24, 29, 32, 32}},
    },
    { /* warm mixed tridiagonal */
     {{95, 95, 95, 95, 96, 96, 96, 96}, {95, 95, 95, 95, 96, 96, 96, 96},
      {95, 95, 95, 95, 96, 96, 96, 96}, {95, 95, 95, 95, 96, 96, 96, 96}},
     {{92, 92, 92, 91, 91, 93, 93, 93}, {92, 92, 92, 94, 94, 94, 94, 94},
      {92, 92, 98, 97, 97, 97, 97, 97}, {92, 92, 92, 91, 91, 93, 93, 93}},
    },
    { /* warm mixed mmatrix */
     {{95, 95, 95, 95, 96, 96, 96, 96}, {95, 95, 95, 95, 96, 96, 96, 96},
      {95, 95, 95, 95, 96, 96, 96, 96}, {95, 95, 95, 95, 96, 96, 96, 96}},
     {{92, 92, 92, 91, 91, 93, 93, 93}, {92, 92, 92, 94, 94, 94, 94, 94},
      {92, 92, 98, 97, 97, 97, 97, 97}, {92, 92, 92, 91, 91, 93, 93, 93}},
    },
    { /* warm mixed sparse */
     {{95, 95, 95, 95, 95, 96, 96, 96}, {95, 95, 95, 95, 95, 96, 96, 96},
      {95, 95, 95, 95, 95, 96, 96, 96}, {95, 95, 95, 95, 95, 96, 96, 96}},
     {{92, 92, 92, 91, 91, 93, 93, 93}, {92, 92, 92, 94, 94, 94, 94, 94},
      {92, 92, 98, 97, 97, 97, 97, 97}, {92, 92, 92, 91, 91, 93, 93, 93}},
    },
    { /* warm mixed dense */
     {{95, 95, 95, 95, 95, 95, 95, 95}, {95, 95, 95, 95, 95, 95, 95, 95},
      {95, 95, 95, 95, 95, 95, 95, 95}, {95, 95, 95, 95, 95, 95, 95, 95}},
     {{92, 92, 92, 91, 92, 92, 92, 92}, {92, 92, 92, 91, 92, 92, 92, 92},
      {92, 92, 98, 99, 99, 99, 99, 99}, {92, 92, 92, 91, 92, 92, 92, 92}},
    },
    { /* warm mixed hidden */
     {{35, 35, 35, 41, 41, 41, 41, 41}, {35, 35, 35, 41, 41, 41, 41, 41},
      {42, 35, 35, 43, 43, 43, 43, 43}, {35, 35, 35, 41, 41, 41, 41, 41}},
     {{35, 35, 29, 24, 24, 39, 32, 32}, {35, 35, 29, 29, 29, 29, 29, 29},
      {42, 35, 30, 32, 32, 32, 32, 32}, {35, 35, 40, 24, 24, 29, 32, 32}},
    },
   },
   {
    { /* warm boxed stencil */
     {{103, 103, 103, 103, 104, 104, 104, 104}, {103, 103, 103, 103, 104, 104, 104, 104},
      {103, 103, 103, 103, 104, 104, 104, 104}, {103, 103, 103, 103, 104, 104, 104, 104}},
     {{103, 103, 103, 103, 100, 101, 101, 101}, {103, 103, 103, 102, 105, 105, 101, 101},
      {108, 108, 108, 106, 106, 106, 101, 101}, {103, 103, 103, 103, 100, 101, 101, 101}},
    },
    { /* warm boxed contact */
     {{59, 60, 60, 61, 62, 56, 56, 56}, {59, 60, 54, 54, 55, 57, 57, 57},
      {63, 60, 64, 65, 65, 57, 57, 57}, {59, 60, 60, 60, 60, 56, 56, 56}},
     {{59, 60, 51, 51, 58, 58, 58, 58}, {63, 60, 49, 49, 49, 49, 49, 49},
      {63, 60, 50, 50, 50, 50, 50, 50}, {59, 66, 48, 51, 51, 49, 58, 58}},
    },
    { /* warm boxed loose */
     {{59, 60, 60, 61, 62, 62, 62, 62}, {59, 60, 60, 61, 62, 62, 62, 62},
      {63, 60, 64, 65, 65, 65, 65, 65}, {59, 60, 60, 60, 60, 60, 60, 60}},
     {{59, 60, 51, 51, 58, 58, 58, 58}, {63, 60, 49, 49, 49, 49, 49, 49},
      {63, 60, 50, 50, 50, 50, 50, 50}, {59, 66, 48, 51, 51, 49, 58, 58}},
    },
    { /* warm boxed packed */
     {{59, 60, 60, 61, 62, 62, 62, 62}, {59, 60, 60, 61, 62, 62, 62, 62},
      {63, 60, 64, 65, 65, 65, 65, 65}, {59, 60, 60, 60, 60, 60, 60, 60}},
     {{59, 60, 51, 51, 58, 58, 58, 58}, {63, 60, 49, 49, 49, 49, 49, 49},
      {63, 60, 50, 50, 50, 50, 50, 50}, {59, 66, 48, 51, 51, 49, 58, 58}},
    },
    { /* warm boxed jammed */
     {{59, 60, 60, 61, 62, 62, 62, 62}, {59, 60, 60, 61, 62, 62, 62, 62},
      {63, 60, 64, 65, 65, 65, 65, 65}, {59, 60, 60, 60, 60, 60, 60, 60}},
     {{59, 60, 51, 51, 58, 58, 58, 58}, {63, 60, 49, 49, 49, 49, 49, 49},
      {63, 60, 50, 50, 50, 50, 50, 50}, {59, 66, 48, 51, 51, 49, 58, 58}},
    },
    { /* warm boxed tridiagonal */
     {{103, 103, 103, 103, 104, 104, 104, 104}, {103, 103, 103, 103, 104, 104, 104, 104},
      {103, 103, 103, 103, 104, 104, 104, 104}, {103, 103, 103, 103, 104, 104, 104, 104}},
     {{103, 103, 103, 103, 100, 101, 101, 101}, {103, 103, 103, 102, 102, 102, 101, 101},
      {108, 108, 108, 106, 106, 106, 101, 101}, {103, 103, 103, 103, 100, 101, 101, 101}},
    },
    { /* warm boxed mmatrix */
     {{103, 103, 103, 103, 104, 104, 104, 104}, {103, 103, 103, 103, 104, 104, 104, 104},
      {103, 103, 103, 103, 104, 104, 104, 104}, {103, 103, 103, 103, 104, 104, 104, 104}},
     {{103, 103, 103, 103, 100, 101, 101, 101}, {103, 103, 103, 102, 105, 105, 101, 101},
      {108, 108, 108, 106, 106, 106, 101, 101}, {103, 103, 103, 103, 100, 101, 101, 101}},
    },
    { /* warm boxed sparse */
     {{103, 103, 103, 103, 103, 104, 104, 104}, {103, 103, 103, 103, 103, 104, 104, 104},
      {103, 103, 103, 103, 103, 104, 104, 104}, {103, 103, 103, 103, 103, 104, 104, 104}},
     {{103, 103, 103, 103, 107, 101, 101, 101}, {103, 103, 103, 102, 105, 105, 101, 101},
      {108, 108, 108, 106, 106, 106, 101, 101}, {103, 103, 103, 103, 107, 101, 101, 101}},
    },
    { /* warm boxed dense */
     {{103, 103, 103, 103, 103, 103, 103, 103}, {103, 103, 103, 103, 103, 103, 103, 103},
      {103, 103, 103, 103, 103, 103, 103, 103}, {103, 103, 103, 103, 103, 103, 103, 103}},
     {{103, 103, 103, 103, 107, 107, 107, 107}, {103, 103, 103, 103, 107, 107, 107, 107},
      {108, 108, 108, 106, 109, 109, 109, 109}, {103, 103, 103, 103, 107, 107, 107, 107}},
    },
    { /* warm boxed hidden */
     {{59, 60, 60, 61, 62, 62, 62, 62}, {59, 60, 60, 61, 62, 62, 62, 62},
      {63, 60, 64, 65, 65, 65, 65, 65}, {59, 60, 60, 60, 60, 60, 60, 60}},
     {{59, 60, 51, 51, 58, 58, 58, 58}, {63, 60, 49, 49, 49, 49, 49, 49},
      {63, 60, 50, 50, 50, 50, 50, 50}, {59, 66, 48, 51, 51, 49, 58, 58}},
    },
   },
   {
    { /* warm findex stencil */
     {{73, 73, 67, 67, 74, 69, 69, 69}, {76, 73, 67, 67, 74, 69, 69, 69},
      {78, 73, 78, 78, 75, 69, 69, 69}, {73, 73, 67, 67, 74, 69, 69, 69}},
     {{73, 73, 67, 67, 74, 69, 69, 69}, {76, 73, 67, 67, 74, 69, 69, 69},
      {78, 73, 78, 78, 75, 69, 69, 69}, {73, 73, 67, 67, 74, 69, 69, 69}},
    },
    { /* warm findex contact */
     {{73, 73, 67, 67, 74, 69, 69, 69}, {76, 73, 67, 67, 74, 69, 69, 69},
      {78, 73, 78, 78, 75, 69, 69, 69}, {73, 73, 67, 67, 74, 69, 69, 69}},
     {{73, 73, 67, 67, 74, 69, 69, 69}, {76, 73, 67, 67, 74, 69, 69, 69},
      {78, 73, 78, 78, 75, 69, 69, 69}, {73, 73, 67, 67, 74, 69, 69, 69}},
    },
    { /* warm findex loose */
     {{110, 110, 110, 110, 111, 114, 114, 114}, {110, 110, 110, 110, 111, 114, 114, 114},
      {110, 110, 110, 110, 111, 114, 114, 114}, {110, 110, 110, 110, 111, 114, 114, 114}},
     {{110, 110, 110, 110, 111, 114, 114, 114}, {110, 110, 110, 110, 111, 114, 114, 114},
      {110, 110, 110, 110, 111, 114, 114, 114}, {110, 110, 110, 110, 111, 114, 114, 114}},
    },
    { /* warm findex packed */
     {{110, 110, 110, 112, 113, 114, 114, 114}, {110, 110, 110, 112, 113, 114, 114, 114},
      {110, 110, 110, 112, 113, 114, 114, 114}, {110, 110, 110, 112, 113, 114, 114, 114}},
     {{110, 110, 110, 112, 113, 114, 114, 114}, {110, 110, 110, 112, 113, 114, 114, 114},
      {110, 110, 110, 112, 113, 114, 114, 114}, {110, 110, 110, 112, 113, 114, 114, 114}},
    },
    { /* warm findex jammed */
     {{110, 110, 110, 112, 115, 115, 115, 115}, {110, 110, 110, 112, 115, 115, 115, 115},
      {110, 110, 110, 112, 115, 115, 115, 115}, {110, 110, 110, 112, 115, 115, 115, 115}},
     {{110, 110, 110, 112, 115, 115, 115, 115}, {110, 110, 110, 112, 115, 115, 115, 115},
      {110, 110, 110, 112, 115, 115, 115, 115}, {110, 110, 110, 112, 115, 115, 115, 115}},
    },
    { /* warm findex tridiagonal */
     {{73, 73, 67, 67, 74, 69, 69, 69}, {76, 73, 67, 67, 74, 69, 69, 69},
      {72, 73, 78, 78, 75, 69, 69, 69}, {73, 73, 67, 67, 74, 69, 69, 69}},
     {{73, 73, 67, 67, 74, 69, 69, 69}, {76, 73, 67, 67, 74, 69, 69, 69},
      {72, 73, 78, 78, 75, 69, 69, 69}, {73, 73, 67, 67, 74, 69, 69, 69}},
    },
    { /* warm findex mmatrix */
     {{73, 73, 67, 67, 74, 69, 69, 69}, {76, 73, 67, 67, 74, 69, 69, 69},
      {78, 73, 78, 78, 75, 69, 69, 69}, {73, 73, 67, 67, 74, 69, 69, 69}},
     {{73, 73, 67, 67, 74, 69, 69, 69}, {76, 73, 67, 67, 74, 69, 69, 69},
      {78, 73, 78, 78, 75, 69, 69, 69}, {73, 73, 67, 67, 74, 69, 69, 69}},
    },
    { /* warm findex sparse */
     {{110, 110, 110, 110, 110, 116, 116, 116}, {110, 110, 110, 110, 110, 116, 116, 116},
      {110, 110, 110, 110, 110, 116, 116, 116}, {110, 110, 110, 110, 110, 116, 116, 116}},
     {{110, 110, 110, 110, 110, 116, 116, 116}, {110, 110, 110, 110, 110, 116, 116, 116},
      {110, 110, 110, 110, 110, 116, 116, 116}, {110, 110, 110, 110, 110, 116, 116, 116}},
    },
    { /* warm findex dense */
     {{110, 110, 110, 110, 110, 110, 110, 110}, {110, 110, 110, 110, 110, 110, 110, 110},
      {110, 110, 110, 110, 110, 110, 110, 110}, {110, 110, 110, 110, 110, 110, 110, 110}},
     {{110, 110, 110, 110, 110, 110, 110, 110}, {110, 110, 110, 110, 110, 110, 110, 110},
      {110, 110, 110, 110, 110, 110, 110, 110}, {110, 110, 110, 110, 110, 110, 110, 110}},
    },
    { /* warm findex hidden */
     {{73, 73, 67, 67, 74, 69, 69, 69}, {76, 73, 67, 67, 74, 69, 69, 69},
      {78, 73, 78, 78, 75, 69, 69, 69}, {73, 73, 67, 67, 74, 69, 69, 69}},
     {{73, 73, 67, 67, 74, 69, 69, 69}, {76, 73, 67, 67, 74, 69, 69, 69},
      {78, 73, 78, 78, 75, 69, 69, 69}, {73, 73, 67, 67, 74, 69, 69, 69}},
    },
   },
   {
    { /* warm cone stencil */
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
    },
    { /* warm cone contact */
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
    },
    { /* warm cone loose */
     {{117, 117, 117, 118, 117, 117, 117, 117}, {117, 117, 117, 118, 117, 117, 117, 117},
      {117, 117, 117, 118, 117, 117, 117, 117}, {117, 117, 117, 118, 117, 117, 117, 117}},
     {{117, 117, 117, 118, 117, 117, 117, 117}, {117, 117, 117, 118, 117, 117, 117, 117},
      {117, 117, 117, 118, 117, 117, 117, 117}, {117, 117, 117, 118, 117, 117, 117, 117}},
    },
    { /* warm cone packed */
     {{117, 117, 117, 118, 117, 117, 117, 117}, {117, 117, 117, 118, 117, 117, 117, 117},
      {117, 117, 117, 118, 117, 117, 117, 117}, {117, 117, 117, 118, 117, 117, 117, 117}},
     {{117, 117, 117, 118, 117, 117, 117, 117}, {117, 117, 117, 118, 117, 117, 117, 117},
      {117, 117, 117, 118, 117, 117, 117, 117}, {117, 117, 117, 118, 117, 117, 117, 117}},
    },
    { /* warm cone jammed */
     {{117, 117, 117, 118, 117, 117, 117, 117}, {117, 117, 117, 118, 117, 117, 117, 117},
      {117, 117, 117, 118, 117, 117, 117, 117}, {117, 117, 117, 118, 117, 117, 117, 117}},
     {{117, 117, 117, 118, 117, 117, 117, 117}, {117, 117, 117, 118, 117, 117, 117, 117},
      {117, 117, 117, 118, 117, 117, 117, 117}, {117, 117, 117, 118, 117, 117, 117, 117}},
    },
    { /* warm cone tridiagonal */
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
    },
    { /* warm cone mmatrix */
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
    },
    { /* warm cone sparse */
     {{117, 117, 117, 117, 117, 117, 117, 117}, {117, 117, 117, 117, 117, 117, 117, 117},
      {117, 117, 117, 117, 117, 117, 117, 117}, {117, 117, 117, 117, 117, 117, 117, 117}},
     {{117, 117, 117, 117, 117, 117, 117, 117}, {117, 117, 117, 117, 117, 117, 117, 117},
      {117, 117, 117, 117, 117, 117, 117, 117}, {117, 117, 117, 117, 117, 117, 117, 117}},
    },
    { /* warm cone dense */
     {{117, 117, 117, 117, 117, 117, 117, 117}, {117, 117, 117, 117, 117, 117, 117, 117},
      {117, 117, 117, 117, 117, 117, 117, 117}, {117, 117, 117, 117, 117, 117, 117, 117}},
     {{117, 117, 117, 117, 117, 117, 117, 117}, {117, 117, 117, 117, 117, 117, 117, 117},
      {117, 117, 117, 117, 117, 117, 117, 117}, {117, 117, 117, 117, 117, 117, 117, 117}},
    },
    { /* warm cone hidden */
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
     {{81, 81, 79, 79, 79, 80, 80, 80}, {81, 81, 81, 79, 79, 80, 80, 80},
      {81, 81, 81, 81, 82, 80, 80, 80}, {81, 81, 79, 79, 79, 80, 80, 80}},
    },
   },
  },
};
/* clang-format on */
