//! Wrong input is an error with the library's message, limits hold, and threads may share operators.

use perp::{Contacts, Ending, ErrorKind, Law, Operator, Problem, Qp, QpSolver, Rows, Solver};
use std::time::{Duration, Instant};

const NAN: f64 = f64::NAN;
const INF: f64 = f64::INFINITY;

fn fails<T>(result: perp::Result<T>, kind: ErrorKind, part: &str) {
    match result {
        Ok(_) => panic!("no error; expected: {part}"),
        Err(e) => {
            assert!(e.kind() == kind && e.to_string().contains(part), "{:?}: {e}; expected: {part}", e.kind())
        }
    }
}

fn two() -> Operator {
    Operator::dense(2, &[2.0, -1.0, -1.0, 2.0]).unwrap()
}

#[test]
fn wrong_operators() {
    fails(Operator::dense(2, &[1.0; 3]), ErrorKind::Argument, "a has 3 numbers, not 4");
    fails(Operator::dense(usize::MAX, &[]), ErrorKind::Argument, "n: ");
    fails(Operator::dense(1 << 31, &[]), ErrorKind::Argument, "is above 2147483647");
    fails(Operator::dense(1, &[NAN]), ErrorKind::Problem, "nan");
    fails(Operator::csr(2, &[], &[], &[]), ErrorKind::Argument, "start has 0 numbers, not 3");
    fails(Operator::csr(usize::MAX, &[0], &[], &[]), ErrorKind::Argument, "n: ");
    fails(
        Operator::csr(1, &[0, 2], &[0], &[1.0]),
        ErrorKind::Argument,
        "start ends with 2, but there are 1 entries",
    );
    fails(Operator::csr(1, &[0, 1], &[0], &[]), ErrorKind::Argument, "value has 0 numbers, not 1");
    fails(Operator::csr(2, &[0, 9, 1], &[0], &[1.0]), ErrorKind::Problem, "9 entries");
    fails(Operator::csr(1, &[1, 1], &[0], &[1.0]), ErrorKind::Problem, "starts at entry 1, not at 0");
    fails(Operator::csr(1, &[0, 1], &[7], &[1.0]), ErrorKind::Problem, "column 7 outside 0 .. 0");
    fails(Operator::csr(1, &[0, 1], &[usize::MAX], &[1.0]), ErrorKind::Argument, "an index");
    fails(Operator::csr(2, &[0, 2, 2], &[1, 0], &[1.0; 2]), ErrorKind::Problem, "must ascend");
    fails(Operator::csc(2, &[0, 1, 2], &[0, 5], &[1.0; 2]), ErrorKind::Problem, "row 5 outside 0 .. 1");
    let mut a = two();
    fails(a.set_values(&[1.0]), ErrorKind::Argument, "value has 1 numbers, not 4");
    fails(a.apply(&[1.0], &mut [0.0; 2]), ErrorKind::Argument, "x has 1 numbers, not 2");
    fails(a.bias(&[], None, &mut [0.0; 2]), ErrorKind::Argument, "the operator has no contacts");
    fails(a.push(&[0.0; 2], &mut []), ErrorKind::Argument, "the operator has no contacts");
}

