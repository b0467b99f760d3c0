//! Quadratic programs.

use crate::error::{
    argument, c_string, c_text, check, empty_message, expect_length, int, message_text, optional_length,
    pointer, Result,
};
use crate::operator::{compressed_indices, Operator};
use crate::solver::{limit_iterations, limit_seconds, solver_slice, Ending};
use crate::sys;
use std::fmt;
use std::mem::MaybeUninit;
use std::os::raw::c_int;
use std::ptr;
use std::time::Duration;

/// The matrix G of the rows l <= G x <= u, m x n.
#[derive(Clone, Debug)]
pub struct Rows {
    rows: usize,
    columns: usize,
    start: Option<Vec<i64>>,
    column: Vec<c_int>,
    value: Vec<f64>,
}

impl Rows {
    /// Dense, row major.
    pub fn dense(rows: usize, columns: usize, value: &[f64]) -> Result<Rows> {
        let entries =
            rows.checked_mul(columns).ok_or_else(|| argument(format!("{rows} rows are too many")))?;
        expect_length("value", value.len(), entries)?;
        Ok(Rows { rows, columns, start: None, column: Vec::new(), value: value.to_vec() })
    }

    /// Compressed rows, columns ascending within each.
    pub fn csr(columns: usize, start: &[usize], column: &[usize], value: &[f64]) -> Result<Rows> {
        let rows = start.len().checked_sub(1).ok_or_else(|| argument("start is empty".to_string()))?;
        let (start, column) = compressed_indices(rows, start, column, value)?;
        Ok(Rows { rows, columns, start: Some(start), column, value: value.to_vec() })
    }
}

/// Minimise 1/2 xᵀP x + qᵀx subject to l <= G x <= u and lb <= x <= ub.
///
/// ```
/// use perp::{Operator, Qp, QpSolver, Rows};
/// let p = Operator::dense(2, &[2.0, 0.0, 0.0, 2.0])?;
/// let g = Rows::dense(1, 2, &[1.0, 1.0])?;
/// let qp = Qp::new(2).quadratic(&p).linear(&[-2.0, -5.0]).rows(&g).upper(&[1.0]).lower_bound(&[0.0, 0.0]);
/// let mut solver = QpSolver::new(&qp)?;
/// let mut x = [0.0; 2];
/// let outcome = solver.solve(&mut x)?;
/// assert!(outcome.solved());
/// assert!((outcome.objective + 4.0).abs() < 1e-6 && (x[1] - 1.0).abs() < 1e-6);
/// # Ok::<(), perp::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Qp<'a> {
    n: usize,
    p: Option<&'a Operator>,
    q: Option<&'a [f64]>,
    g: Option<&'a Rows>,
    l: Option<&'a [f64]>,
    u: Option<&'a [f64]>,
    lb: Option<&'a [f64]>,
    ub: Option<&'a [f64]>,
}

