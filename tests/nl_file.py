"""nl_file.py: models as expressions, written to .nl files in the dialects of AMPL, Pyomo and JuMP

A model is a list of variables (lo, hi, start), of complementarity rows (F, variable) and of equations.
It is evaluated here as well, so that the judge of the tests shares no code with the library."""

import math
import random
import struct

INF = math.inf


class Expr:
    """An operator of the .nl format with its arguments; a number; or a variable."""

    def __init__(self, op, *args):
        self.op, self.args = op, args

    def __add__(self, other):
        return Expr(0, self, wrap(other))

    def __radd__(self, other):
        return Expr(0, wrap(other), self)

    def __sub__(self, other):
        return Expr(1, self, wrap(other))

    def __rsub__(self, other):
        return Expr(1, wrap(other), self)

    def __mul__(self, other):
        return Expr(2, self, wrap(other))

    def __rmul__(self, other):
        return Expr(2, wrap(other), self)

    def __truediv__(self, other):
        return Expr(3, self, wrap(other))

    def __rtruediv__(self, other):
        return Expr(3, wrap(other), self)

    def __pow__(self, other):
        return Expr(5, self, wrap(other))

    def __neg__(self):
        return Expr(16, self)


def wrap(value):
    return value if isinstance(value, Expr) else Expr("n", float(value))


def exp(e):
    return Expr(44, wrap(e))


def log(e):
    return Expr(43, wrap(e))


def sqrt(e):
    return Expr(39, wrap(e))


def sin(e):
    return Expr(41, wrap(e))


def cos(e):
    return Expr(46, wrap(e))


def atan(e):
    return Expr(49, wrap(e))


def total(items):
    items = [wrap(i) for i in items]
    return Expr(54, *items) if len(items) > 2 else sum(items[1:], items[0]) if items else wrap(0)


ONE = {44: math.exp, 43: math.log, 39: math.sqrt, 41: math.sin, 46: math.cos, 49: math.atan}


def value(e, x):
    if e.op == "n":
        return e.args[0]
    if e.op == "v":
        return x[e.args[0]]
    a = [value(k, x) for k in e.args]
    if e.op in ONE:
        return ONE[e.op](a[0])
    return {0: lambda: a[0] + a[1], 1: lambda: a[0] - a[1], 2: lambda: a[0] * a[1],
            3: lambda: a[0] / a[1], 5: lambda: a[0] ** a[1], 16: lambda: -a[0],
            54: lambda: math.fsum(a)}[e.op]()


def dot(a, x):
    return total([c * v for c, v in zip(a, x) if c])


class Collection(list):
    """(name, source, build) of each model"""

    def add(self, source):
        """the decorator of a function build(m)"""
        def take(build):
            self.append((build.__name__.replace("_", "-"), source, build))
            return build
        return take

    def models(self):
        for name, source, build in self:
            m = Model(name, source)
            build(m)
            yield m


def starts(m, count=3, seed=0, reach=1):
    """the published starts, and `count` random ones, moved by up to `reach` times their size"""
    rng = random.Random(f"{m.name} {seed}")
    points = list(m.starts)
    for _ in range(count):
        base = m.starts[0]
        p = [v + reach * rng.uniform(-1, 1) * max(1.0, abs(v)) for v in base]
        points.append([min(max(v, lo), hi) for v, lo, hi in zip(p, m.lo, m.hi)])
    return points


class Model:
    def __init__(self, name, source):
        self.name, self.source = name, source
        self.lo, self.hi, self.starts, self.pairs, self.equations = [], [], [[]], [], []

    def var(self, lo=0.0, hi=INF, start=0.0):
        self.lo.append(lo)
        self.hi.append(hi)
        self.starts[0].append(start)
        return Expr("v", len(self.lo) - 1)

    def vars(self, count, lo=0.0, hi=INF, start=0.0):
        return [self.var(lo, hi, start) for _ in range(count)]

    def comp(self, F, x):
        """F complementary to the bounds of x"""
        self.pairs.append((wrap(F), x.args[0]))

    def eq(self, e):
        """e = 0"""
        self.equations.append(wrap(e))

    def start(self, *points):
        """further starts; a number means all variables"""
        n = len(self.lo)
        for p in points:
            self.starts.append([float(p)] * n if isinstance(p, (int, float)) else list(p))

    def residual(self, x):
        """the greatest violation, from the definition"""
        worst = 0.0
        try:
            for v, lo, hi in zip(x, self.lo, self.hi):
                worst = max(worst, lo - v, v - hi)
            for F, j in self.pairs:
                f = value(F, x)
                worst = max(worst, abs(max(min(f, x[j] - self.lo[j]), x[j] - self.hi[j])))
            for e in self.equations:
                worst = max(worst, abs(value(e, x)))
        except (ArithmeticError, ValueError, TypeError):
            return INF
        return worst if worst == worst else INF


# ---- Rows: linear terms apart ----

