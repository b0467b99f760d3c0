//! Input that nobody should give: every case is an `Err` or a result with a verdict, and never ends the process.

use perp::{Contacts, Ending, ErrorKind, Law, Operator, Problem, Qp, QpSolver, Rows, Solver};
use std::time::Duration;

const NAN: f64 = f64::NAN;
const INF: f64 = f64::INFINITY;
const HUGE: usize = usize::MAX;

#[track_caller]
fn refused<T>(result: perp::Result<T>, part: &str) {
    let error = result.err().unwrap_or_else(|| panic!("taken, but should be refused with \"{part}\""));
    assert!(error.to_string().contains(part), "\"{error}\" instead of \"{part}\"");
    assert_ne!(error.kind(), ErrorKind::Other, "{error}");
}

#[test]
fn operators() {
    refused(Operator::dense(HUGE, &[]), "above 2147483647");
    refused(Operator::dense(3_000_000_000, &[]), "above 2147483647");
    refused(Operator::dense(2_000_000_000, &[]), "a has 0 numbers, not 4000000000000000000");
    refused(Operator::dense(1, &[-INF]), "-inf");
    for make in [Operator::csr, Operator::csc] {
        refused(make(HUGE, &[], &[], &[]), "above 2147483647");
        refused(make(0, &[], &[], &[]), "start has 0 numbers, not 1");
        refused(make(0, &[1], &[0], &[1.0]), "start");
        refused(make(2, &[1, 1, 2], &[0, 1], &[1.0; 2]), "start");
        refused(make(2, &[0, 2, 1], &[0], &[1.0]), "start");
        refused(make(2, &[0, HUGE, 2], &[0, 1], &[1.0; 2]), "9223372036854775807 entries");
        refused(make(1, &[0, 1], &[HUGE], &[1.0]), "above 2147483647");
        refused(make(1, &[0, 1], &[1], &[1.0]), "1");
        refused(make(2, &[0, 2, 2], &[1, 0], &[1.0; 2]), "ascend");
        refused(make(2, &[0, 2, 2], &[0, 0], &[1.0; 2]), "twice");
        refused(make(1, &[0, 1], &[0], &[NAN]), "nan");
    }
}

