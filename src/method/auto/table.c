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
            {
                {
                    {10, 17, 13, 13, 13, 14, 14}, /* cold lcp stencil unsymmetric plain */
                    {10, 20, 15, 16, 13, 13, 13}, /* cold lcp stencil unsymmetric fair */
                    {10, 11, 12, 12, 13, 13, 13}, /* cold lcp stencil unsymmetric strong */
                    {10, 17, 17, 17, 7, 14, 14}, /* cold lcp stencil unsymmetric holes */
                },
                {
                    {10, 21, 0, 1, 1, 1, 1}, /* cold lcp stencil symmetric plain */
                    {10, 11, 7, 7, 18, 18, 1}, /* cold lcp stencil symmetric fair */
                    {10, 11, 12, 12, 18, 18, 1}, /* cold lcp stencil symmetric strong */
                    {10, 21, 19, 7, 7, 1, 1}, /* cold lcp stencil symmetric holes */
                },
            },
            {
                {
                    {10, 17, 17, 17, 13, 14, 14}, /* cold lcp contact unsymmetric plain */
                    {10, 20, 15, 16, 13, 13, 13}, /* cold lcp contact unsymmetric fair */
                    {10, 11, 12, 12, 13, 13, 13}, /* cold lcp contact unsymmetric strong */
                    {10, 17, 17, 17, 7, 14, 14}, /* cold lcp contact unsymmetric holes */
                },
                {
                    {10, 2, 0, 3, 4, 18, 18}, /* cold lcp contact symmetric plain */
                    {10, 11, 7, 7, 18, 18, 18}, /* cold lcp contact symmetric fair */
                    {10, 11, 12, 12, 18, 18, 18}, /* cold lcp contact symmetric strong */
                    {10, 21, 19, 7, 7, 18, 18}, /* cold lcp contact symmetric holes */
                },
            },
            {
                {
                    {10, 17, 17, 17, 17, 17, 17}, /* cold lcp loose unsymmetric plain */
                    {10, 20, 17, 17, 17, 17, 17}, /* cold lcp loose unsymmetric fair */
                    {10, 11, 12, 12, 12, 12, 12}, /* cold lcp loose unsymmetric strong */
                    {10, 17, 17, 17, 7, 7, 7}, /* cold lcp loose unsymmetric holes */
                },
                {
                    {10, 21, 0, 7, 18, 18, 18}, /* cold lcp loose symmetric plain */
                    {10, 11, 7, 7, 18, 18, 18}, /* cold lcp loose symmetric fair */
                    {10, 11, 12, 12, 18, 18, 18}, /* cold lcp loose symmetric strong */
                    {10, 21, 19, 7, 7, 18, 18}, /* cold lcp loose symmetric holes */
                },
            },
            {
                {
                    {10, 17, 17, 17, 17, 17, 17}, /* cold lcp packed unsymmetric plain */
                    {10, 20, 17, 17, 17, 17, 17}, /* cold lcp packed unsymmetric fair */
                    {10, 11, 12, 12, 12, 12, 12}, /* cold lcp packed unsymmetric strong */
                    {10, 17, 17, 17, 7, 7, 7}, /* cold lcp packed unsymmetric holes */
                },
                {
                    {10, 21, 0, 7, 18, 18, 18}, /* cold lcp packed symmetric plain */
                    {10, 11, 7, 7, 18, 18, 18}, /* cold lcp packed symmetric fair */
                    {10, 11, 12, 12, 18, 18, 18}, /* cold lcp packed symmetric strong */
                    {10, 21, 19, 7, 7, 18, 18}, /* cold lcp packed symmetric holes */
                },
            },
            {
                {
                    {10, 17, 17, 17, 17, 17, 17}, /* cold lcp jammed unsymmetric plain */
                    {10, 20, 17, 17, 17, 17, 17}, /* cold lcp jammed unsymmetric fair */
                    {10, 11, 12, 12, 12, 12, 12}, /* cold lcp jammed unsymmetric strong */
                    {10, 17, 17, 17, 7, 7, 7}, /* cold lcp jammed unsymmetric holes */
                },
                {
                    {10, 21, 0, 7, 18, 18, 18}, /* cold lcp jammed symmetric plain */
                    {10, 11, 7, 7, 18, 18, 18}, /* cold lcp jammed symmetric fair */
                    {10, 11, 12, 12, 18, 18, 18}, /* cold lcp jammed symmetric strong */
                    {10, 21, 19, 7, 7, 18, 18}, /* cold lcp jammed symmetric holes */
                },
            },
            {
                {
                    {10, 17, 13, 5, 5, 5, 5}, /* cold lcp tridiagonal unsymmetric plain */
                    {10, 20, 6, 16, 13, 13, 13}, /* cold lcp tridiagonal unsymmetric fair */
                    {10, 11, 12, 12, 13, 13, 13}, /* cold lcp tridiagonal unsymmetric strong */
                    {10, 17, 17, 17, 7, 5, 5}, /* cold lcp tridiagonal unsymmetric holes */
                },
                {
                    {10, 21, 0, 7, 18, 18, 18}, /* cold lcp tridiagonal symmetric plain */
                    {10, 11, 7, 7, 8, 9, 9}, /* cold lcp tridiagonal symmetric fair */
                    {10, 11, 11, 12, 12, 12, 12}, /* cold lcp tridiagonal symmetric strong */
                    {10, 21, 7, 7, 8, 18, 18}, /* cold lcp tridiagonal symmetric holes */
                },
            },
            {
                {
                    {10, 17, 13, 13, 13, 14, 14}, /* cold lcp mmatrix unsymmetric plain */
                    {10, 20, 15, 16, 13, 13, 13}, /* cold lcp mmatrix unsymmetric fair */
                    {10, 11, 12, 12, 13, 13, 13}, /* cold lcp mmatrix unsymmetric strong */
                    {10, 17, 17, 17, 7, 14, 14}, /* cold lcp mmatrix unsymmetric holes */
                },
                {
                    {10, 21, 0, 1, 18, 1, 1}, /* cold lcp mmatrix symmetric plain */
                    {10, 11, 7, 7, 18, 18, 18}, /* cold lcp mmatrix symmetric fair */
                    {10, 11, 12, 12, 18, 18, 18}, /* cold lcp mmatrix symmetric strong */
                    {10, 21, 19, 7, 7, 1, 1}, /* cold lcp mmatrix symmetric holes */
                },
            },
            {
                {
                    {10, 17, 17, 17, 13, 14, 14}, /* cold lcp sparse unsymmetric plain */
                    {10, 20, 15, 16, 13, 13, 13}, /* cold lcp sparse unsymmetric fair */
                    {10, 11, 12, 12, 13, 13, 13}, /* cold lcp sparse unsymmetric strong */
                    {10, 17, 17, 17, 7, 14, 14}, /* cold lcp sparse unsymmetric holes */
                },
                {
                    {10, 21, 0, 7, 18, 18, 18}, /* cold lcp sparse symmetric plain */
                    {10, 11, 7, 7, 18, 18, 18}, /* cold lcp sparse symmetric fair */
                    {10, 11, 12, 12, 18, 18, 18}, /* cold lcp sparse symmetric strong */
                    {10, 21, 19, 7, 7, 18, 18}, /* cold lcp sparse symmetric holes */
                },
            },
            {
                {
                    {10, 17, 17, 17, 17, 17, 17}, /* cold lcp dense unsymmetric plain */
                    {10, 20, 17, 17, 17, 17, 17}, /* cold lcp dense unsymmetric fair */
                    {10, 11, 12, 12, 12, 12, 12}, /* cold lcp dense unsymmetric strong */
                    {10, 17, 17, 17, 17, 17, 17}, /* cold lcp dense unsymmetric holes */
                },
                {
                    {10, 21, 0, 0, 0, 0, 0}, /* cold lcp dense symmetric plain */
                    {10, 11, 0, 0, 0, 0, 0}, /* cold lcp dense symmetric fair */
                    {10, 11, 11, 12, 12, 12, 12}, /* cold lcp dense symmetric strong */
                    {10, 21, 0, 0, 0, 0, 0}, /* cold lcp dense symmetric holes */
                },
            },
            {
                {
                    {10, 17, 17, 17, 17, 17, 17}, /* cold lcp hidden unsymmetric plain */
                    {10, 20, 17, 17, 17, 17, 17}, /* cold lcp hidden unsymmetric fair */
                    {10, 11, 12, 12, 12, 12, 12}, /* cold lcp hidden unsymmetric strong */
                    {10, 17, 17, 17, 7, 7, 7}, /* cold lcp hidden unsymmetric holes */
                },
                {
                    {10, 21, 0, 7, 18, 18, 18}, /* cold lcp hidden symmetric plain */
                    {10, 11, 7, 7, 18, 18, 18}, /* cold lcp hidden symmetric fair */
                    {10, 11, 12, 12, 18, 18, 18}, /* cold lcp hidden symmetric strong */
                    {10, 21, 19, 7, 7, 18, 18}, /* cold lcp hidden symmetric holes */
                },
            },
        },
        {
            {
                {
                    {36, 36, 31, 31, 31, 32, 32}, /* cold mixed stencil unsymmetric plain */
                    {38, 38, 33, 33, 32, 32, 32}, /* cold mixed stencil unsymmetric fair */
                    {39, 40, 40, 40, 32, 32, 32}, /* cold mixed stencil unsymmetric strong */
                    {36, 36, 41, 41, 31, 32, 32}, /* cold mixed stencil unsymmetric holes */
                },
                {
                    {24, 24, 22, 23, 23, 23, 23}, /* cold mixed stencil symmetric plain */
                    {24, 24, 27, 27, 27, 27, 27}, /* cold mixed stencil symmetric fair */
                    {39, 28, 28, 28, 28, 28, 28}, /* cold mixed stencil symmetric strong */
                    {24, 24, 35, 25, 27, 23, 23}, /* cold mixed stencil symmetric holes */
                },
            },
            {
                {
                    {36, 36, 37, 31, 31, 32, 32}, /* cold mixed contact unsymmetric plain */
                    {38, 38, 33, 33, 32, 32, 32}, /* cold mixed contact unsymmetric fair */
                    {39, 40, 40, 40, 32, 32, 32}, /* cold mixed contact unsymmetric strong */
                    {36, 36, 41, 41, 31, 32, 32}, /* cold mixed contact unsymmetric holes */
                },
                {
                    {24, 24, 25, 25, 26, 28, 28}, /* cold mixed contact symmetric plain */
                    {24, 24, 27, 27, 27, 27, 27}, /* cold mixed contact symmetric fair */
                    {39, 28, 28, 28, 28, 28, 28}, /* cold mixed contact symmetric strong */
                    {24, 24, 35, 25, 27, 28, 28}, /* cold mixed contact symmetric holes */
                },
            },
            {
                {
                    {36, 36, 37, 37, 37, 37, 37}, /* cold mixed loose unsymmetric plain */
                    {38, 38, 37, 37, 37, 37, 37}, /* cold mixed loose unsymmetric fair */
                    {39, 40, 40, 40, 40, 40, 40}, /* cold mixed loose unsymmetric strong */
                    {36, 36, 41, 41, 41, 41, 41}, /* cold mixed loose unsymmetric holes */
                },
                {
                    {24, 24, 22, 22, 34, 28, 28}, /* cold mixed loose symmetric plain */
                    {24, 24, 27, 27, 27, 27, 27}, /* cold mixed loose symmetric fair */
                    {39, 28, 28, 28, 28, 28, 28}, /* cold mixed loose symmetric strong */
                    {24, 24, 35, 25, 27, 28, 28}, /* cold mixed loose symmetric holes */
                },
            },
            {
                {
                    {36, 36, 37, 37, 37, 37, 37}, /* cold mixed packed unsymmetric plain */
                    {38, 38, 37, 37, 37, 37, 37}, /* cold mixed packed unsymmetric fair */
                    {39, 40, 40, 40, 40, 40, 40}, /* cold mixed packed unsymmetric strong */
                    {36, 36, 41, 41, 41, 41, 41}, /* cold mixed packed unsymmetric holes */
                },
                {
                    {24, 24, 22, 22, 34, 28, 28}, /* cold mixed packed symmetric plain */
                    {24, 24, 27, 27, 27, 27, 27}, /* cold mixed packed symmetric fair */
                    {39, 28, 28, 28, 28, 28, 28}, /* cold mixed packed symmetric strong */
                    {24, 24, 35, 25, 27, 28, 28}, /* cold mixed packed symmetric holes */
                },
            },
            {
                {
                    {36, 36, 37, 37, 37, 37, 37}, /* cold mixed jammed unsymmetric plain */
                    {38, 38, 37, 37, 37, 37, 37}, /* cold mixed jammed unsymmetric fair */
                    {39, 40, 40, 40, 40, 40, 40}, /* cold mixed jammed unsymmetric strong */
                    {36, 36, 41, 41, 41, 41, 41}, /* cold mixed jammed unsymmetric holes */
                },
                {
                    {24, 24, 22, 22, 34, 28, 28}, /* cold mixed jammed symmetric plain */
                    {24, 24, 27, 27, 27, 27, 27}, /* cold mixed jammed symmetric fair */
                    {39, 28, 28, 28, 28, 28, 28}, /* cold mixed jammed symmetric strong */
                    {24, 24, 35, 25, 27, 28, 28}, /* cold mixed jammed symmetric holes */
                },
            },
            {
                {
                    {36, 36, 31, 31, 31, 32, 32}, /* cold mixed tridiagonal unsymmetric plain */
                    {38, 38, 33, 33, 32, 32, 32}, /* cold mixed tridiagonal unsymmetric fair */
                    {39, 40, 40, 40, 32, 32, 32}, /* cold mixed tridiagonal unsymmetric strong */
                    {36, 36, 41, 41, 31, 32, 32}, /* cold mixed tridiagonal unsymmetric holes */
                },
                {
                    {24, 24, 22, 22, 34, 28, 28}, /* cold mixed tridiagonal symmetric plain */
                    {24, 24, 27, 27, 27, 27, 27}, /* cold mixed tridiagonal symmetric fair */
                    {39, 28, 28, 29, 29, 28, 28}, /* cold mixed tridiagonal symmetric strong */
                    {24, 24, 30, 30, 30, 28, 28}, /* cold mixed tridiagonal symmetric holes */
                },
            },
            {
                {
                    {36, 36, 31, 31, 31, 32, 32}, /* cold mixed mmatrix unsymmetric plain */
                    {38, 38, 33, 33, 32, 32, 32}, /* cold mixed mmatrix unsymmetric fair */
                    {39, 40, 40, 40, 32, 32, 32}, /* cold mixed mmatrix unsymmetric strong */
                    {36, 36, 41, 41, 31, 32, 32}, /* cold mixed mmatrix unsymmetric holes */
                },
                {
                    {24, 24, 22, 22, 34, 28, 28}, /* cold mixed mmatrix symmetric plain */
                    {24, 24, 27, 27, 27, 27, 27}, /* cold mixed mmatrix symmetric fair */
                    {39, 28, 28, 28, 28, 28, 28}, /* cold mixed mmatrix symmetric strong */
                    {24, 24, 35, 25, 27, 28, 28}, /* cold mixed mmatrix symmetric holes */
                },
            },
            {
                {
                    {36, 36, 37, 31, 31, 32, 32}, /* cold mixed sparse unsymmetric plain */
                    {38, 38, 33, 33, 32, 32, 32}, /* cold mixed sparse unsymmetric fair */
                    {39, 40, 40, 40, 32, 32, 32}, /* cold mixed sparse unsymmetric strong */
                    {36, 36, 41, 41, 31, 32, 32}, /* cold mixed sparse unsymmetric holes */
                },
                {
                    {24, 24, 22, 22, 34, 28, 28}, /* cold mixed sparse symmetric plain */
                    {24, 24, 27, 27, 27, 27, 27}, /* cold mixed sparse symmetric fair */
                    {39, 28, 28, 28, 28, 28, 28}, /* cold mixed sparse symmetric strong */
                    {24, 24, 35, 25, 27, 28, 28}, /* cold mixed sparse symmetric holes */
                },
            },
            {
                {
                    {36, 36, 37, 37, 37, 37, 37}, /* cold mixed dense unsymmetric plain */
                    {38, 38, 37, 37, 37, 37, 37}, /* cold mixed dense unsymmetric fair */
                    {39, 40, 40, 40, 40, 40, 40}, /* cold mixed dense unsymmetric strong */
                    {36, 36, 41, 41, 41, 41, 41}, /* cold mixed dense unsymmetric holes */
                },
                {
                    {24, 24, 25, 25, 25, 25, 25}, /* cold mixed dense symmetric plain */
                    {24, 24, 25, 25, 25, 25, 25}, /* cold mixed dense symmetric fair */
                    {39, 28, 28, 28, 28, 28, 28}, /* cold mixed dense symmetric strong */
                    {24, 24, 25, 25, 25, 25, 25}, /* cold mixed dense symmetric holes */
                },
            },
            {
                {
                    {36, 36, 37, 37, 37, 37, 37}, /* cold mixed hidden unsymmetric plain */
                    {38, 38, 37, 37, 37, 37, 37}, /* cold mixed hidden unsymmetric fair */
                    {39, 40, 40, 40, 40, 40, 40}, /* cold mixed hidden unsymmetric strong */
                    {36, 36, 41, 41, 41, 41, 41}, /* cold mixed hidden unsymmetric holes */
                },
                {
                    {24, 24, 22, 22, 34, 28, 28}, /* cold mixed hidden symmetric plain */
                    {24, 24, 27, 27, 27, 27, 27}, /* cold mixed hidden symmetric fair */
                    {39, 28, 28, 28, 28, 28, 28}, /* cold mixed hidden symmetric strong */
                    {24, 24, 35, 25, 27, 28, 28}, /* cold mixed hidden symmetric holes */
                },
            },
        },
        {
            {
                {
                    {54, 55, 49, 49, 50, 50, 50}, /* cold boxed stencil unsymmetric plain */
                    {54, 57, 51, 49, 52, 52, 52}, /* cold boxed stencil unsymmetric fair */
                    {57, 57, 58, 58, 52, 52, 52}, /* cold boxed stencil unsymmetric strong */
                    {54, 55, 55, 55, 50, 50, 50}, /* cold boxed stencil unsymmetric holes */
                },
                {
                    {54, 59, 42, 43, 53, 44, 44}, /* cold boxed stencil symmetric plain */
                    {57, 57, 46, 46, 46, 46, 44}, /* cold boxed stencil symmetric fair */
                    {57, 47, 47, 47, 47, 47, 44}, /* cold boxed stencil symmetric strong */
                    {54, 61, 45, 45, 46, 44, 44}, /* cold boxed stencil symmetric holes */
                },
            },
            {
                {
                    {54, 55, 55, 56, 50, 50, 50}, /* cold boxed contact unsymmetric plain */
                    {54, 57, 51, 49, 52, 52, 52}, /* cold boxed contact unsymmetric fair */
                    {57, 57, 58, 58, 52, 52, 52}, /* cold boxed contact unsymmetric strong */
                    {54, 55, 55, 55, 50, 50, 50}, /* cold boxed contact unsymmetric holes */
                },
                {
                    {54, 59, 45, 53, 53, 53, 53}, /* cold boxed contact symmetric plain */
                    {57, 57, 46, 46, 46, 46, 46}, /* cold boxed contact symmetric fair */
                    {57, 47, 47, 47, 47, 47, 47}, /* cold boxed contact symmetric strong */
                    {54, 61, 45, 45, 46, 53, 53}, /* cold boxed contact symmetric holes */
                },
            },
            {
                {
                    {54, 55, 55, 56, 56, 56, 56}, /* cold boxed loose unsymmetric plain */
                    {54, 57, 55, 56, 56, 56, 56}, /* cold boxed loose unsymmetric fair */
                    {57, 57, 58, 58, 58, 58, 58}, /* cold boxed loose unsymmetric strong */
                    {54, 55, 55, 55, 55, 55, 55}, /* cold boxed loose unsymmetric holes */
                },
                {
                    {54, 59, 45, 53, 53, 53, 53}, /* cold boxed loose symmetric plain */
                    {57, 57, 46, 46, 46, 46, 46}, /* cold boxed loose symmetric fair */
                    {57, 47, 47, 47, 47, 47, 47}, /* cold boxed loose symmetric strong */
                    {54, 61, 45, 45, 46, 53, 53}, /* cold boxed loose symmetric holes */
                },
            },
            {
                {
                    {54, 55, 55, 56, 56, 56, 56}, /* cold boxed packed unsymmetric plain */
                    {54, 57, 55, 56, 56, 56, 56}, /* cold boxed packed unsymmetric fair */
                    {57, 57, 58, 58, 58, 58, 58}, /* cold boxed packed unsymmetric strong */
                    {54, 55, 55, 55, 55, 55, 55}, /* cold boxed packed unsymmetric holes */
                },
                {
                    {54, 59, 45, 53, 53, 53, 53}, /* cold boxed packed symmetric plain */
                    {57, 57, 46, 46, 46, 46, 46}, /* cold boxed packed symmetric fair */
                    {57, 47, 47, 47, 47, 47, 47}, /* cold boxed packed symmetric strong */
                    {54, 61, 45, 45, 46, 53, 53}, /* cold boxed packed symmetric holes */
                },
            },
            {
                {
                    {54, 55, 55, 56, 56, 56, 56}, /* cold boxed jammed unsymmetric plain */
                    {54, 57, 55, 56, 56, 56, 56}, /* cold boxed jammed unsymmetric fair */
                    {57, 57, 58, 58, 58, 58, 58}, /* cold boxed jammed unsymmetric strong */
                    {54, 55, 55, 55, 55, 55, 55}, /* cold boxed jammed unsymmetric holes */
                },
                {
                    {54, 59, 45, 53, 53, 53, 53}, /* cold boxed jammed symmetric plain */
                    {57, 57, 46, 46, 46, 46, 46}, /* cold boxed jammed symmetric fair */
                    {57, 47, 47, 47, 47, 47, 47}, /* cold boxed jammed symmetric strong */
                    {54, 61, 45, 45, 46, 53, 53}, /* cold boxed jammed symmetric holes */
                },
            },
            {
                {
                    {54, 55, 49, 49, 50, 50, 50}, /* cold boxed tridiagonal unsymmetric plain */
                    {54, 57, 51, 49, 52, 52, 52}, /* cold boxed tridiagonal unsymmetric fair */
                    {57, 57, 58, 58, 52, 52, 52}, /* cold boxed tridiagonal unsymmetric strong */
                    {54, 55, 55, 55, 50, 50, 50}, /* cold boxed tridiagonal unsymmetric holes */
                },
                {
                    {54, 59, 45, 53, 53, 53, 53}, /* cold boxed tridiagonal symmetric plain */
                    {57, 57, 45, 46, 46, 46, 46}, /* cold boxed tridiagonal symmetric fair */
                    {57, 47, 47, 47, 47, 47, 47}, /* cold boxed tridiagonal symmetric strong */
                    {54, 61, 45, 45, 48, 53, 53}, /* cold boxed tridiagonal symmetric holes */
                },
            },
            {
                {
                    {54, 55, 49, 49, 50, 50, 50}, /* cold boxed mmatrix unsymmetric plain */
                    {54, 57, 51, 49, 52, 52, 52}, /* cold boxed mmatrix unsymmetric fair */
                    {57, 57, 58, 58, 52, 52, 52}, /* cold boxed mmatrix unsymmetric strong */
                    {54, 55, 55, 55, 50, 50, 50}, /* cold boxed mmatrix unsymmetric holes */
                },
                {
                    {54, 59, 45, 43, 53, 44, 44}, /* cold boxed mmatrix symmetric plain */
                    {57, 57, 46, 46, 46, 46, 46}, /* cold boxed mmatrix symmetric fair */
                    {57, 47, 47, 47, 47, 47, 47}, /* cold boxed mmatrix symmetric strong */
                    {54, 61, 45, 45, 46, 44, 44}, /* cold boxed mmatrix symmetric holes */
                },
            },
            {
                {
                    {54, 55, 55, 56, 50, 50, 50}, /* cold boxed sparse unsymmetric plain */
                    {54, 57, 51, 49, 52, 52, 52}, /* cold boxed sparse unsymmetric fair */
                    {57, 57, 58, 58, 52, 52, 52}, /* cold boxed sparse unsymmetric strong */
                    {54, 55, 55, 55, 50, 50, 50}, /* cold boxed sparse unsymmetric holes */
                },
                {
                    {54, 59, 45, 53, 53, 53, 53}, /* cold boxed sparse symmetric plain */
                    {57, 57, 46, 46, 46, 46, 46}, /* cold boxed sparse symmetric fair */
                    {57, 47, 47, 47, 47, 47, 47}, /* cold boxed sparse symmetric strong */
                    {54, 61, 45, 45, 46, 53, 53}, /* cold boxed sparse symmetric holes */
                },
            },
            {
                {
                    {54, 55, 55, 56, 56, 56, 56}, /* cold boxed dense unsymmetric plain */
                    {54, 57, 55, 56, 56, 56, 56}, /* cold boxed dense unsymmetric fair */
                    {57, 57, 58, 58, 58, 58, 58}, /* cold boxed dense unsymmetric strong */
                    {54, 55, 55, 55, 55, 55, 55}, /* cold boxed dense unsymmetric holes */
                },
                {
                    {54, 59, 45, 45, 45, 45, 45}, /* cold boxed dense symmetric plain */
                    {57, 57, 45, 45, 45, 45, 45}, /* cold boxed dense symmetric fair */
                    {57, 47, 60, 60, 60, 60, 60}, /* cold boxed dense symmetric strong */
                    {54, 61, 45, 45, 45, 45, 45}, /* cold boxed dense symmetric holes */
                },
            },
            {
                {
                    {54, 55, 55, 56, 56, 56, 56}, /* cold boxed hidden unsymmetric plain */
                    {54, 57, 55, 56, 56, 56, 56}, /* cold boxed hidden unsymmetric fair */
                    {57, 57, 58, 58, 58, 58, 58}, /* cold boxed hidden unsymmetric strong */
                    {54, 55, 55, 55, 55, 55, 55}, /* cold boxed hidden unsymmetric holes */
                },
                {
                    {54, 59, 45, 53, 53, 53, 53}, /* cold boxed hidden symmetric plain */
                    {57, 57, 46, 46, 46, 46, 46}, /* cold boxed hidden symmetric fair */
                    {57, 47, 47, 47, 47, 47, 47}, /* cold boxed hidden symmetric strong */
                    {54, 61, 45, 45, 46, 53, 53}, /* cold boxed hidden symmetric holes */
                },
            },
        },
        {
            {
                {
                    {68, 68, 62, 69, 64, 64, 64}, /* cold findex stencil unsymmetric plain */
                    {71, 68, 62, 69, 64, 64, 64}, /* cold findex stencil unsymmetric fair */
                    {73, 68, 73, 70, 64, 64, 64}, /* cold findex stencil unsymmetric strong */
                    {68, 68, 62, 69, 64, 64, 64}, /* cold findex stencil unsymmetric holes */
                },
                {
                    {68, 68, 62, 69, 64, 64, 64}, /* cold findex stencil symmetric plain */
                    {71, 68, 62, 69, 64, 64, 64}, /* cold findex stencil symmetric fair */
                    {73, 68, 73, 70, 64, 64, 64}, /* cold findex stencil symmetric strong */
                    {68, 68, 62, 69, 64, 64, 64}, /* cold findex stencil symmetric holes */
                },
            },
            {
                {
                    {68, 68, 62, 69, 64, 64, 64}, /* cold findex contact unsymmetric plain */
                    {71, 68, 62, 69, 64, 64, 64}, /* cold findex contact unsymmetric fair */
                    {73, 68, 73, 70, 64, 64, 64}, /* cold findex contact unsymmetric strong */
                    {68, 68, 62, 69, 64, 64, 64}, /* cold findex contact unsymmetric holes */
                },
                {
                    {68, 68, 62, 69, 64, 64, 64}, /* cold findex contact symmetric plain */
                    {71, 68, 62, 69, 64, 64, 64}, /* cold findex contact symmetric fair */
                    {73, 68, 73, 70, 64, 64, 64}, /* cold findex contact symmetric strong */
                    {68, 68, 62, 69, 64, 64, 64}, /* cold findex contact symmetric holes */
                },
            },
            {
                {
                    {68, 68, 62, 62, 64, 64, 64}, /* cold findex loose unsymmetric plain */
                    {71, 68, 62, 62, 64, 64, 64}, /* cold findex loose unsymmetric fair */
                    {73, 68, 73, 70, 64, 64, 64}, /* cold findex loose unsymmetric strong */
                    {68, 68, 62, 62, 64, 64, 64}, /* cold findex loose unsymmetric holes */
                },
                {
                    {68, 68, 62, 62, 64, 64, 64}, /* cold findex loose symmetric plain */
                    {71, 68, 62, 62, 64, 64, 64}, /* cold findex loose symmetric fair */
                    {73, 68, 73, 70, 64, 64, 64}, /* cold findex loose symmetric strong */
                    {68, 68, 62, 62, 64, 64, 64}, /* cold findex loose symmetric holes */
                },
            },
            {
                {
                    {68, 68, 62, 63, 64, 64, 64}, /* cold findex packed unsymmetric plain */
                    {71, 68, 62, 63, 64, 64, 64}, /* cold findex packed unsymmetric fair */
                    {73, 68, 73, 70, 64, 64, 64}, /* cold findex packed unsymmetric strong */
                    {68, 68, 62, 63, 64, 64, 64}, /* cold findex packed unsymmetric holes */
                },
                {
                    {68, 68, 62, 63, 64, 64, 64}, /* cold findex packed symmetric plain */
                    {71, 68, 62, 63, 64, 64, 64}, /* cold findex packed symmetric fair */
                    {73, 68, 73, 70, 64, 64, 64}, /* cold findex packed symmetric strong */
                    {68, 68, 62, 63, 64, 64, 64}, /* cold findex packed symmetric holes */
                },
            },
            {
                {
                    {68, 68, 62, 65, 66, 66, 66}, /* cold findex jammed unsymmetric plain */
                    {71, 68, 62, 65, 66, 66, 66}, /* cold findex jammed unsymmetric fair */
                    {73, 68, 73, 70, 66, 66, 66}, /* cold findex jammed unsymmetric strong */
                    {68, 68, 62, 65, 66, 66, 66}, /* cold findex jammed unsymmetric holes */
                },
                {
                    {68, 68, 62, 65, 66, 66, 66}, /* cold findex jammed symmetric plain */
                    {71, 68, 62, 65, 66, 66, 66}, /* cold findex jammed symmetric fair */
                    {73, 68, 73, 70, 66, 66, 66}, /* cold findex jammed symmetric strong */
                    {68, 68, 62, 65, 66, 66, 66}, /* cold findex jammed symmetric holes */
                },
            },
            {
                {
                    {68, 68, 62, 69, 64, 64, 64}, /* cold findex tridiagonal unsymmetric plain */
                    {71, 68, 62, 69, 64, 64, 64}, /* cold findex tridiagonal unsymmetric fair */
                    {67, 68, 73, 70, 64, 64, 64}, /* cold findex tridiagonal unsymmetric strong */
                    {68, 68, 62, 69, 64, 64, 64}, /* cold findex tridiagonal unsymmetric holes */
                },
                {
                    {68, 68, 62, 69, 64, 64, 64}, /* cold findex tridiagonal symmetric plain */
                    {71, 68, 62, 69, 64, 64, 64}, /* cold findex tridiagonal symmetric fair */
                    {67, 68, 73, 70, 64, 64, 64}, /* cold findex tridiagonal symmetric strong */
                    {68, 68, 62, 69, 64, 64, 64}, /* cold findex tridiagonal symmetric holes */
                },
            },
            {
                {
                    {68, 68, 62, 69, 64, 64, 64}, /* cold findex mmatrix unsymmetric plain */
                    {71, 68, 62, 69, 64, 64, 64}, /* cold findex mmatrix unsymmetric fair */
                    {73, 68, 73, 70, 64, 64, 64}, /* cold findex mmatrix unsymmetric strong */
                    {68, 68, 62, 69, 64, 64, 64}, /* cold findex mmatrix unsymmetric holes */
                },
                {
                    {68, 68, 62, 69, 64, 64, 64}, /* cold findex mmatrix symmetric plain */
                    {71, 68, 62, 69, 64, 64, 64}, /* cold findex mmatrix symmetric fair */
                    {73, 68, 73, 70, 64, 64, 64}, /* cold findex mmatrix symmetric strong */
                    {68, 68, 62, 69, 64, 64, 64}, /* cold findex mmatrix symmetric holes */
                },
            },
            {
                {
                    {68, 68, 62, 69, 64, 64, 64}, /* cold findex sparse unsymmetric plain */
                    {71, 68, 62, 69, 64, 64, 64}, /* cold findex sparse unsymmetric fair */
                    {73, 68, 73, 70, 64, 64, 64}, /* cold findex sparse unsymmetric strong */
                    {68, 68, 62, 69, 64, 64, 64}, /* cold findex sparse unsymmetric holes */
                },
                {
                    {68, 68, 62, 69, 64, 64, 64}, /* cold findex sparse symmetric plain */
                    {71, 68, 62, 69, 64, 64, 64}, /* cold findex sparse symmetric fair */
                    {73, 68, 73, 70, 64, 64, 64}, /* cold findex sparse symmetric strong */
                    {68, 68, 62, 69, 64, 64, 64}, /* cold findex sparse symmetric holes */
                },
            },
            {
                {
                    {62, 62, 62, 62, 62, 62, 62}, /* cold findex dense unsymmetric plain */
                    {71, 72, 62, 62, 62, 62, 62}, /* cold findex dense unsymmetric fair */
                    {73, 73, 73, 73, 73, 73, 73}, /* cold findex dense unsymmetric strong */
                    {62, 62, 62, 62, 62, 62, 62}, /* cold findex dense unsymmetric holes */
                },
                {
                    {62, 62, 62, 62, 62, 62, 62}, /* cold findex dense symmetric plain */
                    {71, 72, 62, 62, 62, 62, 62}, /* cold findex dense symmetric fair */
                    {73, 73, 73, 73, 73, 73, 73}, /* cold findex dense symmetric strong */
                    {62, 62, 62, 62, 62, 62, 62}, /* cold findex dense symmetric holes */
                },
            },
            {
                {
                    {68, 68, 62, 69, 64, 64, 64}, /* cold findex hidden unsymmetric plain */
                    {71, 68, 62, 69, 64, 64, 64}, /* cold findex hidden unsymmetric fair */
                    {73, 68, 73, 70, 64, 64, 64}, /* cold findex hidden unsymmetric strong */
                    {68, 68, 62, 69, 64, 64, 64}, /* cold findex hidden unsymmetric holes */
                },
                {
                    {68, 68, 62, 69, 64, 64, 64}, /* cold findex hidden symmetric plain */
                    {71, 68, 62, 69, 64, 64, 64}, /* cold findex hidden symmetric fair */
                    {73, 68, 73, 70, 64, 64, 64}, /* cold findex hidden symmetric strong */
                    {68, 68, 62, 69, 64, 64, 64}, /* cold findex hidden symmetric holes */
                },
            },
        },
        {
            {
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone stencil unsymmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* cold cone stencil unsymmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* cold cone stencil unsymmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone stencil unsymmetric holes */
                },
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone stencil symmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* cold cone stencil symmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* cold cone stencil symmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone stencil symmetric holes */
                },
            },
            {
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone contact unsymmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* cold cone contact unsymmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* cold cone contact unsymmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone contact unsymmetric holes */
                },
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone contact symmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* cold cone contact symmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* cold cone contact symmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone contact symmetric holes */
                },
            },
            {
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone loose unsymmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* cold cone loose unsymmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* cold cone loose unsymmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone loose unsymmetric holes */
                },
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone loose symmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* cold cone loose symmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* cold cone loose symmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone loose symmetric holes */
                },
            },
            {
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone packed unsymmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* cold cone packed unsymmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* cold cone packed unsymmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone packed unsymmetric holes */
                },
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone packed symmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* cold cone packed symmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* cold cone packed symmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone packed symmetric holes */
                },
            },
            {
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone jammed unsymmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* cold cone jammed unsymmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* cold cone jammed unsymmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone jammed unsymmetric holes */
                },
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone jammed symmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* cold cone jammed symmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* cold cone jammed symmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone jammed symmetric holes */
                },
            },
            {
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone tridiagonal unsymmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* cold cone tridiagonal unsymmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* cold cone tridiagonal unsymmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone tridiagonal unsymmetric holes */
                },
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone tridiagonal symmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* cold cone tridiagonal symmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* cold cone tridiagonal symmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone tridiagonal symmetric holes */
                },
            },
            {
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone mmatrix unsymmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* cold cone mmatrix unsymmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* cold cone mmatrix unsymmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone mmatrix unsymmetric holes */
                },
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone mmatrix symmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* cold cone mmatrix symmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* cold cone mmatrix symmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone mmatrix symmetric holes */
                },
            },
            {
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone sparse unsymmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* cold cone sparse unsymmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* cold cone sparse unsymmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone sparse unsymmetric holes */
                },
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone sparse symmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* cold cone sparse symmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* cold cone sparse symmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone sparse symmetric holes */
                },
            },
            {
                {
                    {74, 74, 74, 74, 74, 74, 74}, /* cold cone dense unsymmetric plain */
                    {76, 76, 76, 76, 76, 76, 76}, /* cold cone dense unsymmetric fair */
                    {76, 76, 76, 76, 76, 76, 76}, /* cold cone dense unsymmetric strong */
                    {74, 74, 74, 74, 74, 74, 74}, /* cold cone dense unsymmetric holes */
                },
                {
                    {74, 74, 74, 74, 74, 74, 74}, /* cold cone dense symmetric plain */
                    {76, 76, 76, 76, 76, 76, 76}, /* cold cone dense symmetric fair */
                    {76, 76, 76, 76, 76, 76, 76}, /* cold cone dense symmetric strong */
                    {74, 74, 74, 74, 74, 74, 74}, /* cold cone dense symmetric holes */
                },
            },
            {
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone hidden unsymmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* cold cone hidden unsymmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* cold cone hidden unsymmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone hidden unsymmetric holes */
                },
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone hidden symmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* cold cone hidden symmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* cold cone hidden symmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* cold cone hidden symmetric holes */
                },
            },
        },
    },
    {
        {
            {
                {
                    {83, 83, 83, 83, 83, 83, 83}, /* warm lcp stencil unsymmetric plain */
                    {83, 83, 83, 83, 83, 83, 83}, /* warm lcp stencil unsymmetric fair */
                    {83, 83, 83, 83, 83, 83, 83}, /* warm lcp stencil unsymmetric strong */
                    {83, 83, 83, 83, 83, 83, 83}, /* warm lcp stencil unsymmetric holes */
                },
                {
                    {78, 78, 78, 78, 78, 78, 78}, /* warm lcp stencil symmetric plain */
                    {78, 78, 78, 82, 82, 82, 82}, /* warm lcp stencil symmetric fair */
                    {78, 78, 84, 84, 84, 84, 84}, /* warm lcp stencil symmetric strong */
                    {78, 78, 78, 78, 78, 78, 78}, /* warm lcp stencil symmetric holes */
                },
            },
            {
                {
                    {81, 81, 81, 81, 83, 83, 83}, /* warm lcp contact unsymmetric plain */
                    {81, 81, 81, 81, 83, 83, 83}, /* warm lcp contact unsymmetric fair */
                    {81, 81, 81, 81, 83, 83, 83}, /* warm lcp contact unsymmetric strong */
                    {81, 81, 81, 81, 83, 83, 83}, /* warm lcp contact unsymmetric holes */
                },
                {
                    {79, 79, 79, 80, 80, 80, 80}, /* warm lcp contact symmetric plain */
                    {78, 78, 78, 82, 82, 82, 82}, /* warm lcp contact symmetric fair */
                    {78, 78, 84, 84, 84, 84, 84}, /* warm lcp contact symmetric strong */
                    {79, 79, 79, 80, 80, 80, 80}, /* warm lcp contact symmetric holes */
                },
            },
            {
                {
                    {10, 17, 17, 17, 17, 17, 17}, /* warm lcp loose unsymmetric plain */
                    {10, 20, 17, 17, 17, 17, 17}, /* warm lcp loose unsymmetric fair */
                    {10, 11, 12, 12, 12, 12, 12}, /* warm lcp loose unsymmetric strong */
                    {10, 17, 17, 17, 7, 7, 7}, /* warm lcp loose unsymmetric holes */
                },
                {
                    {10, 21, 0, 7, 18, 18, 18}, /* warm lcp loose symmetric plain */
                    {10, 11, 7, 7, 18, 18, 18}, /* warm lcp loose symmetric fair */
                    {10, 11, 12, 12, 18, 18, 18}, /* warm lcp loose symmetric strong */
                    {10, 21, 19, 7, 7, 18, 18}, /* warm lcp loose symmetric holes */
                },
            },
            {
                {
                    {10, 17, 17, 17, 17, 17, 17}, /* warm lcp packed unsymmetric plain */
                    {10, 20, 17, 17, 17, 17, 17}, /* warm lcp packed unsymmetric fair */
                    {10, 11, 12, 12, 12, 12, 12}, /* warm lcp packed unsymmetric strong */
                    {10, 17, 17, 17, 7, 7, 7}, /* warm lcp packed unsymmetric holes */
                },
                {
                    {10, 21, 0, 7, 18, 18, 18}, /* warm lcp packed symmetric plain */
                    {10, 11, 7, 7, 18, 18, 18}, /* warm lcp packed symmetric fair */
                    {10, 11, 12, 12, 18, 18, 18}, /* warm lcp packed symmetric strong */
                    {10, 21, 19, 7, 7, 18, 18}, /* warm lcp packed symmetric holes */
                },
            },
            {
                {
                    {10, 17, 17, 17, 17, 17, 17}, /* warm lcp jammed unsymmetric plain */
                    {10, 20, 17, 17, 17, 17, 17}, /* warm lcp jammed unsymmetric fair */
                    {10, 11, 12, 12, 12, 12, 12}, /* warm lcp jammed unsymmetric strong */
                    {10, 17, 17, 17, 7, 7, 7}, /* warm lcp jammed unsymmetric holes */
                },
                {
                    {10, 21, 0, 7, 18, 18, 18}, /* warm lcp jammed symmetric plain */
                    {10, 11, 7, 7, 18, 18, 18}, /* warm lcp jammed symmetric fair */
                    {10, 11, 12, 12, 18, 18, 18}, /* warm lcp jammed symmetric strong */
                    {10, 21, 19, 7, 7, 18, 18}, /* warm lcp jammed symmetric holes */
                },
            },
            {
                {
                    {83, 83, 83, 81, 81, 81, 81}, /* warm lcp tridiagonal unsymmetric plain */
                    {82, 82, 82, 81, 81, 81, 81}, /* warm lcp tridiagonal unsymmetric fair */
                    {82, 82, 82, 81, 81, 81, 81}, /* warm lcp tridiagonal unsymmetric strong */
                    {83, 83, 83, 81, 81, 81, 81}, /* warm lcp tridiagonal unsymmetric holes */
                },
                {
                    {78, 78, 78, 78, 78, 78, 78}, /* warm lcp tridiagonal symmetric plain */
                    {78, 78, 82, 82, 82, 82, 82}, /* warm lcp tridiagonal symmetric fair */
                    {78, 78, 84, 84, 84, 84, 84}, /* warm lcp tridiagonal symmetric strong */
                    {78, 78, 78, 78, 78, 78, 78}, /* warm lcp tridiagonal symmetric holes */
                },
            },
            {
                {
                    {83, 83, 83, 83, 83, 83, 83}, /* warm lcp mmatrix unsymmetric plain */
                    {83, 83, 83, 83, 83, 83, 83}, /* warm lcp mmatrix unsymmetric fair */
                    {83, 83, 83, 83, 83, 83, 83}, /* warm lcp mmatrix unsymmetric strong */
                    {83, 83, 83, 83, 83, 83, 83}, /* warm lcp mmatrix unsymmetric holes */
                },
                {
                    {78, 78, 78, 78, 78, 78, 78}, /* warm lcp mmatrix symmetric plain */
                    {78, 78, 78, 82, 82, 82, 82}, /* warm lcp mmatrix symmetric fair */
                    {78, 78, 84, 84, 84, 84, 84}, /* warm lcp mmatrix symmetric strong */
                    {78, 78, 78, 78, 78, 78, 78}, /* warm lcp mmatrix symmetric holes */
                },
            },
            {
                {
                    {81, 81, 81, 81, 83, 83, 83}, /* warm lcp sparse unsymmetric plain */
                    {81, 81, 81, 81, 83, 83, 83}, /* warm lcp sparse unsymmetric fair */
                    {81, 81, 81, 81, 83, 83, 83}, /* warm lcp sparse unsymmetric strong */
                    {81, 81, 81, 81, 83, 83, 83}, /* warm lcp sparse unsymmetric holes */
                },
                {
                    {79, 79, 78, 78, 80, 80, 80}, /* warm lcp sparse symmetric plain */
                    {78, 78, 78, 82, 82, 82, 82}, /* warm lcp sparse symmetric fair */
                    {78, 78, 84, 84, 84, 84, 84}, /* warm lcp sparse symmetric strong */
                    {79, 79, 78, 78, 80, 80, 80}, /* warm lcp sparse symmetric holes */
                },
            },
            {
                {
                    {81, 81, 81, 81, 81, 81, 81}, /* warm lcp dense unsymmetric plain */
                    {81, 81, 81, 81, 81, 81, 81}, /* warm lcp dense unsymmetric fair */
                    {81, 81, 81, 81, 81, 81, 81}, /* warm lcp dense unsymmetric strong */
                    {81, 81, 81, 81, 81, 81, 81}, /* warm lcp dense unsymmetric holes */
                },
                {
                    {78, 78, 78, 78, 78, 78, 78}, /* warm lcp dense symmetric plain */
                    {78, 78, 78, 78, 78, 78, 78}, /* warm lcp dense symmetric fair */
                    {84, 84, 84, 84, 84, 84, 84}, /* warm lcp dense symmetric strong */
                    {78, 78, 78, 78, 78, 78, 78}, /* warm lcp dense symmetric holes */
                },
            },
            {
                {
                    {10, 17, 17, 17, 17, 17, 17}, /* warm lcp hidden unsymmetric plain */
                    {10, 20, 17, 17, 17, 17, 17}, /* warm lcp hidden unsymmetric fair */
                    {10, 11, 12, 12, 12, 12, 12}, /* warm lcp hidden unsymmetric strong */
                    {10, 17, 17, 17, 7, 7, 7}, /* warm lcp hidden unsymmetric holes */
                },
                {
                    {10, 21, 0, 7, 18, 18, 18}, /* warm lcp hidden symmetric plain */
                    {10, 11, 7, 7, 18, 18, 18}, /* warm lcp hidden symmetric fair */
                    {10, 11, 12, 12, 18, 18, 18}, /* warm lcp hidden symmetric strong */
                    {10, 21, 19, 7, 7, 18, 18}, /* warm lcp hidden symmetric holes */
                },
            },
        },
        {
            {
                {
                    {88, 88, 88, 89, 89, 89, 89}, /* warm mixed stencil unsymmetric plain */
                    {88, 88, 88, 89, 89, 89, 89}, /* warm mixed stencil unsymmetric fair */
                    {88, 88, 88, 89, 89, 89, 89}, /* warm mixed stencil unsymmetric strong */
                    {88, 88, 88, 89, 89, 89, 89}, /* warm mixed stencil unsymmetric holes */
                },
                {
                    {85, 85, 85, 85, 86, 86, 86}, /* warm mixed stencil symmetric plain */
                    {85, 85, 87, 87, 87, 87, 87}, /* warm mixed stencil symmetric fair */
                    {85, 85, 91, 91, 91, 91, 91}, /* warm mixed stencil symmetric strong */
                    {85, 85, 85, 85, 86, 86, 86}, /* warm mixed stencil symmetric holes */
                },
            },
            {
                {
                    {88, 88, 88, 88, 89, 89, 89}, /* warm mixed contact unsymmetric plain */
                    {88, 88, 88, 88, 89, 89, 89}, /* warm mixed contact unsymmetric fair */
                    {88, 88, 88, 88, 89, 89, 89}, /* warm mixed contact unsymmetric strong */
                    {88, 88, 88, 88, 89, 89, 89}, /* warm mixed contact unsymmetric holes */
                },
                {
                    {85, 85, 85, 85, 86, 86, 86}, /* warm mixed contact symmetric plain */
                    {85, 85, 87, 87, 87, 87, 87}, /* warm mixed contact symmetric fair */
                    {85, 85, 91, 91, 91, 91, 91}, /* warm mixed contact symmetric strong */
                    {85, 85, 85, 85, 86, 86, 86}, /* warm mixed contact symmetric holes */
                },
            },
            {
                {
                    {36, 36, 37, 37, 37, 37, 37}, /* warm mixed loose unsymmetric plain */
                    {38, 38, 37, 37, 37, 37, 37}, /* warm mixed loose unsymmetric fair */
                    {39, 40, 40, 40, 40, 40, 40}, /* warm mixed loose unsymmetric strong */
                    {36, 36, 41, 41, 41, 41, 41}, /* warm mixed loose unsymmetric holes */
                },
                {
                    {24, 24, 22, 22, 34, 28, 28}, /* warm mixed loose symmetric plain */
                    {24, 24, 27, 27, 27, 27, 27}, /* warm mixed loose symmetric fair */
                    {39, 28, 28, 28, 28, 28, 28}, /* warm mixed loose symmetric strong */
                    {24, 24, 35, 25, 27, 28, 28}, /* warm mixed loose symmetric holes */
                },
            },
            {
                {
                    {36, 36, 37, 37, 37, 37, 37}, /* warm mixed packed unsymmetric plain */
                    {38, 38, 37, 37, 37, 37, 37}, /* warm mixed packed unsymmetric fair */
                    {39, 40, 40, 40, 40, 40, 40}, /* warm mixed packed unsymmetric strong */
                    {36, 36, 41, 41, 41, 41, 41}, /* warm mixed packed unsymmetric holes */
                },
                {
                    {24, 24, 22, 22, 34, 28, 28}, /* warm mixed packed symmetric plain */
                    {24, 24, 27, 27, 27, 27, 27}, /* warm mixed packed symmetric fair */
                    {39, 28, 28, 28, 28, 28, 28}, /* warm mixed packed symmetric strong */
                    {24, 24, 35, 25, 27, 28, 28}, /* warm mixed packed symmetric holes */
                },
            },
            {
                {
                    {36, 36, 37, 37, 37, 37, 37}, /* warm mixed jammed unsymmetric plain */
                    {38, 38, 37, 37, 37, 37, 37}, /* warm mixed jammed unsymmetric fair */
                    {39, 40, 40, 40, 40, 40, 40}, /* warm mixed jammed unsymmetric strong */
                    {36, 36, 41, 41, 41, 41, 41}, /* warm mixed jammed unsymmetric holes */
                },
                {
                    {24, 24, 22, 22, 34, 28, 28}, /* warm mixed jammed symmetric plain */
                    {24, 24, 27, 27, 27, 27, 27}, /* warm mixed jammed symmetric fair */
                    {39, 28, 28, 28, 28, 28, 28}, /* warm mixed jammed symmetric strong */
                    {24, 24, 35, 25, 27, 28, 28}, /* warm mixed jammed symmetric holes */
                },
            },
            {
                {
                    {88, 88, 88, 89, 89, 89, 89}, /* warm mixed tridiagonal unsymmetric plain */
                    {88, 88, 88, 89, 89, 89, 89}, /* warm mixed tridiagonal unsymmetric fair */
                    {88, 88, 88, 89, 89, 89, 89}, /* warm mixed tridiagonal unsymmetric strong */
                    {88, 88, 88, 89, 89, 89, 89}, /* warm mixed tridiagonal unsymmetric holes */
                },
                {
                    {85, 85, 90, 90, 86, 86, 86}, /* warm mixed tridiagonal symmetric plain */
                    {85, 85, 87, 87, 87, 87, 87}, /* warm mixed tridiagonal symmetric fair */
                    {85, 85, 91, 91, 91, 91, 91}, /* warm mixed tridiagonal symmetric strong */
                    {85, 85, 90, 90, 86, 86, 86}, /* warm mixed tridiagonal symmetric holes */
                },
            },
            {
                {
                    {88, 88, 88, 89, 89, 89, 89}, /* warm mixed mmatrix unsymmetric plain */
                    {88, 88, 88, 89, 89, 89, 89}, /* warm mixed mmatrix unsymmetric fair */
                    {88, 88, 88, 89, 89, 89, 89}, /* warm mixed mmatrix unsymmetric strong */
                    {88, 88, 88, 89, 89, 89, 89}, /* warm mixed mmatrix unsymmetric holes */
                },
                {
                    {85, 85, 90, 90, 86, 86, 86}, /* warm mixed mmatrix symmetric plain */
                    {85, 85, 87, 87, 87, 87, 87}, /* warm mixed mmatrix symmetric fair */
                    {85, 85, 91, 91, 91, 91, 91}, /* warm mixed mmatrix symmetric strong */
                    {85, 85, 90, 90, 86, 86, 86}, /* warm mixed mmatrix symmetric holes */
                },
            },
            {
                {
                    {88, 88, 88, 88, 89, 89, 89}, /* warm mixed sparse unsymmetric plain */
                    {88, 88, 88, 88, 89, 89, 89}, /* warm mixed sparse unsymmetric fair */
                    {88, 88, 88, 88, 89, 89, 89}, /* warm mixed sparse unsymmetric strong */
                    {88, 88, 88, 88, 89, 89, 89}, /* warm mixed sparse unsymmetric holes */
                },
                {
                    {85, 85, 90, 90, 86, 86, 86}, /* warm mixed sparse symmetric plain */
                    {85, 85, 87, 87, 87, 87, 87}, /* warm mixed sparse symmetric fair */
                    {85, 85, 91, 91, 91, 91, 91}, /* warm mixed sparse symmetric strong */
                    {85, 85, 90, 90, 86, 86, 86}, /* warm mixed sparse symmetric holes */
                },
            },
            {
                {
                    {88, 88, 88, 88, 88, 88, 88}, /* warm mixed dense unsymmetric plain */
                    {88, 88, 88, 88, 88, 88, 88}, /* warm mixed dense unsymmetric fair */
                    {88, 88, 88, 88, 88, 88, 88}, /* warm mixed dense unsymmetric strong */
                    {88, 88, 88, 88, 88, 88, 88}, /* warm mixed dense unsymmetric holes */
                },
                {
                    {85, 85, 85, 85, 85, 85, 85}, /* warm mixed dense symmetric plain */
                    {85, 85, 85, 85, 85, 85, 85}, /* warm mixed dense symmetric fair */
                    {85, 85, 91, 92, 92, 92, 92}, /* warm mixed dense symmetric strong */
                    {85, 85, 85, 85, 85, 85, 85}, /* warm mixed dense symmetric holes */
                },
            },
            {
                {
                    {36, 36, 37, 37, 37, 37, 37}, /* warm mixed hidden unsymmetric plain */
                    {38, 38, 37, 37, 37, 37, 37}, /* warm mixed hidden unsymmetric fair */
                    {39, 40, 40, 40, 40, 40, 40}, /* warm mixed hidden unsymmetric strong */
                    {36, 36, 41, 41, 41, 41, 41}, /* warm mixed hidden unsymmetric holes */
                },
                {
                    {24, 24, 22, 22, 34, 28, 28}, /* warm mixed hidden symmetric plain */
                    {24, 24, 27, 27, 27, 27, 27}, /* warm mixed hidden symmetric fair */
                    {39, 28, 28, 28, 28, 28, 28}, /* warm mixed hidden symmetric strong */
                    {24, 24, 35, 25, 27, 28, 28}, /* warm mixed hidden symmetric holes */
                },
            },
        },
        {
            {
                {
                    {96, 96, 96, 97, 97, 97, 97}, /* warm boxed stencil unsymmetric plain */
                    {96, 96, 96, 97, 97, 97, 97}, /* warm boxed stencil unsymmetric fair */
                    {96, 96, 96, 97, 97, 97, 97}, /* warm boxed stencil unsymmetric strong */
                    {96, 96, 96, 97, 97, 97, 97}, /* warm boxed stencil unsymmetric holes */
                },
                {
                    {100, 100, 100, 93, 94, 94, 94}, /* warm boxed stencil symmetric plain */
                    {95, 95, 95, 98, 98, 94, 94}, /* warm boxed stencil symmetric fair */
                    {99, 99, 99, 99, 99, 94, 94}, /* warm boxed stencil symmetric strong */
                    {100, 100, 100, 93, 94, 94, 94}, /* warm boxed stencil symmetric holes */
                },
            },
            {
                {
                    {54, 55, 55, 56, 50, 50, 50}, /* warm boxed contact unsymmetric plain */
                    {54, 57, 51, 49, 52, 52, 52}, /* warm boxed contact unsymmetric fair */
                    {57, 57, 58, 58, 52, 52, 52}, /* warm boxed contact unsymmetric strong */
                    {54, 55, 55, 55, 50, 50, 50}, /* warm boxed contact unsymmetric holes */
                },
                {
                    {54, 59, 45, 53, 53, 53, 53}, /* warm boxed contact symmetric plain */
                    {57, 57, 46, 46, 46, 46, 46}, /* warm boxed contact symmetric fair */
                    {57, 47, 47, 47, 47, 47, 47}, /* warm boxed contact symmetric strong */
                    {54, 61, 45, 45, 46, 53, 53}, /* warm boxed contact symmetric holes */
                },
            },
            {
                {
                    {54, 55, 55, 56, 56, 56, 56}, /* warm boxed loose unsymmetric plain */
                    {54, 57, 55, 56, 56, 56, 56}, /* warm boxed loose unsymmetric fair */
                    {57, 57, 58, 58, 58, 58, 58}, /* warm boxed loose unsymmetric strong */
                    {54, 55, 55, 55, 55, 55, 55}, /* warm boxed loose unsymmetric holes */
                },
                {
                    {54, 59, 45, 53, 53, 53, 53}, /* warm boxed loose symmetric plain */
                    {57, 57, 46, 46, 46, 46, 46}, /* warm boxed loose symmetric fair */
                    {57, 47, 47, 47, 47, 47, 47}, /* warm boxed loose symmetric strong */
                    {54, 61, 45, 45, 46, 53, 53}, /* warm boxed loose symmetric holes */
                },
            },
            {
                {
                    {54, 55, 55, 56, 56, 56, 56}, /* warm boxed packed unsymmetric plain */
                    {54, 57, 55, 56, 56, 56, 56}, /* warm boxed packed unsymmetric fair */
                    {57, 57, 58, 58, 58, 58, 58}, /* warm boxed packed unsymmetric strong */
                    {54, 55, 55, 55, 55, 55, 55}, /* warm boxed packed unsymmetric holes */
                },
                {
                    {54, 59, 45, 53, 53, 53, 53}, /* warm boxed packed symmetric plain */
                    {57, 57, 46, 46, 46, 46, 46}, /* warm boxed packed symmetric fair */
                    {57, 47, 47, 47, 47, 47, 47}, /* warm boxed packed symmetric strong */
                    {54, 61, 45, 45, 46, 53, 53}, /* warm boxed packed symmetric holes */
                },
            },
            {
                {
                    {54, 55, 55, 56, 56, 56, 56}, /* warm boxed jammed unsymmetric plain */
                    {54, 57, 55, 56, 56, 56, 56}, /* warm boxed jammed unsymmetric fair */
                    {57, 57, 58, 58, 58, 58, 58}, /* warm boxed jammed unsymmetric strong */
                    {54, 55, 55, 55, 55, 55, 55}, /* warm boxed jammed unsymmetric holes */
                },
                {
                    {54, 59, 45, 53, 53, 53, 53}, /* warm boxed jammed symmetric plain */
                    {57, 57, 46, 46, 46, 46, 46}, /* warm boxed jammed symmetric fair */
                    {57, 47, 47, 47, 47, 47, 47}, /* warm boxed jammed symmetric strong */
                    {54, 61, 45, 45, 46, 53, 53}, /* warm boxed jammed symmetric holes */
                },
            },
            {
                {
                    {96, 96, 96, 97, 97, 97, 97}, /* warm boxed tridiagonal unsymmetric plain */
                    {96, 96, 96, 97, 97, 97, 97}, /* warm boxed tridiagonal unsymmetric fair */
                    {96, 96, 96, 97, 97, 97, 97}, /* warm boxed tridiagonal unsymmetric strong */
                    {96, 96, 96, 97, 97, 97, 97}, /* warm boxed tridiagonal unsymmetric holes */
                },
                {
                    {100, 100, 100, 93, 94, 94, 94}, /* warm boxed tridiagonal symmetric plain */
                    {95, 95, 95, 95, 95, 94, 94}, /* warm boxed tridiagonal symmetric fair */
                    {99, 99, 99, 99, 99, 94, 94}, /* warm boxed tridiagonal symmetric strong */
                    {100, 100, 100, 93, 94, 94, 94}, /* warm boxed tridiagonal symmetric holes */
                },
            },
            {
                {
                    {96, 96, 96, 97, 97, 97, 97}, /* warm boxed mmatrix unsymmetric plain */
                    {96, 96, 96, 97, 97, 97, 97}, /* warm boxed mmatrix unsymmetric fair */
                    {96, 96, 96, 97, 97, 97, 97}, /* warm boxed mmatrix unsymmetric strong */
                    {96, 96, 96, 97, 97, 97, 97}, /* warm boxed mmatrix unsymmetric holes */
                },
                {
                    {100, 100, 100, 93, 94, 94, 94}, /* warm boxed mmatrix symmetric plain */
                    {95, 95, 95, 98, 98, 94, 94}, /* warm boxed mmatrix symmetric fair */
                    {99, 99, 99, 99, 99, 94, 94}, /* warm boxed mmatrix symmetric strong */
                    {100, 100, 100, 93, 94, 94, 94}, /* warm boxed mmatrix symmetric holes */
                },
            },
            {
                {
                    {96, 96, 96, 96, 97, 97, 97}, /* warm boxed sparse unsymmetric plain */
                    {96, 96, 96, 96, 97, 97, 97}, /* warm boxed sparse unsymmetric fair */
                    {96, 96, 96, 96, 97, 97, 97}, /* warm boxed sparse unsymmetric strong */
                    {96, 96, 96, 96, 97, 97, 97}, /* warm boxed sparse unsymmetric holes */
                },
                {
                    {100, 100, 100, 100, 94, 94, 94}, /* warm boxed sparse symmetric plain */
                    {95, 95, 95, 98, 98, 94, 94}, /* warm boxed sparse symmetric fair */
                    {99, 99, 99, 99, 99, 94, 94}, /* warm boxed sparse symmetric strong */
                    {100, 100, 100, 100, 94, 94, 94}, /* warm boxed sparse symmetric holes */
                },
            },
            {
                {
                    {96, 96, 96, 96, 96, 96, 96}, /* warm boxed dense unsymmetric plain */
                    {96, 96, 96, 96, 96, 96, 96}, /* warm boxed dense unsymmetric fair */
                    {96, 96, 96, 96, 96, 96, 96}, /* warm boxed dense unsymmetric strong */
                    {96, 96, 96, 96, 96, 96, 96}, /* warm boxed dense unsymmetric holes */
                },
                {
                    {100, 100, 100, 100, 100, 100, 100}, /* warm boxed dense symmetric plain */
                    {100, 100, 100, 100, 100, 100, 100}, /* warm boxed dense symmetric fair */
                    {99, 99, 99, 101, 101, 101, 101}, /* warm boxed dense symmetric strong */
                    {100, 100, 100, 100, 100, 100, 100}, /* warm boxed dense symmetric holes */
                },
            },
            {
                {
                    {54, 55, 55, 56, 56, 56, 56}, /* warm boxed hidden unsymmetric plain */
                    {54, 57, 55, 56, 56, 56, 56}, /* warm boxed hidden unsymmetric fair */
                    {57, 57, 58, 58, 58, 58, 58}, /* warm boxed hidden unsymmetric strong */
                    {54, 55, 55, 55, 55, 55, 55}, /* warm boxed hidden unsymmetric holes */
                },
                {
                    {54, 59, 45, 53, 53, 53, 53}, /* warm boxed hidden symmetric plain */
                    {57, 57, 46, 46, 46, 46, 46}, /* warm boxed hidden symmetric fair */
                    {57, 47, 47, 47, 47, 47, 47}, /* warm boxed hidden symmetric strong */
                    {54, 61, 45, 45, 46, 53, 53}, /* warm boxed hidden symmetric holes */
                },
            },
        },
        {
            {
                {
                    {68, 68, 62, 69, 64, 64, 64}, /* warm findex stencil unsymmetric plain */
                    {71, 68, 62, 69, 64, 64, 64}, /* warm findex stencil unsymmetric fair */
                    {73, 68, 73, 70, 64, 64, 64}, /* warm findex stencil unsymmetric strong */
                    {68, 68, 62, 69, 64, 64, 64}, /* warm findex stencil unsymmetric holes */
                },
                {
                    {68, 68, 62, 69, 64, 64, 64}, /* warm findex stencil symmetric plain */
                    {71, 68, 62, 69, 64, 64, 64}, /* warm findex stencil symmetric fair */
                    {73, 68, 73, 70, 64, 64, 64}, /* warm findex stencil symmetric strong */
                    {68, 68, 62, 69, 64, 64, 64}, /* warm findex stencil symmetric holes */
                },
            },
            {
                {
                    {68, 68, 62, 69, 64, 64, 64}, /* warm findex contact unsymmetric plain */
                    {71, 68, 62, 69, 64, 64, 64}, /* warm findex contact unsymmetric fair */
                    {73, 68, 73, 70, 64, 64, 64}, /* warm findex contact unsymmetric strong */
                    {68, 68, 62, 69, 64, 64, 64}, /* warm findex contact unsymmetric holes */
                },
                {
                    {68, 68, 62, 69, 64, 64, 64}, /* warm findex contact symmetric plain */
                    {71, 68, 62, 69, 64, 64, 64}, /* warm findex contact symmetric fair */
                    {73, 68, 73, 70, 64, 64, 64}, /* warm findex contact symmetric strong */
                    {68, 68, 62, 69, 64, 64, 64}, /* warm findex contact symmetric holes */
                },
            },
            {
                {
                    {102, 102, 102, 103, 105, 105, 105}, /* warm findex loose unsymmetric plain */
                    {102, 102, 102, 103, 105, 105, 105}, /* warm findex loose unsymmetric fair */
                    {102, 102, 102, 103, 105, 105, 105}, /* warm findex loose unsymmetric strong */
                    {102, 102, 102, 103, 105, 105, 105}, /* warm findex loose unsymmetric holes */
                },
                {
                    {102, 102, 102, 103, 105, 105, 105}, /* warm findex loose symmetric plain */
                    {102, 102, 102, 103, 105, 105, 105}, /* warm findex loose symmetric fair */
                    {102, 102, 102, 103, 105, 105, 105}, /* warm findex loose symmetric strong */
                    {102, 102, 102, 103, 105, 105, 105}, /* warm findex loose symmetric holes */
                },
            },
            {
                {
                    {102, 102, 102, 104, 105, 105, 105}, /* warm findex packed unsymmetric plain */
                    {102, 102, 102, 104, 105, 105, 105}, /* warm findex packed unsymmetric fair */
                    {102, 102, 102, 104, 105, 105, 105}, /* warm findex packed unsymmetric strong */
                    {102, 102, 102, 104, 105, 105, 105}, /* warm findex packed unsymmetric holes */
                },
                {
                    {102, 102, 102, 104, 105, 105, 105}, /* warm findex packed symmetric plain */
                    {102, 102, 102, 104, 105, 105, 105}, /* warm findex packed symmetric fair */
                    {102, 102, 102, 104, 105, 105, 105}, /* warm findex packed symmetric strong */
                    {102, 102, 102, 104, 105, 105, 105}, /* warm findex packed symmetric holes */
                },
            },
            {
                {
                    {106, 106, 106, 106, 106, 106, 106}, /* warm findex jammed unsymmetric plain */
                    {106, 106, 106, 106, 106, 106, 106}, /* warm findex jammed unsymmetric fair */
                    {106, 106, 106, 106, 106, 106, 106}, /* warm findex jammed unsymmetric strong */
                    {106, 106, 106, 106, 106, 106, 106}, /* warm findex jammed unsymmetric holes */
                },
                {
                    {106, 106, 106, 106, 106, 106, 106}, /* warm findex jammed symmetric plain */
                    {106, 106, 106, 106, 106, 106, 106}, /* warm findex jammed symmetric fair */
                    {106, 106, 106, 106, 106, 106, 106}, /* warm findex jammed symmetric strong */
                    {106, 106, 106, 106, 106, 106, 106}, /* warm findex jammed symmetric holes */
                },
            },
            {
                {
                    {68, 68, 62, 69, 64, 64, 64}, /* warm findex tridiagonal unsymmetric plain */
                    {71, 68, 62, 69, 64, 64, 64}, /* warm findex tridiagonal unsymmetric fair */
                    {67, 68, 73, 70, 64, 64, 64}, /* warm findex tridiagonal unsymmetric strong */
                    {68, 68, 62, 69, 64, 64, 64}, /* warm findex tridiagonal unsymmetric holes */
                },
                {
                    {68, 68, 62, 69, 64, 64, 64}, /* warm findex tridiagonal symmetric plain */
                    {71, 68, 62, 69, 64, 64, 64}, /* warm findex tridiagonal symmetric fair */
                    {67, 68, 73, 70, 64, 64, 64}, /* warm findex tridiagonal symmetric strong */
                    {68, 68, 62, 69, 64, 64, 64}, /* warm findex tridiagonal symmetric holes */
                },
            },
            {
                {
                    {68, 68, 62, 69, 64, 64, 64}, /* warm findex mmatrix unsymmetric plain */
                    {71, 68, 62, 69, 64, 64, 64}, /* warm findex mmatrix unsymmetric fair */
                    {73, 68, 73, 70, 64, 64, 64}, /* warm findex mmatrix unsymmetric strong */
                    {68, 68, 62, 69, 64, 64, 64}, /* warm findex mmatrix unsymmetric holes */
                },
                {
                    {68, 68, 62, 69, 64, 64, 64}, /* warm findex mmatrix symmetric plain */
                    {71, 68, 62, 69, 64, 64, 64}, /* warm findex mmatrix symmetric fair */
                    {73, 68, 73, 70, 64, 64, 64}, /* warm findex mmatrix symmetric strong */
                    {68, 68, 62, 69, 64, 64, 64}, /* warm findex mmatrix symmetric holes */
                },
            },
            {
                {
                    {102, 102, 102, 102, 107, 107, 107}, /* warm findex sparse unsymmetric plain */
                    {102, 102, 102, 102, 107, 107, 107}, /* warm findex sparse unsymmetric fair */
                    {102, 102, 102, 102, 107, 107, 107}, /* warm findex sparse unsymmetric strong */
                    {102, 102, 102, 102, 107, 107, 107}, /* warm findex sparse unsymmetric holes */
                },
                {
                    {102, 102, 102, 102, 107, 107, 107}, /* warm findex sparse symmetric plain */
                    {102, 102, 102, 102, 107, 107, 107}, /* warm findex sparse symmetric fair */
                    {102, 102, 102, 102, 107, 107, 107}, /* warm findex sparse symmetric strong */
                    {102, 102, 102, 102, 107, 107, 107}, /* warm findex sparse symmetric holes */
                },
            },
            {
                {
                    {102, 102, 102, 102, 102, 102, 102}, /* warm findex dense unsymmetric plain */
                    {102, 102, 102, 102, 102, 102, 102}, /* warm findex dense unsymmetric fair */
                    {102, 102, 102, 102, 102, 102, 102}, /* warm findex dense unsymmetric strong */
                    {102, 102, 102, 102, 102, 102, 102}, /* warm findex dense unsymmetric holes */
                },
                {
                    {102, 102, 102, 102, 102, 102, 102}, /* warm findex dense symmetric plain */
                    {102, 102, 102, 102, 102, 102, 102}, /* warm findex dense symmetric fair */
                    {102, 102, 102, 102, 102, 102, 102}, /* warm findex dense symmetric strong */
                    {102, 102, 102, 102, 102, 102, 102}, /* warm findex dense symmetric holes */
                },
            },
            {
                {
                    {68, 68, 62, 69, 64, 64, 64}, /* warm findex hidden unsymmetric plain */
                    {71, 68, 62, 69, 64, 64, 64}, /* warm findex hidden unsymmetric fair */
                    {73, 68, 73, 70, 64, 64, 64}, /* warm findex hidden unsymmetric strong */
                    {68, 68, 62, 69, 64, 64, 64}, /* warm findex hidden unsymmetric holes */
                },
                {
                    {68, 68, 62, 69, 64, 64, 64}, /* warm findex hidden symmetric plain */
                    {71, 68, 62, 69, 64, 64, 64}, /* warm findex hidden symmetric fair */
                    {73, 68, 73, 70, 64, 64, 64}, /* warm findex hidden symmetric strong */
                    {68, 68, 62, 69, 64, 64, 64}, /* warm findex hidden symmetric holes */
                },
            },
        },
        {
            {
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* warm cone stencil unsymmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* warm cone stencil unsymmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* warm cone stencil unsymmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* warm cone stencil unsymmetric holes */
                },
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* warm cone stencil symmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* warm cone stencil symmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* warm cone stencil symmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* warm cone stencil symmetric holes */
                },
            },
            {
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* warm cone contact unsymmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* warm cone contact unsymmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* warm cone contact unsymmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* warm cone contact unsymmetric holes */
                },
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* warm cone contact symmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* warm cone contact symmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* warm cone contact symmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* warm cone contact symmetric holes */
                },
            },
            {
                {
                    {108, 108, 108, 108, 108, 108, 108}, /* warm cone loose unsymmetric plain */
                    {108, 108, 108, 108, 108, 108, 108}, /* warm cone loose unsymmetric fair */
                    {108, 108, 108, 108, 108, 108, 108}, /* warm cone loose unsymmetric strong */
                    {108, 108, 108, 108, 108, 108, 108}, /* warm cone loose unsymmetric holes */
                },
                {
                    {108, 108, 108, 108, 108, 108, 108}, /* warm cone loose symmetric plain */
                    {108, 108, 108, 108, 108, 108, 108}, /* warm cone loose symmetric fair */
                    {108, 108, 108, 108, 108, 108, 108}, /* warm cone loose symmetric strong */
                    {108, 108, 108, 108, 108, 108, 108}, /* warm cone loose symmetric holes */
                },
            },
            {
                {
                    {109, 109, 109, 108, 108, 108, 108}, /* warm cone packed unsymmetric plain */
                    {109, 109, 109, 108, 108, 108, 108}, /* warm cone packed unsymmetric fair */
                    {109, 109, 109, 108, 108, 108, 108}, /* warm cone packed unsymmetric strong */
                    {109, 109, 109, 108, 108, 108, 108}, /* warm cone packed unsymmetric holes */
                },
                {
                    {109, 109, 109, 108, 108, 108, 108}, /* warm cone packed symmetric plain */
                    {109, 109, 109, 108, 108, 108, 108}, /* warm cone packed symmetric fair */
                    {109, 109, 109, 108, 108, 108, 108}, /* warm cone packed symmetric strong */
                    {109, 109, 109, 108, 108, 108, 108}, /* warm cone packed symmetric holes */
                },
            },
            {
                {
                    {109, 109, 109, 108, 108, 108, 108}, /* warm cone jammed unsymmetric plain */
                    {109, 109, 109, 108, 108, 108, 108}, /* warm cone jammed unsymmetric fair */
                    {109, 109, 109, 108, 108, 108, 108}, /* warm cone jammed unsymmetric strong */
                    {109, 109, 109, 108, 108, 108, 108}, /* warm cone jammed unsymmetric holes */
                },
                {
                    {109, 109, 109, 108, 108, 108, 108}, /* warm cone jammed symmetric plain */
                    {109, 109, 109, 108, 108, 108, 108}, /* warm cone jammed symmetric fair */
                    {109, 109, 109, 108, 108, 108, 108}, /* warm cone jammed symmetric strong */
                    {109, 109, 109, 108, 108, 108, 108}, /* warm cone jammed symmetric holes */
                },
            },
            {
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* warm cone tridiagonal unsymmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* warm cone tridiagonal unsymmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* warm cone tridiagonal unsymmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* warm cone tridiagonal unsymmetric holes */
                },
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* warm cone tridiagonal symmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* warm cone tridiagonal symmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* warm cone tridiagonal symmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* warm cone tridiagonal symmetric holes */
                },
            },
            {
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* warm cone mmatrix unsymmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* warm cone mmatrix unsymmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* warm cone mmatrix unsymmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* warm cone mmatrix unsymmetric holes */
                },
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* warm cone mmatrix symmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* warm cone mmatrix symmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* warm cone mmatrix symmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* warm cone mmatrix symmetric holes */
                },
            },
            {
                {
                    {108, 108, 108, 108, 108, 108, 108}, /* warm cone sparse unsymmetric plain */
                    {108, 108, 108, 108, 108, 108, 108}, /* warm cone sparse unsymmetric fair */
                    {108, 108, 108, 108, 108, 108, 108}, /* warm cone sparse unsymmetric strong */
                    {108, 108, 108, 108, 108, 108, 108}, /* warm cone sparse unsymmetric holes */
                },
                {
                    {108, 108, 108, 108, 108, 108, 108}, /* warm cone sparse symmetric plain */
                    {108, 108, 108, 108, 108, 108, 108}, /* warm cone sparse symmetric fair */
                    {108, 108, 108, 108, 108, 108, 108}, /* warm cone sparse symmetric strong */
                    {108, 108, 108, 108, 108, 108, 108}, /* warm cone sparse symmetric holes */
                },
            },
            {
                {
                    {108, 108, 108, 108, 108, 108, 108}, /* warm cone dense unsymmetric plain */
                    {108, 108, 108, 108, 108, 108, 108}, /* warm cone dense unsymmetric fair */
                    {108, 108, 108, 108, 108, 108, 108}, /* warm cone dense unsymmetric strong */
                    {108, 108, 108, 108, 108, 108, 108}, /* warm cone dense unsymmetric holes */
                },
                {
                    {108, 108, 108, 108, 108, 108, 108}, /* warm cone dense symmetric plain */
                    {108, 108, 108, 108, 108, 108, 108}, /* warm cone dense symmetric fair */
                    {108, 108, 108, 108, 108, 108, 108}, /* warm cone dense symmetric strong */
                    {108, 108, 108, 108, 108, 108, 108}, /* warm cone dense symmetric holes */
                },
            },
            {
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* warm cone hidden unsymmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* warm cone hidden unsymmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* warm cone hidden unsymmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* warm cone hidden unsymmetric holes */
                },
                {
                    {76, 76, 74, 74, 75, 75, 75}, /* warm cone hidden symmetric plain */
                    {76, 76, 76, 74, 75, 75, 75}, /* warm cone hidden symmetric fair */
                    {76, 76, 76, 77, 75, 75, 75}, /* warm cone hidden symmetric strong */
                    {76, 76, 74, 74, 75, 75, 75}, /* warm cone hidden symmetric holes */
                },
            },
        },
    },
};
/* clang-format on */
