/* operators.c: the functions that an expression of an .nl file may call, and their derivatives
 *
 * The model defines these functions, so the C library computes them: the last bits may differ between
 * machines. */
#include "model/nl/nl.h"

#include <math.h>

/* clang-format off */
enum {
  REMAINDER = 4, LESS = 6, LEAST = 11, MOST, FLOOR, CEIL, ABS, OR = 20, AND, LT, LE, EQ, GE = 28, GT,
  NE, NOT = 34, IF, TANH = 37, TAN, SQRT, SINH, SIN, LOG10, LOG, EXP, COSH, COS, ATANH, ATAN2, ATAN,
  ASINH, ASIN, ACOSH, ACOS, QUOTIENT = 55, PRECISION, ROUND, TRUNC, COUNT, PIECES = 64, CALL = 79,
};

typedef struct operator {
  const char *name;
  int arity;
} operator;

static const operator operators[NL_OPERATORS] = {
  [NL_PLUS] = {"+", 2},             [NL_MINUS] = {"-", 2},            [NL_TIMES] = {"*", 2},
  [NL_DIVIDE] = {"/", 2},           [REMAINDER] = {"mod", 2}, [NL_POWER] = {"^", 2},
  [LESS] = {"less", 2},          [LEAST] = {"min", -1},         [MOST] = {"max", -1},
  [FLOOR] = {"floor", 1}, [CEIL] = {"ceil", 1},    [ABS] = {"abs", 1},
  [NL_NEGATE] = {"-", 1},           [OR] = {"or", 2},              [AND] = {"and", 2},
  [LT] = {"<", 2},               [LE] = {"<=", 2},              [EQ] = {"==", 2},
  [GE] = {">=", 2},              [GT] = {">", 2},               [NE] = {"!=", 2},
  [NOT] = {"not", 1},            [IF] = {"if", 3},              [TANH] = {"tanh", 1},
  [TAN] = {"tan", 1},       [SQRT] = {"sqrt", 1},    [SINH] = {"sinh", 1},
  [SIN] = {"sin", 1},       [LOG10] = {"log10", 1}, [LOG] = {"log", 1},
  [EXP] = {"exp", 1},       [COSH] = {"cosh", 1},    [COS] = {"cos", 1},
  [ATANH] = {"atanh", 1}, [ATAN2] = {"atan2", 2}, [ATAN] = {"atan", 1},
  [ASINH] = {"asinh", 1}, [ASIN] = {"asin", 1},    [ACOSH] = {"acosh", 1},
  [ACOS] = {"acos", 1},    [NL_SUM] = {"sum", -1},           [QUOTIENT] = {"div", 2},
  [PRECISION] = {"precision", 0}, [ROUND] = {"round", 0},       [TRUNC] = {"trunc", 0},
  [COUNT] = {"count", 0},        [PIECES] = {"piecewise linear", 0}, [CALL] = {"call", 0},
};

static double (*const functions[NL_OPERATORS])(double) = {
  [FLOOR] = floor, [CEIL] = ceil, [ABS] = fabs, [TANH] = tanh, [TAN] = tan, [SQRT] = sqrt, [SINH] = sinh,
  [SIN] = sin, [LOG10] = log10, [LOG] = log, [EXP] = exp, [COSH] = cosh, [COS] = cos, [ATANH] = atanh,
  [ATAN] = atan, [ASINH] = asinh, [ASIN] = asin, [ACOSH] = acosh, [ACOS] = acos,
};
/* clang-format on */

int nl_operator_arity(int op)
{
  return op >= 0 && op < NL_OPERATORS ? operators[op].arity : 0;
}

const char *nl_operator_name(int op)
{
  return op >= 0 && op < NL_OPERATORS && operators[op].name ? operators[op].name : "unknown";
}

/* The argument that is the least or the most; a NaN before all others. */
static int extreme(int op, int count, const double *a)
{
  int best = 0;
  for (int k = 1; k < count && !isnan(a[best]); k++)
    if (isnan(a[k]) || (op == MOST ? a[k] > a[best] : a[k] < a[best]))
      best = k;
  return best;
}

