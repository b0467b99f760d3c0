//! Random problems against an oracle that shares no code with the library: every row is tried free, at its lower
//! and at its upper bound, the linear system of each choice is solved by elimination, and what meets all
//! conditions is a solution.

use perp::{Contacts, Ending, Law, Operator, Problem, Qp, QpSolver, Rows, Solver};

/// Numbers by xorshift, from a seed that is fixed for each test.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
    fn sign(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }
    fn many(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.sign()).collect()
    }
    fn below(&mut self, n: usize) -> usize {
        (self.unit() * n as f64) as usize
    }
}

fn product(n: usize, a: &[f64], x: &[f64]) -> Vec<f64> {
    (0..n).map(|i| (0..n).map(|j| a[i * n + j] * x[j]).sum()).collect()
}

/// B Bᵀ + I / 2, plus a skew part if it is not to be symmetric: a P-matrix.
fn definite(random: &mut Random, n: usize, symmetric: bool) -> Vec<f64> {
    let b = random.many(n * n);
    let mut a = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            a[i * n + j] =
                (0..n).map(|k| b[i * n + k] * b[j * n + k]).sum::<f64>() + 0.5 * f64::from(u8::from(i == j));
        }
    }
    for i in 0..n {
        for j in 0..i {
            let skew = if symmetric { 0.0 } else { random.sign() };
            a[i * n + j] += skew;
            a[j * n + i] -= skew;
        }
    }
    a
}

/// Solves M x = r by elimination with the greatest pivot; None if M is singular.
fn eliminate(n: usize, m: &mut [f64], r: &mut [f64]) -> Option<Vec<f64>> {
    for k in 0..n {
        let p = (k..n).max_by(|&i, &j| m[i * n + k].abs().total_cmp(&m[j * n + k].abs()))?;
        if m[p * n + k].abs() < 1e-12 {
            return None;
        }
        for j in 0..n {
            m.swap(k * n + j, p * n + j);
        }
        r.swap(k, p);
        for i in k + 1..n {
            let f = m[i * n + k] / m[k * n + k];
            for j in k..n {
                m[i * n + j] -= f * m[k * n + j];
            }
            r[i] -= f * r[k];
        }
    }
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| m[i * n + j] * x[j]).sum();
        x[i] = (r[i] - known) / m[i * n + i];
    }
    Some(x)
}

struct Case {
    n: usize,
    a: Vec<f64>,
    b: Vec<f64>,
    lo: Vec<f64>,
    hi: Vec<f64>,
    findex: Vec<i32>,
}

impl Case {
    fn lcp(a: Vec<f64>, b: Vec<f64>) -> Case {
        let n = b.len();
        Case { n, a, b, lo: vec![0.0; n], hi: vec![f64::INFINITY; n], findex: vec![-1; n] }
    }

    fn y(&self, x: &[f64]) -> Vec<f64> {
        product(self.n, &self.a, x).iter().zip(&self.b).map(|(y, b)| y + b).collect()
    }

    fn bounds(&self, i: usize, x: &[f64]) -> (f64, f64) {
        let factor = usize::try_from(self.findex[i]).map_or(1.0, |j| x[j].abs());
        (self.lo[i] * factor, self.hi[i] * factor)
    }

    /// The natural residual.
    fn residual(&self, x: &[f64]) -> f64 {
        let y = self.y(x);
        let row = |i: usize| {
            let (lo, hi) = self.bounds(i, x);
            (x[i] - (x[i] - y[i]).max(lo).min(hi)).abs()
        };
        (0..self.n).map(row).fold(0.0, f64::max)
    }

    /// All solutions that some choice of free rows and bounds determines.
    fn solutions(&self) -> Vec<Vec<f64>> {
        let n = self.n;
        (0..3usize.pow(n as u32))
            .filter_map(|code| self.solution(code))
            .filter(|x| self.residual(x) < 1e-9)
            .collect()
    }