#[test]
fn wrong_contacts() {
    let (mass, body) = ([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], [[0, -1]]);
    let row = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0];
    let good = Contacts::in_plane(&body, &row, &mass);
    let mut operator = Operator::contacts(&good).unwrap();
    let bad = |contacts: Contacts<'_>, part: &str| {
        let kind = if part.contains("contact 0") { ErrorKind::Problem } else { ErrorKind::Argument };
        fails(Operator::contacts(&contacts), kind, part);
    };
    bad(Contacts::in_plane(&[[0, 3]], &row, &mass), "contact 0: body 3 is not in -1 .. 0");
    bad(Contacts::in_plane(&[[0, 0]], &row, &mass), "contact 0: both its bodies are 0");
    bad(Contacts::in_plane(&body, &row[1..], &mass), "jacobian has 5 numbers, not 0");
    bad(Contacts::in_plane(&body, &row, &mass[1..]), "inverse_mass has 8 numbers, not 0");
    bad(good.together(2), "1 contacts of 2 rows, but jacobian has 1 rows");
    bad(good.together(0), "1 contacts of 0 rows");
    bad(good.compliance(&[]), "compliance has 0 numbers, not 1");
    fails(Operator::contacts(&good.cfm(NAN)), ErrorKind::Problem, "nan");
    fails(operator.bias(&[0.0], None, &mut [0.0]), ErrorKind::Argument, "v has 1 numbers, not 3");
    fails(two().replace_contacts(&good), ErrorKind::Argument, "contact");
    let wrong = [0.0, NAN, 0.0, 0.0, 0.0, 0.0];
    fails(operator.replace_contacts(&Contacts::in_plane(&body, &wrong, &mass)), ErrorKind::Problem, "nan");
    fails(operator.push(&[], &mut [0.0; 3]), ErrorKind::Argument, "the operator has no contacts");
    operator.replace_contacts(&good).unwrap();
    operator.push(&[1.0], &mut [0.0; 3]).unwrap();
}

#[test]
fn wrong_problems() {
    let a = two();
    let mut solver = Solver::new().unwrap();
    let b = [-1.0, 0.8];
    let good = Problem::new(&a, &b);
    let mut solve = |problem: Problem<'_>, kind, part: &str| {
        let mut x = [3.0, 4.0];
        fails(solver.solve(&problem, &mut x), kind, part);
        assert_eq!(x, [3.0, 4.0], "x is unchanged after an error");
        fails(problem.judge(&x), kind, part);
        fails(problem.certificate_holds(&x), kind, part);
    };
    solve(Problem::new(&a, &[1.0]), ErrorKind::Argument, "b has 1 numbers, not 2");
    solve(Problem::new(&a, &[0.0, NAN]), ErrorKind::Problem, "b[1] = nan is not finite");
    solve(good.lower(&[0.0]), ErrorKind::Argument, "lower has 1 numbers, not 2");
    solve(good.upper(&[]), ErrorKind::Argument, "upper has 0 numbers, not 2");
    solve(good.lower(&[2.0, 0.0]).upper(&[1.0, 1.0]), ErrorKind::Problem, "lo[0] = 2 is above hi[0] = 1");
    solve(good.lower(&[INF, 0.0]), ErrorKind::Problem, "row 0 has the empty box");
    solve(good.friction_index(&[-1, 5]), ErrorKind::Problem, "findex[1] = 5 is out of range");
    solve(good.friction_index(&[-1, 1]), ErrorKind::Problem, "points at its own row");
    solve(good.friction_index(&[0]), ErrorKind::Argument, "friction_index has 1 numbers, not 2");
    solve(good.cones(&[0.5]), ErrorKind::Problem, "1 cones take 3 rows each, but A has 2 rows");
    solve(good.cones(&[0.5]).at_rows(&[0, 3]), ErrorKind::Argument, "at_rows has 2 numbers, not 1");
    solve(good.contacts(&[2], &[0.5], &[]), ErrorKind::Argument, "mu has 1 numbers, not 5");
    solve(good.contacts(&[9], &[0.5; 5], &[]), ErrorKind::Argument, "dim: 9");
    solve(good.contacts(&[2], &[0.5; 5], &[Law::Discs]), ErrorKind::Problem, "has no");
    solve(
        good.contacts(&[2], &[0.5, 0.0, 0.0, 0.0, 0.0], &[Law::Discs; 2]),
        ErrorKind::Argument,
        "law has 2",
    );
    solve(good.contacts(&[2], &[-1.0, 0.0, 0.0, 0.0, 0.0], &[]), ErrorKind::Problem, "mu[0][0] = -1");
    fails(solver.solve(&good, &mut [0.0]), ErrorKind::Argument, "x has 1 numbers, not 2");
    fails(solver.solve(&good, &mut [NAN, 0.0]), ErrorKind::Argument, "x[0] = nan");
    solver.options.tol = NAN;
    fails(solver.solve(&good, &mut [0.0; 2]), ErrorKind::Argument, "tol");
}

