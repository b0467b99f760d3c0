/* table.c: the ladders of auto, written by tools/write-auto from measured.csv */
#include "method/auto/inspect.h"

extern const perp_method perp_method_admm, perp_method_alm, perp_method_apgd, perp_method_baraff,
    perp_method_bgs, perp_method_blockpivot, perp_method_coloured, perp_method_dantzig,
    perp_method_gpcg, perp_method_ipm, perp_method_kz, perp_method_lemke, perp_method_mg,
    perp_method_minmap, perp_method_nncg, perp_method_pgs, perp_method_pgssm, perp_method_prox,
    perp_method_psor, perp_method_spg, perp_method_spsor, perp_method_ssn;

const int64_t perp_sweeps_first = 3300, perp_sweeps_later = 2000;

/* clang-format off */
#define M(name) &perp_method_##name
const perp_ladder perp_ladders[] = {
  {{{M(dantzig), 32}}}, /* 0: cold lcp stencil symmetric plain 100 and 56 more; 388 problems */
  {{{M(mg), 32}}}, /* 1: cold lcp stencil symmetric plain 1000 and 14 more; 34 problems */
  {{{M(blockpivot), 32}}}, /* 2: cold lcp contact symmetric plain 10 and 78 more; 444 problems */
  {{{M(pgssm), 32}}}, /* 3: cold lcp contact symmetric plain 1000 and 3 more; 8 problems */
  {{{M(coloured), 3704}}}, /* 4: cold lcp contact symmetric plain 10000; 2 problems */
  {{{M(psor), 324}}}, /* 5: cold lcp faced symmetric plain 320; 6 problems */
  {{{M(admm), 128}, {M(baraff), 32}}}, /* 6: cold lcp faced symmetric plain 1000; 3 problems */
  {{{M(ssn), 32}, {M(ipm), 72}}}, /* 7: cold lcp faced symmetric plain 10000; 3 problems */
  {{{M(pgs), 32}}}, /* 8: cold lcp tridiagonal unsymmetric fair 32 and 70 more; 201 problems */
  {{{M(gpcg), 32}}}, /* 9: cold lcp tridiagonal symmetric fair 320 and 5 more; 9 problems */
  {{{M(kz), 32}}}, /* 10: cold lcp tridiagonal symmetric fair 10000 and 41 more; 71 problems */
  {{{M(spsor), 32}}}, /* 11: cold lcp mmatrix unsymmetric plain 320 and 18 more; 24 problems */
  {{{M(psor), 32}}}, /* 12: cold lcp mmatrix unsymmetric plain 1000 and 26 more; 59 problems */
  {{{M(pgs), 36}}}, /* 13: cold lcp mmatrix unsymmetric plain 100000; 2 problems */
  {{{M(spg), 32}}}, /* 14: cold lcp mmatrix unsymmetric fair 10000 and 7 more; 12 problems */
  {{{M(psor), 184}}}, /* 15: cold lcp mmatrix unsymmetric fair 100000; 2 problems */
  {{{M(lemke), 5760}}}, /* 16: cold lcp sparse unsymmetric holes 100 and 9 more; 58 problems */
  {{{M(ssn), 32}, {M(baraff), 32}}}, /* 17: cold lcp sparse symmetric plain 1000; 9 problems */
  {{{M(psor), 48}, {M(pgssm), 160}}}, /* 18: cold lcp sparse symmetric plain 10000; 6 problems */
  {{{M(minmap), 32}}}, /* 19: cold mixed contact symmetric plain 32 and 14 more; 38 problems */
  {{{M(baraff), 32}}}, /* 20: cold mixed contact symmetric plain 100 and 11 more; 37 problems */
  /* 21: cold mixed contact symmetric plain 1000 and 4 more; 20 problems */
  {{{M(pgssm), 32}, {M(baraff), 32}}},
  {{{M(prox), 32}}}, /* 22: cold mixed tridiagonal symmetric holes 320 and 1 more; 3 problems */
  {{{M(prox), 172}}}, /* 23: cold mixed tridiagonal symmetric holes 10000 and 1 more; 3 problems */
  {{{M(psor), 36}}}, /* 24: cold mixed mmatrix unsymmetric plain 32 and 4 more; 10 problems */
  {{{M(pgssm), 172}}}, /* 25: cold mixed sparse symmetric plain 10000; 13 problems */
  {{{M(lemke), 3696}}}, /* 26: cold mixed dense unsymmetric plain 100 and 4 more; 19 problems */
  {{{M(coloured), 120}}}, /* 27: cold boxed stencil symmetric plain 100; 2 problems */
  {{{M(ssn), 32}}}, /* 28: cold boxed sparse symmetric fair 10000 and 7 more; 32 problems */
  /* 29: cold boxed dense unsymmetric plain 3 and 13 more; 123 problems */
  {{{M(blockpivot), 32}, {M(ipm), 32}}},
  {{{M(ipm), 36}}}, /* 30: cold boxed dense unsymmetric plain 320; 2 problems */
  {{{M(prox), 1420}}}, /* 31: cold boxed dense unsymmetric plain 1000; 5 problems */
  {{{M(pgs), 32}, {M(blockpivot), 32}}}, /* 32: cold boxed dense symmetric plain 3; 7 problems */
  {{{M(alm), 180}, {M(dantzig), 32}}}, /* 33: cold findex faced symmetric plain 320; 19 problems */
  {{{M(ipm), 2328}}}, /* 34: cold findex faced symmetric plain 1000 and 2 more; 26 problems */
  /* 35: cold findex loose symmetric plain 1000 and 2 more; 28 problems */
  {{{M(psor), 576}, {M(dantzig), 32}, {M(ipm), 140}}},
  /* 36: cold findex packed symmetric plain 320; 13 problems */
  {{{M(coloured), 916}, {M(alm), 56}}},
  {{{M(coloured), 1300}}}, /* 37: cold findex packed symmetric plain 1000; 10 problems */
  /* 38: cold findex packed symmetric plain 10000; 7 problems */
  {{{M(nncg), 576}, {M(coloured), 8104}}},
  {{{M(pgs), 2072}}}, /* 39: cold findex jammed symmetric plain 1000; 4 problems */
  /* 40: cold findex jammed symmetric plain 10000 and 1 more; 32 problems */
  {{{M(nncg), 29304}, {M(ipm), 108}, {M(coloured), 26504}, {M(dantzig), 92}}},
  {{{M(pgs), 44}}}, /* 41: cold findex tridiagonal symmetric strong 3 and 9 more; 206 problems */
  {{{M(pgs), 40}}}, /* 42: cold findex sparse symmetric fair 320; 4 problems */
  /* 43: cold cone loose symmetric plain 320 and 2 more; 39 problems */
  {{{M(nncg), 324}, {M(ipm), 64}}},
  /* 44: cold cone packed symmetric plain 1000 and 1 more; 44 problems */
  {{{M(nncg), 512}, {M(ipm), 80}}},
  /* 45: cold cone packed symmetric plain 10000 and 5 more; 48 problems */
  {{{M(ipm), 88}, {M(ssn), 580}}},
  {{{M(bgs), 32}}}, /* 46: cold cone tridiagonal symmetric strong 3 and 10 more; 38 problems */
  /* 47: cold cone sparse symmetric plain 10000; 16 problems */
  {{{M(nncg), 3304}, {M(bgs), 1640}, {M(ipm), 124}, {M(ssn), 556}}},
  /* 48: warm lcp stencil symmetric plain 320 and 8 more; 39 problems */
  {{{M(kz), 32}, {M(baraff), 32}}},
  /* 49: warm lcp faced symmetric plain 320 and 2 more; 6 problems */
  {{{M(apgd), 32}, {M(nncg), 288}, {M(dantzig), 32}}},
  {{{M(psor), 44}}}, /* 50: warm mixed mmatrix unsymmetric plain 100 and 3 more; 4 problems */
  {{{M(alm), 656}}}, /* 51: warm findex faced symmetric plain 320 and 2 more; 22 problems */
  {{{M(coloured), 1460}}}, /* 52: warm findex loose symmetric plain 1000 and 2 more; 9 problems */
  /* 53: warm findex packed symmetric plain 320; 10 problems */
  {{{M(coloured), 816}, {M(alm), 56}}},
  {{{M(psor), 40000}}}, /* 54: warm findex jammed symmetric plain 320 and 2 more; 11 problems */
  /* 55: warm findex sparse symmetric plain 1000; 13 problems */
  {{{M(psor), 32}, {M(dantzig), 32}}},
  {{{M(ssn), 276}, {M(psor), 3304}}}, /* 56: warm findex sparse symmetric plain 10000; 9 problems */
  {{{M(ssn), 176}}}, /* 57: warm cone loose symmetric plain 32 and 13 more; 91 problems */
  /* 58: warm cone jammed symmetric plain 10000; 13 problems */
  {{{M(pgssm), 32}, {M(spg), 32}, {M(ssn), 644}}},
  {{{M(nncg), 288}}}, /* 59: warm cone sparse symmetric plain 100; 2 problems */
};
#undef M

