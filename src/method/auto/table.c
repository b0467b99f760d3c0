/* table.c: written by tools/write-auto from docs/measured.csv */
#include "method/auto/inspect.h"

extern const perp_method perp_method_baraff;
extern const perp_method perp_method_bgs;
extern const perp_method perp_method_blockpivot;
extern const perp_method perp_method_coloured;
extern const perp_method perp_method_dantzig;
extern const perp_method perp_method_direct;
extern const perp_method perp_method_gpcg;
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
    {{{&perp_method_dantzig, 64}}}, /* 0: lcp stencil symmetric plain 100 */
    {{{&perp_method_coloured, 456}}}, /* 1: lcp stencil symmetric plain 1000 */
    {{{&perp_method_mg, 64}}}, /* 2: lcp stencil symmetric plain 10000 */
    {{{&perp_method_mg, 64}}}, /* 3: lcp stencil symmetric plain 100000 */
    {{{&perp_method_mg, 64}}}, /* 4: lcp stencil symmetric plain 1000000 */
    {{{&perp_method_spg, 64}}}, /* 5: lcp contact symmetric plain 10 */
    {{{&perp_method_dantzig, 64}}}, /* 6: lcp contact symmetric plain 100 */
    {{{&perp_method_dantzig, 64}}}, /* 7: lcp contact symmetric plain 1000 */
    {{{&perp_method_psor, 4104}, {&perp_method_ipm, 80}}}, /* 8: lcp contact symmetric plain 10000 */
    {{{&perp_method_blockpivot, 64}}}, /* 9: lcp tridiagonal unsymmetric plain 100 */
    {{{&perp_method_blockpivot, 64}}}, /* 10: lcp tridiagonal unsymmetric plain 1000 */
    {{{&perp_method_blockpivot, 64}}}, /* 11: lcp tridiagonal unsymmetric plain 10000 */
    {{{&perp_method_blockpivot, 64}}}, /* 12: lcp tridiagonal unsymmetric plain 100000 */
    {{{&perp_method_gpcg, 64}}}, /* 13: lcp tridiagonal symmetric plain 100 */
    {{{&perp_method_blockpivot, 64}}}, /* 14: lcp tridiagonal symmetric plain 1000 */
    {{{&perp_method_blockpivot, 64}}}, /* 15: lcp tridiagonal symmetric plain 10000 */
    {{{&perp_method_coloured, 148}}}, /* 16: lcp tridiagonal symmetric plain 100000 */
    {{{&perp_method_gpcg, 64}}}, /* 17: lcp tridiagonal symmetric fair 100 */
    {{{&perp_method_gpcg, 64}}}, /* 18: lcp tridiagonal symmetric fair 1000 */
    {{{&perp_method_coloured, 64}}}, /* 19: lcp tridiagonal symmetric fair 10000 */
    {{{&perp_method_coloured, 64}}}, /* 20: lcp tridiagonal symmetric fair 100000 */
    {{{&perp_method_direct, 64}}}, /* 21: lcp tridiagonal symmetric strong 3 */
    {{{&perp_method_psor, 64}}}, /* 22: lcp tridiagonal symmetric strong 10 */
    {{{&perp_method_pgs, 64}}}, /* 23: lcp tridiagonal symmetric strong 100 */
    {{{&perp_method_spsor, 64}}}, /* 24: lcp tridiagonal symmetric strong 1000 */
    {{{&perp_method_spsor, 64}}}, /* 25: lcp tridiagonal symmetric strong 10000 */
    {{{&perp_method_spsor, 64}}}, /* 26: lcp tridiagonal symmetric strong 100000 */
    {{{&perp_method_gpcg, 64}}}, /* 27: lcp tridiagonal symmetric holes 100 */
    {{{&perp_method_gpcg, 64}}}, /* 28: lcp tridiagonal symmetric holes 1000 */
    {{{&perp_method_blockpivot, 64}}}, /* 29: lcp tridiagonal symmetric holes 10000 */
    {{{&perp_method_psor, 64}}}, /* 30: lcp mmatrix unsymmetric plain 100 */
    {{{&perp_method_psor, 64}}}, /* 31: lcp mmatrix unsymmetric plain 1000 */
    {{{&perp_method_psor, 96}}}, /* 32: lcp mmatrix unsymmetric plain 10000 */
    {{{&perp_method_psor, 184}}}, /* 33: lcp mmatrix unsymmetric plain 100000 */
    {{{&perp_method_pgs, 64}}}, /* 34: lcp mmatrix unsymmetric fair 100 */
    {{{&perp_method_spsor, 64}}}, /* 35: lcp mmatrix unsymmetric fair 1000 */
    {{{&perp_method_pgs, 64}}}, /* 36: lcp mmatrix unsymmetric fair 10000 */
    {{{&perp_method_pgs, 64}}}, /* 37: lcp mmatrix unsymmetric fair 100000 */
    {{{&perp_method_coloured, 148}}}, /* 38: lcp mmatrix symmetric plain 100 */
    {{{&perp_method_mg, 64}}}, /* 39: lcp mmatrix symmetric plain 1000 */
    {{{&perp_method_mg, 64}}}, /* 40: lcp mmatrix symmetric plain 100000 */
    {{{&perp_method_lemke, 164}}}, /* 41: lcp sparse unsymmetric holes 100 */
    {{{&perp_method_lemke, 4704}}}, /* 42: lcp sparse unsymmetric holes 1000 */
    {{{&perp_method_ssn, 2100}}}, /* 43: lcp sparse unsymmetric holes 10000 */
    {{{&perp_method_dantzig, 64}}}, /* 44: lcp sparse symmetric plain 100 */
    {{{&perp_method_gpcg, 984}}}, /* 45: lcp sparse symmetric plain 1000 */
    {{{&perp_method_pgssm, 64}, {&perp_method_ipm, 80}}}, /* 46: lcp sparse symmetric plain 10000 */
    {{{&perp_method_pgssm, 64}}}, /* 47: lcp sparse symmetric plain 100000 */
    {{{&perp_method_pgs, 64}}}, /* 48: lcp sparse symmetric fair 10 */
    {{{&perp_method_gpcg, 64}}}, /* 49: lcp sparse symmetric fair 100 */
    {{{&perp_method_psor, 64}}}, /* 50: lcp sparse symmetric fair 1000 */
    {{{&perp_method_pgs, 64}}}, /* 51: lcp sparse symmetric fair 10000 */
    {{{&perp_method_pgs, 64}}}, /* 52: lcp sparse symmetric fair 100000 */
    {{{&perp_method_spsor, 64}}}, /* 53: lcp sparse symmetric strong 100 */
    {{{&perp_method_spsor, 64}}}, /* 54: lcp sparse symmetric strong 1000 */
    {{{&perp_method_spsor, 64}}}, /* 55: lcp sparse symmetric strong 10000 */
    {{{&perp_method_spsor, 64}}}, /* 56: lcp sparse symmetric strong 100000 */
    {{{&perp_method_baraff, 64}}}, /* 57: lcp sparse symmetric holes 100 */
    {{{&perp_method_gpcg, 64}}}, /* 58: lcp sparse symmetric holes 1000 */
    {{{&perp_method_gpcg, 64}}}, /* 59: lcp sparse symmetric holes 10000 */
    {{{&perp_method_direct, 64}}}, /* 60: lcp dense unsymmetric plain 3 */
    {{{&perp_method_lemke, 64}}}, /* 61: lcp dense unsymmetric plain 10 */
    {{{&perp_method_lemke, 336}}}, /* 62: lcp dense unsymmetric plain 100 */
    {{{&perp_method_lemke, 5760}}}, /* 63: lcp dense unsymmetric plain 1000 */
    {{{&perp_method_pgssm, 64}}}, /* 64: lcp dense unsymmetric fair 10 */
    {{{&perp_method_direct, 64}}}, /* 65: lcp dense unsymmetric strong 3 */
    {{{&perp_method_pgs, 64}}}, /* 66: lcp dense unsymmetric strong 10 */
    {{{&perp_method_spsor, 64}}}, /* 67: lcp dense unsymmetric strong 100 */
    {{{&perp_method_spsor, 64}}}, /* 68: lcp dense unsymmetric strong 1000 */
    {{{&perp_method_lemke, 64}}}, /* 69: lcp dense unsymmetric holes 10 */
    {{{&perp_method_lemke, 176}}}, /* 70: lcp dense unsymmetric holes 100 */
    {{{&perp_method_lemke, 728}}}, /* 71: lcp dense unsymmetric holes 1000 */
    {{{&perp_method_direct, 64}}}, /* 72: lcp dense symmetric plain 3 */
    {{{&perp_method_baraff, 64}}}, /* 73: lcp dense symmetric plain 10 */
    {{{&perp_method_dantzig, 64}}}, /* 74: lcp dense symmetric plain 100 */
    {{{&perp_method_dantzig, 64}}}, /* 75: lcp dense symmetric plain 1000 */
    {{{&perp_method_baraff, 64}}}, /* 76: lcp dense symmetric fair 10 */
    {{{&perp_method_dantzig, 64}}}, /* 77: lcp dense symmetric fair 100 */
    {{{&perp_method_direct, 64}}}, /* 78: lcp dense symmetric strong 3 */
    {{{&perp_method_pgs, 64}}}, /* 79: lcp dense symmetric strong 10 */
    {{{&perp_method_pgs, 64}}}, /* 80: lcp dense symmetric strong 100 */
    {{{&perp_method_spsor, 64}}}, /* 81: lcp dense symmetric strong 1000 */
    {{{&perp_method_baraff, 64}}}, /* 82: lcp dense symmetric holes 10 */
    {{{&perp_method_dantzig, 64}}}, /* 83: lcp dense symmetric holes 100 */
    {{{&perp_method_dantzig, 64}}}, /* 84: lcp dense symmetric holes 1000 */
    {{{&perp_method_dantzig, 64}}}, /* 85: mixed stencil symmetric plain 100 */
    {{{&perp_method_mg, 64}}}, /* 86: mixed stencil symmetric plain 1000 */
    {{{&perp_method_mg, 64}}}, /* 87: mixed stencil symmetric plain 10000 */
    {{{&perp_method_mg, 64}}}, /* 88: mixed stencil symmetric plain 100000 */
    {{{&perp_method_baraff, 64}}}, /* 89: mixed contact symmetric plain 10 */
    {{{&perp_method_dantzig, 64}}}, /* 90: mixed contact symmetric plain 100 */
    {{{&perp_method_dantzig, 64}}}, /* 91: mixed contact symmetric plain 1000 */
    {{{&perp_method_nncg, 1028}}}, /* 92: mixed contact symmetric plain 10000 */
    {{{&perp_method_gpcg, 64}}}, /* 93: mixed tridiagonal symmetric plain 100 */
    {{{&perp_method_gpcg, 64}}}, /* 94: mixed tridiagonal symmetric plain 1000 */
    {{{&perp_method_gpcg, 64}}}, /* 95: mixed tridiagonal symmetric plain 10000 */
    {{{&perp_method_gpcg, 64}}}, /* 96: mixed tridiagonal symmetric plain 100000 */
    {{{&perp_method_gpcg, 64}}}, /* 97: mixed tridiagonal symmetric fair 100 */
    {{{&perp_method_gpcg, 64}}}, /* 98: mixed tridiagonal symmetric fair 1000 */
    {{{&perp_method_gpcg, 64}}}, /* 99: mixed tridiagonal symmetric fair 10000 */
    {{{&perp_method_gpcg, 64}}}, /* 100: mixed tridiagonal symmetric fair 100000 */
    {{{&perp_method_pgs, 64}}}, /* 101: mixed tridiagonal symmetric strong 10 */
    {{{&perp_method_pgs, 64}}}, /* 102: mixed tridiagonal symmetric strong 100 */
    {{{&perp_method_coloured, 64}}}, /* 103: mixed tridiagonal symmetric strong 1000 */
    {{{&perp_method_coloured, 64}}}, /* 104: mixed tridiagonal symmetric strong 10000 */
    {{{&perp_method_spsor, 64}}}, /* 105: mixed tridiagonal symmetric strong 100000 */
    {{{&perp_method_prox, 64}}}, /* 106: mixed tridiagonal symmetric holes 100 */
    {{{&perp_method_prox, 64}}}, /* 107: mixed tridiagonal symmetric holes 1000 */
    {{{&perp_method_prox, 64}}}, /* 108: mixed tridiagonal symmetric holes 10000 */
    {{{&perp_method_psor, 88}}}, /* 109: mixed mmatrix unsymmetric plain 100 */
    {{{&perp_method_psor, 64}}}, /* 110: mixed mmatrix unsymmetric plain 1000 */
    {{{&perp_method_psor, 72}}}, /* 111: mixed mmatrix unsymmetric plain 10000 */
    {{{&perp_method_spg, 96}}}, /* 112: mixed mmatrix unsymmetric plain 100000 */
    {{{&perp_method_spsor, 64}}}, /* 113: mixed mmatrix unsymmetric fair 100 */
    {{{&perp_method_spsor, 64}}}, /* 114: mixed mmatrix unsymmetric fair 1000 */
    {{{&perp_method_spg, 64}}}, /* 115: mixed mmatrix unsymmetric fair 10000 */
    {{{&perp_method_spg, 64}}}, /* 116: mixed mmatrix unsymmetric fair 100000 */
    {{{&perp_method_dantzig, 64}}}, /* 117: mixed sparse symmetric plain 100 */
    {{{&perp_method_dantzig, 64}}}, /* 118: mixed sparse symmetric plain 1000 */
    {{{&perp_method_pgssm, 492}}}, /* 119: mixed sparse symmetric plain 10000 */
    {{{&perp_method_psor, 108}}}, /* 120: mixed sparse symmetric plain 100000 */
    {{{&perp_method_gpcg, 64}}}, /* 121: mixed sparse symmetric fair 100 */
    {{{&perp_method_gpcg, 64}}}, /* 122: mixed sparse symmetric fair 1000 */
    {{{&perp_method_gpcg, 64}}}, /* 123: mixed sparse symmetric fair 10000 */
    {{{&perp_method_pgs, 64}}}, /* 124: mixed sparse symmetric fair 100000 */
    {{{&perp_method_spsor, 64}}}, /* 125: mixed sparse symmetric strong 100 */
    {{{&perp_method_spsor, 64}}}, /* 126: mixed sparse symmetric strong 1000 */
    {{{&perp_method_spsor, 64}}}, /* 127: mixed sparse symmetric strong 10000 */
    {{{&perp_method_spsor, 64}}}, /* 128: mixed sparse symmetric strong 100000 */
    {{{&perp_method_baraff, 64}}}, /* 129: mixed sparse symmetric holes 100 */
    {{{&perp_method_dantzig, 64}}}, /* 130: mixed sparse symmetric holes 1000 */
    {{{&perp_method_ssn, 64}}}, /* 131: mixed sparse symmetric holes 10000 */
    {{{&perp_method_blockpivot, 64}}}, /* 132: mixed dense unsymmetric plain 10 */
    {{{&perp_method_lemke, 196}}}, /* 133: mixed dense unsymmetric plain 100 */
    {{{&perp_method_kz, 64}}}, /* 134: mixed dense unsymmetric fair 10 */
    {{{&perp_method_direct, 64}}}, /* 135: mixed dense unsymmetric strong 3 */
    {{{&perp_method_spsor, 64}}}, /* 136: mixed dense unsymmetric strong 10 */
    {{{&perp_method_spsor, 64}}}, /* 137: mixed dense unsymmetric strong 100 */
    {{{&perp_method_spsor, 64}}}, /* 138: mixed dense unsymmetric strong 1000 */
    {{{&perp_method_blockpivot, 64}}}, /* 139: mixed dense unsymmetric holes 100 */
    {{{&perp_method_blockpivot, 64}}}, /* 140: mixed dense unsymmetric holes 1000 */
    {{{&perp_method_baraff, 64}}}, /* 141: mixed dense symmetric plain 10 */
    {{{&perp_method_dantzig, 64}}}, /* 142: mixed dense symmetric plain 100 */
    {{{&perp_method_kz, 64}}}, /* 143: mixed dense symmetric fair 10 */
    {{{&perp_method_kz, 64}}}, /* 144: mixed dense symmetric fair 100 */
    {{{&perp_method_direct, 64}}}, /* 145: mixed dense symmetric strong 3 */
    {{{&perp_method_pgs, 64}}}, /* 146: mixed dense symmetric strong 10 */
    {{{&perp_method_pgs, 64}}}, /* 147: mixed dense symmetric strong 100 */
    {{{&perp_method_gpcg, 64}}}, /* 148: mixed dense symmetric strong 1000 */
    {{{&perp_method_baraff, 64}}}, /* 149: mixed dense symmetric holes 10 */
    {{{&perp_method_dantzig, 64}}}, /* 150: mixed dense symmetric holes 100 */
    {{{&perp_method_dantzig, 64}}}, /* 151: mixed dense symmetric holes 1000 */
    {{{&perp_method_coloured, 164}}}, /* 152: boxed stencil symmetric plain 100 */
    {{{&perp_method_mg, 64}}}, /* 153: boxed stencil symmetric plain 1000 */
    {{{&perp_method_mg, 64}}}, /* 154: boxed stencil symmetric plain 100000 */
    {{{&perp_method_mg, 64}}}, /* 155: boxed stencil symmetric plain 1000000 */
    {{{&perp_method_dantzig, 64}}}, /* 156: boxed tridiagonal symmetric plain 100 */
    {{{&perp_method_gpcg, 64}}}, /* 157: boxed tridiagonal symmetric plain 1000 */
    {{{&perp_method_gpcg, 64}}}, /* 158: boxed tridiagonal symmetric plain 10000 */
    {{{&perp_method_gpcg, 64}}}, /* 159: boxed tridiagonal symmetric plain 100000 */
    {{{&perp_method_baraff, 64}}}, /* 160: boxed tridiagonal symmetric fair 100 */
    {{{&perp_method_gpcg, 64}}}, /* 161: boxed tridiagonal symmetric fair 1000 */
    {{{&perp_method_gpcg, 64}}}, /* 162: boxed tridiagonal symmetric fair 10000 */
    {{{&perp_method_pgs, 64}}}, /* 163: boxed tridiagonal symmetric fair 100000 */
    {{{&perp_method_psor, 64}}}, /* 164: boxed tridiagonal symmetric strong 10 */
    {{{&perp_method_spsor, 64}}}, /* 165: boxed tridiagonal symmetric strong 100 */
    {{{&perp_method_spsor, 64}}}, /* 166: boxed tridiagonal symmetric strong 1000 */
    {{{&perp_method_coloured, 64}}}, /* 167: boxed tridiagonal symmetric strong 10000 */
    {{{&perp_method_spsor, 64}}}, /* 168: boxed tridiagonal symmetric strong 100000 */
    {{{&perp_method_dantzig, 64}}}, /* 169: boxed tridiagonal symmetric holes 100 */
    {{{&perp_method_dantzig, 64}}}, /* 170: boxed tridiagonal symmetric holes 1000 */
    {{{&perp_method_blockpivot, 64}}}, /* 171: boxed tridiagonal symmetric holes 10000 */
    {{{&perp_method_spsor, 64}}}, /* 172: boxed mmatrix unsymmetric plain 100 */
    {{{&perp_method_spsor, 64}}}, /* 173: boxed mmatrix unsymmetric plain 1000 */
    {{{&perp_method_pgs, 64}}}, /* 174: boxed mmatrix unsymmetric plain 10000 */
    {{{&perp_method_pgs, 64}}}, /* 175: boxed mmatrix unsymmetric plain 100000 */
    {{{&perp_method_pgs, 64}}}, /* 176: boxed mmatrix unsymmetric fair 100 */
    {{{&perp_method_spsor, 64}}}, /* 177: boxed mmatrix unsymmetric fair 1000 */
    {{{&perp_method_spg, 64}}}, /* 178: boxed mmatrix unsymmetric fair 10000 */
    {{{&perp_method_spg, 64}}}, /* 179: boxed mmatrix unsymmetric fair 100000 */
    {{{&perp_method_dantzig, 64}}}, /* 180: boxed mmatrix symmetric plain 100 */
    {{{&perp_method_mg, 64}}}, /* 181: boxed mmatrix symmetric plain 1000 */
    {{{&perp_method_mg, 64}}}, /* 182: boxed mmatrix symmetric plain 100000 */
    {{{&perp_method_gpcg, 64}}}, /* 183: boxed sparse symmetric plain 100 */
    {{{&perp_method_gpcg, 64}}}, /* 184: boxed sparse symmetric plain 1000 */
    {{{&perp_method_spg, 100}}}, /* 185: boxed sparse symmetric plain 10000 */
    {{{&perp_method_psor, 96}}}, /* 186: boxed sparse symmetric plain 100000 */
    {{{&perp_method_gpcg, 64}}}, /* 187: boxed sparse symmetric fair 100 */
    {{{&perp_method_gpcg, 64}}}, /* 188: boxed sparse symmetric fair 1000 */
    {{{&perp_method_pgs, 64}}}, /* 189: boxed sparse symmetric fair 10000 */
    {{{&perp_method_pgs, 64}}}, /* 190: boxed sparse symmetric fair 100000 */
    {{{&perp_method_spsor, 64}}}, /* 191: boxed sparse symmetric strong 100 */
    {{{&perp_method_spsor, 64}}}, /* 192: boxed sparse symmetric strong 1000 */
    {{{&perp_method_spsor, 64}}}, /* 193: boxed sparse symmetric strong 10000 */
    {{{&perp_method_spsor, 64}}}, /* 194: boxed sparse symmetric strong 100000 */
    {{{&perp_method_dantzig, 64}}}, /* 195: boxed sparse symmetric holes 100 */
    {{{&perp_method_dantzig, 64}}}, /* 196: boxed sparse symmetric holes 1000 */
    {{{&perp_method_prox, 156}}}, /* 197: boxed sparse symmetric holes 10000 */
    {{{&perp_method_direct, 64}}}, /* 198: boxed dense unsymmetric plain 3 */
    {{{&perp_method_blockpivot, 64}}}, /* 199: boxed dense unsymmetric plain 10 */
    {{{&perp_method_ipm, 64}}}, /* 200: boxed dense unsymmetric plain 100 */
    {{{&perp_method_prox, 2104}}}, /* 201: boxed dense unsymmetric plain 1000 */
    {{{&perp_method_pgssm, 64}}}, /* 202: boxed dense unsymmetric fair 10 */
    {{{&perp_method_pgs, 64}}}, /* 203: boxed dense unsymmetric strong 3 */
    {{{&perp_method_pgs, 64}}}, /* 204: boxed dense unsymmetric strong 10 */
    {{{&perp_method_spsor, 64}}}, /* 205: boxed dense unsymmetric strong 100 */
    {{{&perp_method_spsor, 64}}}, /* 206: boxed dense unsymmetric strong 1000 */
    {{{&perp_method_blockpivot, 64}}}, /* 207: boxed dense unsymmetric holes 100 */
    {{{&perp_method_blockpivot, 64}}}, /* 208: boxed dense unsymmetric holes 1000 */
    {{{&perp_method_direct, 64}}}, /* 209: boxed dense symmetric plain 3 */
    {{{&perp_method_dantzig, 64}}}, /* 210: boxed dense symmetric plain 10 */
    {{{&perp_method_dantzig, 64}}}, /* 211: boxed dense symmetric plain 100 */
    {{{&perp_method_dantzig, 64}}}, /* 212: boxed dense symmetric plain 1000 */
    {{{&perp_method_kz, 64}}}, /* 213: boxed dense symmetric fair 10 */
    {{{&perp_method_dantzig, 64}}}, /* 214: boxed dense symmetric fair 100 */
    {{{&perp_method_pgs, 64}}}, /* 215: boxed dense symmetric strong 3 */
    {{{&perp_method_spsor, 64}}}, /* 216: boxed dense symmetric strong 10 */
    {{{&perp_method_pgs, 64}}}, /* 217: boxed dense symmetric strong 100 */
    {{{&perp_method_spg, 64}}}, /* 218: boxed dense symmetric strong 1000 */
    {{{&perp_method_baraff, 64}}}, /* 219: boxed dense symmetric holes 10 */
    {{{&perp_method_dantzig, 64}}}, /* 220: boxed dense symmetric holes 100 */
    {{{&perp_method_dantzig, 64}}}, /* 221: boxed dense symmetric holes 1000 */
    {{{&perp_method_dantzig, 64}}}, /* 222: findex contact symmetric plain 100 */
    {{{&perp_method_dantzig, 64}}}, /* 223: findex contact symmetric plain 1000 */
    {{{&perp_method_nncg, 10504}, {&perp_method_ipm, 616}}}, /* 224: findex contact symmetric plain 10000 */
    {{{&perp_method_pgs, 64}}}, /* 225: findex tridiagonal symmetric strong 3 */
    {{{&perp_method_psor, 64}}}, /* 226: findex sparse symmetric plain 10 */
    {{{&perp_method_dantzig, 64}}}, /* 227: findex sparse symmetric plain 100 */
    {{{&perp_method_dantzig, 64}}}, /* 228: findex sparse symmetric plain 1000 */
    {{{&perp_method_nncg, 10504}, {&perp_method_ipm, 188}}}, /* 229: findex sparse symmetric plain 10000 */
    {{{&perp_method_psor, 64}}}, /* 230: findex sparse symmetric fair 10 */
    {{{&perp_method_pgs, 64}}}, /* 231: findex sparse symmetric strong 10 */
    {{{&perp_method_spsor, 64}}}, /* 232: findex sparse symmetric strong 1000 */
    {{{&perp_method_bgs, 64}}}, /* 233: findex dense symmetric plain 3 */
    {{{&perp_method_dantzig, 64}}}, /* 234: findex dense symmetric plain 10 */
    {{{&perp_method_dantzig, 64}}}, /* 235: findex dense symmetric plain 100 */
    {{{&perp_method_bgs, 64}}}, /* 236: findex dense symmetric fair 3 */
    {{{&perp_method_dantzig, 64}}}, /* 237: findex dense symmetric fair 10 */
    {{{&perp_method_dantzig, 64}}}, /* 238: findex dense symmetric fair 100 */
    {{{&perp_method_spsor, 64}}}, /* 239: findex dense symmetric strong 3 */
    {{{&perp_method_spsor, 64}}}, /* 240: findex dense symmetric strong 10 */
    {{{&perp_method_spsor, 64}}}, /* 241: findex dense symmetric strong 100 */
    {{{&perp_method_ssn, 64}}}, /* 242: cone contact symmetric plain 100 */
    {{{&perp_method_ssn, 280}}}, /* 243: cone contact symmetric plain 1000 */
    {{{&perp_method_bgs, 36504}}}, /* 244: cone contact symmetric plain 10000 */
    {{{&perp_method_bgs, 64}}}, /* 245: cone tridiagonal symmetric strong 3 */
    {{{&perp_method_bgs, 64}}}, /* 246: cone sparse symmetric plain 10 */
    {{{&perp_method_ssn, 64}}}, /* 247: cone sparse symmetric plain 100 */
    {{{&perp_method_ssn, 288}}}, /* 248: cone sparse symmetric plain 1000 */
    {{{&perp_method_bgs, 36504}}}, /* 249: cone sparse symmetric plain 10000 */
    {{{&perp_method_bgs, 64}}}, /* 250: cone sparse symmetric fair 10 */
    {{{&perp_method_bgs, 64}}}, /* 251: cone sparse symmetric strong 10 */
    {{{&perp_method_spg, 64}}}, /* 252: cone sparse symmetric strong 1000 */
    {{{&perp_method_bgs, 64}}}, /* 253: cone dense symmetric plain 3 */
    {{{&perp_method_ssn, 64}}}, /* 254: cone dense symmetric plain 10 */
    {{{&perp_method_ssn, 68}}}, /* 255: cone dense symmetric plain 100 */
    {{{&perp_method_bgs, 64}}}, /* 256: cone dense symmetric fair 3 */
    {{{&perp_method_bgs, 64}}}, /* 257: cone dense symmetric fair 10 */
    {{{&perp_method_ssn, 64}}}, /* 258: cone dense symmetric fair 100 */
    {{{&perp_method_bgs, 64}}}, /* 259: cone dense symmetric strong 3 */
    {{{&perp_method_bgs, 64}}}, /* 260: cone dense symmetric strong 10 */
    {{{&perp_method_bgs, 64}}}, /* 261: cone dense symmetric strong 100 */
};