def split(e, weight, linear, rest):
    """adds weight * e: linear terms into a dict, the others into a list; returns the constant"""
    if e.op == "n":
        return weight * e.args[0]
    if e.op == "v":
        linear[e.args[0]] = linear.get(e.args[0], 0.0) + weight
        return 0.0
    if e.op in (0, 54):
        return sum(split(a, weight, linear, rest) for a in e.args)
    if e.op == 1:
        return split(e.args[0], weight, linear, rest) + split(e.args[1], -weight, linear, rest)
    if e.op == 16:
        return split(e.args[0], -weight, linear, rest)
    if e.op == 2 and e.args[0].op == "n":
        return split(e.args[1], weight * e.args[0].args[0], linear, rest)
    if e.op in (2, 3) and e.args[1].op == "n":
        c = e.args[1].args[0]
        return split(e.args[0], weight * c if e.op == 2 else weight / c, linear, rest)
    rest.append(e if weight == 1 else Expr(2, wrap(weight), e))
    return 0.0


def variables(e, found):
    if e.op == "v":
        found.add(e.args[0])
    elif e.op != "n":
        for a in e.args:
            variables(a, found)


class Row:
    """body = sum of linear terms + nonlinear + constant; bound: the text of its r line as numbers"""

    def __init__(self, e, bound):
        self.linear, rest = {}, []
        self.constant = split(wrap(e), 1.0, self.linear, rest)
        self.nonlinear = total(rest) if rest else None
        if self.nonlinear is not None and self.nonlinear.op == "v":
            self.nonlinear = self.nonlinear + 0
        self.bound = bound
        self.columns = set(self.linear)
        if self.nonlinear is not None:
            variables(self.nonlinear, self.columns)


def complement_kind(lo, hi):
    return (lo > -INF) + 2 * (hi < INF)


def rows_of(model, dialect):
    """lo, hi, start and rows as the dialect writes them"""
    lo, hi, rows = list(model.lo), list(model.hi), []
    if dialect == "pyomo":  # a free variable bv = F, and the row bv
        for F, j in model.pairs:
            k = complement_kind(lo[j], hi[j])
            if k in (0, 3):
                rows.append(Row(F, (5, k, j + 1)))
                continue
            lo.append(-INF)
            hi.append(INF)
            bv = Expr("v", len(lo) - 1)
            rows.append(Row(bv, (5, k, j + 1)))
            row = Row(bv - F, None)
            row.bound = (4, -row.constant)
            row.constant = 0.0
            rows.append(row)
    else:
        for F, j in model.pairs:
            rows.append(Row(F, (5, complement_kind(lo[j], hi[j]), j + 1)))
    for e in model.equations:
        row = Row(e, None)
        row.bound = (4, -row.constant)
        row.constant = 0.0
        rows.append(row)
    rows.sort(key=lambda r: r.nonlinear is None)  # nonlinear rows first
    return lo, hi, rows


# ---- Files ----

class Text:
    def __init__(self):
        self.parts = []

    def raw(self, text):
        self.parts.append(text)

    def record(self, letter, *numbers, end="\n"):
        words = [f"{v}" if isinstance(v, int) else repr(float(v)) for v in numbers]
        first = letter + (words[0] if letter and words else "")
        self.parts.append(" ".join([first] + words[1:] if letter and words else
                                   ([letter] if letter else []) + words) + end)

    def bytes(self):
        return "".join(self.parts).encode()


class Binary:
    def __init__(self):
        self.parts = []

    def raw(self, text):
        self.parts.append(text.encode())

    def record(self, letter, *numbers, end="\n"):
        del end
        self.parts.append(letter.encode() + b"".join(
            struct.pack("=i", v) if isinstance(v, int) else struct.pack("=d", v) for v in numbers))

    def bytes(self):
        return b"".join(self.parts)


def write_expression(out, e):
    if e is None:
        out.record("n", 0.0)
    elif e.op == "n":
        out.record("n", e.args[0])
    elif e.op == "v":
        out.record("v", e.args[0])
    else:
        out.record("o", e.op)
        if e.op == 54:
            out.record("", len(e.args))
        for a in e.args:
            write_expression(out, a)


def write_bound(out, lo, hi):
    lo, hi = float(lo), float(hi)
    if lo == hi:
        out.record("", *bound_words(out, 4), lo)
    elif lo == -INF and hi == INF:
        out.record("", *bound_words(out, 3))
    elif hi == INF:
        out.record("", *bound_words(out, 2), lo)
    elif lo == -INF:
        out.record("", *bound_words(out, 1), hi)
    else:
        out.record("", *bound_words(out, 0), lo, hi)


def bound_words(out, kind):
    """the kind of a bound: a character in binary files"""
    if isinstance(out, Binary):
        out.raw(str(kind))
        return ()
    return (kind,)