    fn solution(&self, mut code: usize) -> Option<Vec<f64>> {
        let n = self.n;
        let (mut m, mut r) = (self.a.clone(), self.b.iter().map(|b| -b).collect::<Vec<f64>>());
        for i in 0..n {
            let bound = [f64::NAN, self.lo[i], self.hi[i]][code % 3];
            if code % 3 > 0 {
                if bound.is_infinite() {
                    return None;
                }
                m[i * n..(i + 1) * n].fill(0.0);
                m[i * n + i] = 1.0;
                r[i] = bound;
                if let Ok(j) = usize::try_from(self.findex[i]) {
                    m[i * n + j] -= bound; // x_i = bound x_j, and x_j >= 0
                    r[i] = 0.0;
                }
            }
            code /= 3;
        }
        eliminate(n, &mut m, &mut r)
    }

    /// As compressed rows, without zeros.
    fn csr(&self) -> Operator {
        let (mut start, mut column, mut value) = (vec![0], Vec::new(), Vec::new());
        for i in 0..self.n {
            for j in (0..self.n).filter(|j| self.a[i * self.n + j] != 0.0) {
                column.push(j);
                value.push(self.a[i * self.n + j]);
            }
            start.push(column.len());
        }
        Operator::csr(self.n, &start, &column, &value).unwrap()
    }

    fn problem<'a>(&'a self, a: &'a Operator) -> Problem<'a> {
        Problem::new(a, &self.b).lower(&self.lo).upper(&self.hi).friction_index(&self.findex)
    }
}

fn near(a: &[f64], b: &[f64], tol: f64) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tol)
}

#[test]
fn unique_solutions() {
    let mut random = Random(11);
    let mut solvers: Vec<Solver> =
        ["auto", "lemke", "psor"].iter().map(|name| Solver::with_method(name).unwrap()).collect();
    for k in 0..300 {
        let n = 1 + k % 6;
        let a = definite(&mut random, n, k % 2 == 0);
        let b = random.many(n);
        let mut case = Case::lcp(a, b);
        if k % 3 > 0 {
            for i in 0..n {
                case.lo[i] = if random.unit() < 0.3 { f64::NEG_INFINITY } else { random.sign() };
                case.hi[i] =
                    if random.unit() < 0.3 { f64::INFINITY } else { case.lo[i].max(-1.0) + random.unit() };
            }
        }
        let known = case.solutions();
        assert!(
            !known.is_empty() && known.iter().all(|x| near(x, &known[0], 1e-7)),
            "the oracle, problem {k}"
        );
        let dense = Operator::dense(n, &case.a).unwrap();
        let sparse = case.csr();
        let (columns, starts): (Vec<usize>, Vec<usize>) =
            ((0..n * n).map(|e| e % n).collect(), (0..=n).map(|i| i * n).collect());
        let transposed: Vec<f64> = (0..n * n).map(|e| case.a[e % n * n + e / n]).collect();
        let by_columns = Operator::csc(n, &starts, &columns, &transposed).unwrap();
        for operator in [&dense, &sparse, &by_columns] {
            for solver in &mut solvers[..if k % 3 == 0 { 2 } else { 1 }] {
                solver.options.tol = 1e-10;
                let mut x = vec![0.0; n];
                let outcome = solver.solve(&case.problem(operator), &mut x).unwrap();
                assert!(outcome.solved() && near(&x, &known[0], 1e-6), "problem {k}: {outcome:?} {x:?}");
                assert!(near(outcome.y, &case.y(&x), 1e-9), "y of problem {k}");
                assert!(case.problem(operator).judge(&known[0]).unwrap().solves(1e-8));
            }
        }
        let mut x = known[0].clone(); // a warm start
        let outcome = solvers[2].solve(&case.problem(&dense), &mut x).unwrap();
        assert!(outcome.solved() && outcome.iterations <= 1, "warm, problem {k}: {outcome:?}");
    }
}