const short perp_ladders_by_size[][PERP_SIZES] = {
    {2, 2, 8, 8, 11, 12, 12, 13, 13}, /* 0 */
    {2, 2, 8, 11, 11, 12, 14, 15, 15}, /* 1 */
    {2, 2, 8, 8, 8, 12, 14, 15, 15}, /* 2 */
    {2, 16, 2, 16, 16, 16, 12, 13, 13}, /* 3 */
    {2, 2, 2, 0, 0, 1, 1, 1, 1}, /* 4 */
    {2, 8, 8, 8, 10, 10, 10, 10, 1}, /* 5 */
    {2, 2, 8, 8, 10, 10, 10, 10, 1}, /* 6 */
    {2, 2, 8, 8, 9, 1, 2, 1, 1}, /* 7 */
    {2, 2, 2, 16, 16, 16, 12, 13, 13}, /* 8 */
    {2, 2, 8, 11, 11, 16, 14, 15, 15}, /* 9 */
    {2, 2, 8, 8, 8, 16, 14, 15, 15}, /* 10 */
    {2, 2, 2, 0, 0, 3, 4, 10, 10}, /* 11 */
    {2, 8, 8, 8, 10, 10, 10, 10, 10}, /* 12 */
    {2, 2, 8, 8, 10, 10, 10, 10, 10}, /* 13 */
    {2, 2, 8, 8, 9, 3, 2, 10, 10}, /* 14 */
    {2, 2, 2, 16, 16, 16, 16, 16, 16}, /* 15 */
    {2, 2, 8, 8, 8, 16, 16, 16, 16}, /* 16 */
    {2, 16, 2, 16, 16, 16, 16, 16, 16}, /* 17 */
    {2, 2, 0, 0, 5, 6, 7, 10, 10}, /* 18 */
    {2, 2, 8, 8, 9, 6, 2, 10, 10}, /* 19 */
    {2, 2, 8, 8, 2, 2, 2, 2, 2}, /* 20 */
    {2, 2, 8, 2, 11, 2, 14, 15, 15}, /* 21 */
    {2, 2, 8, 8, 8, 2, 14, 15, 15}, /* 22 */
    {2, 16, 2, 16, 16, 16, 2, 2, 2}, /* 23 */
    {2, 2, 2, 0, 0, 17, 18, 10, 10}, /* 24 */
    {2, 8, 0, 8, 9, 10, 10, 10, 10}, /* 25 */
    {2, 8, 8, 8, 8, 10, 10, 10, 10}, /* 26 */
    {2, 2, 8, 8, 9, 17, 2, 10, 10}, /* 27 */
    {2, 2, 2, 0, 0, 1, 18, 1, 1}, /* 28 */
    {2, 16, 16, 16, 16, 16, 16, 16, 16}, /* 29 */
    {2, 2, 2, 0, 0, 0, 0, 0, 0}, /* 30 */
    {2, 2, 2, 8, 0, 0, 0, 0, 0}, /* 31 */
    {2, 2, 2, 8, 8, 0, 0, 0, 0}, /* 32 */
    {2, 2, 24, 8, 24, 24, 14, 24, 24}, /* 33 */
    {2, 2, 8, 8, 8, 24, 14, 14, 14}, /* 34 */
    {2, 8, 8, 8, 8, 24, 14, 14, 14}, /* 35 */
    {2, 2, 2, 26, 26, 24, 14, 24, 24}, /* 36 */
    {2, 2, 8, 10, 10, 10, 1, 1, 1}, /* 37 */
    {2, 2, 8, 12, 21, 10, 11, 11, 11}, /* 38 */
    {2, 2, 8, 12, 22, 10, 23, 1, 1}, /* 39 */
    {2, 2, 2, 26, 26, 26, 14, 24, 24}, /* 40 */
    {2, 2, 8, 8, 8, 26, 14, 14, 14}, /* 41 */
    {2, 8, 8, 8, 8, 26, 14, 14, 14}, /* 42 */
    {2, 2, 19, 20, 0, 21, 21, 10, 10}, /* 43 */
    {2, 2, 8, 12, 22, 21, 23, 10, 10}, /* 44 */
    {2, 2, 2, 26, 26, 26, 26, 26, 26}, /* 45 */
    {2, 8, 8, 8, 8, 26, 26, 26, 26}, /* 46 */
    {2, 2, 0, 0, 20, 20, 20, 10, 10}, /* 47 */
    {2, 2, 8, 12, 22, 20, 23, 10, 10}, /* 48 */
    {2, 2, 8, 0, 21, 21, 25, 10, 10}, /* 49 */
    {2, 2, 9, 8, 10, 10, 10, 10, 10}, /* 50 */
    {2, 8, 8, 12, 10, 10, 10, 10, 10}, /* 51 */
    {2, 2, 2, 12, 0, 0, 0, 0, 0}, /* 52 */
    {2, 2, 8, 8, 8, 0, 0, 0, 0}, /* 53 */
    {2, 2, 2, 12, 12, 0, 0, 0, 0}, /* 54 */
    {29, 29, 8, 8, 11, 11, 12, 14, 14}, /* 55 */
    {8, 29, 8, 8, 11, 11, 14, 14, 14}, /* 56 */
    {8, 8, 8, 12, 12, 11, 14, 14, 14}, /* 57 */
    {29, 29, 29, 29, 29, 11, 12, 14, 14}, /* 58 */
    {32, 29, 29, 27, 10, 1, 10, 1, 1}, /* 59 */
    {29, 29, 8, 8, 10, 10, 28, 10, 1}, /* 60 */
    {29, 8, 12, 12, 8, 10, 3, 3, 1}, /* 61 */
    {32, 8, 8, 12, 0, 1, 2, 1, 1}, /* 62 */
    {29, 29, 29, 29, 30, 31, 12, 14, 14}, /* 63 */
    {8, 29, 8, 8, 11, 31, 14, 14, 14}, /* 64 */
    {8, 8, 8, 12, 12, 31, 14, 14, 14}, /* 65 */
    {29, 29, 29, 29, 29, 31, 12, 14, 14}, /* 66 */
    {32, 29, 29, 10, 10, 0, 10, 10, 10}, /* 67 */
    {29, 29, 8, 8, 10, 10, 28, 10, 10}, /* 68 */
    {29, 8, 12, 12, 8, 10, 3, 3, 3}, /* 69 */
    {32, 8, 8, 12, 0, 0, 2, 10, 10}, /* 70 */
    {29, 29, 29, 29, 30, 31, 31, 31, 31}, /* 71 */
    {8, 29, 29, 29, 30, 31, 31, 31, 31}, /* 72 */
    {8, 8, 8, 12, 12, 31, 31, 31, 31}, /* 73 */
    {29, 29, 29, 29, 29, 31, 31, 31, 31}, /* 74 */
    {32, 29, 29, 3, 10, 1, 10, 10, 10}, /* 75 */
    {29, 29, 24, 8, 10, 10, 10, 10, 10}, /* 76 */
    {29, 8, 8, 12, 8, 10, 10, 10, 10}, /* 77 */
    {32, 8, 8, 12, 0, 1, 2, 10, 10}, /* 78 */
    {32, 29, 29, 3, 10, 1, 10, 1, 1}, /* 79 */
    {32, 29, 29, 10, 0, 0, 0, 0, 0}, /* 80 */
    {29, 29, 29, 8, 0, 0, 0, 0, 0}, /* 81 */
    {29, 8, 8, 12, 12, 0, 0, 0, 0}, /* 82 */
    {32, 8, 29, 12, 8, 0, 0, 0, 0}, /* 83 */
    {0, 0, 0, 0, 0, 35, 40, 40, 40}, /* 84 */
    {0, 0, 0, 0, 42, 35, 40, 40, 40}, /* 85 */
    {41, 0, 41, 41, 12, 35, 40, 40, 40}, /* 86 */
    {0, 0, 41, 41, 12, 35, 40, 40, 40}, /* 87 */
    {0, 0, 0, 0, 33, 34, 34, 34, 34}, /* 88 */
    {0, 0, 0, 0, 42, 34, 34, 34, 34}, /* 89 */
    {41, 0, 41, 41, 12, 35, 34, 34, 34}, /* 90 */
    {0, 0, 41, 41, 12, 34, 34, 34, 34}, /* 91 */
    {0, 0, 0, 0, 36, 35, 38, 34, 34}, /* 92 */
    {0, 0, 0, 0, 42, 35, 38, 34, 34}, /* 93 */
    {41, 0, 41, 41, 12, 35, 38, 34, 34}, /* 94 */
    {0, 0, 41, 41, 12, 35, 38, 34, 34}, /* 95 */
    {0, 0, 0, 0, 36, 37, 38, 34, 34}, /* 96 */
    {0, 0, 0, 0, 42, 37, 38, 34, 34}, /* 97 */
    {0, 0, 41, 41, 12, 37, 38, 34, 34}, /* 98 */
    {0, 0, 0, 0, 0, 39, 40, 34, 34}, /* 99 */
    {0, 0, 0, 0, 42, 39, 40, 34, 34}, /* 100 */
    {41, 0, 41, 41, 12, 35, 40, 34, 34}, /* 101 */
    {0, 0, 41, 41, 12, 39, 40, 34, 34}, /* 102 */
    {0, 0, 0, 0, 0, 0, 0, 0, 0}, /* 103 */
    {0, 0, 0, 41, 41, 41, 41, 41, 41}, /* 104 */
    {41, 41, 41, 41, 41, 41, 41, 41, 41}, /* 105 */
    {46, 46, 28, 28, 43, 44, 47, 47, 47}, /* 106 */
    {46, 46, 46, 46, 14, 46, 47, 47, 47}, /* 107 */
    {46, 46, 28, 45, 45, 45, 45, 45, 45}, /* 108 */
    {46, 46, 46, 46, 14, 46, 45, 45, 45}, /* 109 */
    {46, 46, 28, 28, 43, 44, 45, 45, 45}, /* 110 */
    {28, 28, 28, 28, 28, 28, 28, 28, 28}, /* 111 */
    {46, 46, 28, 28, 28, 28, 28, 28, 28}, /* 112 */
    {46, 46, 46, 46, 46, 46, 46, 46, 46}, /* 113 */
    {2, 2, 2, 12, 12, 12, 12, 12, 12}, /* 114 */
    {2, 2, 2, 2, 48, 48, 48, 48, 48}, /* 115 */
    {2, 2, 2, 20, 19, 19, 19, 19, 19}, /* 116 */
    {2, 2, 2, 11, 11, 11, 11, 11, 11}, /* 117 */
    {2, 2, 2, 2, 2, 12, 12, 12, 12}, /* 118 */
    {2, 2, 0, 19, 19, 48, 49, 49, 49}, /* 119 */
    {2, 2, 0, 20, 19, 19, 19, 19, 19}, /* 120 */
    {2, 2, 2, 2, 2, 2, 2, 2, 2}, /* 121 */
    {2, 2, 0, 10, 49, 49, 49, 49, 49}, /* 122 */
    {2, 2, 2, 12, 12, 2, 2, 2, 2}, /* 123 */
    {2, 2, 2, 2, 12, 2, 2, 2, 2}, /* 124 */
    {2, 2, 2, 20, 48, 48, 48, 48, 48}, /* 125 */
    {2, 2, 2, 2, 2, 2, 19, 19, 19}, /* 126 */
    {2, 2, 2, 2, 20, 20, 20, 20, 20}, /* 127 */
    {2, 2, 2, 12, 11, 11, 11, 11, 11}, /* 128 */
    {2, 2, 2, 50, 50, 50, 50, 50, 50}, /* 129 */
    {2, 2, 2, 0, 20, 48, 48, 48, 48}, /* 130 */
    {2, 2, 2, 20, 19, 48, 2, 2, 2}, /* 131 */
    {2, 2, 8, 11, 11, 11, 11, 11, 11}, /* 132 */
    {2, 2, 2, 2, 2, 50, 50, 50, 50}, /* 133 */
    {2, 2, 0, 19, 19, 19, 48, 48, 48}, /* 134 */
    {2, 2, 0, 20, 19, 48, 2, 2, 2}, /* 135 */
    {2, 2, 0, 0, 19, 48, 48, 48, 48}, /* 136 */
    {2, 2, 2, 20, 19, 48, 48, 48, 48}, /* 137 */
    {2, 2, 2, 19, 19, 2, 2, 2, 2}, /* 138 */
    {2, 2, 2, 0, 20, 20, 20, 20, 20}, /* 139 */
    {2, 2, 8, 8, 8, 8, 8, 8, 8}, /* 140 */
    {2, 2, 2, 8, 8, 8, 8, 8, 8}, /* 141 */
    {2, 2, 2, 2, 20, 2, 1, 1, 1}, /* 142 */
    {2, 2, 2, 12, 10, 2, 2, 1, 1}, /* 143 */
    {8, 8, 8, 12, 10, 11, 11, 1, 1}, /* 144 */
    {2, 2, 2, 2, 2, 9, 9, 1, 1}, /* 145 */
    {2, 2, 2, 2, 2, 8, 8, 8, 8}, /* 146 */
    {8, 8, 8, 12, 12, 12, 12, 12, 12}, /* 147 */
    {0, 0, 0, 0, 51, 51, 51, 51, 51}, /* 148 */
    {0, 0, 0, 0, 53, 52, 52, 52, 52}, /* 149 */
    {0, 0, 0, 0, 54, 54, 54, 54, 54}, /* 150 */
    {0, 0, 0, 0, 0, 55, 56, 56, 56}, /* 151 */
    {57, 57, 57, 57, 57, 57, 57, 57, 57}, /* 152 */
    {57, 57, 57, 57, 57, 57, 58, 58, 58}, /* 153 */
    {57, 57, 57, 59, 57, 57, 57, 57, 57}, /* 154 */
};

