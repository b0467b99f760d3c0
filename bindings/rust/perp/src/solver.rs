//! Methods, options, and solving.

use crate::error::{c_string, c_text, check, empty_message, expect_length, message_text, Result};
use crate::problem::Problem;
use crate::sys;
use std::any::Any;
use std::fmt;
use std::mem::MaybeUninit;
use std::os::raw::c_void;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::ptr;
use std::time::Duration;

/// How an iteration ended. Only `Solved` means that x is a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ending {
    /// The natural residual, computed again at the end, is at most tol times the scale.
    Solved,
    /// The iteration limit was reached.
    IterationLimit,
    /// The time limit was reached.
    TimeLimit,
    /// No progress over many checks.
    Stagnated,
    /// The residual only grows.
    Diverged,
    /// A minimum of the method's merit that is not a solution.
    LocalMinimum,
    /// The method found no descent direction.
    NonDescent,
    /// A pivoting method ended on a ray.
    Ray,
    /// No solution exists: the ray is a certificate that holds exactly.
    Infeasible,
    /// NaN or infinity appeared.
    NonFinite,
    /// The observer stopped it.
    Stopped,
    /// The merit test ended it above the tolerance.
    MeritReached,
    /// The method claimed success, but the residual is above the tolerance.
    Refuted,
    /// No solution exists, proven exactly but without a ray.
    Unsolvable,
    /// No progress at the rounding floor, which is above the tolerance.
    Precision,
    /// A quadratic program without a lower bound, proven exactly by the ray.
    Unbounded,
    /// A quadratic program that is infeasible up to rounding: not a proof.
    InfeasibleRay,
    /// A quadratic program that is unbounded up to rounding: not a proof.
    UnboundedRay,
    /// A quadratic program whose P is not positive semi-definite.
    NotConvex,
    /// An ending that this version of the crate does not know.
    Other,
}

/// In the order of the numbers of the library, from 1 on.
const ENDINGS: [Ending; 19] = [
    Ending::Solved,
    Ending::IterationLimit,
    Ending::TimeLimit,
    Ending::Stagnated,
    Ending::Diverged,
    Ending::LocalMinimum,
    Ending::NonDescent,
    Ending::Ray,
    Ending::Infeasible,
    Ending::NonFinite,
    Ending::Stopped,
    Ending::MeritReached,
    Ending::Refuted,
    Ending::Unsolvable,
    Ending::Precision,
    Ending::Unbounded,
    Ending::InfeasibleRay,
    Ending::UnboundedRay,
    Ending::NotConvex,
];

impl Ending {
    pub(crate) fn from_raw(outcome: sys::perp_outcome) -> Ending {
        let index = (outcome as usize).wrapping_sub(1);
        ENDINGS.get(index).copied().unwrap_or(Ending::Other)
    }

    pub(crate) fn raw(self) -> sys::perp_outcome {
        ENDINGS.iter().position(|&e| e == self).map_or(sys::PERP_NOT_RUN, |k| k as sys::perp_outcome + 1)
    }
}

impl fmt::Display for Ending {
    /// The library's name: "solved", "time-limit", ...
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: the names are static.
        f.write_str(unsafe { c_text(sys::perp_outcome_name(self.raw())) })
    }
}

/// The options of a solver's solves.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Solved means: natural residual at most tol times the scale. 1e-8.
    pub tol: f64,
    /// `None`: the method's own limit.
    pub max_iterations: Option<u32>,
    /// At the limit the solve returns the best x so far.
    pub time_limit: Option<Duration>,
    /// For methods that draw random numbers.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        let raw = default_options();
        Options { tol: raw.tol, max_iterations: None, time_limit: None, seed: raw.seed }
    }
}

fn default_options() -> sys::perp_options {
    let mut options = MaybeUninit::uninit();
    // SAFETY: the library fills all of it.
    unsafe {
        sys::perp_options_init(options.as_mut_ptr(), std::mem::size_of_val(&options));
        options.assume_init()
    }
}

/// Seconds for the library, in which 0 is no limit.
pub(crate) fn limit_seconds(limit: Option<Duration>) -> f64 {
    limit.map_or(0.0, |limit| limit.as_secs_f64().max(1e-9))
}

/// The iteration limit for the library, in which 0 is the method's own.
pub(crate) fn limit_iterations(limit: Option<u32>) -> i64 {
    limit.map_or(0, |limit| i64::from(limit.max(1)))
}