#[test]
fn contacts() {
    let (mass, row) = ([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    let one = |body| Operator::contacts(&Contacts::in_plane(body, &row, &mass));
    refused(one(&[[i32::MIN, -1]]), "body -2147483648 is not in -1 .. 0");
    refused(one(&[[-1, i32::MAX]]), "body 2147483647");
    let good = Contacts::in_plane(&[[0, -1]], &row, &mass);
    refused(Operator::contacts(&good.together(HUGE)), "1 contacts of 18446744073709551615 rows");
    refused(Operator::contacts(&good.cfm(INF)), "inf");
    refused(Operator::contacts(&good.compliance(&[NAN])), "nan");
    let mut wrong = mass;
    wrong[4] = NAN;
    refused(Operator::contacts(&Contacts::in_plane(&[[0, -1]], &row, &wrong)), "nan");
    refused(
        Operator::contacts(&Contacts::in_space(&[[0, -1]], &row, &mass)),
        "jacobian has 6 numbers, not 0",
    );
    assert!(Operator::contacts(&Contacts::in_plane(&[], &[], &mass).together(HUGE)).is_err());
    let mut operator = Operator::contacts(&good).unwrap();
    operator.set_values(&[]).unwrap(); // a contact operator has none
    refused(operator.set_values(&[1.0]), "value has 1 numbers, not 0");
}

#[test]
fn sets() {
    let a =
        Operator::dense(4, &[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0])
            .unwrap();
    let b = [-1.0; 4];
    let good = Problem::new(&a, &b);
    let mut solver = Solver::new().unwrap();
    let mut solve = |problem: Problem<'_>, part: &str| {
        refused(problem.validate(), part);
        refused(solver.solve(&problem, &mut [0.0; 4]).map(|_| ()), part);
        refused(problem.judge(&[0.0; 4]), part);
    };
    solve(good.cones(&[NAN]), "nan");
    solve(good.cones(&[0.5; 2]), "2 cones take 3 rows each");
    solve(good.cones(&[0.5]).at_rows(&[-1]), "-1");
    solve(good.cones(&[0.5]).at_rows(&[2]), "2");
    solve(good.cones(&[0.5]).at_rows(&[i32::MAX]), "2147483647");
    solve(good.contacts(&[6], &[0.5; 5], &[]), "6");
    solve(good.contacts(&[i32::MIN], &[0.5; 5], &[]), "dim");
    solve(good.contacts(&[2, 3], &[0.0; 10], &[Law::Discs; 2]), "dim[1] = 3");
    solve(good.contacts(&[3], &[0.5, 0.0, 0.0, 0.0, 0.0], &[]).at_rows(&[-7]), "-7");
    solve(good.contacts(&[2, 2], &[0.0; 10], &[]).at_rows(&[0, 1]), "1");
    solve(good.contacts(&[2, 2], &[0.0; 10], &[]).at_rows(&[2, 0]), "0");
    solve(good.friction_index(&[-1, i32::MAX, -1, -1]), "2147483647");
    solve(good.friction_index(&[-1, i32::MIN, -1, -1]), "-2147483648");
    solve(good.friction_index(&[1, 0, -1, -1]), "another friction row");
    solve(good.lower(&[NAN, 0.0, 0.0, 0.0]), "NaN");
    solve(good.upper(&[-INF, 0.0, 0.0, 0.0]), "lo[0] = 0 is above hi[0] = -inf");
}

#[test]
fn options() {
    let a = Operator::dense(1, &[1.0]).unwrap();
    let problem = Problem::new(&a, &[-1.0]);
    let mut solver = Solver::with_method("psor").unwrap();
    for tol in [-1.0, INF, -INF, NAN] {
        solver.options.tol = tol;
        refused(solver.solve(&problem, &mut [0.0]).map(|_| ()), "tol");
    }
    solver.options.tol = 1e-8;
    solver.options.time_limit = Some(Duration::MAX);
    solver.options.max_iterations = Some(0);
    let _ = solver.solve(&problem, &mut [0.0]).unwrap();
    refused(solver.solve(&problem, &mut [INF]).map(|_| ()), "x[0] = inf");
    refused(solver.solve(&problem, &mut []).map(|_| ()), "x has 0 numbers, not 1");
    refused(solver.set("omega", NAN), "omega");
    refused(solver.set("", 1.0), "''");
    refused(solver.set("om\0ega", 1.0), "zero byte");
    refused(solver.set_text("omega", ""), "omega");
    refused(solver.set_text("omega", "1\0"), "zero byte");
    refused(Solver::with_method(""), "''");
    refused(Solver::with_method(&"x".repeat(1_000_000)), "there is no method");
    refused(Solver::with_method("⊥"), "⊥");
    refused(problem.judge(&[]), "x has 0 numbers, not 1");
    assert!(problem.judge(&[NAN]).unwrap().residual.is_infinite());
    assert!(!problem.certificate_holds(&[INF]).unwrap_or(false));
    assert!(!problem.certificate_holds(&[NAN]).unwrap_or(false));
}

#[test]
fn programs() {
    let p = Operator::dense(2, &[1.0, 0.0, 0.0, 1.0]).unwrap();
    let good = Qp::new(2).quadratic(&p);
    refused(QpSolver::new(&Qp::new(HUGE)), "above 2147483647");
    refused(QpSolver::new(&good.lower(&[1.0])), "lower has 1 numbers, not 0");
    refused(QpSolver::new(&good.lower_bound(&[NAN, 0.0])), "NaN");
    refused(QpSolver::with_method("kkt:nope", &good), "nope");
    refused(QpSolver::with_method("", &good), "\"\"");
    refused(QpSolver::with_method("ipm\0", &good), "zero byte");
    let lopsided = Operator::dense(2, &[1.0, 2.0, 3.0, 1.0]).unwrap();
    refused(QpSolver::new(&Qp::new(2).quadratic(&lopsided)), "not symmetric");
    refused(QpSolver::new(&Qp::new(2).rows(&Rows::dense(1, 2, &[NAN, 0.0]).unwrap())), "nan");
    refused(Rows::dense(HUGE, HUGE, &[]), "too many");
    refused(Rows::csr(2, &[0, HUGE], &[0], &[1.0]), "start ends with 18446744073709551615");
    let none = Rows::dense(0, HUGE, &[]).unwrap();
    refused(QpSolver::new(&Qp::new(HUGE).rows(&none)), "above 2147483647");
    let back = Rows::csr(2, &[0, 2, 1], &[0], &[1.0]).unwrap();
    refused(QpSolver::new(&Qp::new(2).rows(&back).upper(&[1.0; 2])), "");
    let mut solver = QpSolver::new(&good).unwrap();
    for tol in [-1.0, NAN, INF] {
        solver.options.tol = tol;
        refused(solver.solve(&mut [0.0; 2]).map(|_| ()), "tol");
    }
    refused(solver.start(&[NAN, 0.0], None, None), "nan");
    assert!(!good.judge(&[0.0; 2], &[], &[0.0; 2], NAN).unwrap().solves);
    for ending in [Ending::Other, Ending::Solved, Ending::NotConvex] {
        assert!(!good.certificate_holds(ending, &[0.0; 2]).unwrap_or(false));
    }
    let concave = Operator::dense(1, &[-1.0]).unwrap();
    let mut solver = QpSolver::new(&Qp::new(1).quadratic(&concave).linear(&[1.0])).unwrap();
    let outcome = solver.solve(&mut [0.0]).unwrap();
    assert!(outcome.ending == Ending::NotConvex && outcome.ray.map_or(false, |ray| ray.len() == 1));
}

/// A solver remembers what it derived from an operator; another one at the same place in memory is not that one.
#[test]
fn operators_that_come_and_go() {
    let mut solver = Solver::new().unwrap();
    for k in 1..200_usize {
        let n = 1 + k % 3;
        let mut values = vec![0.0; n * n];
        for i in 0..n {
            values[i * n + i] = k as f64;
        }
        let a = Operator::dense(n, &values).unwrap();
        let mut x = vec![0.0; n];
        assert!(solver.solve(&Problem::new(&a, &vec![-1.0; n]), &mut x).unwrap().solved());
        assert!(x.iter().all(|x| (x * k as f64 - 1.0).abs() < 1e-7), "{k}: {x:?}");
    }
}