#[test]
fn any_matrix() {
    let mut random = Random(12);
    let mut solver = Solver::new().unwrap();
    let (mut solved, mut proven) = (0, 0);
    for k in 0..400 {
        let n = 1 + k % 5;
        let mut a = random.many(n * n);
        if k % 2 == 0 {
            a.iter_mut().for_each(|a| *a = (3.0 * *a).round()); // singular and degenerate ones
        }
        let b = (0..n).map(|_| (4.0 * random.sign()).round() - 0.5).collect();
        let case = Case::lcp(a, b);
        let operator = Operator::dense(n, &case.a).unwrap();
        let problem = case.problem(&operator);
        let mut x = vec![0.0; n];
        let outcome = solver.solve(&problem, &mut x).unwrap();
        if outcome.solved() {
            solved += 1;
            assert!(case.residual(&x) <= 1.001e-8 * outcome.scale, "problem {k}: {x:?}");
        }
        if let Some(u) = outcome.certificate() {
            proven += 1;
            let transposed: Vec<f64> = (0..n * n).map(|e| case.a[e % n * n + e / n]).collect();
            assert!(case.solutions().is_empty(), "problem {k} has a solution");
            assert!(u.iter().all(|&u| u >= 0.0) && product(n, &transposed, u).iter().all(|&g| g <= 1e-12));
            assert!(u.iter().zip(&case.b).map(|(u, b)| u * b).sum::<f64>() < 0.0);
            assert!(problem.certificate_holds(u).unwrap());
        }
        if matches!(outcome.ending, Ending::Infeasible | Ending::Unsolvable) {
            assert!(case.solutions().is_empty(), "problem {k} has a solution");
        }
        assert!(!problem.certificate_holds(&vec![0.0; n]).unwrap());
    }
    assert!(solved > 150 && proven > 50, "{solved} solved, {proven} proven");
}

/// Rows (n, t) or (n, t, o) with a friction index.
#[test]
fn friction_index() {
    let mut random = Random(13);
    let mut solver = Solver::new().unwrap();
    let mut solved = 0;
    for k in 0..200 {
        let (contacts, rows) = if k % 2 == 0 { (2, 2) } else { (1 + k % 2, 3) };
        let n = contacts * rows;
        let a = definite(&mut random, n, true);
        let b = random.many(n);
        let mut case = Case::lcp(a, b);
        for i in (0..n).filter(|i| i % rows > 0) {
            let mu = 0.2 + 0.6 * random.unit();
            (case.lo[i], case.hi[i], case.findex[i]) = (-mu, mu, (i - i % rows) as i32);
        }
        let operator = case.csr();
        let mut x = vec![0.0; n];
        let outcome = solver.solve(&case.problem(&operator), &mut x).unwrap();
        let known = case.solutions();
        if outcome.solved() {
            solved += 1;
            assert!(case.residual(&x) <= 1.001e-8 * outcome.scale, "problem {k}");
            assert!(known.iter().any(|known| near(known, &x, 1e-5)), "problem {k}: {x:?} {known:?}");
        }
    }
    assert!(solved >= 195, "{solved} of 200");
}

/// The conditions of Coulomb's law: x in the cone, y_n >= 0 complementary to x_n, and a tangential force that
/// holds or opposes the slip at its limit.
fn coulomb(mu: f64, x: &[f64], y: &[f64]) -> f64 {
    let (force, slip) = (x[1].hypot(x[2]), y[1].hypot(y[2]));
    let cone = (force - mu * x[0]).max(0.0).max(-x[0]);
    let normal = (-y[0]).max(0.0).max(x[0].min(y[0]).abs());
    let against = (mu * x[0] * slip + x[1] * y[1] + x[2] * y[2]).abs();
    cone.max(normal).max(against)
}