#[test]
fn wrong_parameters() {
    fails(Solver::with_method("newtom"), ErrorKind::Argument, "newtom");
    fails(Solver::with_method("a\0b"), ErrorKind::Argument, "zero byte");
    let mut solver = Solver::with_method("psor").unwrap();
    fails(solver.set("omega", 7.0), ErrorKind::Parameter, "omega");
    fails(solver.set("omga", 1.0), ErrorKind::Parameter, "omga");
    fails(solver.set_text("omega", "wide"), ErrorKind::Parameter, "omega");
    fails(solver.get("omga"), ErrorKind::Parameter, "omga");
    solver.set_text("omega", "1.25").unwrap();
    assert_eq!(solver.get("omega").unwrap(), 1.25);
    let cone = Operator::dense(3, &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]).unwrap();
    let mut lemke = Solver::with_method("lemke").unwrap();
    let refused =
        lemke.solve(&Problem::new(&cone, &[-1.0, 0.0, 0.0]).cones(&[0.5]), &mut [0.0; 3]).map(|_| ());
    fails(refused, ErrorKind::Unsupported, "lemke");
}

#[test]
fn wrong_programs() {
    let p = two();
    let g = Rows::dense(1, 2, &[1.0, 1.0]).unwrap();
    let good = Qp::new(2).quadratic(&p).rows(&g).upper(&[1.0]);
    fails(QpSolver::new(&Qp::new(3).quadratic(&p)), ErrorKind::Argument, "quadratic has 2 rows, not 3");
    fails(QpSolver::new(&Qp::new(3).rows(&g)), ErrorKind::Argument, "rows has 2 columns, not 3");
    fails(QpSolver::new(&good.linear(&[1.0])), ErrorKind::Argument, "linear has 1 numbers, not 2");
    fails(QpSolver::new(&good.linear(&[1.0, NAN])), ErrorKind::Problem, "nan");
    fails(QpSolver::new(&good.lower(&[2.0])), ErrorKind::Problem, "l[0]");
    fails(QpSolver::new(&good.lower_bound(&[0.0])), ErrorKind::Argument, "lower_bound has 1 numbers, not 2");
    fails(QpSolver::with_method("simplex", &good), ErrorKind::Parameter, "simplex");
    fails(Rows::dense(2, 2, &[1.0]), ErrorKind::Argument, "value has 1 numbers, not 4");
    fails(Rows::dense(usize::MAX, 2, &[]), ErrorKind::Argument, "too many");
    fails(Rows::csr(2, &[], &[], &[]), ErrorKind::Argument, "start is empty");
    let out = Rows::csr(2, &[0, 1], &[7], &[1.0]).unwrap();
    fails(QpSolver::new(&Qp::new(2).rows(&out).upper(&[1.0])), ErrorKind::Problem, "column 7");
    let mut solver = QpSolver::new(&good).unwrap();
    fails(solver.set_linear(&[NAN, 0.0]), ErrorKind::Problem, "nan");
    fails(solver.set_rows(Some(&[1.0, 2.0]), None), ErrorKind::Argument, "l has 2 numbers, not 1");
    fails(solver.set_bounds(Some(&[1.0; 2]), Some(&[0.0; 2])), ErrorKind::Problem, "lb[0]");
    fails(solver.start(&[0.0], None, None), ErrorKind::Argument, "x has 1 numbers, not 2");
    fails(solver.solve(&mut [0.0]), ErrorKind::Argument, "x has 1 numbers, not 2");
    fails(good.judge(&[0.0; 2], &[], &[0.0; 2], 1e-8), ErrorKind::Argument, "z has 0 numbers, not 1");
    fails(good.certificate_holds(Ending::Infeasible, &[]), ErrorKind::Argument, "ray has 0 numbers, not 1");
    fails(good.certificate_holds(Ending::Solved, &[0.0; 2]), ErrorKind::Argument, "");
    assert!(solver.solve(&mut [0.0; 2]).unwrap().solved());
}