/// How a solve ended. `y` and the ray belong to the solver: the next solve waits until this is dropped.
#[derive(Clone)]
#[must_use]
#[non_exhaustive]
pub struct Outcome<'s> {
    /// How the iteration ended.
    pub ending: Ending,
    /// The method that found x; if `auto` was called, the one it chose.
    pub method: &'s str,
    /// The natural residual of x, computed again at the end.
    pub residual: f64,
    /// The residual over the scale: at most tol if x is a solution.
    pub relative_residual: f64,
    /// max abs(b_i), or 1 if b = 0.
    pub scale: f64,
    /// 0: not measured.
    pub seconds: f64,
    /// Iterations of the method.
    pub iterations: i64,
    /// A x + b at the x returned.
    pub y: &'s [f64],
    /// With `Ending::Ray` the direction in which the method ended, with `Ending::Infeasible` the certificate.
    pub ray: Option<&'s [f64]>,
    message: sys::perp_message,
}

impl<'s> Outcome<'s> {
    /// True if x is a solution.
    pub fn solved(&self) -> bool {
        self.ending == Ending::Solved
    }

    /// The proof that no solution exists; see [`Problem::certificate_holds`].
    pub fn certificate(&self) -> Option<&'s [f64]> {
        self.ray.filter(|_| self.ending == Ending::Infeasible)
    }

    /// One line about the end; may be empty.
    pub fn message(&self) -> String {
        message_text(&self.message)
    }
}

impl fmt::Debug for Outcome<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outcome")
            .field("ending", &self.ending)
            .field("method", &self.method)
            .field("residual", &self.residual)
            .field("iterations", &self.iterations)
            .field("message", &self.message())
            .finish_non_exhaustive()
    }
}

/// A slice of the solver's memory; empty for NULL.
///
/// # Safety
/// `data` is NULL or points to n numbers that are valid for 's.
pub(crate) unsafe fn solver_slice<'s>(data: *const f64, n: usize) -> Option<&'s [f64]> {
    if data.is_null() {
        None
    } else {
        Some(std::slice::from_raw_parts(data, n))
    }
}

/// What an observer sees after each iteration.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Progress {
    /// From 0 on.
    pub iteration: i64,
    /// Since the solve began.
    pub seconds: f64,
    /// Natural residual at the latest check.
    pub residual: f64,
    /// The method's own merit, NaN if it has none.
    pub merit: f64,
}

/// A method with its parameters and its memory. A second solve of the same shape allocates nothing, and what was
/// derived from an operator is reused.
///
/// ```
/// use perp::{Operator, Problem, Solver};
/// let a = Operator::dense(2, &[2.0, -1.0, -1.0, 2.0])?;
/// let mut solver = Solver::with_method("psor")?;
/// solver.set("omega", 1.2)?;
/// solver.options.tol = 1e-10;
/// let mut x = [0.0; 2];
/// assert!(solver.solve(&Problem::new(&a, &[-1.0, 0.8]), &mut x)?.solved());
/// let warm = solver.solve(&Problem::new(&a, &[-1.0, 0.7]), &mut x)?; // starts from x
/// assert!(warm.solved() && warm.y[1] > 0.0);
/// # Ok::<(), perp::Error>(())
/// ```
pub struct Solver {
    raw: *mut sys::perp_solver,
    method: String,
    /// For every solve from now on.
    pub options: Options,
}

// SAFETY: a solver belongs to no thread: the library has no thread-local state, and its memory may be freed by
// another thread than the one that allocated it.
unsafe impl Send for Solver {}
// SAFETY: a shared solver can only be asked for its method and parameters, which the library reads through a
// pointer to const. Solving and setting need `&mut`.
unsafe impl Sync for Solver {}

impl Solver {
    /// A solver that classifies each problem and chooses the methods, `auto`.
    pub fn new() -> Result<Solver> {
        Solver::with_method("auto")
    }

    /// A solver by the name of its method; [`methods`] lists them.
    ///
    /// ```
    /// assert_eq!(perp::Solver::with_method("newtom").unwrap_err().kind(), perp::ErrorKind::Argument);
    /// ```
    pub fn with_method(method: &str) -> Result<Solver> {
        let name = c_string("method", method)?;
        let mut raw = ptr::null_mut();
        let mut why = empty_message();
        // SAFETY: the name is copied or looked up.
        let code = unsafe { sys::perp_solver_create(name.as_ptr(), &mut raw, &mut why) };
        check(code, &why)?;
        Ok(Solver { raw, method: method.to_string(), options: Options::default() })
    }

    /// The method's name.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// Sets a parameter of the method.
    pub fn set(&mut self, name: &str, value: f64) -> Result<()> {
        let name = c_string("name", name)?;
        let mut why = empty_message();
        // SAFETY: the solver is valid until it is dropped.
        let code = unsafe { sys::perp_solver_set(self.raw, name.as_ptr(), value, &mut why) };
        check(code, &why)
    }

    /// Sets a parameter from text: "1.4", "backward", "yes".
    pub fn set_text(&mut self, name: &str, text: &str) -> Result<()> {
        let (name, text) = (c_string("name", name)?, c_string("text", text)?);
        let mut why = empty_message();
        // SAFETY: as in `set`.
        let code = unsafe { sys::perp_solver_set_text(self.raw, name.as_ptr(), text.as_ptr(), &mut why) };
        check(code, &why)
    }