#[test]
fn cones() {
    let mut random = Random(14);
    let mut solver = Solver::new().unwrap();
    solver.options.tol = 1e-10;
    let mut solved = 0;
    for k in 0..200 {
        let contacts = 1 + k % 4;
        let n = 3 * contacts + 1;
        let case = Case::lcp(definite(&mut random, n, true), random.many(n));
        let operator = Operator::dense(n, &case.a).unwrap();
        let mu: Vec<f64> = (0..contacts).map(|_| random.unit()).collect();
        // the single row is the first or the last one
        let first: Vec<i32> = (0..contacts).map(|c| 3 * c as i32 + (k % 2) as i32).collect();
        let single = if k % 2 == 1 { 0 } else { n - 1 };
        let columns: Vec<f64> = mu.iter().flat_map(|&mu| [mu, mu, 0.0, 0.0, 0.0]).collect();
        let (dim, law) = (vec![3; contacts], vec![Law::Elliptic; contacts]);
        let problem = match k % 3 {
            0 => Problem::new(&operator, &case.b).contacts(&dim, &columns, &law),
            1 => Problem::new(&operator, &case.b).contacts(&dim, &columns, &[]),
            _ => Problem::new(&operator, &case.b).cones(&mu),
        };
        let mut x = vec![0.0; n];
        let outcome = solver.solve(&problem.at_rows(&first), &mut x).unwrap();
        if outcome.solved() {
            solved += 1;
            let y = case.y(&x);
            for c in 0..contacts {
                let at = first[c] as usize;
                let error = coulomb(mu[c], &x[at..at + 3], &y[at..at + 3]);
                assert!(error < 1e-7, "problem {k}, cone {c}: {error}");
            }
            assert!(x[single].min(y[single]).abs() < 1e-8, "problem {k}");
        }
    }
    assert!(solved >= 195, "{solved} of 200");
}

#[test]
fn contacts() {
    let mut random = Random(15);
    let mut solver = Solver::new().unwrap();
    solver.options.tol = 1e-10;
    let mut frame: Option<Operator> = None;
    for k in 0..100 {
        let (bodies, count, freedom) = (2 + k % 3, 1 + k % 4, if k % 2 == 0 { 6 } else { 3 });
        let together = 1 + k % 2;
        let rows = count * together;
        let body: Vec<[i32; 2]> = (0..count)
            .map(|_| [random.below(bodies) as i32, -1])
            .map(|[a, _]| [a, if a > 0 { a - 1 } else { -1 }])
            .collect();
        let jacobian = random.many(rows * 2 * freedom);
        let mass: Vec<f64> = (0..bodies).flat_map(|_| definite(&mut random, freedom, true)).collect();
        let data = if freedom == 6 {
            Contacts::in_space(&body, &jacobian, &mass)
        } else {
            Contacts::in_plane(&body, &jacobian, &mass)
        };
        let data = data.together(together).cfm(0.01);

        // J as a dense matrix, and A = J Minv J^T + 0.01 I
        let m = bodies * freedom;
        let mut j = vec![0.0; rows * m];
        for i in 0..rows {
            for side in 0..2 {
                if let Ok(b) = usize::try_from(body[i / together][side]) {
                    let from = (2 * i + side) * freedom;
                    j[i * m + b * freedom..i * m + (b + 1) * freedom]
                        .copy_from_slice(&jacobian[from..from + freedom]);
                }
            }
        }
        let pushed = |x: &[f64]| -> Vec<f64> {
            let f: Vec<f64> = (0..m).map(|c| (0..rows).map(|i| j[i * m + c] * x[i]).sum()).collect();
            (0..bodies)
                .flat_map(|b| {
                    let at = b * freedom;
                    product(
                        freedom,
                        &mass[b * freedom * freedom..(b + 1) * freedom * freedom],
                        &f[at..at + freedom],
                    )
                })
                .collect()
        };
        let mut a = vec![0.0; rows * rows];
        for c in 0..rows {
            let mut unit = vec![0.0; rows];
            unit[c] = 1.0;
            let column = pushed(&unit);
            for i in 0..rows {
                a[i * rows + c] = (0..m).map(|k| j[i * m + k] * column[k]).sum::<f64>()
                    + 0.01 * f64::from(u8::from(i == c));
            }
        }
        let v = random.many(m);
        let case = Case::lcp(a, (0..rows).map(|i| (0..m).map(|k| j[i * m + k] * v[k]).sum()).collect());

        match &mut frame {
            Some(operator) => operator.replace_contacts(&data).unwrap(),
            None => frame = Some(Operator::contacts(&data).unwrap()),
        }
        let operator = frame.as_ref().unwrap();
        let (mut b, mut x, mut after) = (vec![0.0; rows], vec![0.0; rows], v.clone());
        operator.bias(&v, None, &mut b).unwrap();
        assert!(near(&b, &case.b, 1e-12), "b of problem {k}");
        let outcome = solver.solve(&Problem::new(operator, &b), &mut x).unwrap();
        assert!(outcome.solved(), "problem {k}: {outcome:?}");
        operator.push(&x, &mut after).unwrap();
        let expected: Vec<f64> = pushed(&x).iter().zip(&v).map(|(d, v)| d + v).collect();
        assert!(case.residual(&x) < 1e-8 && near(&after, &expected, 1e-10), "problem {k}");
    }
}

