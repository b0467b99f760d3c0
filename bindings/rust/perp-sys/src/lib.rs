//! The C library perp for complementarity problems: its static library, and the declarations that the crate
//! `perp` needs. The C headers say what each of them means. Use the crate `perp`.
//!
//! A struct with a field `size` may grow: only its function `perp_..._init` fills it, for the size passed.
//! tests/layout.rs compares every declaration with the headers, by the C compiler.
#![allow(non_camel_case_types)]
#![allow(non_snake_case)]

use std::os::raw::{c_char, c_int, c_uint, c_void};

pub type perp_error = c_uint;
pub const PERP_OK: perp_error = 0;
pub const PERP_ERROR_ARGUMENT: perp_error = 1;
pub const PERP_ERROR_PROBLEM: perp_error = 2;
pub const PERP_ERROR_UNSUPPORTED: perp_error = 3;
pub const PERP_ERROR_PARAMETER: perp_error = 4;
pub const PERP_ERROR_MEMORY: perp_error = 5;
pub const PERP_ERROR_FILE: perp_error = 6;
pub const PERP_ERROR_BACKEND: perp_error = 7;
pub const PERP_ERROR_CALLBACK: perp_error = 8;

pub type perp_storage = c_uint;
pub const PERP_BORROW: perp_storage = 0;
pub const PERP_COPY: perp_storage = 1;

pub type perp_outcome = c_uint;
pub const PERP_NOT_RUN: perp_outcome = 0;
pub const PERP_SOLVED: perp_outcome = 1;
pub const PERP_ITERATION_LIMIT: perp_outcome = 2;
pub const PERP_TIME_LIMIT: perp_outcome = 3;
pub const PERP_STAGNATED: perp_outcome = 4;
pub const PERP_DIVERGED: perp_outcome = 5;
pub const PERP_LOCAL_MINIMUM: perp_outcome = 6;
pub const PERP_NON_DESCENT: perp_outcome = 7;
pub const PERP_RAY: perp_outcome = 8;
pub const PERP_INFEASIBLE: perp_outcome = 9;
pub const PERP_NON_FINITE: perp_outcome = 10;
pub const PERP_STOPPED: perp_outcome = 11;
pub const PERP_MERIT_REACHED: perp_outcome = 12;
pub const PERP_REFUTED: perp_outcome = 13;
pub const PERP_UNSOLVABLE: perp_outcome = 14;
pub const PERP_PRECISION: perp_outcome = 15;
pub const PERP_UNBOUNDED: perp_outcome = 16;
pub const PERP_INFEASIBLE_RAY: perp_outcome = 17;
pub const PERP_UNBOUNDED_RAY: perp_outcome = 18;
pub const PERP_NOT_CONVEX: perp_outcome = 19;

pub const PERP_FRICTION_ELLIPTIC: c_int = 0;
pub const PERP_FRICTION_DISCS: c_int = 1;
pub const PERP_ATTEMPTS: usize = 8;

/// Objects of the library, behind pointers only.
macro_rules! opaque {
    ($($name:ident)*) => { $(
        #[repr(C)]
        pub struct $name {
            _private: [u8; 0],
        }
    )* };
}
opaque! { perp_operator perp_solver perp_qp_solver perp_device perp_parameter }

