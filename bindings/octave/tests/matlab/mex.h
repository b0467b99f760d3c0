/* mex.h: the part of MATLAB's C API that the MEX files call, as its documentation declares it
 *
 * Only to compile against (tools/build-octave): this finds, without MATLAB, calls that only Octave has,
 * and integers that fit only Octave's mwSize. Sizes are as with MATLAB's -largeArrayDims, the default
 * since R2017a. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct mxArray_tag mxArray;
typedef size_t mwSize;
typedef size_t mwIndex;
typedef bool mxLogical;
typedef double mxDouble;
typedef enum { mxREAL, mxCOMPLEX } mxComplexity;
typedef enum {
  mxUNKNOWN_CLASS,
  mxCELL_CLASS,
  mxSTRUCT_CLASS,
  mxLOGICAL_CLASS,
  mxCHAR_CLASS,
  mxVOID_CLASS,
  mxDOUBLE_CLASS
} mxClassID;

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]);
void mexErrMsgIdAndTxt(const char *errorid, const char *errormsg, ...);
int mexPrintf(const char *format, ...);

void *mxCalloc(mwSize n, mwSize size);
void *mxMalloc(mwSize n);

mxArray *mxCreateDoubleMatrix(mwSize m, mwSize n, mxComplexity flag);
mxArray *mxCreateDoubleScalar(double value);
mxArray *mxCreateLogicalMatrix(mwSize m, mwSize n);
mxArray *mxCreateLogicalScalar(mxLogical value);
mxArray *mxCreateNumericArray(mwSize ndim, const mwSize *dims, mxClassID classid,
                              mxComplexity flag);
mxArray *mxCreateString(const char *str);
mxArray *mxCreateStructMatrix(mwSize m, mwSize n, int nfields, const char **fieldnames);

mxArray *mxGetField(const mxArray *pm, mwIndex index, const char *fieldname);
mxArray *mxGetFieldByNumber(const mxArray *pm, mwIndex index, int fieldnumber);
const char *mxGetFieldNameByNumber(const mxArray *pm, int fieldnumber);
mwIndex *mxGetIr(const mxArray *pm);
mwIndex *mxGetJc(const mxArray *pm);
mxLogical *mxGetLogicals(const mxArray *pm);
size_t mxGetM(const mxArray *pm);
size_t mxGetN(const mxArray *pm);
mwSize mxGetNumberOfDimensions(const mxArray *pm);
size_t mxGetNumberOfElements(const mxArray *pm);
int mxGetNumberOfFields(const mxArray *pm);
mxDouble *mxGetPr(const mxArray *pm);
double mxGetScalar(const mxArray *pm);
int mxGetString(const mxArray *pm, char *str, mwSize strlen);
bool mxIsChar(const mxArray *pm);
bool mxIsComplex(const mxArray *pm);
bool mxIsDouble(const mxArray *pm);
bool mxIsEmpty(const mxArray *pm);
bool mxIsLogical(const mxArray *pm);
bool mxIsNumeric(const mxArray *pm);
bool mxIsSparse(const mxArray *pm);
bool mxIsStruct(const mxArray *pm);
void mxSetField(mxArray *pm, mwIndex index, const char *fieldname, mxArray *pvalue);