const short perp_ladder_kinds[2][PERP_FORM_CONE + 1][PERP_STRUCTURES][2][PERP_DIAGONALS] = {
  {
   {
    {{0, 1, 2, 3}, {4, 5, 6, 7}}, /* cold lcp stencil */
    {{8, 9, 10, 3}, {11, 12, 13, 14}}, /* cold lcp contact */
    {{15, 15, 16, 17}, {18, 12, 13, 19}}, /* cold lcp faced */
    {{15, 15, 16, 17}, {18, 12, 13, 19}}, /* cold lcp loose */
    {{15, 15, 16, 17}, {18, 12, 13, 19}}, /* cold lcp packed */
    {{15, 15, 16, 17}, {18, 12, 13, 19}}, /* cold lcp jammed */
    {{20, 21, 22, 23}, {24, 25, 26, 27}}, /* cold lcp tridiagonal */
    {{0, 1, 2, 3}, {28, 12, 13, 7}}, /* cold lcp mmatrix */
    {{8, 9, 10, 3}, {24, 12, 13, 27}}, /* cold lcp sparse */
    {{15, 15, 16, 29}, {30, 31, 32, 32}}, /* cold lcp dense */
    {{15, 15, 16, 17}, {24, 12, 13, 27}}, /* cold lcp hidden */
   },
   {
    {{33, 34, 35, 36}, {37, 13, 38, 39}}, /* cold mixed stencil */
    {{40, 41, 42, 40}, {43, 13, 38, 44}}, /* cold mixed contact */
    {{45, 45, 46, 45}, {47, 13, 38, 48}}, /* cold mixed faced */
    {{45, 45, 46, 45}, {47, 13, 38, 48}}, /* cold mixed loose */
    {{45, 45, 46, 45}, {47, 13, 38, 48}}, /* cold mixed packed */
    {{45, 45, 46, 45}, {47, 13, 38, 48}}, /* cold mixed jammed */
    {{33, 34, 35, 36}, {49, 50, 51, 44}}, /* cold mixed tridiagonal */
    {{33, 34, 35, 36}, {49, 13, 38, 44}}, /* cold mixed mmatrix */
    {{40, 41, 42, 40}, {49, 13, 38, 44}}, /* cold mixed sparse */
    {{45, 45, 46, 45}, {30, 52, 53, 54}}, /* cold mixed dense */
    {{45, 45, 46, 45}, {49, 13, 38, 44}}, /* cold mixed hidden */
   },
   {
    {{55, 56, 57, 58}, {59, 60, 61, 62}}, /* cold boxed stencil */
    {{63, 64, 65, 66}, {67, 68, 69, 70}}, /* cold boxed contact */
    {{71, 72, 73, 74}, {67, 68, 69, 70}}, /* cold boxed faced */
    {{71, 72, 73, 74}, {67, 68, 69, 70}}, /* cold boxed loose */
    {{71, 72, 73, 74}, {67, 68, 69, 70}}, /* cold boxed packed */
    {{71, 72, 73, 74}, {67, 68, 69, 70}}, /* cold boxed jammed */
    {{55, 56, 57, 58}, {75, 76, 77, 78}}, /* cold boxed tridiagonal */
    {{55, 56, 57, 58}, {79, 68, 69, 62}}, /* cold boxed mmatrix */
    {{63, 64, 65, 66}, {67, 68, 69, 70}}, /* cold boxed sparse */
    {{71, 72, 73, 74}, {80, 81, 82, 83}}, /* cold boxed dense */
    {{71, 72, 73, 74}, {67, 68, 69, 70}}, /* cold boxed hidden */
   },
   {
    {{84, 85, 86, 87}, {84, 85, 86, 87}}, /* cold findex stencil */
    {{88, 89, 90, 91}, {88, 89, 90, 91}}, /* cold findex contact */
    {{88, 89, 90, 91}, {88, 89, 90, 91}}, /* cold findex faced */
    {{92, 93, 94, 95}, {92, 93, 94, 95}}, /* cold findex loose */
    {{96, 97, 94, 98}, {96, 97, 94, 98}}, /* cold findex packed */
    {{99, 100, 101, 102}, {99, 100, 101, 102}}, /* cold findex jammed */
    {{84, 85, 86, 87}, {84, 85, 86, 87}}, /* cold findex tridiagonal */
    {{84, 85, 86, 87}, {84, 85, 86, 87}}, /* cold findex mmatrix */
    {{84, 85, 86, 87}, {84, 85, 86, 87}}, /* cold findex sparse */
    {{103, 104, 105, 103}, {103, 104, 105, 103}}, /* cold findex dense */
    {{84, 85, 86, 87}, {84, 85, 86, 87}}, /* cold findex hidden */
   },
   {
    {{106, 106, 107, 106}, {106, 106, 107, 106}}, /* cold cone stencil */
    {{106, 106, 107, 106}, {106, 106, 107, 106}}, /* cold cone contact */
    {{108, 108, 109, 108}, {108, 108, 109, 108}}, /* cold cone faced */
    {{110, 110, 109, 110}, {110, 110, 109, 110}}, /* cold cone loose */
    {{110, 110, 109, 110}, {110, 110, 109, 110}}, /* cold cone packed */
    {{108, 108, 109, 108}, {108, 108, 109, 108}}, /* cold cone jammed */
    {{106, 106, 107, 106}, {106, 106, 107, 106}}, /* cold cone tridiagonal */
    {{106, 106, 107, 106}, {106, 106, 107, 106}}, /* cold cone mmatrix */
    {{106, 106, 107, 106}, {106, 106, 107, 106}}, /* cold cone sparse */
    {{111, 112, 113, 111}, {111, 112, 113, 111}}, /* cold cone dense */
    {{106, 106, 107, 106}, {106, 106, 107, 106}}, /* cold cone hidden */
   },
  },
  {
   {
    {{114, 114, 114, 114}, {115, 116, 117, 115}}, /* warm lcp stencil */
    {{118, 118, 118, 118}, {119, 120, 117, 119}}, /* warm lcp contact */
    {{121, 121, 121, 121}, {122, 120, 117, 122}}, /* warm lcp faced */
    {{15, 15, 16, 17}, {18, 12, 13, 19}}, /* warm lcp loose */
    {{15, 15, 16, 17}, {18, 12, 13, 19}}, /* warm lcp packed */
    {{15, 15, 16, 17}, {18, 12, 13, 19}}, /* warm lcp jammed */
    {{123, 124, 124, 123}, {125, 126, 117, 125}}, /* warm lcp tridiagonal */
    {{114, 114, 114, 114}, {125, 116, 117, 125}}, /* warm lcp mmatrix */
    {{118, 118, 118, 118}, {125, 116, 117, 125}}, /* warm lcp sparse */
    {{121, 121, 121, 121}, {127, 127, 128, 127}}, /* warm lcp dense */
    {{15, 15, 16, 17}, {24, 12, 13, 27}}, /* warm lcp hidden */
   },
   {
    {{129, 129, 129, 129}, {130, 131, 132, 130}}, /* warm mixed stencil */
    {{133, 133, 133, 133}, {134, 135, 132, 134}}, /* warm mixed contact */
    {{121, 121, 121, 121}, {136, 135, 132, 136}}, /* warm mixed faced */
    {{45, 45, 46, 45}, {47, 13, 38, 48}}, /* warm mixed loose */
    {{45, 45, 46, 45}, {47, 13, 38, 48}}, /* warm mixed packed */
    {{45, 45, 46, 45}, {47, 13, 38, 48}}, /* warm mixed jammed */
    {{129, 129, 129, 129}, {137, 138, 132, 137}}, /* warm mixed tridiagonal */
    {{129, 129, 129, 129}, {137, 131, 132, 137}}, /* warm mixed mmatrix */
    {{133, 133, 133, 133}, {137, 131, 132, 137}}, /* warm mixed sparse */
    {{121, 121, 121, 121}, {139, 139, 140, 139}}, /* warm mixed dense */
    {{45, 45, 46, 45}, {49, 13, 38, 44}}, /* warm mixed hidden */
   },
   {
    {{141, 141, 141, 141}, {142, 143, 144, 142}}, /* warm boxed stencil */
    {{63, 64, 65, 66}, {67, 68, 69, 70}}, /* warm boxed contact */
    {{71, 72, 73, 74}, {67, 68, 69, 70}}, /* warm boxed faced */
    {{71, 72, 73, 74}, {67, 68, 69, 70}}, /* warm boxed loose */
    {{71, 72, 73, 74}, {67, 68, 69, 70}}, /* warm boxed packed */
    {{71, 72, 73, 74}, {67, 68, 69, 70}}, /* warm boxed jammed */
    {{141, 141, 141, 141}, {142, 145, 144, 142}}, /* warm boxed tridiagonal */
    {{141, 141, 141, 141}, {142, 143, 144, 142}}, /* warm boxed mmatrix */
    {{146, 146, 146, 146}, {142, 143, 144, 142}}, /* warm boxed sparse */
    {{121, 121, 121, 121}, {127, 127, 147, 127}}, /* warm boxed dense */
    {{71, 72, 73, 74}, {67, 68, 69, 70}}, /* warm boxed hidden */
   },
   {
    {{84, 85, 86, 87}, {84, 85, 86, 87}}, /* warm findex stencil */
    {{88, 89, 90, 91}, {88, 89, 90, 91}}, /* warm findex contact */
    {{148, 148, 148, 148}, {148, 148, 148, 148}}, /* warm findex faced */
    {{149, 149, 149, 149}, {149, 149, 149, 149}}, /* warm findex loose */
    {{149, 149, 149, 149}, {149, 149, 149, 149}}, /* warm findex packed */
    {{150, 150, 150, 150}, {150, 150, 150, 150}}, /* warm findex jammed */
    {{84, 85, 86, 87}, {84, 85, 86, 87}}, /* warm findex tridiagonal */
    {{84, 85, 86, 87}, {84, 85, 86, 87}}, /* warm findex mmatrix */
    {{151, 151, 151, 151}, {151, 151, 151, 151}}, /* warm findex sparse */
    {{103, 103, 103, 103}, {103, 103, 103, 103}}, /* warm findex dense */
    {{84, 85, 86, 87}, {84, 85, 86, 87}}, /* warm findex hidden */
   },
   {
    {{106, 106, 107, 106}, {106, 106, 107, 106}}, /* warm cone stencil */
    {{106, 106, 107, 106}, {106, 106, 107, 106}}, /* warm cone contact */
    {{108, 108, 109, 108}, {108, 108, 109, 108}}, /* warm cone faced */
    {{152, 152, 152, 152}, {152, 152, 152, 152}}, /* warm cone loose */
    {{152, 152, 152, 152}, {152, 152, 152, 152}}, /* warm cone packed */
    {{153, 153, 153, 153}, {153, 153, 153, 153}}, /* warm cone jammed */
    {{106, 106, 107, 106}, {106, 106, 107, 106}}, /* warm cone tridiagonal */
    {{106, 106, 107, 106}, {106, 106, 107, 106}}, /* warm cone mmatrix */
    {{154, 154, 154, 154}, {154, 154, 154, 154}}, /* warm cone sparse */
    {{152, 152, 152, 152}, {152, 152, 152, 152}}, /* warm cone dense */
    {{106, 106, 107, 106}, {106, 106, 107, 106}}, /* warm cone hidden */
   },
  },
};
/* clang-format on */