impl<'a> Qp<'a> {
    /// n unknowns; P = 0, q = 0, no rows, no bounds.
    pub fn new(n: usize) -> Qp<'a> {
        Qp { n, p: None, q: None, g: None, l: None, u: None, lb: None, ub: None }
    }

    /// P: symmetric and positive semi-definite, or the upper triangle of such a matrix.
    #[must_use]
    pub fn quadratic(self, p: &'a Operator) -> Qp<'a> {
        Qp { p: Some(p), ..self }
    }

    /// q.
    #[must_use]
    pub fn linear(self, q: &'a [f64]) -> Qp<'a> {
        Qp { q: Some(q), ..self }
    }

    /// G.
    #[must_use]
    pub fn rows(self, g: &'a Rows) -> Qp<'a> {
        Qp { g: Some(g), ..self }
    }

    /// l; not given: no row has a lower bound.
    #[must_use]
    pub fn lower(self, l: &'a [f64]) -> Qp<'a> {
        Qp { l: Some(l), ..self }
    }

    /// u; not given: no row has an upper bound. l_i = u_i is an equation.
    #[must_use]
    pub fn upper(self, u: &'a [f64]) -> Qp<'a> {
        Qp { u: Some(u), ..self }
    }

    /// lb.
    #[must_use]
    pub fn lower_bound(self, lb: &'a [f64]) -> Qp<'a> {
        Qp { lb: Some(lb), ..self }
    }

    /// ub.
    #[must_use]
    pub fn upper_bound(self, ub: &'a [f64]) -> Qp<'a> {
        Qp { ub: Some(ub), ..self }
    }

    fn m(&self) -> usize {
        self.g.map_or(0, |g| g.rows)
    }

    /// Judges any x, z and w, whoever computed them, to the tolerance.
    pub fn judge(&self, x: &[f64], z: &[f64], w: &[f64], tol: f64) -> Result<QpVerdict> {
        let raw = self.raw()?;
        expect_length("x", x.len(), self.n)?;
        expect_length("z", z.len(), self.m())?;
        expect_length("w", w.len(), self.n)?;
        let mut result = empty_result();
        // SAFETY: raw() has compared the lengths.
        let code = unsafe { sys::perp_qp_judge(&raw, x.as_ptr(), z.as_ptr(), w.as_ptr(), tol, &mut result) };
        check(code, &result.message)?;
        Ok(QpVerdict::from_raw(&result))
    }

    /// True if the ray proves the ending, `Infeasible` or `Unbounded`, in exact arithmetic.
    pub fn certificate_holds(&self, ending: Ending, ray: &[f64]) -> Result<bool> {
        let raw = self.raw()?;
        let expected = if ending == Ending::Infeasible { self.m() } else { self.n };
        expect_length("ray", ray.len(), expected)?;
        let (mut why, mut holds) = (empty_message(), false);
        // SAFETY: raw() has compared the lengths.
        let code =
            unsafe { sys::perp_qp_certificate_judge(&raw, ending.raw(), ray.as_ptr(), &mut holds, &mut why) };
        check(code, &why).map(|()| holds)
    }

    /// The program as the library takes it, with the lengths compared: it cannot see them.
    fn raw(&self) -> Result<sys::perp_qp> {
        let m = self.m();
        if let Some(p) = self.p.filter(|p| p.size() != self.n) {
            return Err(argument(format!("quadratic has {} rows, not {}", p.size(), self.n)));
        }
        if let Some(g) = self.g.filter(|g| g.columns != self.n) {
            return Err(argument(format!("rows has {} columns, not {}", g.columns, self.n)));
        }
        optional_length("linear", self.q, self.n)?;
        optional_length("lower", self.l, m)?;
        optional_length("upper", self.u, m)?;
        optional_length("lower_bound", self.lb, self.n)?;
        optional_length("upper_bound", self.ub, self.n)?;
        let mut qp = MaybeUninit::uninit();
        // SAFETY: the library fills all of it.
        let mut qp: sys::perp_qp = unsafe {
            sys::perp_qp_init(qp.as_mut_ptr(), std::mem::size_of_val(&qp));
            qp.assume_init()
        };
        qp.n = int("n", self.n)?;
        qp.m = int("rows", m)?;
        qp.P = self.p.map_or(ptr::null(), Operator::raw);
        qp.q = pointer(self.q);
        if let Some(g) = self.g {
            qp.G_start = pointer(g.start.as_deref());
            qp.G_column = g.column.as_ptr();
            qp.G_value = g.value.as_ptr();
        }
        qp.l = pointer(self.l);
        qp.u = pointer(self.u);
        qp.lb = pointer(self.lb);
        qp.ub = pointer(self.ub);
        Ok(qp)
    }
}

/// The four numbers that decide whether x solves a program; <perp/qp.h> defines them.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct QpVerdict {
    /// 1/2 xᵀP x + qᵀx.
    pub objective: f64,
    /// The violation of the rows and bounds.
    pub primal: f64,
    /// P x + q + Gᵀz + w.
    pub dual: f64,
    /// A bound on the error of the objective.
    pub gap: f64,
    /// Of each multiplier and its row.
    pub complementarity: f64,
    /// True if all four are at most the tolerance.
    pub solves: bool,
}

impl QpVerdict {
    fn from_raw(result: &sys::perp_qp_result) -> QpVerdict {
        QpVerdict {
            objective: result.objective,
            primal: result.primal,
            dual: result.dual,
            gap: result.gap,
            complementarity: result.complementarity,
            solves: result.outcome == sys::PERP_SOLVED,
        }
    }
}

/// The options of a solver's solves.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct QpOptions {
    /// 1e-8.
    pub tol: f64,
    /// `None`: the method's own limit.
    pub max_iterations: Option<u32>,
    /// At the limit the solve returns the best x so far.
    pub time_limit: Option<Duration>,
    /// Does not start from the last solution.
    pub cold: bool,
}

fn default_options() -> sys::perp_qp_options {
    let mut options = MaybeUninit::uninit();
    // SAFETY: the library fills all of it.
    unsafe {
        sys::perp_qp_options_init(options.as_mut_ptr(), std::mem::size_of_val(&options));
        options.assume_init()
    }
}

fn empty_result() -> sys::perp_qp_result {
    let mut result = MaybeUninit::uninit();
    // SAFETY: the library fills all of it.
    unsafe {
        sys::perp_qp_result_init(result.as_mut_ptr(), std::mem::size_of_val(&result));
        result.assume_init()
    }
}

impl Default for QpOptions {
    fn default() -> QpOptions {
        QpOptions { tol: default_options().tol, max_iterations: None, time_limit: None, cold: false }
    }
}

/// How a solve of a quadratic program ended. The slices belong to the solver.
#[derive(Clone)]
#[must_use]
#[non_exhaustive]
pub struct QpOutcome<'s> {
    /// How the iteration ended.
    pub ending: Ending,
    /// The method that found x.
    pub method: &'s str,
    /// 1/2 xᵀP x + qᵀx.
    pub objective: f64,
    /// The four numbers, computed after the method has ended.
    pub verdict: QpVerdict,
    /// Iterations of the method.
    pub iterations: i64,
    /// The time of the solve.
    pub seconds: f64,
    /// Multipliers of the rows: positive only at u, negative only at l.
    pub z: &'s [f64],
    /// Multipliers of the bounds.
    pub w: &'s [f64],
    /// The proof of `Infeasible` (one number per row) or `Unbounded`, or the direction of `NotConvex` (one per
    /// unknown).
    pub ray: Option<&'s [f64]>,
    message: sys::perp_message,
}

impl QpOutcome<'_> {
    /// True if x is a solution.
    pub fn solved(&self) -> bool {
        self.ending == Ending::Solved
    }

    /// One line about the end; may be empty.
    pub fn message(&self) -> String {
        message_text(&self.message)
    }
}

impl fmt::Debug for QpOutcome<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QpOutcome")
            .field("ending", &self.ending)
            .field("verdict", &self.verdict)
            .field("message", &self.message())
            .finish_non_exhaustive()
    }
}

