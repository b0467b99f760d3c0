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
    /* 0: cold lcp stencil symmetric plain 100 and 8 more; 72 problems */
    {{{&perp_method_dantzig, PERP_FAMILY_PIVOTING, 32}}},
    /* 1: cold lcp stencil symmetric plain 1000 and 5 more; 13 problems */
    {{{&perp_method_mg, PERP_FAMILY_OTHER, 32}}},
    /* 2: cold lcp contact symmetric plain 10; 2 problems */
    {{{&perp_method_spg, PERP_FAMILY_OTHER, 32}}},
    /* 3: cold lcp contact symmetric plain 1000; 12 problems */
    {{{&perp_method_psor, PERP_FAMILY_SPLITTING, 512},
      {&perp_method_baraff, PERP_FAMILY_PIVOTING, 32}}},
    /* 4: cold lcp contact symmetric plain 10000; 5 problems */
    {{{&perp_method_alm, PERP_FAMILY_OTHER, 184},
      {&perp_method_psor, PERP_FAMILY_SPLITTING, 3704},
      {&perp_method_homotopy, PERP_FAMILY_OTHER, 212}}},
    /* 5: cold lcp tridiagonal unsymmetric plain 1000 and 2 more; 6 problems */
    {{{&perp_method_blockpivot, PERP_FAMILY_PIVOTING, 32}}},
    /* 6: cold lcp tridiagonal unsymmetric fair 100; 3 problems */
    {{{&perp_method_blockpivot, PERP_FAMILY_PIVOTING, 32}}},
    /* 7: cold lcp tridiagonal symmetric fair 100 and 10 more; 35 problems */
    {{{&perp_method_gpcg, PERP_FAMILY_OTHER, 144},
      {&perp_method_ssn, PERP_FAMILY_OTHER, 2100}}},
    /* 8: cold lcp tridiagonal symmetric fair 10000 and 1 more; 4 problems */
    {{{&perp_method_blockpivot, PERP_FAMILY_PIVOTING, 32}}},
    /* 9: cold lcp tridiagonal symmetric fair 100000; 2 problems */
    {{{&perp_method_coloured, PERP_FAMILY_SPLITTING, 40}}},
    /* 10: cold lcp tridiagonal symmetric strong 3 and 5 more; 43 problems */
    {{{&perp_method_direct, PERP_FAMILY_PIVOTING, 32}}},
    /* 11: cold lcp tridiagonal symmetric strong 10 and 6 more; 19 problems */
    {{{&perp_method_pgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 12: cold lcp tridiagonal symmetric strong 1000 and 7 more; 11 problems */
    {{{&perp_method_spsor, PERP_FAMILY_SPLITTING, 32}}},
    /* 13: cold lcp mmatrix unsymmetric plain 100 and 4 more; 11 problems */
    {{{&perp_method_psor, PERP_FAMILY_SPLITTING, 56}}},
    /* 14: cold lcp mmatrix unsymmetric plain 100000; 2 problems */
    {{{&perp_method_pgs, PERP_FAMILY_SPLITTING, 36}}},
    /* 15: cold lcp mmatrix unsymmetric fair 100; 2 problems */
    {{{&perp_method_pgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 16: cold lcp mmatrix unsymmetric fair 1000; 2 problems */
    {{{&perp_method_spsor, PERP_FAMILY_SPLITTING, 32}}},
    /* 17: cold lcp sparse unsymmetric holes 100 and 7 more; 70 problems */
    {{{&perp_method_lemke, PERP_FAMILY_PIVOTING, 5760}}},
    /* 18: cold lcp sparse symmetric plain 10000 and 5 more; 13 problems */
    {{{&perp_method_psor, PERP_FAMILY_SPLITTING, 32},
      {&perp_method_pgssm, PERP_FAMILY_OTHER, 32},
      {&perp_method_ipm, PERP_FAMILY_OTHER, 72}}},
    /* 19: cold lcp sparse symmetric holes 100; 3 problems */
    {{{&perp_method_baraff, PERP_FAMILY_PIVOTING, 32}}},
    /* 20: cold lcp dense unsymmetric fair 10; 2 problems */
    {{{&perp_method_blockpivot, PERP_FAMILY_PIVOTING, 32}}},
    /* 21: cold lcp dense symmetric plain 10 and 1 more; 12 problems */
    {{{&perp_method_baraff, PERP_FAMILY_PIVOTING, 32}}},
    /* 22: cold mixed stencil symmetric plain 100 and 2 more; 21 problems */
    {{{&perp_method_dantzig, PERP_FAMILY_PIVOTING, 32},
      {&perp_method_ipm, PERP_FAMILY_OTHER, 32}}},
    /* 23: cold mixed stencil symmetric plain 1000 and 2 more; 6 problems */
    {{{&perp_method_mg, PERP_FAMILY_OTHER, 32}}},
    /* 24: cold mixed contact symmetric plain 10 and 3 more; 19 problems */
    {{{&perp_method_baraff, PERP_FAMILY_PIVOTING, 32}}},
    /* 25: cold mixed contact symmetric plain 100 and 6 more; 44 problems */
    {{{&perp_method_dantzig, PERP_FAMILY_PIVOTING, 32},
      {&perp_method_alm, PERP_FAMILY_OTHER, 32}}},
    /* 26: cold mixed contact symmetric plain 10000; 3 problems */
    {{{&perp_method_nncg, PERP_FAMILY_SPLITTING, 816},
      {&perp_method_ipm, PERP_FAMILY_OTHER, 80}}},
    /* 27: cold mixed tridiagonal symmetric fair 100 and 8 more; 18 problems */
    {{{&perp_method_gpcg, PERP_FAMILY_OTHER, 256}}},
    /* 28: cold mixed tridiagonal symmetric strong 10 and 10 more; 20 problems */
    {{{&perp_method_pgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 29: cold mixed tridiagonal symmetric strong 1000 and 1 more; 2 problems */
    {{{&perp_method_coloured, PERP_FAMILY_SPLITTING, 32}}},
    /* 30: cold mixed tridiagonal symmetric holes 100 and 2 more; 6 problems */
    {{{&perp_method_prox, PERP_FAMILY_OTHER, 32}}},
    /* 31: cold mixed mmatrix unsymmetric plain 100 and 2 more; 7 problems */
    {{{&perp_method_psor, PERP_FAMILY_SPLITTING, 36}}},
    /* 32: cold mixed mmatrix unsymmetric plain 100000 and 2 more; 4 problems */
    {{{&perp_method_spg, PERP_FAMILY_OTHER, 32}}},
    /* 33: cold mixed mmatrix unsymmetric fair 100 and 1 more; 3 problems */
    {{{&perp_method_spsor, PERP_FAMILY_SPLITTING, 32}}},
    /* 34: cold mixed sparse symmetric plain 10000; 10 problems */
    {{{&perp_method_pgssm, PERP_FAMILY_OTHER, 492},
      {&perp_method_ipm, PERP_FAMILY_OTHER, 92}}},
    /* 35: cold mixed sparse symmetric holes 100; 3 problems */
    {{{&perp_method_baraff, PERP_FAMILY_PIVOTING, 32}}},
    /* 36: cold mixed dense unsymmetric plain 10; 4 problems */
    {{{&perp_method_blockpivot, PERP_FAMILY_PIVOTING, 32}}},
    /* 37: cold mixed dense unsymmetric plain 100; 11 problems */
    {{{&perp_method_lemke, PERP_FAMILY_PIVOTING, 76}}},
    /* 38: cold mixed dense unsymmetric fair 10; 2 problems */
    {{{&perp_method_kz, PERP_FAMILY_OTHER, 32}}},
    /* 39: cold mixed dense unsymmetric strong 3 and 1 more; 4 problems */
    {{{&perp_method_direct, PERP_FAMILY_PIVOTING, 32}}},
    /* 40: cold mixed dense unsymmetric strong 10 and 2 more; 6 problems */
    {{{&perp_method_spsor, PERP_FAMILY_SPLITTING, 32}}},
    /* 41: cold mixed dense unsymmetric holes 100 and 1 more; 3 problems */
    {{{&perp_method_blockpivot, PERP_FAMILY_PIVOTING, 32}}},
    /* 42: cold boxed stencil symmetric plain 100; 2 problems */
    {{{&perp_method_coloured, PERP_FAMILY_SPLITTING, 120}}},
    /* 43: cold boxed stencil symmetric plain 1000 and 1 more; 4 problems */
    {{{&perp_method_mg, PERP_FAMILY_OTHER, 32}}},
    /* 44: cold boxed stencil symmetric plain 100000 and 2 more; 10 problems */
    {{{&perp_method_mg, PERP_FAMILY_OTHER, 32}}},
    /* 45: cold boxed tridiagonal symmetric fair 100 and 10 more; 38 problems */
    {{{&perp_method_dantzig, PERP_FAMILY_PIVOTING, 32}}},
    /* 46: cold boxed tridiagonal symmetric fair 1000 and 7 more; 16 problems */
    {{{&perp_method_gpcg, PERP_FAMILY_OTHER, 236}}},
    /* 47: cold boxed tridiagonal symmetric strong 10 and 9 more; 17 problems */
    {{{&perp_method_spsor, PERP_FAMILY_SPLITTING, 32}}},
    /* 48: cold boxed tridiagonal symmetric holes 10000; 2 problems */
    {{{&perp_method_blockpivot, PERP_FAMILY_PIVOTING, 32}}},
    /* 49: cold boxed mmatrix unsymmetric plain 100 and 2 more; 6 problems */
    {{{&perp_method_spsor, PERP_FAMILY_SPLITTING, 32}}},
    /* 50: cold boxed mmatrix unsymmetric plain 10000 and 1 more; 4 problems */
    {{{&perp_method_pgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 51: cold boxed mmatrix unsymmetric fair 100; 2 problems */
    {{{&perp_method_pgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 52: cold boxed mmatrix unsymmetric fair 10000 and 1 more; 2 problems */
    {{{&perp_method_spg, PERP_FAMILY_OTHER, 32}}},
    /* 53: cold boxed sparse symmetric plain 1000 and 2 more; 3 problems */
    {{{&perp_method_spg, PERP_FAMILY_OTHER, 64}}},
    /* 54: cold boxed dense unsymmetric plain 3 and 1 more; 11 problems */
    {{{&perp_method_direct, PERP_FAMILY_PIVOTING, 32}}},
    /* 55: cold boxed dense unsymmetric plain 10 and 3 more; 14 problems */
    {{{&perp_method_blockpivot, PERP_FAMILY_PIVOTING, 52},
      {&perp_method_ipm, PERP_FAMILY_OTHER, 32}}},
    /* 56: cold boxed dense unsymmetric plain 1000; 2 problems */
    {{{&perp_method_prox, PERP_FAMILY_OTHER, 1256}}},
    /* 57: cold boxed dense unsymmetric fair 10 and 5 more; 16 problems */
    {{{&perp_method_pgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 58: cold boxed dense unsymmetric strong 100 and 1 more; 4 problems */
    {{{&perp_method_spsor, PERP_FAMILY_SPLITTING, 32}}},
    /* 59: cold boxed dense symmetric plain 10; 8 problems */
    {{{&perp_method_kz, PERP_FAMILY_OTHER, 32}}},
    /* 60: cold boxed dense symmetric strong 100 and 1 more; 4 problems */
    {{{&perp_method_pgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 61: cold boxed dense symmetric holes 10; 2 problems */
    {{{&perp_method_baraff, PERP_FAMILY_PIVOTING, 32}}},
    /* 62: cold findex loose symmetric plain 100 and 7 more; 34 problems */
    {{{&perp_method_dantzig, PERP_FAMILY_PIVOTING, 32}}},
    /* 63: cold findex packed symmetric plain 1000; 22 problems */
    {{{&perp_method_coloured, PERP_FAMILY_SPLITTING, 364},
      {&perp_method_alm, PERP_FAMILY_OTHER, 72},
      {&perp_method_nncg, PERP_FAMILY_SPLITTING, 5304}}},
    /* 64: cold findex packed symmetric plain 10000 and 1 more; 18 problems */
    {{{&perp_method_nncg, PERP_FAMILY_SPLITTING, 4504},
      {&perp_method_ipm, PERP_FAMILY_OTHER, 156},
      {&perp_method_ssn, PERP_FAMILY_OTHER, 1244},
      {&perp_method_coloured, PERP_FAMILY_SPLITTING, 8504}}},
    /* 65: cold findex jammed symmetric plain 1000; 9 problems */
    {{{&perp_method_alm, PERP_FAMILY_OTHER, 84},
      {&perp_method_ipm, PERP_FAMILY_OTHER, 124}}},
    /* 66: cold findex jammed symmetric plain 10000; 12 problems */
    {{{&perp_method_psor, PERP_FAMILY_SPLITTING, 4104},
      {&perp_method_ipm, PERP_FAMILY_OTHER, 328},
      {&perp_method_nncg, PERP_FAMILY_SPLITTING, 8504}}},
    /* 67: cold findex tridiagonal symmetric strong 3; 4 problems */
    {{{&perp_method_pgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 68: cold findex sparse symmetric plain 10 and 2 more; 4 problems */
    {{{&perp_method_psor, PERP_FAMILY_SPLITTING, 32}}},
    /* 69: cold findex sparse symmetric plain 1000; 35 problems */
    {{{&perp_method_nncg, PERP_FAMILY_SPLITTING, 512},
      {&perp_method_dantzig, PERP_FAMILY_PIVOTING, 32}}},
    /* 70: cold findex sparse symmetric strong 1000; 4 problems */
    {{{&perp_method_spsor, PERP_FAMILY_SPLITTING, 32}}},
    /* 71: cold findex dense symmetric fair 3; 5 problems */
    {{{&perp_method_bgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 72: cold findex dense symmetric fair 10; 7 problems */
    {{{&perp_method_pgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 73: cold findex dense symmetric strong 3 and 2 more; 16 problems */
    {{{&perp_method_spsor, PERP_FAMILY_SPLITTING, 32}}},
    /* 74: cold cone loose symmetric plain 100 and 9 more; 91 problems */
    {{{&perp_method_ssn, PERP_FAMILY_OTHER, 120}}},
    /* 75: cold cone packed symmetric plain 10000 and 2 more; 17 problems */
    {{{&perp_method_bgs, PERP_FAMILY_SPLITTING, 1640},
      {&perp_method_ssn, PERP_FAMILY_OTHER, 532}}},
    /* 76: cold cone tridiagonal symmetric strong 3 and 9 more; 38 problems */
    {{{&perp_method_bgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 77: cold cone sparse symmetric strong 1000; 4 problems */
    {{{&perp_method_spg, PERP_FAMILY_OTHER, 32}}},
    /* 78: warm lcp stencil symmetric plain 100 and 7 more; 39 problems */
    {{{&perp_method_baraff, PERP_FAMILY_PIVOTING, 32}}},
    /* 79: warm lcp contact symmetric plain 10 and 1 more; 13 problems */
    {{{&perp_method_dantzig, PERP_FAMILY_PIVOTING, 32}}},
    /* 80: warm lcp contact symmetric plain 1000 and 1 more; 16 problems */
    {{{&perp_method_psor, PERP_FAMILY_SPLITTING, 204},
      {&perp_method_gpcg, PERP_FAMILY_OTHER, 36},
      {&perp_method_baraff, PERP_FAMILY_PIVOTING, 32}}},
    /* 81: warm lcp tridiagonal unsymmetric plain 1000 and 3 more; 8 problems */
    {{{&perp_method_blockpivot, PERP_FAMILY_PIVOTING, 32}}},
    /* 82: warm lcp tridiagonal unsymmetric fair 100 and 5 more; 6 problems */
    {{{&perp_method_blockpivot, PERP_FAMILY_PIVOTING, 32}}},
    /* 83: warm lcp mmatrix unsymmetric plain 100 and 2 more; 3 problems */
    {{{&perp_method_pgs, PERP_FAMILY_SPLITTING, 32}}},
    /* 84: warm lcp sparse symmetric strong 100 and 4 more; 9 problems */
    {{{&perp_method_spsor, PERP_FAMILY_SPLITTING, 32}}},
    /* 85: warm mixed stencil symmetric plain 100 and 7 more; 32 problems */
    {{{&perp_method_baraff, PERP_FAMILY_PIVOTING, 32}}},
    /* 86: warm mixed contact symmetric plain 10000 and 1 more; 2 problems */
    {{{&perp_method_kz, PERP_FAMILY_OTHER, 32}}},
    /* 87: warm mixed tridiagonal symmetric fair 100 and 5 more; 6 problems */
    {{{&perp_method_gpcg, PERP_FAMILY_OTHER, 32}}},
    /* 88: warm mixed mmatrix unsymmetric plain 100 and 2 more; 7 problems */
    {{{&perp_method_blockpivot, PERP_FAMILY_PIVOTING, 32}}},
    /* 89: warm mixed mmatrix unsymmetric plain 1000 and 1 more; 2 problems */
    {{{&perp_method_spg, PERP_FAMILY_OTHER, 60}}},
    /* 90: warm mixed sparse symmetric plain 100 and 1 more; 13 problems */
    {{{&perp_method_dantzig, PERP_FAMILY_PIVOTING, 32}}},
    /* 91: warm mixed sparse symmetric strong 100 and 3 more; 7 problems */
    {{{&perp_method_spsor, PERP_FAMILY_SPLITTING, 32}}},
    /* 92: warm mixed dense symmetric strong 1000; 2 problems */
    {{{&perp_method_gpcg, PERP_FAMILY_OTHER, 32}}},
    /* 93: warm boxed stencil symmetric plain 1000 and 1 more; 4 problems */
    {{{&perp_method_mg, PERP_FAMILY_OTHER, 32}}},
    /* 94: warm boxed stencil symmetric plain 100000 and 1 more; 4 problems */
    {{{&perp_method_mg, PERP_FAMILY_OTHER, 32}}},
    /* 95: warm boxed tridiagonal symmetric fair 100 and 3 more; 4 problems */
    {{{&perp_method_blockpivot, PERP_FAMILY_PIVOTING, 32}}},
    /* 96: warm boxed mmatrix unsymmetric plain 100 and 2 more; 7 problems */
    {{{&perp_method_blockpivot, PERP_FAMILY_PIVOTING, 32}}},
    /* 97: warm boxed mmatrix unsymmetric plain 1000 and 1 more; 2 problems */
    {{{&perp_method_psor, PERP_FAMILY_SPLITTING, 32}}},
    /* 98: warm boxed sparse symmetric fair 1000 and 1 more; 2 problems */
    {{{&perp_method_gpcg, PERP_FAMILY_OTHER, 32}}},
    /* 99: warm boxed sparse symmetric strong 100 and 3 more; 7 problems */
    {{{&perp_method_spsor, PERP_FAMILY_SPLITTING, 32}}},
    /* 100: warm boxed dense symmetric plain 100 and 1 more; 12 problems */
    {{{&perp_method_baraff, PERP_FAMILY_PIVOTING, 32}}},
    /* 101: warm boxed dense symmetric strong 1000; 2 problems */
    {{{&perp_method_nncg, PERP_FAMILY_SPLITTING, 32}}},
    /* 102: warm findex loose symmetric plain 100 and 4 more; 32 problems */
    {{{&perp_method_dantzig, PERP_FAMILY_PIVOTING, 32}}},
    /* 103: warm findex loose symmetric plain 1000; 2 problems */
    {{{&perp_method_psor, PERP_FAMILY_SPLITTING, 256}}},
    /* 104: warm findex packed symmetric plain 1000; 15 problems */
    {{{&perp_method_alm, PERP_FAMILY_OTHER, 60},
      {&perp_method_nncg, PERP_FAMILY_SPLITTING, 4904}}},
    /* 105: warm findex packed symmetric plain 10000; 2 problems */
    {{{&perp_method_psor, PERP_FAMILY_SPLITTING, 1300}}},
    /* 106: warm findex jammed symmetric plain 100 and 2 more; 16 problems */
    {{{&perp_method_alm, PERP_FAMILY_OTHER, 32},
      {&perp_method_coloured, PERP_FAMILY_SPLITTING, 1844},
      {&perp_method_ipm, PERP_FAMILY_OTHER, 180},
      {&perp_method_spsor, PERP_FAMILY_SPLITTING, 10504}}},
    /* 107: warm findex sparse symmetric plain 10000; 5 problems */
    {{{&perp_method_coloured, PERP_FAMILY_SPLITTING, 4504},
      {&perp_method_ssn, PERP_FAMILY_OTHER, 280}}},
    /* 108: warm cone loose symmetric plain 100 and 9 more; 66 problems */
    {{{&perp_method_ssn, PERP_FAMILY_OTHER, 176},
      {&perp_method_bgs, PERP_FAMILY_SPLITTING, 3704}}},
    /* 109: warm cone packed symmetric plain 100 and 1 more; 5 problems */
    {{{&perp_method_spg, PERP_FAMILY_OTHER, 32},
      {&perp_method_ssn, PERP_FAMILY_OTHER, 32}}},
};

const short perp_ladder_of[2][PERP_FORM_CONE + 1][PERP_STRUCTURES][2]
                          [PERP_DIAGONALS][PERP_SIZES] = {
  {
   {
    { /* cold lcp stencil */
     {{10, 17, 13, 13, 13, 14, 14}, {10, 20, 15, 16, 13, 13, 13},
      {10, 11, 12, 12, 13, 13, 13}, {10, 17, 17, 17, 7, 14, 14}},
     {{10, 21, 0, 1, 1, 1, 1}, {10, 11, 7, 7, 18, 18, 1},
      {10, 11, 12, 12, 18, 18, 1}, {10, 21, 19, 7, 7, 1, 1}},
    },
    { /* cold lcp contact */
     {{10, 17, 17, 17, 13, 14, 14}, {10, 20, 15, 16, 13, 13, 13},
      {10, 11, 12, 12, 13, 13, 13}, {10, 17, 17, 17, 7, 14, 14}},
     {{10, 2, 0, 3, 4, 18, 18}, {10, 11, 7, 7, 18, 18, 18},
      {10, 11, 12, 12, 18, 18, 18}, {10, 21, 19, 7, 7, 18, 18}},
    },
    { /* cold lcp loose */
     {{10, 17, 17, 17, 17, 17, 17}, {10, 20, 17, 17, 17, 17, 17},
      {10, 11, 12, 12, 12, 12, 12}, {10, 17, 17, 17, 7, 7, 7}},
     {{10, 21, 0, 7, 18, 18, 18}, {10, 11, 7, 7, 18, 18, 18},
      {10, 11, 12, 12, 18, 18, 18}, {10, 21, 19, 7, 7, 18, 18}},
    },
    { /* cold lcp packed */
     {{10, 17, 17, 17, 17, 17, 17}, {10, 20, 17, 17, 17, 17, 17},
      {10, 11, 12, 12, 12, 12, 12}, {10, 17, 17, 17, 7, 7, 7}},
     {{10, 21, 0, 7, 18, 18, 18}, {10, 11, 7, 7, 18, 18, 18},
      {10, 11, 12, 12, 18, 18, 18}, {10, 21, 19, 7, 7, 18, 18}},
    },
    { /* cold lcp jammed */
     {{10, 17, 17, 17, 17, 17, 17}, {10, 20, 17, 17, 17, 17, 17},
      {10, 11, 12, 12, 12, 12, 12}, {10, 17, 17, 17, 7, 7, 7}},
     {{10, 21, 0, 7, 18, 18, 18}, {10, 11, 7, 7, 18, 18, 18},
      {10, 11, 12, 12, 18, 18, 18}, {10, 21, 19, 7, 7, 18, 18}},
    },
    { /* cold lcp tridiagonal */
     {{10, 17, 13, 5, 5, 5, 5}, {10, 20, 6, 16, 13, 13, 13},
      {10, 11, 12, 12, 13, 13, 13}, {10, 17, 17, 17, 7, 5, 5}},
     {{10, 21, 0, 7, 18, 18, 18}, {10, 11, 7, 7, 8, 9, 9},
      {10, 11, 11, 12, 12, 12, 12}, {10, 21, 7, 7, 8, 18, 18}},
    },
    { /* cold lcp mmatrix */
     {{10, 17, 13, 13, 13, 14, 14}, {10, 20, 15, 16, 13, 13, 13},
      {10, 11, 12, 12, 13, 13, 13}, {10, 17, 17, 17, 7, 14, 14}},
     {{10, 21, 0, 1, 18, 1, 1}, {10, 11, 7, 7, 18, 18, 18},
      {10, 11, 12, 12, 18, 18, 18}, {10, 21, 19, 7, 7, 1, 1}},
    },
    { /* cold lcp sparse */
     {{10, 17, 17, 17, 13, 14, 14}, {10, 20, 15, 16, 13, 13, 13},
      {10, 11, 12, 12, 13, 13, 13}, {10, 17, 17, 17, 7, 14, 14}},
     {{10, 21, 0, 7, 18, 18, 18}, {10, 11, 7, 7, 18, 18, 18},
      {10, 11, 12, 12, 18, 18, 18}, {10, 21, 19, 7, 7, 18, 18}},
    },
    { /* cold lcp dense */
     {{10, 17, 17, 17, 17, 17, 17}, {10, 20, 17, 17, 17, 17, 17},
      {10, 11, 12, 12, 12, 12, 12}, {10, 17, 17, 17, 17, 17, 17}},
     {{10, 21, 0, 0, 0, 0, 0}, {10, 11, 0, 0, 0, 0, 0},
      {10, 11, 11, 12, 12, 12, 12}, {10, 21, 0, 0, 0, 0, 0}},
    },
    { /* cold lcp hidden */
     {{10, 17, 17, 17, 17, 17, 17}, {10, 20, 17, 17, 17, 17, 17},
      {10, 11, 12, 12, 12, 12, 12}, {10, 17, 17, 17, 7, 7, 7}},
     {{10, 21, 0, 7, 18, 18, 18}, {10, 11, 7, 7, 18, 18, 18},
      {10, 11, 12, 12, 18, 18, 18}, {10, 21, 19, 7, 7, 18, 18}},
    },
   },
   {
    { /* cold mixed stencil */
     {{36, 36, 31, 31, 31, 32, 32}, {38, 38, 33, 33, 32, 32, 32},
      {39, 40, 40, 40, 32, 32, 32}, {36, 36, 41, 41, 31, 32, 32}},
     {{24, 24, 22, 23, 23, 23, 23}, {24, 24, 27, 27, 27, 27, 27},
      {39, 28, 28, 28, 28, 28, 28}, {24, 24, 35, 25, 27, 23, 23}},
    },
    { /* cold mixed contact */
     {{36, 36, 37, 31, 31, 32, 32}, {38, 38, 33, 33, 32, 32, 32},
      {39, 40, 40, 40, 32, 32, 32}, {36, 36, 41, 41, 31, 32, 32}},
     {{24, 24, 25, 25, 26, 28, 28}, {24, 24, 27, 27, 27, 27, 27},
      {39, 28, 28, 28, 28, 28, 28}, {24, 24, 35, 25, 27, 28, 28}},
    },
    { /* cold mixed loose */
     {{36, 36, 37, 37, 37, 37, 37}, {38, 38, 37, 37, 37, 37, 37},
      {39, 40, 40, 40, 40, 40, 40}, {36, 36, 41, 41, 41, 41, 41}},
     {{24, 24, 22, 22, 34, 28, 28}, {24, 24, 27, 27, 27, 27, 27},
      {39, 28, 28, 28, 28, 28, 28}, {24, 24, 35, 25, 27, 28, 28}},
    },
    { /* cold mixed packed */
     {{36, 36, 37, 37, 37, 37, 37}, {38, 38, 37, 37, 37, 37, 37},
      {39, 40, 40, 40, 40, 40, 40}, {36, 36, 41, 41, 41, 41, 41}},
     {{24, 24, 22, 22, 34, 28, 28}, {24, 24, 27, 27, 27, 27, 27},
      {39, 28, 28, 28, 28, 28, 28}, {24, 24, 35, 25, 27, 28, 28}},
    },
    { /* cold mixed jammed */
     {{36, 36, 37, 37, 37, 37, 37}, {38, 38, 37, 37, 37, 37, 37},
      {39, 40, 40, 40, 40, 40, 40}, {36, 36, 41, 41, 41, 41, 41}},
     {{24, 24, 22, 22, 34, 28, 28}, {24, 24, 27, 27, 27, 27, 27},
      {39, 28, 28, 28, 28, 28, 28}, {24, 24, 35, 25, 27, 28, 28}},
    },
    { /* cold mixed tridiagonal */
     {{36, 36, 31, 31, 31, 32, 32}, {38, 38, 33, 33, 32, 32, 32},
      {39, 40, 40, 40, 32, 32, 32}, {36, 36, 41, 41, 31, 32, 32}},
     {{24, 24, 22, 22, 34, 28, 28}, {24, 24, 27, 27, 27, 27, 27},
      {39, 28, 28, 29, 29, 28, 28}, {24, 24, 30, 30, 30, 28, 28}},
    },
    { /* cold mixed mmatrix */
     {{36, 36, 31, 31, 31, 32, 32}, {38, 38, 33, 33, 32, 32, 32},
      {39, 40, 40, 40, 32, 32, 32}, {36, 36, 41, 41, 31, 32, 32}},
     {{24, 24, 22, 22, 34, 28, 28}, {24, 24, 27, 27, 27, 27, 27},
      {39, 28, 28, 28, 28, 28, 28}, {24, 24, 35, 25, 27, 28, 28}},
    },
    { /* cold mixed sparse */
     {{36, 36, 37, 31, 31, 32, 32}, {38, 38, 33, 33, 32, 32, 32},
      {39, 40, 40, 40, 32, 32, 32}, {36, 36, 41, 41, 31, 32, 32}},
     {{24, 24, 22, 22, 34, 28, 28}, {24, 24, 27, 27, 27, 27, 27},
      {39, 28, 28, 28, 28, 28, 28}, {24, 24, 35, 25, 27, 28, 28}},
    },
    { /* cold mixed dense */
     {{36, 36, 37, 37, 37, 37, 37}, {38, 38, 37, 37, 37, 37, 37},
      {39, 40, 40, 40, 40, 40, 40}, {36, 36, 41, 41, 41, 41, 41}},
     {{24, 24, 25, 25, 25, 25, 25}, {24, 24, 25, 25, 25, 25, 25},
      {39, 28, 28, 28, 28, 28, 28}, {24, 24, 25, 25, 25, 25, 25}},
    },
    { /* cold mixed hidden */
     {{36, 36, 37, 37, 37, 37, 37}, {38, 38, 37, 37, 37, 37, 37},
      {39, 40, 40, 40, 40, 40, 40}, {36, 36, 41, 41, 41, 41, 41}},
     {{24, 24, 22, 22, 34, 28, 28}, {24, 24, 27, 27, 27, 27, 27},
      {39, 28, 28, 28, 28, 28, 28}, {24, 24, 35, 25, 27, 28, 28}},
    },
   },
   {
    { /* cold boxed stencil */
     {{54, 55, 49, 49, 50, 50, 50}, {54, 57, 51, 49, 52, 52, 52},
      {57, 57, 58, 58, 52, 52, 52}, {54, 55, 55, 55, 50, 50, 50}},
     {{54, 59, 42, 43, 53, 44, 44}, {57, 57, 46, 46, 46, 46, 44},
      {57, 47, 47, 47, 47, 47, 44}, {54, 61, 45, 45, 46, 44, 44}},
    },
    { /* cold boxed contact */
     {{54, 55, 55, 56, 50, 50, 50}, {54, 57, 51, 49, 52, 52, 52},
      {57, 57, 58, 58, 52, 52, 52}, {54, 55, 55, 55, 50, 50, 50}},
     {{54, 59, 45, 53, 53, 53, 53}, {57, 57, 46, 46, 46, 46, 46},
      {57, 47, 47, 47, 47, 47, 47}, {54, 61, 45, 45, 46, 53, 53}},
    },
    { /* cold boxed loose */
     {{54, 55, 55, 56, 56, 56, 56}, {54, 57, 55, 56, 56, 56, 56},
      {57, 57, 58, 58, 58, 58, 58}, {54, 55, 55, 55, 55, 55, 55}},
     {{54, 59, 45, 53, 53, 53, 53}, {57, 57, 46, 46, 46, 46, 46},
      {57, 47, 47, 47, 47, 47, 47}, {54, 61, 45, 45, 46, 53, 53}},
    },
    { /* cold boxed packed */
     {{54, 55, 55, 56, 56, 56, 56}, {54, 57, 55, 56, 56, 56, 56},
      {57, 57, 58, 58, 58, 58, 58}, {54, 55, 55, 55, 55, 55, 55}},
     {{54, 59, 45, 53, 53, 53, 53}, {57, 57, 46, 46, 46, 46, 46},
      {57, 47, 47, 47, 47, 47, 47}, {54, 61, 45, 45, 46, 53, 53}},
    },
    { /* cold boxed jammed */
     {{54, 55, 55, 56, 56, 56, 56}, {54, 57, 55, 56, 56, 56, 56},
      {57, 57, 58, 58, 58, 58, 58}, {54, 55, 55, 55, 55, 55, 55}},
     {{54, 59, 45, 53, 53, 53, 53}, {57, 57, 46, 46, 46, 46, 46},
      {57, 47, 47, 47, 47, 47, 47}, {54, 61, 45, 45, 46, 53, 53}},
    },
    { /* cold boxed tridiagonal */
     {{54, 55, 49, 49, 50, 50, 50}, {54, 57, 51, 49, 52, 52, 52},
      {57, 57, 58, 58, 52, 52, 52}, {54, 55, 55, 55, 50, 50, 50}},
     {{54, 59, 45, 53, 53, 53, 53}, {57, 57, 45, 46, 46, 46, 46},
      {57, 47, 47, 47, 47, 47, 47}, {54, 61, 45, 45, 48, 53, 53}},
    },
    { /* cold boxed mmatrix */
     {{54, 55, 49, 49, 50, 50, 50}, {54, 57, 51, 49, 52, 52, 52},
      {57, 57, 58, 58, 52, 52, 52}, {54, 55, 55, 55, 50, 50, 50}},
     {{54, 59, 45, 43, 53, 44, 44}, {57, 57, 46, 46, 46, 46, 46},
      {57, 47, 47, 47, 47, 47, 47}, {54, 61, 45, 45, 46, 44, 44}},
    },
    { /* cold boxed sparse */
     {{54, 55, 55, 56, 50, 50, 50}, {54, 57, 51, 49, 52, 52, 52},
      {57, 57, 58, 58, 52, 52, 52}, {54, 55, 55, 55, 50, 50, 50}},
     {{54, 59, 45, 53, 53, 53, 53}, {57, 57, 46, 46, 46, 46, 46},
      {57, 47, 47, 47, 47, 47, 47}, {54, 61, 45, 45, 46, 53, 53}},
    },
    { /* cold boxed dense */
     {{54, 55, 55, 56, 56, 56, 56}, {54, 57, 55, 56, 56, 56, 56},
      {57, 57, 58, 58, 58, 58, 58}, {54, 55, 55, 55, 55, 55, 55}},
     {{54, 59, 45, 45, 45, 45, 45}, {57, 57, 45, 45, 45, 45, 45},
      {57, 47, 60, 60, 60, 60, 60}, {54, 61, 45, 45, 45, 45, 45}},
    },
    { /* cold boxed hidden */
     {{54, 55, 55, 56, 56, 56, 56}, {54, 57, 55, 56, 56, 56, 56},
      {57, 57, 58, 58, 58, 58, 58}, {54, 55, 55, 55, 55, 55, 55}},
     {{54, 59, 45, 53, 53, 53, 53}, {57, 57, 46, 46, 46, 46, 46},
      {57, 47, 47, 47, 47, 47, 47}, {54, 61, 45, 45, 46, 53, 53}},
    },
   },
   {
    { /* cold findex stencil */
     {{68, 68, 62, 69, 64, 64, 64}, {71, 68, 62, 69, 64, 64, 64},
      {73, 68, 73, 70, 64, 64, 64}, {68, 68, 62, 69, 64, 64, 64}},
     {{68, 68, 62, 69, 64, 64, 64}, {71, 68, 62, 69, 64, 64, 64},
      {73, 68, 73, 70, 64, 64, 64}, {68, 68, 62, 69, 64, 64, 64}},
    },
    { /* cold findex contact */
     {{68, 68, 62, 69, 64, 64, 64}, {71, 68, 62, 69, 64, 64, 64},
      {73, 68, 73, 70, 64, 64, 64}, {68, 68, 62, 69, 64, 64, 64}},
     {{68, 68, 62, 69, 64, 64, 64}, {71, 68, 62, 69, 64, 64, 64},
      {73, 68, 73, 70, 64, 64, 64}, {68, 68, 62, 69, 64, 64, 64}},
    },
    { /* cold findex loose */
     {{68, 68, 62, 62, 64, 64, 64}, {71, 68, 62, 62, 64, 64, 64},
      {73, 68, 73, 70, 64, 64, 64}, {68, 68, 62, 62, 64, 64, 64}},
     {{68, 68, 62, 62, 64, 64, 64}, {71, 68, 62, 62, 64, 64, 64},
      {73, 68, 73, 70, 64, 64, 64}, {68, 68, 62, 62, 64, 64, 64}},
    },
    { /* cold findex packed */
     {{68, 68, 62, 63, 64, 64, 64}, {71, 68, 62, 63, 64, 64, 64},
      {73, 68, 73, 70, 64, 64, 64}, {68, 68, 62, 63, 64, 64, 64}},
     {{68, 68, 62, 63, 64, 64, 64}, {71, 68, 62, 63, 64, 64, 64},
      {73, 68, 73, 70, 64, 64, 64}, {68, 68, 62, 63, 64, 64, 64}},
    },
    { /* cold findex jammed */
     {{68, 68, 62, 65, 66, 66, 66}, {71, 68, 62, 65, 66, 66, 66},
      {73, 68, 73, 70, 66, 66, 66}, {68, 68, 62, 65, 66, 66, 66}},
     {{68, 68, 62, 65, 66, 66, 66}, {71, 68, 62, 65, 66, 66, 66},
      {73, 68, 73, 70, 66, 66, 66}, {68, 68, 62, 65, 66, 66, 66}},
    },
    { /* cold findex tridiagonal */
     {{68, 68, 62, 69, 64, 64, 64}, {71, 68, 62, 69, 64, 64, 64},
      {67, 68, 73, 70, 64, 64, 64}, {68, 68, 62, 69, 64, 64, 64}},
     {{68, 68, 62, 69, 64, 64, 64}, {71, 68, 62, 69, 64, 64, 64},
      {67, 68, 73, 70, 64, 64, 64}, {68, 68, 62, 69, 64, 64, 64}},
    },
    { /* cold findex mmatrix */
     {{68, 68, 62, 69, 64, 64, 64}, {71, 68, 62, 69, 64, 64, 64},
      {73, 68, 73, 70, 64, 64, 64}, {68, 68, 62, 69, 64, 64, 64}},
     {{68, 68, 62, 69, 64, 64, 64}, {71, 68, 62, 69, 64, 64, 64},
      {73, 68, 73, 70, 64, 64, 64}, {68, 68, 62, 69, 64, 64, 64}},
    },
    { /* cold findex sparse */
     {{68, 68, 62, 69, 64, 64, 64}, {71, 68, 62, 69, 64, 64, 64},
      {73, 68, 73, 70, 64, 64, 64}, {68, 68, 62, 69, 64, 64, 64}},
     {{68, 68, 62, 69, 64, 64, 64}, {71, 68, 62, 69, 64, 64, 64},
      {73, 68, 73, 70, 64, 64, 64}, {68, 68, 62, 69, 64, 64, 64}},
    },
    { /* cold findex dense */
     {{62, 62, 62, 62, 62, 62, 62}, {71, 72, 62, 62, 62, 62, 62},
      {73, 73, 73, 73, 73, 73, 73}, {62, 62, 62, 62, 62, 62, 62}},
     {{62, 62, 62, 62, 62, 62, 62}, {71, 72, 62, 62, 62, 62, 62},
      {73, 73, 73, 73, 73, 73, 73}, {62, 62, 62, 62, 62, 62, 62}},
    },
    { /* cold findex hidden */
     {{68, 68, 62, 69, 64, 64, 64}, {71, 68, 62, 69, 64, 64, 64},
      {73, 68, 73, 70, 64, 64, 64}, {68, 68, 62, 69, 64, 64, 64}},
     {{68, 68, 62, 69, 64, 64, 64}, {71, 68, 62, 69, 64, 64, 64},
      {73, 68, 73, 70, 64, 64, 64}, {68, 68, 62, 69, 64, 64, 64}},
    },
   },
   {
    { /* cold cone stencil */
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
    },
    { /* cold cone contact */
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
    },
    { /* cold cone loose */
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
    },
    { /* cold cone packed */
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
    },
    { /* cold cone jammed */
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
    },
    { /* cold cone tridiagonal */
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
    },
    { /* cold cone mmatrix */
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
    },
    { /* cold cone sparse */
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
    },
    { /* cold cone dense */
     {{74, 74, 74, 74, 74, 74, 74}, {76, 76, 76, 76, 76, 76, 76},
      {76, 76, 76, 76, 76, 76, 76}, {74, 74, 74, 74, 74, 74, 74}},
     {{74, 74, 74, 74, 74, 74, 74}, {76, 76, 76, 76, 76, 76, 76},
      {76, 76, 76, 76, 76, 76, 76}, {74, 74, 74, 74, 74, 74, 74}},
    },
    { /* cold cone hidden */
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
    },
   },
  },
  {
   {
    { /* warm lcp stencil */
     {{83, 83, 83, 83, 83, 83, 83}, {83, 83, 83, 83, 83, 83, 83},
      {83, 83, 83, 83, 83, 83, 83}, {83, 83, 83, 83, 83, 83, 83}},
     {{78, 78, 78, 78, 78, 78, 78}, {78, 78, 78, 82, 82, 82, 82},
      {78, 78, 84, 84, 84, 84, 84}, {78, 78, 78, 78, 78, 78, 78}},
    },
    { /* warm lcp contact */
     {{81, 81, 81, 81, 83, 83, 83}, {81, 81, 81, 81, 83, 83, 83},
      {81, 81, 81, 81, 83, 83, 83}, {81, 81, 81, 81, 83, 83, 83}},
     {{79, 79, 79, 80, 80, 80, 80}, {78, 78, 78, 82, 82, 82, 82},
      {78, 78, 84, 84, 84, 84, 84}, {79, 79, 79, 80, 80, 80, 80}},
    },
    { /* warm lcp loose */
     {{10, 17, 17, 17, 17, 17, 17}, {10, 20, 17, 17, 17, 17, 17},
      {10, 11, 12, 12, 12, 12, 12}, {10, 17, 17, 17, 7, 7, 7}},
     {{10, 21, 0, 7, 18, 18, 18}, {10, 11, 7, 7, 18, 18, 18},
      {10, 11, 12, 12, 18, 18, 18}, {10, 21, 19, 7, 7, 18, 18}},
    },
    { /* warm lcp packed */
     {{10, 17, 17, 17, 17, 17, 17}, {10, 20, 17, 17, 17, 17, 17},
      {10, 11, 12, 12, 12, 12, 12}, {10, 17, 17, 17, 7, 7, 7}},
     {{10, 21, 0, 7, 18, 18, 18}, {10, 11, 7, 7, 18, 18, 18},
      {10, 11, 12, 12, 18, 18, 18}, {10, 21, 19, 7, 7, 18, 18}},
    },
    { /* warm lcp jammed */
     {{10, 17, 17, 17, 17, 17, 17}, {10, 20, 17, 17, 17, 17, 17},
      {10, 11, 12, 12, 12, 12, 12}, {10, 17, 17, 17, 7, 7, 7}},
     {{10, 21, 0, 7, 18, 18, 18}, {10, 11, 7, 7, 18, 18, 18},
      {10, 11, 12, 12, 18, 18, 18}, {10, 21, 19, 7, 7, 18, 18}},
    },
    { /* warm lcp tridiagonal */
     {{83, 83, 83, 81, 81, 81, 81}, {82, 82, 82, 81, 81, 81, 81},
      {82, 82, 82, 81, 81, 81, 81}, {83, 83, 83, 81, 81, 81, 81}},
     {{78, 78, 78, 78, 78, 78, 78}, {78, 78, 82, 82, 82, 82, 82},
      {78, 78, 84, 84, 84, 84, 84}, {78, 78, 78, 78, 78, 78, 78}},
    },
    { /* warm lcp mmatrix */
     {{83, 83, 83, 83, 83, 83, 83}, {83, 83, 83, 83, 83, 83, 83},
      {83, 83, 83, 83, 83, 83, 83}, {83, 83, 83, 83, 83, 83, 83}},
     {{78, 78, 78, 78, 78, 78, 78}, {78, 78, 78, 82, 82, 82, 82},
      {78, 78, 84, 84, 84, 84, 84}, {78, 78, 78, 78, 78, 78, 78}},
    },
    { /* warm lcp sparse */
     {{81, 81, 81, 81, 83, 83, 83}, {81, 81, 81, 81, 83, 83, 83},
      {81, 81, 81, 81, 83, 83, 83}, {81, 81, 81, 81, 83, 83, 83}},
     {{79, 79, 78, 78, 80, 80, 80}, {78, 78, 78, 82, 82, 82, 82},
      {78, 78, 84, 84, 84, 84, 84}, {79, 79, 78, 78, 80, 80, 80}},
    },
    { /* warm lcp dense */
     {{81, 81, 81, 81, 81, 81, 81}, {81, 81, 81, 81, 81, 81, 81},
      {81, 81, 81, 81, 81, 81, 81}, {81, 81, 81, 81, 81, 81, 81}},
     {{78, 78, 78, 78, 78, 78, 78}, {78, 78, 78, 78, 78, 78, 78},
      {84, 84, 84, 84, 84, 84, 84}, {78, 78, 78, 78, 78, 78, 78}},
    },
    { /* warm lcp hidden */
     {{10, 17, 17, 17, 17, 17, 17}, {10, 20, 17, 17, 17, 17, 17},
      {10, 11, 12, 12, 12, 12, 12}, {10, 17, 17, 17, 7, 7, 7}},
     {{10, 21, 0, 7, 18, 18, 18}, {10, 11, 7, 7, 18, 18, 18},
      {10, 11, 12, 12, 18, 18, 18}, {10, 21, 19, 7, 7, 18, 18}},
    },
   },
   {
    { /* warm mixed stencil */
     {{88, 88, 88, 89, 89, 89, 89}, {88, 88, 88, 89, 89, 89, 89},
      {88, 88, 88, 89, 89, 89, 89}, {88, 88, 88, 89, 89, 89, 89}},
     {{85, 85, 85, 85, 86, 86, 86}, {85, 85, 87, 87, 87, 87, 87},
      {85, 85, 91, 91, 91, 91, 91}, {85, 85, 85, 85, 86, 86, 86}},
    },
    { /* warm mixed contact */
     {{88, 88, 88, 88, 89, 89, 89}, {88, 88, 88, 88, 89, 89, 89},
      {88, 88, 88, 88, 89, 89, 89}, {88, 88, 88, 88, 89, 89, 89}},
     {{85, 85, 85, 85, 86, 86, 86}, {85, 85, 87, 87, 87, 87, 87},
      {85, 85, 91, 91, 91, 91, 91}, {85, 85, 85, 85, 86, 86, 86}},
    },
    { /* warm mixed loose */
     {{36, 36, 37, 37, 37, 37, 37}, {38, 38, 37, 37, 37, 37, 37},
      {39, 40, 40, 40, 40, 40, 40}, {36, 36, 41, 41, 41, 41, 41}},
     {{24, 24, 22, 22, 34, 28, 28}, {24, 24, 27, 27, 27, 27, 27},
      {39, 28, 28, 28, 28, 28, 28}, {24, 24, 35, 25, 27, 28, 28}},
    },
    { /* warm mixed packed */
     {{36, 36, 37, 37, 37, 37, 37}, {38, 38, 37, 37, 37, 37, 37},
      {39, 40, 40, 40, 40, 40, 40}, {36, 36, 41, 41, 41, 41, 41}},
     {{24, 24, 22, 22, 34, 28, 28}, {24, 24, 27, 27, 27, 27, 27},
      {39, 28, 28, 28, 28, 28, 28}, {24, 24, 35, 25, 27, 28, 28}},
    },
    { /* warm mixed jammed */
     {{36, 36, 37, 37, 37, 37, 37}, {38, 38, 37, 37, 37, 37, 37},
      {39, 40, 40, 40, 40, 40, 40}, {36, 36, 41, 41, 41, 41, 41}},
     {{24, 24, 22, 22, 34, 28, 28}, {24, 24, 27, 27, 27, 27, 27},
      {39, 28, 28, 28, 28, 28, 28}, {24, 24, 35, 25, 27, 28, 28}},
    },
    { /* warm mixed tridiagonal */
     {{88, 88, 88, 89, 89, 89, 89}, {88, 88, 88, 89, 89, 89, 89},
      {88, 88, 88, 89, 89, 89, 89}, {88, 88, 88, 89, 89, 89, 89}},
     {{85, 85, 90, 90, 86, 86, 86}, {85, 85, 87, 87, 87, 87, 87},
      {85, 85, 91, 91, 91, 91, 91}, {85, 85, 90, 90, 86, 86, 86}},
    },
    { /* warm mixed mmatrix */
     {{88, 88, 88, 89, 89, 89, 89}, {88, 88, 88, 89, 89, 89, 89},
      {88, 88, 88, 89, 89, 89, 89}, {88, 88, 88, 89, 89, 89, 89}},
     {{85, 85, 90, 90, 86, 86, 86}, {85, 85, 87, 87, 87, 87, 87},
      {85, 85, 91, 91, 91, 91, 91}, {85, 85, 90, 90, 86, 86, 86}},
    },
    { /* warm mixed sparse */
     {{88, 88, 88, 88, 89, 89, 89}, {88, 88, 88, 88, 89, 89, 89},
      {88, 88, 88, 88, 89, 89, 89}, {88, 88, 88, 88, 89, 89, 89}},
     {{85, 85, 90, 90, 86, 86, 86}, {85, 85, 87, 87, 87, 87, 87},
      {85, 85, 91, 91, 91, 91, 91}, {85, 85, 90, 90, 86, 86, 86}},
    },
    { /* warm mixed dense */
     {{88, 88, 88, 88, 88, 88, 88}, {88, 88, 88, 88, 88, 88, 88},
      {88, 88, 88, 88, 88, 88, 88}, {88, 88, 88, 88, 88, 88, 88}},
     {{85, 85, 85, 85, 85, 85, 85}, {85, 85, 85, 85, 85, 85, 85},
      {85, 85, 91, 92, 92, 92, 92}, {85, 85, 85, 85, 85, 85, 85}},
    },
    { /* warm mixed hidden */
     {{36, 36, 37, 37, 37, 37, 37}, {38, 38, 37, 37, 37, 37, 37},
      {39, 40, 40, 40, 40, 40, 40}, {36, 36, 41, 41, 41, 41, 41}},
     {{24, 24, 22, 22, 34, 28, 28}, {24, 24, 27, 27, 27, 27, 27},
      {39, 28, 28, 28, 28, 28, 28}, {24, 24, 35, 25, 27, 28, 28}},
    },
   },
   {
    { /* warm boxed stencil */
     {{96, 96, 96, 97, 97, 97, 97}, {96, 96, 96, 97, 97, 97, 97},
      {96, 96, 96, 97, 97, 97, 97}, {96, 96, 96, 97, 97, 97, 97}},
     {{100, 100, 100, 93, 94, 94, 94}, {95, 95, 95, 98, 98, 94, 94},
      {99, 99, 99, 99, 99, 94, 94}, {100, 100, 100, 93, 94, 94, 94}},
    },
    { /* warm boxed contact */
     {{54, 55, 55, 56, 50, 50, 50}, {54, 57, 51, 49, 52, 52, 52},
      {57, 57, 58, 58, 52, 52, 52}, {54, 55, 55, 55, 50, 50, 50}},
     {{54, 59, 45, 53, 53, 53, 53}, {57, 57, 46, 46, 46, 46, 46},
      {57, 47, 47, 47, 47, 47, 47}, {54, 61, 45, 45, 46, 53, 53}},
    },
    { /* warm boxed loose */
     {{54, 55, 55, 56, 56, 56, 56}, {54, 57, 55, 56, 56, 56, 56},
      {57, 57, 58, 58, 58, 58, 58}, {54, 55, 55, 55, 55, 55, 55}},
     {{54, 59, 45, 53, 53, 53, 53}, {57, 57, 46, 46, 46, 46, 46},
      {57, 47, 47, 47, 47, 47, 47}, {54, 61, 45, 45, 46, 53, 53}},
    },
    { /* warm boxed packed */
     {{54, 55, 55, 56, 56, 56, 56}, {54, 57, 55, 56, 56, 56, 56},
      {57, 57, 58, 58, 58, 58, 58}, {54, 55, 55, 55, 55, 55, 55}},
     {{54, 59, 45, 53, 53, 53, 53}, {57, 57, 46, 46, 46, 46, 46},
      {57, 47, 47, 47, 47, 47, 47}, {54, 61, 45, 45, 46, 53, 53}},
    },
    { /* warm boxed jammed */
     {{54, 55, 55, 56, 56, 56, 56}, {54, 57, 55, 56, 56, 56, 56},
      {57, 57, 58, 58, 58, 58, 58}, {54, 55, 55, 55, 55, 55, 55}},
     {{54, 59, 45, 53, 53, 53, 53}, {57, 57, 46, 46, 46, 46, 46},
      {57, 47, 47, 47, 47, 47, 47}, {54, 61, 45, 45, 46, 53, 53}},
    },
    { /* warm boxed tridiagonal */
     {{96, 96, 96, 97, 97, 97, 97}, {96, 96, 96, 97, 97, 97, 97},
      {96, 96, 96, 97, 97, 97, 97}, {96, 96, 96, 97, 97, 97, 97}},
     {{100, 100, 100, 93, 94, 94, 94}, {95, 95, 95, 95, 95, 94, 94},
      {99, 99, 99, 99, 99, 94, 94}, {100, 100, 100, 93, 94, 94, 94}},
    },
    { /* warm boxed mmatrix */
     {{96, 96, 96, 97, 97, 97, 97}, {96, 96, 96, 97, 97, 97, 97},
      {96, 96, 96, 97, 97, 97, 97}, {96, 96, 96, 97, 97, 97, 97}},
     {{100, 100, 100, 93, 94, 94, 94}, {95, 95, 95, 98, 98, 94, 94},
      {99, 99, 99, 99, 99, 94, 94}, {100, 100, 100, 93, 94, 94, 94}},
    },
    { /* warm boxed sparse */
     {{96, 96, 96, 96, 97, 97, 97}, {96, 96, 96, 96, 97, 97, 97},
      {96, 96, 96, 96, 97, 97, 97}, {96, 96, 96, 96, 97, 97, 97}},
     {{100, 100, 100, 100, 94, 94, 94}, {95, 95, 95, 98, 98, 94, 94},
      {99, 99, 99, 99, 99, 94, 94}, {100, 100, 100, 100, 94, 94, 94}},
    },
    { /* warm boxed dense */
     {{96, 96, 96, 96, 96, 96, 96}, {96, 96, 96, 96, 96, 96, 96},
      {96, 96, 96, 96, 96, 96, 96}, {96, 96, 96, 96, 96, 96, 96}},
     {{100, 100, 100, 100, 100, 100, 100}, {100, 100, 100, 100, 100, 100, 100},
      {99, 99, 99, 101, 101, 101, 101}, {100, 100, 100, 100, 100, 100, 100}},
    },
    { /* warm boxed hidden */
     {{54, 55, 55, 56, 56, 56, 56}, {54, 57, 55, 56, 56, 56, 56},
      {57, 57, 58, 58, 58, 58, 58}, {54, 55, 55, 55, 55, 55, 55}},
     {{54, 59, 45, 53, 53, 53, 53}, {57, 57, 46, 46, 46, 46, 46},
      {57, 47, 47, 47, 47, 47, 47}, {54, 61, 45, 45, 46, 53, 53}},
    },
   },
   {
    { /* warm findex stencil */
     {{68, 68, 62, 69, 64, 64, 64}, {71, 68, 62, 69, 64, 64, 64},
      {73, 68, 73, 70, 64, 64, 64}, {68, 68, 62, 69, 64, 64, 64}},
     {{68, 68, 62, 69, 64, 64, 64}, {71, 68, 62, 69, 64, 64, 64},
      {73, 68, 73, 70, 64, 64, 64}, {68, 68, 62, 69, 64, 64, 64}},
    },
    { /* warm findex contact */
     {{68, 68, 62, 69, 64, 64, 64}, {71, 68, 62, 69, 64, 64, 64},
      {73, 68, 73, 70, 64, 64, 64}, {68, 68, 62, 69, 64, 64, 64}},
     {{68, 68, 62, 69, 64, 64, 64}, {71, 68, 62, 69, 64, 64, 64},
      {73, 68, 73, 70, 64, 64, 64}, {68, 68, 62, 69, 64, 64, 64}},
    },
    { /* warm findex loose */
     {{102, 102, 102, 103, 105, 105, 105}, {102, 102, 102, 103, 105, 105, 105},
      {102, 102, 102, 103, 105, 105, 105}, {102, 102, 102, 103, 105, 105, 105}},
     {{102, 102, 102, 103, 105, 105, 105}, {102, 102, 102, 103, 105, 105, 105},
      {102, 102, 102, 103, 105, 105, 105}, {102, 102, 102, 103, 105, 105, 105}},
    },
    { /* warm findex packed */
     {{102, 102, 102, 104, 105, 105, 105}, {102, 102, 102, 104, 105, 105, 105},
      {102, 102, 102, 104, 105, 105, 105}, {102, 102, 102, 104, 105, 105, 105}},
     {{102, 102, 102, 104, 105, 105, 105}, {102, 102, 102, 104, 105, 105, 105},
      {102, 102, 102, 104, 105, 105, 105}, {102, 102, 102, 104, 105, 105, 105}},
    },
    { /* warm findex jammed */
     {{106, 106, 106, 106, 106, 106, 106}, {106, 106, 106, 106, 106, 106, 106},
      {106, 106, 106, 106, 106, 106, 106}, {106, 106, 106, 106, 106, 106, 106}},
     {{106, 106, 106, 106, 106, 106, 106}, {106, 106, 106, 106, 106, 106, 106},
      {106, 106, 106, 106, 106, 106, 106}, {106, 106, 106, 106, 106, 106, 106}},
    },
    { /* warm findex tridiagonal */
     {{68, 68, 62, 69, 64, 64, 64}, {71, 68, 62, 69, 64, 64, 64},
      {67, 68, 73, 70, 64, 64, 64}, {68, 68, 62, 69, 64, 64, 64}},
     {{68, 68, 62, 69, 64, 64, 64}, {71, 68, 62, 69, 64, 64, 64},
      {67, 68, 73, 70, 64, 64, 64}, {68, 68, 62, 69, 64, 64, 64}},
    },
    { /* warm findex mmatrix */
     {{68, 68, 62, 69, 64, 64, 64}, {71, 68, 62, 69, 64, 64, 64},
      {73, 68, 73, 70, 64, 64, 64}, {68, 68, 62, 69, 64, 64, 64}},
     {{68, 68, 62, 69, 64, 64, 64}, {71, 68, 62, 69, 64, 64, 64},
      {73, 68, 73, 70, 64, 64, 64}, {68, 68, 62, 69, 64, 64, 64}},
    },
    { /* warm findex sparse */
     {{102, 102, 102, 102, 107, 107, 107}, {102, 102, 102, 102, 107, 107, 107},
      {102, 102, 102, 102, 107, 107, 107}, {102, 102, 102, 102, 107, 107, 107}},
     {{102, 102, 102, 102, 107, 107, 107}, {102, 102, 102, 102, 107, 107, 107},
      {102, 102, 102, 102, 107, 107, 107}, {102, 102, 102, 102, 107, 107, 107}},
    },
    { /* warm findex dense */
     {{102, 102, 102, 102, 102, 102, 102}, {102, 102, 102, 102, 102, 102, 102},
      {102, 102, 102, 102, 102, 102, 102}, {102, 102, 102, 102, 102, 102, 102}},
     {{102, 102, 102, 102, 102, 102, 102}, {102, 102, 102, 102, 102, 102, 102},
      {102, 102, 102, 102, 102, 102, 102}, {102, 102, 102, 102, 102, 102, 102}},
    },
    { /* warm findex hidden */
     {{68, 68, 62, 69, 64, 64, 64}, {71, 68, 62, 69, 64, 64, 64},
      {73, 68, 73, 70, 64, 64, 64}, {68, 68, 62, 69, 64, 64, 64}},
     {{68, 68, 62, 69, 64, 64, 64}, {71, 68, 62, 69, 64, 64, 64},
      {73, 68, 73, 70, 64, 64, 64}, {68, 68, 62, 69, 64, 64, 64}},
    },
   },
   {
    { /* warm cone stencil */
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
    },
    { /* warm cone contact */
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
    },
    { /* warm cone loose */
     {{108, 108, 108, 108, 108, 108, 108}, {108, 108, 108, 108, 108, 108, 108},
      {108, 108, 108, 108, 108, 108, 108}, {108, 108, 108, 108, 108, 108, 108}},
     {{108, 108, 108, 108, 108, 108, 108}, {108, 108, 108, 108, 108, 108, 108},
      {108, 108, 108, 108, 108, 108, 108}, {108, 108, 108, 108, 108, 108, 108}},
    },
    { /* warm cone packed */
     {{109, 109, 109, 108, 108, 108, 108}, {109, 109, 109, 108, 108, 108, 108},
      {109, 109, 109, 108, 108, 108, 108}, {109, 109, 109, 108, 108, 108, 108}},
     {{109, 109, 109, 108, 108, 108, 108}, {109, 109, 109, 108, 108, 108, 108},
      {109, 109, 109, 108, 108, 108, 108}, {109, 109, 109, 108, 108, 108, 108}},
    },
    { /* warm cone jammed */
     {{109, 109, 109, 108, 108, 108, 108}, {109, 109, 109, 108, 108, 108, 108},
      {109, 109, 109, 108, 108, 108, 108}, {109, 109, 109, 108, 108, 108, 108}},
     {{109, 109, 109, 108, 108, 108, 108}, {109, 109, 109, 108, 108, 108, 108},
      {109, 109, 109, 108, 108, 108, 108}, {109, 109, 109, 108, 108, 108, 108}},
    },
    { /* warm cone tridiagonal */
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
    },
    { /* warm cone mmatrix */
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
    },
    { /* warm cone sparse */
     {{108, 108, 108, 108, 108, 108, 108}, {108, 108, 108, 108, 108, 108, 108},
      {108, 108, 108, 108, 108, 108, 108}, {108, 108, 108, 108, 108, 108, 108}},
     {{108, 108, 108, 108, 108, 108, 108}, {108, 108, 108, 108, 108, 108, 108},
      {108, 108, 108, 108, 108, 108, 108}, {108, 108, 108, 108, 108, 108, 108}},
    },
    { /* warm cone dense */
     {{108, 108, 108, 108, 108, 108, 108}, {108, 108, 108, 108, 108, 108, 108},
      {108, 108, 108, 108, 108, 108, 108}, {108, 108, 108, 108, 108, 108, 108}},
     {{108, 108, 108, 108, 108, 108, 108}, {108, 108, 108, 108, 108, 108, 108},
      {108, 108, 108, 108, 108, 108, 108}, {108, 108, 108, 108, 108, 108, 108}},
    },
    { /* warm cone hidden */
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
     {{76, 76, 74, 74, 75, 75, 75}, {76, 76, 76, 74, 75, 75, 75},
      {76, 76, 76, 77, 75, 75, 75}, {76, 76, 74, 74, 75, 75, 75}},
    },
   },
  },
};
/* clang-format on */