/// A program as a complementarity problem of x and of the multipliers of its rows, which the oracle solves.
#[test]
fn quadratic_programs() {
    let mut random = Random(16);
    let (mut solved, mut infeasible) = (0, 0);
    for k in 0..150 {
        let (n, m) = (1 + k % 3, k % 3);
        let p = definite(&mut random, n, true);
        let (q, g) = (random.many(n), random.many(m * n));
        let lb: Vec<f64> =
            (0..n).map(|_| if random.unit() < 0.3 { f64::NEG_INFINITY } else { -random.unit() }).collect();
        let ub: Vec<f64> = lb.iter().map(|lb| lb.max(-1.0) + 1.5 * random.unit()).collect();
        let l: Vec<f64> = random.many(m).iter().map(|l| 1.5 * l).collect();
        // min over x in the box, max over z >= 0 of the Lagrangian with G x >= l
        let size = n + m;
        let mut a = vec![0.0; size * size];
        for i in 0..n {
            a[i * size..i * size + n].copy_from_slice(&p[i * n..(i + 1) * n]);
            for r in 0..m {
                a[i * size + n + r] = -g[r * n + i];
                a[(n + r) * size + i] = g[r * n + i];
            }
        }
        let mut case = Case::lcp(a, q.iter().copied().chain(l.iter().map(|l| -l)).collect());
        case.lo[..n].copy_from_slice(&lb);
        case.hi[..n].copy_from_slice(&ub);
        let known = case.solutions();

        let operator = Operator::dense(n, &p).unwrap();
        let starts: Vec<usize> = (0..=m).map(|r| r * n).collect();
        let columns: Vec<usize> = (0..m * n).map(|e| e % n).collect();
        let rows =
            if k % 2 == 0 { Rows::dense(m, n, &g) } else { Rows::csr(n, &starts, &columns, &g) }.unwrap();
        let qp = Qp::new(n)
            .quadratic(&operator)
            .linear(&q)
            .rows(&rows)
            .lower(&l)
            .lower_bound(&lb)
            .upper_bound(&ub);
        let mut solver = QpSolver::new(&qp).unwrap();
        let mut x = vec![0.0; n];
        let outcome = solver.solve(&mut x).unwrap();
        if outcome.solved() {
            solved += 1;
            assert!(known.iter().any(|known| near(&x, &known[..n], 1e-5)), "program {k}: {x:?} {known:?}");
            assert!(qp.judge(&x, outcome.z, outcome.w, 1e-8).unwrap().solves);
            assert!(outcome.z.iter().all(|&z| z <= 1e-9), "z at a lower bound is negative");
        } else {
            infeasible += 1;
            assert!(
                known.is_empty() && outcome.ending == Ending::Infeasible,
                "program {k}: {outcome:?} {known:?}"
            );
            assert!(qp.certificate_holds(Ending::Infeasible, outcome.ray.unwrap()).unwrap());
        }
        let first = (outcome.solved(), outcome.objective);
        if first.0 {
            solver.set_linear(&vec![0.0; n]).unwrap();
            assert!(solver.solve(&mut x).unwrap().solved());
            solver.set_linear(&q).unwrap();
            let again = solver.solve(&mut x).unwrap();
            assert!(again.solved() && (again.objective - first.1).abs() < 1e-6);
        }
    }
    assert!(solved > 80 && infeasible > 10, "{solved} solved, {infeasible} infeasible");
}

#[test]
fn unbounded_program() {
    let qp = Qp::new(2).linear(&[1.0, 0.0]);
    let mut solver = QpSolver::new(&qp).unwrap();
    let outcome = solver.solve(&mut [0.0; 2]).unwrap();
    assert_eq!(outcome.ending, Ending::Unbounded);
    assert!(qp.certificate_holds(Ending::Unbounded, outcome.ray.unwrap()).unwrap());
}