/// A program with its scaling, factors and last solution. It copies the program.
pub struct QpSolver {
    raw: *mut sys::perp_qp_solver,
    n: usize,
    m: usize,
    /// For every solve from now on.
    pub options: QpOptions,
}

// SAFETY: as for Solver: the library has no thread-local state, and the program was copied.
unsafe impl Send for QpSolver {}
// SAFETY: a shared solver has no functions: solving and setting need `&mut`.
unsafe impl Sync for QpSolver {}

impl QpSolver {
    /// A solver that chooses its method.
    pub fn new(qp: &Qp<'_>) -> Result<QpSolver> {
        QpSolver::with_method("auto", qp)
    }

    /// A solver by the name of its method: auto, ipm, active, admm or kkt:NAME.
    pub fn with_method(method: &str, qp: &Qp<'_>) -> Result<QpSolver> {
        let (program, method) = (qp.raw()?, c_string("method", method)?);
        let mut raw = ptr::null_mut();
        let mut why = empty_message();
        // SAFETY: raw() has compared the lengths; all operators of this crate are copied.
        let code = unsafe { sys::perp_qp_solver_create(method.as_ptr(), &program, &mut raw, &mut why) };
        check(code, &why)?;
        Ok(QpSolver { raw, n: qp.n, m: qp.m(), options: QpOptions::default() })
    }