def write(model, start, stub, dialect="ampl", binary=False):
    """Writes stub.nl: `start` is a list of the model's variables."""
    lo, hi, rows = rows_of(model, dialect)
    n, m, goals = len(lo), len(rows), dialect == "jump"
    nonlinear = sum(r.nonlinear is not None for r in rows)
    pairs = [r for r in rows if r.bound[0] == 5]
    curved = sum(r.nonlinear is not None for r in pairs)
    out = Binary() if binary else Text()
    out.raw(f"{'b' if binary else 'g'}3 1 1 0\t# problem {model.name}\n"
            f" {n} {m} {goals:d} 0 {m - len(pairs)}\n"
            f" {nonlinear} {goals:d} {len(pairs) - curved} {curved} 0 0\n 0 0\n {n} 0 0\n"
            f" 0 0 {binary:d} 1\n 0 0 0 0 0\n {sum(len(r.columns) for r in rows)} 0\n 0 0\n"
            " 0 0 0 0 0\n")
    for i, r in enumerate(rows):
        out.record("C", i)
        if r.nonlinear is None:
            write_expression(out, wrap(r.constant))
        else:
            write_expression(out, r.nonlinear + r.constant if r.constant else r.nonlinear)
    if goals:
        out.record("O", 0, 0)
        write_expression(out, None)
    begun = [(j, v) for j, v in enumerate(start) if v != 0 or dialect == "jump"]
    if begun:
        out.record("x", len(begun))
        for j, v in begun:
            out.record("", j, float(v))
    out.record("r")
    for r in rows:
        if r.bound[0] == 5:
            out.record("", *bound_words(out, 5), *r.bound[1:])
        else:
            out.record("", *bound_words(out, 4), float(r.bound[1]))
    out.record("b")
    for one, other in zip(lo, hi):
        write_bound(out, one, other)
    out.record("k", n - 1)
    count = [0] * n
    for r in rows:
        for j in r.columns:
            count[j] += 1
    running = 0
    for j in range(n - 1):
        running += count[j]
        out.record("", running)
    for i, r in enumerate(rows):
        if r.columns:
            out.record("J", i, len(r.columns))
            for j in sorted(r.columns):
                out.record("", j, float(r.linear.get(j, 0.0)))
    with open(stub + ".nl", "wb") as f:
        f.write(out.bytes())
    return n


def read_sol(path, n):
    """solve_result_num, x and the message of a .sol file, text or binary"""
    with open(path, "rb") as f:
        data = f.read()
    if data[4:10] == b"binary":
        code = struct.unpack("=i", data[-8:-4])[0]
        end = len(data) - 16 - 4
        text = data[:end - 8 * n].decode("latin-1")
        return code, list(struct.unpack(f"={n}d", data[end - 8 * n:end])), text
    lines = data.decode().split("\n")
    at = lines.index("Options")
    skip = at + 2 + int(lines[at + 1])
    rows, duals = int(lines[skip]), int(lines[skip + 1])
    del rows
    first = skip + 4 + duals
    x = [float(v) for v in lines[first:first + n]]
    return int(lines[first + n].split()[2]), x, lines[0]


# ---- Derivatives, for optimality conditions ----

def derivative(e, j):
    """de/dx_j as an expression; None if it is 0"""
    if e.op == "n":
        return None
    if e.op == "v":
        return wrap(1) if e.args[0] == j else None
    d = [derivative(a, j) for a in e.args]
    if all(k is None for k in d):
        return None
    a = e.args
    if e.op in (0, 54):
        return total([k for k in d if k is not None])
    if e.op == 1:
        return d[0] if d[1] is None else -d[1] if d[0] is None else d[0] - d[1]
    if e.op == 16:
        return -d[0]
    if e.op == 2:
        terms = [x * y for x, y in ((d[0], a[1]), (a[0], d[1])) if x is not None and y is not None]
        return total(terms)
    if e.op == 3:
        if d[1] is None:
            return d[0] / a[1]
        down = a[0] * d[1] / (a[1] * a[1])
        return -down if d[0] is None else d[0] / a[1] - down
    if e.op == 5 and d[1] is None:
        c = a[1].args[0]
        return d[0] * c if c == 1 else (2 * a[0] * d[0] if c == 2 else c * a[0] ** (c - 1) * d[0])
    slope = {44: lambda: e, 43: lambda: 1 / a[0], 39: lambda: 0.5 / e, 41: lambda: cos(a[0]),
             46: lambda: -sin(a[0]), 49: lambda: 1 / (1 + a[0] * a[0])}[e.op]()
    return slope * d[0]


def optimality(model, f, x, at_least=(), equal=()):
    """adds the conditions of min f, g >= 0 for g in at_least, h = 0 for h in equal"""
    multipliers = [(g, model.var()) for g in at_least] + [(h, model.var(-INF)) for h in equal]
    for v in x:
        j = v.args[0]
        terms = [derivative(wrap(f), j)]
        for g, y in multipliers:
            d = derivative(g, j)
            terms.append(None if d is None else -(y * d))
        model.comp(total([t for t in terms if t is not None]), v)
    for g, y in multipliers[:len(at_least)]:
        model.comp(g, y)
    for h, _ in multipliers[len(at_least):]:
        model.eq(h)