const short perp_ladder_of[PERP_FORM_CONE + 1][PERP_STRUCTURES][2][PERP_DIAGONALS][PERP_SIZES] = {
    {
        {
            {
                {60, 61, 30, 31, 32, 33, 33, 33}, /* lcp stencil unsymmetric plain */
                {60, 64, 34, 35, 36, 37, 37, 37}, /* lcp stencil unsymmetric fair */
                {65, 66, 67, 68, 36, 37, 37, 37}, /* lcp stencil unsymmetric strong */
                {60, 69, 41, 42, 43, 33, 33, 33}, /* lcp stencil unsymmetric holes */
            },
            {
                {72, 73, 0, 1, 2, 3, 4, 4}, /* lcp stencil symmetric plain */
                {72, 48, 49, 50, 51, 52, 4, 4}, /* lcp stencil symmetric fair */
                {78, 79, 53, 54, 55, 56, 4, 4}, /* lcp stencil symmetric strong */
                {72, 82, 57, 58, 59, 3, 4, 4}, /* lcp stencil symmetric holes */
            },
        },
        {
            {
                {60, 61, 62, 63, 32, 33, 33, 33}, /* lcp contact unsymmetric plain */
                {60, 64, 34, 35, 36, 37, 37, 37}, /* lcp contact unsymmetric fair */
                {65, 66, 67, 68, 36, 37, 37, 37}, /* lcp contact unsymmetric strong */
                {60, 69, 41, 42, 43, 33, 33, 33}, /* lcp contact unsymmetric holes */
            },
            {
                {72, 5, 6, 7, 8, 47, 47, 47}, /* lcp contact symmetric plain */
                {72, 48, 49, 50, 51, 52, 52, 52}, /* lcp contact symmetric fair */
                {78, 79, 53, 54, 55, 56, 56, 56}, /* lcp contact symmetric strong */
                {72, 82, 57, 58, 59, 47, 47, 47}, /* lcp contact symmetric holes */
            },
        },
        {
            {
                {60, 61, 9, 10, 11, 12, 12, 12}, /* lcp tridiagonal unsymmetric plain */
                {60, 64, 34, 35, 36, 37, 37, 37}, /* lcp tridiagonal unsymmetric fair */
                {65, 66, 67, 68, 36, 37, 37, 37}, /* lcp tridiagonal unsymmetric strong */
                {60, 69, 41, 42, 43, 12, 12, 12}, /* lcp tridiagonal unsymmetric holes */
            },
            {
                {72, 73, 13, 14, 15, 16, 16, 16}, /* lcp tridiagonal symmetric plain */
                {72, 48, 17, 18, 19, 20, 20, 20}, /* lcp tridiagonal symmetric fair */
                {21, 22, 23, 24, 25, 26, 26, 26}, /* lcp tridiagonal symmetric strong */
                {72, 82, 27, 28, 29, 16, 16, 16}, /* lcp tridiagonal symmetric holes */
            },
        },
        {
            {
                {60, 61, 30, 31, 32, 33, 33, 33}, /* lcp mmatrix unsymmetric plain */
                {60, 64, 34, 35, 36, 37, 37, 37}, /* lcp mmatrix unsymmetric fair */
                {65, 66, 67, 68, 36, 37, 37, 37}, /* lcp mmatrix unsymmetric strong */
                {60, 69, 41, 42, 43, 33, 33, 33}, /* lcp mmatrix unsymmetric holes */
            },
            {
                {72, 73, 38, 39, 46, 40, 40, 40}, /* lcp mmatrix symmetric plain */
                {72, 48, 49, 50, 51, 52, 52, 52}, /* lcp mmatrix symmetric fair */
                {78, 79, 53, 54, 55, 56, 56, 56}, /* lcp mmatrix symmetric strong */
                {72, 82, 57, 58, 59, 40, 40, 40}, /* lcp mmatrix symmetric holes */
            },
        },
        {
            {
                {60, 61, 62, 63, 32, 33, 33, 33}, /* lcp sparse unsymmetric plain */
                {60, 64, 34, 35, 36, 37, 37, 37}, /* lcp sparse unsymmetric fair */
                {65, 66, 67, 68, 36, 37, 37, 37}, /* lcp sparse unsymmetric strong */
                {60, 69, 41, 42, 43, 33, 33, 33}, /* lcp sparse unsymmetric holes */
            },
            {
                {72, 73, 44, 45, 46, 47, 47, 47}, /* lcp sparse symmetric plain */
                {72, 48, 49, 50, 51, 52, 52, 52}, /* lcp sparse symmetric fair */
                {78, 79, 53, 54, 55, 56, 56, 56}, /* lcp sparse symmetric strong */
                {72, 82, 57, 58, 59, 47, 47, 47}, /* lcp sparse symmetric holes */
            },
        },
        {
            {
                {60, 61, 62, 63, 63, 63, 63, 63}, /* lcp dense unsymmetric plain */
                {60, 64, 62, 63, 63, 63, 63, 63}, /* lcp dense unsymmetric fair */
                {65, 66, 67, 68, 68, 68, 68, 68}, /* lcp dense unsymmetric strong */
                {60, 69, 70, 71, 71, 71, 71, 71}, /* lcp dense unsymmetric holes */
            },
            {
                {72, 73, 74, 75, 75, 75, 75, 75}, /* lcp dense symmetric plain */
                {72, 76, 77, 75, 75, 75, 75, 75}, /* lcp dense symmetric fair */
                {78, 79, 80, 81, 81, 81, 81, 81}, /* lcp dense symmetric strong */
                {72, 82, 83, 84, 84, 84, 84, 84}, /* lcp dense symmetric holes */
            },
        },
        {
            {
                {60, 61, 62, 63, 63, 63, 63, 63}, /* lcp hidden unsymmetric plain */
                {60, 64, 62, 63, 63, 63, 63, 63}, /* lcp hidden unsymmetric fair */
                {65, 66, 67, 68, 68, 68, 68, 68}, /* lcp hidden unsymmetric strong */
                {60, 69, 41, 42, 43, 43, 43, 43}, /* lcp hidden unsymmetric holes */
            },
            {
                {72, 73, 44, 45, 46, 47, 47, 47}, /* lcp hidden symmetric plain */
                {72, 48, 49, 50, 51, 52, 52, 52}, /* lcp hidden symmetric fair */
                {78, 79, 53, 54, 55, 56, 56, 56}, /* lcp hidden symmetric strong */
                {72, 82, 57, 58, 59, 47, 47, 47}, /* lcp hidden symmetric holes */
            },
        },
    },
    {
        {
            {
                {132, 132, 109, 110, 111, 112, 112, 112}, /* mixed stencil unsymmetric plain */
                {134, 134, 113, 114, 115, 116, 116, 116}, /* mixed stencil unsymmetric fair */
                {135, 136, 137, 138, 115, 116, 116, 116}, /* mixed stencil unsymmetric strong */
                {132, 132, 139, 140, 111, 112, 112, 112}, /* mixed stencil unsymmetric holes */
            },
            {
                {141, 141, 85, 86, 87, 88, 88, 88}, /* mixed stencil symmetric plain */
                {143, 143, 121, 122, 123, 124, 124, 124}, /* mixed stencil symmetric fair */
                {145, 146, 125, 126, 127, 128, 128, 128}, /* mixed stencil symmetric strong */
                {149, 149, 129, 130, 131, 88, 88, 88}, /* mixed stencil symmetric holes */
            },
        },
        {
            {
                {132, 132, 133, 110, 111, 112, 112, 112}, /* mixed contact unsymmetric plain */
                {134, 134, 113, 114, 115, 116, 116, 116}, /* mixed contact unsymmetric fair */
                {135, 136, 137, 138, 115, 116, 116, 116}, /* mixed contact unsymmetric strong */
                {132, 132, 139, 140, 111, 112, 112, 112}, /* mixed contact unsymmetric holes */
            },
            {
                {89, 89, 90, 91, 92, 120, 120, 120}, /* mixed contact symmetric plain */
                {143, 143, 121, 122, 123, 124, 124, 124}, /* mixed contact symmetric fair */
                {145, 146, 125, 126, 127, 128, 128, 128}, /* mixed contact symmetric strong */
                {149, 149, 129, 130, 131, 120, 120, 120}, /* mixed contact symmetric holes */
            },
        },
        {
            {
                {132, 132, 109, 110, 111, 112, 112, 112}, /* mixed tridiagonal unsymmetric plain */
                {134, 134, 113, 114, 115, 116, 116, 116}, /* mixed tridiagonal unsymmetric fair */
                {135, 136, 137, 138, 115, 116, 116, 116}, /* mixed tridiagonal unsymmetric strong */
                {132, 132, 139, 140, 111, 112, 112, 112}, /* mixed tridiagonal unsymmetric holes */
            },
            {
                {141, 141, 93, 94, 95, 96, 96, 96}, /* mixed tridiagonal symmetric plain */
                {143, 143, 97, 98, 99, 100, 100, 100}, /* mixed tridiagonal symmetric fair */
                {145, 101, 102, 103, 104, 105, 105, 105}, /* mixed tridiagonal symmetric strong */
                {149, 149, 106, 107, 108, 96, 96, 96}, /* mixed tridiagonal symmetric holes */
            },
        },
        {
            {
                {132, 132, 109, 110, 111, 112, 112, 112}, /* mixed mmatrix unsymmetric plain */
                {134, 134, 113, 114, 115, 116, 116, 116}, /* mixed mmatrix unsymmetric fair */
                {135, 136, 137, 138, 115, 116, 116, 116}, /* mixed mmatrix unsymmetric strong */
                {132, 132, 139, 140, 111, 112, 112, 112}, /* mixed mmatrix unsymmetric holes */
            },
            {
                {141, 141, 117, 118, 119, 120, 120, 120}, /* mixed mmatrix symmetric plain */
                {143, 143, 121, 122, 123, 124, 124, 124}, /* mixed mmatrix symmetric fair */
                {145, 146, 125, 126, 127, 128, 128, 128}, /* mixed mmatrix symmetric strong */
                {149, 149, 129, 130, 131, 120, 120, 120}, /* mixed mmatrix symmetric holes */
            },
        },
        {
            {
                {132, 132, 133, 110, 111, 112, 112, 112}, /* mixed sparse unsymmetric plain */
                {134, 134, 113, 114, 115, 116, 116, 116}, /* mixed sparse unsymmetric fair */
                {135, 136, 137, 138, 115, 116, 116, 116}, /* mixed sparse unsymmetric strong */
                {132, 132, 139, 140, 111, 112, 112, 112}, /* mixed sparse unsymmetric holes */
            },
            {
                {141, 141, 117, 118, 119, 120, 120, 120}, /* mixed sparse symmetric plain */
                {143, 143, 121, 122, 123, 124, 124, 124}, /* mixed sparse symmetric fair */
                {145, 146, 125, 126, 127, 128, 128, 128}, /* mixed sparse symmetric strong */
                {149, 149, 129, 130, 131, 120, 120, 120}, /* mixed sparse symmetric holes */
            },
        },
        {
            {
                {132, 132, 133, 133, 133, 133, 133, 133}, /* mixed dense unsymmetric plain */
                {134, 134, 133, 133, 133, 133, 133, 133}, /* mixed dense unsymmetric fair */
                {135, 136, 137, 138, 138, 138, 138, 138}, /* mixed dense unsymmetric strong */
                {132, 132, 139, 140, 140, 140, 140, 140}, /* mixed dense unsymmetric holes */
            },
            {
                {141, 141, 142, 142, 142, 142, 142, 142}, /* mixed dense symmetric plain */
                {143, 143, 144, 144, 144, 144, 144, 144}, /* mixed dense symmetric fair */
                {145, 146, 147, 148, 148, 148, 148, 148}, /* mixed dense symmetric strong */
                {149, 149, 150, 151, 151, 151, 151, 151}, /* mixed dense symmetric holes */
            },
        },
        {
            {
                {132, 132, 133, 133, 133, 133, 133, 133}, /* mixed hidden unsymmetric plain */
                {134, 134, 133, 133, 133, 133, 133, 133}, /* mixed hidden unsymmetric fair */
                {135, 136, 137, 138, 138, 138, 138, 138}, /* mixed hidden unsymmetric strong */
                {132, 132, 139, 140, 140, 140, 140, 140}, /* mixed hidden unsymmetric holes */
            },
            {
                {141, 141, 117, 118, 119, 120, 120, 120}, /* mixed hidden symmetric plain */
                {143, 143, 121, 122, 123, 124, 124, 124}, /* mixed hidden symmetric fair */
                {145, 146, 125, 126, 127, 128, 128, 128}, /* mixed hidden symmetric strong */
                {149, 149, 129, 130, 131, 120, 120, 120}, /* mixed hidden symmetric holes */
            },
        },
    },
    {
        {
            {
                {198, 199, 172, 173, 174, 175, 175, 175}, /* boxed stencil unsymmetric plain */
                {198, 202, 176, 177, 178, 179, 179, 179}, /* boxed stencil unsymmetric fair */
                {203, 204, 205, 206, 178, 179, 179, 179}, /* boxed stencil unsymmetric strong */
                {198, 199, 207, 208, 174, 175, 175, 175}, /* boxed stencil unsymmetric holes */
            },
            {
                {209, 210, 152, 153, 185, 154, 155, 155}, /* boxed stencil symmetric plain */
                {209, 213, 187, 188, 189, 190, 155, 155}, /* boxed stencil symmetric fair */
                {215, 216, 191, 192, 193, 194, 155, 155}, /* boxed stencil symmetric strong */
                {209, 219, 195, 196, 197, 154, 155, 155}, /* boxed stencil symmetric holes */
            },
        },
        {
            {
                {198, 199, 200, 201, 174, 175, 175, 175}, /* boxed contact unsymmetric plain */
                {198, 202, 176, 177, 178, 179, 179, 179}, /* boxed contact unsymmetric fair */
                {203, 204, 205, 206, 178, 179, 179, 179}, /* boxed contact unsymmetric strong */
                {198, 199, 207, 208, 174, 175, 175, 175}, /* boxed contact unsymmetric holes */
            },
            {
                {209, 210, 183, 184, 185, 186, 186, 186}, /* boxed contact symmetric plain */
                {209, 213, 187, 188, 189, 190, 190, 190}, /* boxed contact symmetric fair */
                {215, 216, 191, 192, 193, 194, 194, 194}, /* boxed contact symmetric strong */
                {209, 219, 195, 196, 197, 186, 186, 186}, /* boxed contact symmetric holes */
            },
        },
        {
            {
                {198, 199, 172, 173, 174, 175, 175, 175}, /* boxed tridiagonal unsymmetric plain */
                {198, 202, 176, 177, 178, 179, 179, 179}, /* boxed tridiagonal unsymmetric fair */
                {203, 204, 205, 206, 178, 179, 179, 179}, /* boxed tridiagonal unsymmetric strong */
                {198, 199, 207, 208, 174, 175, 175, 175}, /* boxed tridiagonal unsymmetric holes */
            },
            {
                {209, 210, 156, 157, 158, 159, 159, 159}, /* boxed tridiagonal symmetric plain */
                {209, 213, 160, 161, 162, 163, 163, 163}, /* boxed tridiagonal symmetric fair */
                {215, 164, 165, 166, 167, 168, 168, 168}, /* boxed tridiagonal symmetric strong */
                {209, 219, 169, 170, 171, 159, 159, 159}, /* boxed tridiagonal symmetric holes */
            },
        },
        {
            {
                {198, 199, 172, 173, 174, 175, 175, 175}, /* boxed mmatrix unsymmetric plain */
                {198, 202, 176, 177, 178, 179, 179, 179}, /* boxed mmatrix unsymmetric fair */
                {203, 204, 205, 206, 178, 179, 179, 179}, /* boxed mmatrix unsymmetric strong */
                {198, 199, 207, 208, 174, 175, 175, 175}, /* boxed mmatrix unsymmetric holes */
            },
            {
                {209, 210, 180, 181, 185, 182, 182, 182}, /* boxed mmatrix symmetric plain */
                {209, 213, 187, 188, 189, 190, 190, 190}, /* boxed mmatrix symmetric fair */
                {215, 216, 191, 192, 193, 194, 194, 194}, /* boxed mmatrix symmetric strong */
                {209, 219, 195, 196, 197, 182, 182, 182}, /* boxed mmatrix symmetric holes */
            },
        },
        {
            {
                {198, 199, 200, 201, 174, 175, 175, 175}, /* boxed sparse unsymmetric plain */
                {198, 202, 176, 177, 178, 179, 179, 179}, /* boxed sparse unsymmetric fair */
                {203, 204, 205, 206, 178, 179, 179, 179}, /* boxed sparse unsymmetric strong */
                {198, 199, 207, 208, 174, 175, 175, 175}, /* boxed sparse unsymmetric holes */
            },
            {
                {209, 210, 183, 184, 185, 186, 186, 186}, /* boxed sparse symmetric plain */
                {209, 213, 187, 188, 189, 190, 190, 190}, /* boxed sparse symmetric fair */
                {215, 216, 191, 192, 193, 194, 194, 194}, /* boxed sparse symmetric strong */
                {209, 219, 195, 196, 197, 186, 186, 186}, /* boxed sparse symmetric holes */
            },
        },
        {
            {
                {198, 199, 200, 201, 201, 201, 201, 201}, /* boxed dense unsymmetric plain */
                {198, 202, 200, 201, 201, 201, 201, 201}, /* boxed dense unsymmetric fair */
                {203, 204, 205, 206, 206, 206, 206, 206}, /* boxed dense unsymmetric strong */
                {198, 199, 207, 208, 208, 208, 208, 208}, /* boxed dense unsymmetric holes */
            },
            {
                {209, 210, 211, 212, 212, 212, 212, 212}, /* boxed dense symmetric plain */
                {209, 213, 214, 212, 212, 212, 212, 212}, /* boxed dense symmetric fair */
                {215, 216, 217, 218, 218, 218, 218, 218}, /* boxed dense symmetric strong */
                {209, 219, 220, 221, 221, 221, 221, 221}, /* boxed dense symmetric holes */
            },
        },
        {
            {
                {198, 199, 200, 201, 201, 201, 201, 201}, /* boxed hidden unsymmetric plain */
                {198, 202, 200, 201, 201, 201, 201, 201}, /* boxed hidden unsymmetric fair */
                {203, 204, 205, 206, 206, 206, 206, 206}, /* boxed hidden unsymmetric strong */
                {198, 199, 207, 208, 208, 208, 208, 208}, /* boxed hidden unsymmetric holes */
            },
            {
                {209, 210, 183, 184, 185, 186, 186, 186}, /* boxed hidden symmetric plain */
                {209, 213, 187, 188, 189, 190, 190, 190}, /* boxed hidden symmetric fair */
                {215, 216, 191, 192, 193, 194, 194, 194}, /* boxed hidden symmetric strong */
                {209, 219, 195, 196, 197, 186, 186, 186}, /* boxed hidden symmetric holes */
            },
        },
    },
    {
        {
            {
                {233, 226, 227, 228, 229, 229, 229, 229}, /* findex stencil unsymmetric plain */
                {236, 230, 238, 228, 229, 229, 229, 229}, /* findex stencil unsymmetric fair */
                {239, 231, 241, 232, 229, 229, 229, 229}, /* findex stencil unsymmetric strong */
                {233, 226, 227, 228, 229, 229, 229, 229}, /* findex stencil unsymmetric holes */
            },
            {
                {233, 226, 227, 228, 229, 229, 229, 229}, /* findex stencil symmetric plain */
                {236, 230, 238, 228, 229, 229, 229, 229}, /* findex stencil symmetric fair */
                {239, 231, 241, 232, 229, 229, 229, 229}, /* findex stencil symmetric strong */
                {233, 226, 227, 228, 229, 229, 229, 229}, /* findex stencil symmetric holes */
            },
        },
        {
            {
                {233, 226, 222, 223, 224, 224, 224, 224}, /* findex contact unsymmetric plain */
                {236, 230, 238, 223, 224, 224, 224, 224}, /* findex contact unsymmetric fair */
                {239, 231, 241, 232, 224, 224, 224, 224}, /* findex contact unsymmetric strong */
                {233, 226, 222, 223, 224, 224, 224, 224}, /* findex contact unsymmetric holes */
            },
            {
                {233, 226, 222, 223, 224, 224, 224, 224}, /* findex contact symmetric plain */
                {236, 230, 238, 223, 224, 224, 224, 224}, /* findex contact symmetric fair */
                {239, 231, 241, 232, 224, 224, 224, 224}, /* findex contact symmetric strong */
                {233, 226, 222, 223, 224, 224, 224, 224}, /* findex contact symmetric holes */
            },
        },
        {
            {
                {233, 226, 227, 228, 229, 229, 229, 229}, /* findex tridiagonal unsymmetric plain */
                {236, 230, 238, 228, 229, 229, 229, 229}, /* findex tridiagonal unsymmetric fair */
                {225, 231, 241, 232, 229, 229, 229, 229}, /* findex tridiagonal unsymmetric strong */
                {233, 226, 227, 228, 229, 229, 229, 229}, /* findex tridiagonal unsymmetric holes */
            },
            {
                {233, 226, 227, 228, 229, 229, 229, 229}, /* findex tridiagonal symmetric plain */
                {236, 230, 238, 228, 229, 229, 229, 229}, /* findex tridiagonal symmetric fair */
                {225, 231, 241, 232, 229, 229, 229, 229}, /* findex tridiagonal symmetric strong */
                {233, 226, 227, 228, 229, 229, 229, 229}, /* findex tridiagonal symmetric holes */
            },
        },
        {
            {
                {233, 226, 227, 228, 229, 229, 229, 229}, /* findex mmatrix unsymmetric plain */
                {236, 230, 238, 228, 229, 229, 229, 229}, /* findex mmatrix unsymmetric fair */
                {239, 231, 241, 232, 229, 229, 229, 229}, /* findex mmatrix unsymmetric strong */
                {233, 226, 227, 228, 229, 229, 229, 229}, /* findex mmatrix unsymmetric holes */
            },
            {
                {233, 226, 227, 228, 229, 229, 229, 229}, /* findex mmatrix symmetric plain */
                {236, 230, 238, 228, 229, 229, 229, 229}, /* findex mmatrix symmetric fair */
                {239, 231, 241, 232, 229, 229, 229, 229}, /* findex mmatrix symmetric strong */
                {233, 226, 227, 228, 229, 229, 229, 229}, /* findex mmatrix symmetric holes */
            },
        },
        {
            {
                {233, 226, 227, 228, 229, 229, 229, 229}, /* findex sparse unsymmetric plain */
                {236, 230, 238, 228, 229, 229, 229, 229}, /* findex sparse unsymmetric fair */
                {239, 231, 241, 232, 229, 229, 229, 229}, /* findex sparse unsymmetric strong */
                {233, 226, 227, 228, 229, 229, 229, 229}, /* findex sparse unsymmetric holes */
            },
            {
                {233, 226, 227, 228, 229, 229, 229, 229}, /* findex sparse symmetric plain */
                {236, 230, 238, 228, 229, 229, 229, 229}, /* findex sparse symmetric fair */
                {239, 231, 241, 232, 229, 229, 229, 229}, /* findex sparse symmetric strong */
                {233, 226, 227, 228, 229, 229, 229, 229}, /* findex sparse symmetric holes */
            },
        },
        {
            {
                {233, 234, 235, 235, 235, 235, 235, 235}, /* findex dense unsymmetric plain */
                {236, 237, 238, 238, 238, 238, 238, 238}, /* findex dense unsymmetric fair */
                {239, 240, 241, 241, 241, 241, 241, 241}, /* findex dense unsymmetric strong */
                {233, 234, 235, 235, 235, 235, 235, 235}, /* findex dense unsymmetric holes */
            },
            {
                {233, 234, 235, 235, 235, 235, 235, 235}, /* findex dense symmetric plain */
                {236, 237, 238, 238, 238, 238, 238, 238}, /* findex dense symmetric fair */
                {239, 240, 241, 241, 241, 241, 241, 241}, /* findex dense symmetric strong */
                {233, 234, 235, 235, 235, 235, 235, 235}, /* findex dense symmetric holes */
            },
        },
        {
            {
                {233, 226, 227, 228, 229, 229, 229, 229}, /* findex hidden unsymmetric plain */
                {236, 230, 238, 228, 229, 229, 229, 229}, /* findex hidden unsymmetric fair */
                {239, 231, 241, 232, 229, 229, 229, 229}, /* findex hidden unsymmetric strong */
                {233, 226, 227, 228, 229, 229, 229, 229}, /* findex hidden unsymmetric holes */
            },
            {
                {233, 226, 227, 228, 229, 229, 229, 229}, /* findex hidden symmetric plain */
                {236, 230, 238, 228, 229, 229, 229, 229}, /* findex hidden symmetric fair */
                {239, 231, 241, 232, 229, 229, 229, 229}, /* findex hidden symmetric strong */
                {233, 226, 227, 228, 229, 229, 229, 229}, /* findex hidden symmetric holes */
            },
        },
    },
    {
        {
            {
                {253, 246, 247, 248, 249, 249, 249, 249}, /* cone stencil unsymmetric plain */
                {256, 250, 258, 248, 249, 249, 249, 249}, /* cone stencil unsymmetric fair */
                {259, 251, 261, 252, 249, 249, 249, 249}, /* cone stencil unsymmetric strong */
                {253, 246, 247, 248, 249, 249, 249, 249}, /* cone stencil unsymmetric holes */
            },
            {
                {253, 246, 247, 248, 249, 249, 249, 249}, /* cone stencil symmetric plain */
                {256, 250, 258, 248, 249, 249, 249, 249}, /* cone stencil symmetric fair */
                {259, 251, 261, 252, 249, 249, 249, 249}, /* cone stencil symmetric strong */
                {253, 246, 247, 248, 249, 249, 249, 249}, /* cone stencil symmetric holes */
            },
        },
        {
            {
                {253, 246, 242, 243, 244, 244, 244, 244}, /* cone contact unsymmetric plain */
                {256, 250, 258, 243, 244, 244, 244, 244}, /* cone contact unsymmetric fair */
                {259, 251, 261, 252, 244, 244, 244, 244}, /* cone contact unsymmetric strong */
                {253, 246, 242, 243, 244, 244, 244, 244}, /* cone contact unsymmetric holes */
            },
            {
                {253, 246, 242, 243, 244, 244, 244, 244}, /* cone contact symmetric plain */
                {256, 250, 258, 243, 244, 244, 244, 244}, /* cone contact symmetric fair */
                {259, 251, 261, 252, 244, 244, 244, 244}, /* cone contact symmetric strong */
                {253, 246, 242, 243, 244, 244, 244, 244}, /* cone contact symmetric holes */
            },
        },
        {
            {
                {253, 246, 247, 248, 249, 249, 249, 249}, /* cone tridiagonal unsymmetric plain */
                {256, 250, 258, 248, 249, 249, 249, 249}, /* cone tridiagonal unsymmetric fair */
                {245, 251, 261, 252, 249, 249, 249, 249}, /* cone tridiagonal unsymmetric strong */
                {253, 246, 247, 248, 249, 249, 249, 249}, /* cone tridiagonal unsymmetric holes */
            },
            {
                {253, 246, 247, 248, 249, 249, 249, 249}, /* cone tridiagonal symmetric plain */
                {256, 250, 258, 248, 249, 249, 249, 249}, /* cone tridiagonal symmetric fair */
                {245, 251, 261, 252, 249, 249, 249, 249}, /* cone tridiagonal symmetric strong */
                {253, 246, 247, 248, 249, 249, 249, 249}, /* cone tridiagonal symmetric holes */
            },
        },
        {
            {
                {253, 246, 247, 248, 249, 249, 249, 249}, /* cone mmatrix unsymmetric plain */
                {256, 250, 258, 248, 249, 249, 249, 249}, /* cone mmatrix unsymmetric fair */
                {259, 251, 261, 252, 249, 249, 249, 249}, /* cone mmatrix unsymmetric strong */
                {253, 246, 247, 248, 249, 249, 249, 249}, /* cone mmatrix unsymmetric holes */
            },
            {
                {253, 246, 247, 248, 249, 249, 249, 249}, /* cone mmatrix symmetric plain */
                {256, 250, 258, 248, 249, 249, 249, 249}, /* cone mmatrix symmetric fair */
                {259, 251, 261, 252, 249, 249, 249, 249}, /* cone mmatrix symmetric strong */
                {253, 246, 247, 248, 249, 249, 249, 249}, /* cone mmatrix symmetric holes */
            },
        },
        {
            {
                {253, 246, 247, 248, 249, 249, 249, 249}, /* cone sparse unsymmetric plain */
                {256, 250, 258, 248, 249, 249, 249, 249}, /* cone sparse unsymmetric fair */
                {259, 251, 261, 252, 249, 249, 249, 249}, /* cone sparse unsymmetric strong */
                {253, 246, 247, 248, 249, 249, 249, 249}, /* cone sparse unsymmetric holes */
            },
            {
                {253, 246, 247, 248, 249, 249, 249, 249}, /* cone sparse symmetric plain */
                {256, 250, 258, 248, 249, 249, 249, 249}, /* cone sparse symmetric fair */
                {259, 251, 261, 252, 249, 249, 249, 249}, /* cone sparse symmetric strong */
                {253, 246, 247, 248, 249, 249, 249, 249}, /* cone sparse symmetric holes */
            },
        },
        {
            {
                {253, 254, 255, 255, 255, 255, 255, 255}, /* cone dense unsymmetric plain */
                {256, 257, 258, 258, 258, 258, 258, 258}, /* cone dense unsymmetric fair */
                {259, 260, 261, 261, 261, 261, 261, 261}, /* cone dense unsymmetric strong */
                {253, 254, 255, 255, 255, 255, 255, 255}, /* cone dense unsymmetric holes */
            },
            {
                {253, 254, 255, 255, 255, 255, 255, 255}, /* cone dense symmetric plain */
                {256, 257, 258, 258, 258, 258, 258, 258}, /* cone dense symmetric fair */
                {259, 260, 261, 261, 261, 261, 261, 261}, /* cone dense symmetric strong */
                {253, 254, 255, 255, 255, 255, 255, 255}, /* cone dense symmetric holes */
            },
        },
        {
            {
                {253, 246, 247, 248, 249, 249, 249, 249}, /* cone hidden unsymmetric plain */
                {256, 250, 258, 248, 249, 249, 249, 249}, /* cone hidden unsymmetric fair */
                {259, 251, 261, 252, 249, 249, 249, 249}, /* cone hidden unsymmetric strong */
                {253, 246, 247, 248, 249, 249, 249, 249}, /* cone hidden unsymmetric holes */
            },
            {
                {253, 246, 247, 248, 249, 249, 249, 249}, /* cone hidden symmetric plain */
                {256, 250, 258, 248, 249, 249, 249, 249}, /* cone hidden symmetric fair */
                {259, 251, 261, 252, 249, 249, 249, 249}, /* cone hidden symmetric strong */
                {253, 246, 247, 248, 249, 249, 249, 249}, /* cone hidden symmetric holes */
            },
        },
    },
};
/* clang-format on */