    /// The value of a parameter.
    pub fn get(&self, name: &str) -> Result<f64> {
        let name = c_string("name", name)?;
        let mut why = empty_message();
        let mut value = 0.0;
        // SAFETY: as in `set`.
        let code = unsafe { sys::perp_solver_get(self.raw, name.as_ptr(), &mut value, &mut why) };
        check(code, &why).map(|()| value)
    }

    /// Solves. x holds the start (zeros for a cold one), and then the best x found, also if it is not a solution.
    /// An error says that the problem or the call is wrong; x is unchanged then.
    pub fn solve(&mut self, problem: &Problem<'_>, x: &mut [f64]) -> Result<Outcome<'_>> {
        self.run(problem, x, None)
    }

    /// Solves, and shows each iteration to the observer, which returns false to stop.
    pub fn solve_observed(
        &mut self,
        problem: &Problem<'_>,
        x: &mut [f64],
        mut observer: impl FnMut(&Progress) -> bool,
    ) -> Result<Outcome<'_>> {
        self.run(problem, x, Some(&mut observer))
    }

    fn run(
        &mut self,
        problem: &Problem<'_>,
        x: &mut [f64],
        observer: Option<&mut dyn FnMut(&Progress) -> bool>,
    ) -> Result<Outcome<'_>> {
        let raw = problem.raw()?;
        expect_length("x", x.len(), problem.size())?;
        let mut options = default_options();
        options.tol = self.options.tol;
        options.max_iterations = limit_iterations(self.options.max_iterations);
        options.time_limit = limit_seconds(self.options.time_limit);
        options.seed = self.options.seed;
        let mut watch = observer.map(|observer| Watch { observer, panic: None });
        if let Some(watch) = &mut watch {
            options.observer = Some(watched);
            options.observer_context = (watch as *mut Watch<'_>).cast();
        }
        let mut result = MaybeUninit::uninit();
        // SAFETY: raw() has compared the lengths; only this thread calls the observer, during the call.
        let (code, result): (_, sys::perp_result) = unsafe {
            sys::perp_result_init(result.as_mut_ptr(), std::mem::size_of_val(&result));
            let code = sys::perp_solver_solve(self.raw, &raw, &options, x.as_mut_ptr(), result.as_mut_ptr());
            (code, result.assume_init())
        };
        if let Some(panic) = watch.and_then(|watch| watch.panic) {
            resume_unwind(panic);
        }
        check(code, &result.message)?;
        // SAFETY: the arrays belong to the solver until its next solve, which borrows it again.
        unsafe {
            Ok(Outcome {
                ending: Ending::from_raw(result.outcome),
                method: c_text(result.method),
                residual: result.residual,
                relative_residual: result.relative_residual,
                scale: result.scale,
                seconds: result.seconds,
                iterations: result.counts.iterations,
                y: solver_slice(result.y, x.len()).unwrap_or(&[]),
                ray: solver_slice(result.ray, x.len()),
                message: result.message,
            })
        }
    }
}

impl Drop for Solver {
    fn drop(&mut self) {
        // SAFETY: outcomes borrow the solver, so none is left.
        unsafe { sys::perp_solver_destroy(self.raw) }
    }
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").field("method", &self.method).field("options", &self.options).finish()
    }
}

/// An observer and what it threw: a panic must not pass through C.
struct Watch<'o> {
    observer: &'o mut dyn FnMut(&Progress) -> bool,
    panic: Option<Box<dyn Any + Send>>,
}

unsafe extern "C" fn watched(context: *mut c_void, progress: *const sys::perp_progress) -> bool {
    let (watch, progress) = (&mut *context.cast::<Watch<'_>>(), &*progress);
    let seen = Progress {
        iteration: progress.iteration,
        seconds: progress.seconds,
        residual: progress.residual,
        merit: progress.merit,
    };
    let observer = &mut watch.observer;
    match catch_unwind(AssertUnwindSafe(|| observer(&seen))) {
        Ok(go_on) => go_on,
        Err(panic) => {
            watch.panic = Some(panic);
            false
        }
    }
}

/// The methods of the library: name and title.
///
/// ```
/// assert!(perp::methods().any(|(name, _)| name == "lemke"));
/// ```
pub fn methods() -> impl Iterator<Item = (&'static str, &'static str)> {
    // SAFETY: the tables of methods are static.
    (0..unsafe { sys::perp_method_count() }).map(|index| unsafe {
        let mut info: MaybeUninit<sys::perp_method_info> = MaybeUninit::uninit();
        sys::perp_method_at_sized(index, info.as_mut_ptr(), std::mem::size_of_val(&info));
        let info = info.assume_init();
        (c_text(info.name), c_text(info.title))
    })
}

/// The version of the C library.
pub fn version() -> &'static str {
    // SAFETY: the text is static.
    unsafe { c_text(sys::perp_version()) }
}