    /// Another q; the factors stay.
    pub fn set_linear(&mut self, q: &[f64]) -> Result<()> {
        expect_length("q", q.len(), self.n)?;
        self.set([Some(q), None, None, None, None])
    }

    /// Other bounds of the rows; `None`: unchanged.
    pub fn set_rows(&mut self, l: Option<&[f64]>, u: Option<&[f64]>) -> Result<()> {
        optional_length("l", l, self.m)?;
        optional_length("u", u, self.m)?;
        self.set([None, l, u, None, None])
    }

    /// Other bounds of x; `None`: unchanged.
    pub fn set_bounds(&mut self, lb: Option<&[f64]>, ub: Option<&[f64]>) -> Result<()> {
        optional_length("lb", lb, self.n)?;
        optional_length("ub", ub, self.n)?;
        self.set([None, None, None, lb, ub])
    }

    fn set(&mut self, [q, l, u, lb, ub]: [Option<&[f64]>; 5]) -> Result<()> {
        let mut why = empty_message();
        // SAFETY: the callers have compared the lengths.
        let code = unsafe {
            sys::perp_qp_solver_set(
                self.raw,
                pointer(q),
                pointer(l),
                pointer(u),
                pointer(lb),
                pointer(ub),
                &mut why,
            )
        };
        check(code, &why)
    }

    /// The start of the next solve; without this it is the last solution.
    pub fn start(&mut self, x: &[f64], z: Option<&[f64]>, w: Option<&[f64]>) -> Result<()> {
        expect_length("x", x.len(), self.n)?;
        optional_length("z", z, self.m)?;
        optional_length("w", w, self.n)?;
        let mut why = empty_message();
        // SAFETY: the lengths were compared.
        let code =
            unsafe { sys::perp_qp_solver_start(self.raw, x.as_ptr(), pointer(z), pointer(w), &mut why) };
        check(code, &why)
    }

    /// Solves; x is only written.
    pub fn solve(&mut self, x: &mut [f64]) -> Result<QpOutcome<'_>> {
        expect_length("x", x.len(), self.n)?;
        let mut options = default_options();
        options.tol = self.options.tol;
        options.max_iterations = limit_iterations(self.options.max_iterations);
        options.time_limit = limit_seconds(self.options.time_limit);
        options.cold = i64::from(self.options.cold);
        let mut result = empty_result();
        // SAFETY: x has n numbers.
        let code = unsafe { sys::perp_qp_solver_solve(self.raw, &options, x.as_mut_ptr(), &mut result) };
        check(code, &result.message)?;
        let ending = Ending::from_raw(result.outcome);
        let length = if ending == Ending::Infeasible { self.m } else { self.n };
        // SAFETY: the arrays belong to the solver until its next call, which borrows it again.
        unsafe {
            Ok(QpOutcome {
                ending,
                method: c_text(result.method),
                objective: result.objective,
                verdict: QpVerdict::from_raw(&result),
                iterations: result.counts.iterations,
                seconds: result.seconds,
                z: solver_slice(result.z, self.m).unwrap_or(&[]),
                w: solver_slice(result.w, self.n).unwrap_or(&[]),
                ray: solver_slice(result.ray, length),
                message: result.message,
            })
        }
    }
}

impl Drop for QpSolver {
    fn drop(&mut self) {
        // SAFETY: outcomes borrow the solver, so none is left.
        unsafe { sys::perp_qp_solver_destroy(self.raw) }
    }
}

impl fmt::Debug for QpSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QpSolver").field("n", &self.n).field("m", &self.m).finish_non_exhaustive()
    }
}