pub type perp_observer = Option<unsafe extern "C" fn(*mut c_void, *const perp_progress) -> bool>;
pub type perp_interrupt = Option<unsafe extern "C" fn(*mut c_void) -> bool>;
pub type perp_logger = Option<unsafe extern "C" fn(*mut c_void, c_uint, *const c_char)>;
pub type perp_found = Option<unsafe extern "C" fn(*mut c_void, *const c_void) -> bool>;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct perp_message {
    pub text: [c_char; 512],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct perp_set {
    pub n: c_int,
    pub lo: *const f64,
    pub hi: *const f64,
    pub findex: *const c_int,
    pub mu: *const f64,
    pub cones: c_int,
    pub cone: *const c_int,
    pub dim: *const c_int,
    pub law: *const c_int,
    pub reserved: [*const c_void; 1],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct perp_problem {
    pub A: *const perp_operator,
    pub b: *const f64,
    pub K: perp_set,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct perp_contact_bodies {
    pub size: usize,
    pub rows: c_int,
    pub bodies: c_int,
    pub freedom: c_int,
    pub together: c_int,
    pub body: *const c_int,
    pub J: *const f64,
    pub Minv: *const f64,
    pub C_diagonal: *const f64,
    pub cfm: f64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct perp_counts {
    pub iterations: i64,
    pub sweeps: i64,
    pub applies: i64,
    pub checks: i64,
    pub pivots: i64,
    pub factorisations: i64,
    pub solves: i64,
    pub cycles: i64,
    pub restarts: i64,
    pub reserved: [i64; 7],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct perp_progress {
    pub size: usize,
    pub iteration: i64,
    pub seconds: f64,
    pub residual: f64,
    pub scale: f64,
    pub merit: f64,
    pub checked: bool,
    pub n: c_int,
    pub x: *const f64,
    pub counts: *const perp_counts,
    pub relative_residual: f64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct perp_options {
    pub size: usize,
    pub tol: f64,
    pub max_iterations: i64,
    pub time_limit: f64,
    pub merit_tol: f64,
    pub merit_rel_tol: f64,
    pub check_every: c_int,
    pub stagnation: c_int,
    pub threads: c_int,
    pub seed: u64,
    pub memory_limit: usize,
    pub y: *mut f64,
    pub ray: *mut f64,
    pub observer: perp_observer,
    pub observer_context: *mut c_void,
    pub logger: perp_logger,
    pub logger_context: *mut c_void,
    pub interrupted: perp_interrupt,
    pub interrupted_context: *mut c_void,
    pub found: perp_found,
    pub found_context: *mut c_void,
    pub x_low: *mut f64,
    pub device: *mut perp_device,
    pub verbose: i64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct perp_plan {
    pub class_name: [c_char; 64],
    pub steps: c_int,
    pub method: [*const c_char; PERP_ATTEMPTS],
    pub limit: [i64; PERP_ATTEMPTS],
    pub scaled: c_int,
    pub reserved: [i64; 4],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct perp_attempt {
    pub method: *const c_char,
    pub outcome: perp_outcome,
    pub residual: f64,
    pub iterations: i64,
    pub seconds: f64,
    pub reserved: [i64; 3],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct perp_result {
    pub size: usize,
    pub outcome: perp_outcome,
    pub method: *const c_char,
    pub residual: f64,
    pub relative_residual: f64,
    pub scale: f64,
    pub seconds: f64,
    pub merit: f64,
    pub counts: perp_counts,
    pub plan: perp_plan,
    pub plan_seconds: f64,
    pub attempts: c_int,
    pub attempt: [perp_attempt; PERP_ATTEMPTS],
    pub y: *const f64,
    pub ray: *const f64,
    pub message: perp_message,
    pub floor: f64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct perp_method_info {
    pub size: usize,
    pub name: *const c_char,
    pub title: *const c_char,
    pub family: *const c_char,
    pub source: *const c_char,
    pub takes: c_uint,
    pub needs: c_uint,
    pub max_iterations: c_int,
    pub most_unknowns: c_int,
    pub iteration: *const c_char,
    pub works: *const c_char,
    pub parameters: *const perp_parameter,
    pub reference: bool,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct perp_qp {
    pub size: usize,
    pub n: c_int,
    pub m: c_int,
    pub P: *const perp_operator,
    pub q: *const f64,
    pub G_start: *const i64,
    pub G_column: *const c_int,
    pub G_value: *const f64,
    pub G_stride: i64,
    pub l: *const f64,
    pub u: *const f64,
    pub lb: *const f64,
    pub ub: *const f64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct perp_qp_options {
    pub size: usize,
    pub tol: f64,
    pub max_iterations: i64,
    pub time_limit: f64,
    pub cold: i64,
    pub z: *mut f64,
    pub w: *mut f64,
    pub ray: *mut f64,
    pub interrupted: perp_interrupt,
    pub interrupted_context: *mut c_void,
    pub logger: perp_logger,
    pub logger_context: *mut c_void,
    pub verbose: i64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct perp_qp_result {
    pub size: usize,
    pub outcome: perp_outcome,
    pub method: *const c_char,
    pub objective: f64,
    pub primal: f64,
    pub dual: f64,
    pub gap: f64,
    pub complementarity: f64,
    pub primal_scale: f64,
    pub dual_scale: f64,
    pub seconds: f64,
    pub counts: perp_counts,
    pub active: i64,
    pub z: *const f64,
    pub w: *const f64,
    pub ray: *const f64,
    pub message: perp_message,
}

extern "C" {
    pub fn perp_version() -> *const c_char;
    pub fn perp_error_name(error: perp_error) -> *const c_char;
    pub fn perp_outcome_name(outcome: perp_outcome) -> *const c_char;
    pub fn perp_method_count() -> c_int;
    pub fn perp_method_at_sized(index: c_int, info: *mut perp_method_info, size: usize);

    pub fn perp_operator_dense(
        n: c_int,
        a: *const f64,
        stride: i64,
        storage: perp_storage,
        A: *mut *mut perp_operator,
        why: *mut perp_message,
    ) -> perp_error;
    pub fn perp_operator_csr(
        n: c_int,
        start: *const i64,
        column: *const c_int,
        value: *const f64,
        storage: perp_storage,
        A: *mut *mut perp_operator,
        why: *mut perp_message,
    ) -> perp_error;
    pub fn perp_operator_csc(
        n: c_int,
        start: *const i64,
        row: *const c_int,
        value: *const f64,
        storage: perp_storage,
        A: *mut *mut perp_operator,
        why: *mut perp_message,
    ) -> perp_error;
    pub fn perp_contact_bodies_init(bodies: *mut perp_contact_bodies, size: usize);
    pub fn perp_operator_contact_bodies(
        bodies: *const perp_contact_bodies,
        storage: perp_storage,
        A: *mut *mut perp_operator,
        why: *mut perp_message,
    ) -> perp_error;
    pub fn perp_operator_contact_bodies_replace(
        A: *mut perp_operator,
        bodies: *const perp_contact_bodies,
        storage: perp_storage,
        why: *mut perp_message,
    ) -> perp_error;
    pub fn perp_contact_bias(
        A: *const perp_operator,
        v: *const f64,
        c: *const f64,
        b: *mut f64,
        why: *mut perp_message,
    ) -> perp_error;
    pub fn perp_contact_velocities(
        A: *const perp_operator,
        v: *const f64,
        x: *const f64,
        v_new: *mut f64,
        why: *mut perp_message,
    ) -> perp_error;
    pub fn perp_operator_destroy(A: *mut perp_operator);
    pub fn perp_operator_refresh(A: *mut perp_operator, why: *mut perp_message) -> perp_error;
    pub fn perp_operator_size(A: *const perp_operator) -> c_int;
    pub fn perp_operator_scratch(A: *const perp_operator) -> usize;
    pub fn perp_operator_apply(
        A: *const perp_operator,
        x: *const f64,
        y: *mut f64,
        scratch: *mut f64,
        why: *mut perp_message,
    ) -> perp_error;

    pub fn perp_problem_validate(p: *const perp_problem, why: *mut perp_message) -> perp_error;
    pub fn perp_problem_judge(
        problem: *const perp_problem,
        x: *const f64,
        residual: *mut f64,
        scale: *mut f64,
        why: *mut perp_message,
    ) -> perp_error;
    pub fn perp_residual_solved(residual: f64, tol: f64, scale: f64) -> bool;
    pub fn perp_certificate_judge(
        problem: *const perp_problem,
        u: *const f64,
        holds: *mut bool,
        why: *mut perp_message,
    ) -> perp_error;

    pub fn perp_options_init(options: *mut perp_options, size: usize);
    pub fn perp_result_init(result: *mut perp_result, size: usize);
    pub fn perp_solver_create(
        method: *const c_char,
        solver: *mut *mut perp_solver,
        why: *mut perp_message,
    ) -> perp_error;
    pub fn perp_solver_destroy(solver: *mut perp_solver);
    pub fn perp_solver_set(
        solver: *mut perp_solver,
        name: *const c_char,
        value: f64,
        why: *mut perp_message,
    ) -> perp_error;
    pub fn perp_solver_set_text(
        solver: *mut perp_solver,
        name: *const c_char,
        text: *const c_char,
        why: *mut perp_message,
    ) -> perp_error;
    pub fn perp_solver_get(
        solver: *const perp_solver,
        name: *const c_char,
        value: *mut f64,
        why: *mut perp_message,
    ) -> perp_error;
    pub fn perp_solver_solve(
        solver: *mut perp_solver,
        problem: *const perp_problem,
        options: *const perp_options,
        x: *mut f64,
        result: *mut perp_result,
    ) -> perp_error;

    pub fn perp_qp_init(qp: *mut perp_qp, size: usize);
    pub fn perp_qp_options_init(options: *mut perp_qp_options, size: usize);
    pub fn perp_qp_result_init(result: *mut perp_qp_result, size: usize);
    pub fn perp_qp_solver_create(
        method: *const c_char,
        qp: *const perp_qp,
        solver: *mut *mut perp_qp_solver,
        why: *mut perp_message,
    ) -> perp_error;
    pub fn perp_qp_solver_destroy(solver: *mut perp_qp_solver);
    pub fn perp_qp_solver_set(
        solver: *mut perp_qp_solver,
        q: *const f64,
        l: *const f64,
        u: *const f64,
        lb: *const f64,
        ub: *const f64,
        why: *mut perp_message,
    ) -> perp_error;
    pub fn perp_qp_solver_start(
        solver: *mut perp_qp_solver,
        x: *const f64,
        z: *const f64,
        w: *const f64,
        why: *mut perp_message,
    ) -> perp_error;
    pub fn perp_qp_solver_solve(
        solver: *mut perp_qp_solver,
        options: *const perp_qp_options,
        x: *mut f64,
        result: *mut perp_qp_result,
    ) -> perp_error;
    pub fn perp_qp_judge(
        qp: *const perp_qp,
        x: *const f64,
        z: *const f64,
        w: *const f64,
        tol: f64,
        result: *mut perp_qp_result,
    ) -> perp_error;
    pub fn perp_qp_certificate_judge(
        qp: *const perp_qp,
        outcome: perp_outcome,
        ray: *const f64,
        holds: *mut bool,
        why: *mut perp_message,
    ) -> perp_error;
}