/// A chain whose condition number is about n^2, so that sweeps take long.
fn chain(n: usize) -> (Operator, Vec<f64>) {
    let mut a = vec![0.0; n * n];
    for i in 0..n {
        a[i * n + i] = 2.0;
        if i > 0 {
            a[i * n + i - 1] = -1.0;
            a[(i - 1) * n + i] = -1.0;
        }
    }
    (Operator::dense(n, &a).unwrap(), vec![-1.0; n])
}

#[test]
fn limits() {
    let (a, b) = chain(300);
    let problem = Problem::new(&a, &b);
    let mut solver = Solver::with_method("pgs").unwrap();
    solver.options.tol = 1e-12;
    solver.options.max_iterations = Some(3);
    let mut x = vec![0.0; 300];
    let outcome = solver.solve(&problem, &mut x).unwrap();
    assert!(outcome.ending == Ending::IterationLimit && outcome.iterations == 3 && outcome.residual > 0.0);
    assert_eq!(outcome.ending.to_string(), "iteration-limit");
    solver.options.max_iterations = Some(u32::MAX);
    for limit in [Duration::ZERO, Duration::from_millis(20)] {
        solver.options.time_limit = Some(limit);
        x.fill(0.0);
        let begin = Instant::now();
        let outcome = solver.solve(&problem, &mut x).unwrap();
        assert_eq!(outcome.ending, Ending::TimeLimit);
        assert!(begin.elapsed() < Duration::from_secs(20));
    }
}

#[test]
fn observers() {
    let (a, b) = chain(100);
    let problem = Problem::new(&a, &b);
    let mut solver = Solver::with_method("pgs").unwrap();
    let (mut seen, mut x) = (Vec::new(), vec![0.0; 100]);
    let outcome = solver
        .solve_observed(&problem, &mut x, |progress| {
            seen.push(progress.residual);
            seen.len() < 4
        })
        .unwrap();
    assert_eq!(outcome.ending, Ending::Stopped);
    assert_eq!(seen.len(), 4);
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _ = solver.solve_observed(&problem, &mut x, |_| panic!("from the observer"));
    }));
    assert_eq!(caught.unwrap_err().downcast_ref::<&str>(), Some(&"from the observer"));
    assert!(solver.solve(&problem, &mut x).is_ok(), "the solver works after a panic");
}

#[test]
fn threads_share_an_operator() {
    fn sendable<T: Send + Sync>() {}
    sendable::<Operator>();
    sendable::<Solver>();
    sendable::<QpSolver>();
    sendable::<Problem<'_>>();
    sendable::<perp::Error>();
    let (a, b) = chain(80);
    let solve = |solver: &mut Solver| {
        let mut x = vec![0.0; 80];
        assert!(solver.solve(&Problem::new(&a, &b), &mut x).unwrap().solved());
        x
    };
    let alone = solve(&mut Solver::new().unwrap());
    std::thread::scope(|scope| {
        let made_here: Vec<Solver> = (0..4).map(|_| Solver::new().unwrap()).collect();
        let threads: Vec<_> = made_here
            .into_iter()
            .map(|mut solver| scope.spawn(move || (0..20).map(|_| solve(&mut solver)).last()))
            .collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap().unwrap(), alone);
        }
    });
}

#[test]
fn no_rows() {
    let a = Operator::dense(0, &[]).unwrap();
    let mut solver = Solver::new().unwrap();
    assert!(solver.solve(&Problem::new(&a, &[]), &mut []).unwrap().solved());
    assert!(Operator::csr(0, &[0], &[], &[]).is_ok());
    assert!(Operator::contacts(&Contacts::in_space(&[], &[], &[])).is_ok());
    assert!(QpSolver::new(&Qp::new(0)).unwrap().solve(&mut []).unwrap().solved());
}

#[test]
fn names() {
    assert!(perp::version().starts_with(env!("CARGO_PKG_VERSION")));
    assert!(
        perp::methods().count() > 30
            && perp::methods().all(|(name, title)| !name.is_empty() && !title.is_empty())
    );
}