double nl_operator_value(int op, int count, const double *v)
{
  const double a = v[0], b = count > 1 ? v[1] : 0;
  double sum = 0;
  if (functions[op])
    return functions[op](a);
  switch (op) {
  case NL_PLUS:
    return a + b;
  case NL_MINUS:
    return a - b;
  case NL_TIMES:
    return a * b;
  case NL_DIVIDE:
    return a / b;
  case REMAINDER:
    return fmod(a, b);
  case ATAN2:
    return atan2(a, b);
  case NL_POWER:
    return b == 2 ? a * a : pow(a, b);
  case LESS:
    return a > b ? a - b : a <= b ? 0 : NAN;
  case LEAST:
  case MOST:
    return v[extreme(op, count, v)];
  case NL_NEGATE:
    return -a;
  case IF:
    return a != 0 ? b : v[2];
  case NL_SUM:
    for (int k = 0; k < count; k++)
      sum += v[k];
    return sum;
  case QUOTIENT:
    return trunc(a / b);
  case OR:
    return a != 0 || b != 0;
  case AND:
    return a != 0 && b != 0;
  case LT:
    return a < b;
  case LE:
    return a <= b;
  case EQ:
    return a == b;
  case GE:
    return a >= b;
  case GT:
    return a > b;
  case NE:
    return a != b;
  default: /* NOT */
    return a == 0;
  }
}

/* The derivative of a function of one argument. */
static double slope(int op, double a, double value)
{
  switch (op) {
  case ABS:
    return a < 0 ? -1 : 1;
  case NL_NEGATE:
    return -1;
  case TANH:
    return 1 - value * value;
  case TAN:
    return 1 + value * value;
  case SQRT:
    return 0.5 / value;
  case SINH:
    return cosh(a);
  case SIN:
    return cos(a);
  case LOG10:
    return 0.43429448190325182765 / a;
  case LOG:
    return 1 / a;
  case EXP:
    return value;
  case COSH:
    return sinh(a);
  case COS:
    return -sin(a);
  case ATANH:
    return 1 / ((1 - a) * (1 + a));
  case ATAN:
    return 1 / (1 + a * a);
  case ASINH:
    return 1 / sqrt(1 + a * a);
  case ASIN:
    return 1 / sqrt((1 - a) * (1 + a));
  case ACOSH:
    return 1 / sqrt((a - 1) * (a + 1));
  case ACOS:
    return -1 / sqrt((1 - a) * (1 + a));
  default: /* constant between its jumps */
    return 0;
  }
}

void nl_operator_partials(int op, int count, const double *v, double value, double *d)
{
  const double a = v[0], b = count > 1 ? v[1] : 0;
  for (int k = 0; k < count; k++)
    d[k] = op == NL_SUM || op == NL_PLUS;
  switch (op) {
  case NL_SUM:
  case NL_PLUS:
    break;
  case NL_MINUS:
    d[0] = 1;
    d[1] = -1;
    break;
  case NL_TIMES:
    d[0] = b;
    d[1] = a;
    break;
  case NL_DIVIDE:
    d[0] = 1 / b;
    d[1] = -value / b;
    break;
  case REMAINDER:
    d[0] = 1;
    d[1] = -trunc(a / b);
    break;
  case NL_POWER:
    d[0] = b == 0 ? 0 : b == 2 ? 2 * a : b * pow(a, b - 1);
    d[1] = a > 0 ? value * log(a) : 0;
    break;
  case LESS:
    d[0] = a > b;
    d[1] = -d[0];
    break;
  case LEAST:
  case MOST:
    d[extreme(op, count, v)] = 1;
    break;
  case IF:
    d[a != 0 ? 1 : 2] = 1;
    break;
  case ATAN2:
    d[0] = b / (a * a + b * b);
    d[1] = -a / (a * a + b * b);
    break;
  default:
    if (count == 1)
      d[0] = slope(op, a, value);
    break;
  }
}
