//! A stack of boxes falls, in the plane: one solver and one operator for all frames, the forces of the last frame
//! as the start, and a time limit for each.
//!
//!     cargo run --release --example frames
//!
//! A box has the velocities (vx, vy, angular). Each corner that touches is a contact of two rows, normal and
//! tangent, with Coulomb friction as a friction index: -mu x_n <= x_t <= mu x_n.

use perp::{Contacts, Operator, Problem, Solver};
use std::time::Duration;

const BOXES: usize = 10;
const HALF: f64 = 0.5;
const MU: f64 = 0.6;
const STEP: f64 = 1.0 / 60.0;

fn main() -> perp::Result<()> {
    // position (x, y, angle) of each box, a little apart and shifted
    let mut position: Vec<[f64; 3]> =
        (0..BOXES).map(|k| [0.05 * (k % 3) as f64, HALF + 1.1 * k as f64 + 0.1, 0.0]).collect();
    let mut v = vec![0.0; 3 * BOXES];
    let (mass, inertia) = (1.0, (2.0 * HALF).powi(2) / 6.0);
    let inverse_mass: Vec<f64> = (0..BOXES)
        .flat_map(|_| [1.0 / mass, 0.0, 0.0, 0.0, 1.0 / mass, 0.0, 0.0, 0.0, 1.0 / inertia])
        .collect();

    let mut solver = Solver::new()?;
    solver.options.tol = 1e-6;
    solver.options.time_limit = Some(Duration::from_millis(4));
    let mut operator = Operator::contacts(&Contacts::in_plane(&[], &[], &inverse_mass))?;
    let mut last: Vec<([i32; 2], usize, f64, f64)> = Vec::new(); // bodies, corner, impulses
    let (mut solved, mut frames, mut most) = (0, 0, 0);
    for frame in 0..240 {
        for k in 0..BOXES {
            v[3 * k + 1] -= 9.81 * STEP;
        }
        // each lower corner of a box against the top of the one below, or the floor
        let (mut body, mut corners, mut jacobian, mut c) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for k in 0..BOXES {
            let below = k.checked_sub(1).map(|j| position[j]);
            for (corner, side) in [-HALF, HALF].into_iter().enumerate() {
                let [x, y, angle] = position[k];
                let arm = [side * angle.cos() + HALF * angle.sin(), side * angle.sin() - HALF * angle.cos()];
                let point = [x + arm[0], y + arm[1]];
                let top = below
                    .map_or(0.0, |[bx, by, angle]| by + (point[0] - bx) * angle.sin() + HALF * angle.cos());
                let gap = point[1] - top;
                if gap < 0.05 {
                    let other = below.map_or([0.0, 0.0], |[bx, by, _]| [point[0] - bx, point[1] - by]);
                    body.push([k as i32, k as i32 - 1]);
                    corners.push(corner);
                    jacobian.extend([0.0, 1.0, arm[0], 0.0, -1.0, -other[0]]);
                    jacobian.extend([1.0, 0.0, -arm[1], -1.0, 0.0, other[1]]);
                    // a gap may close within the step; a fifth of an overlap is removed
                    c.extend([if gap > 0.0 { gap / STEP } else { 0.2 * gap / STEP }, 0.0]);
                }
            }
        }
        let rows = c.len();
        operator
            .replace_contacts(&Contacts::in_plane(&body, &jacobian, &inverse_mass).together(2).cfm(1e-8))?;
        let mut b = vec![0.0; rows];
        operator.bias(&v, Some(&c), &mut b)?;
        let lower: Vec<f64> = (0..rows).map(|i| if i % 2 == 0 { 0.0 } else { -MU }).collect();
        let upper: Vec<f64> = (0..rows).map(|i| if i % 2 == 0 { f64::INFINITY } else { MU }).collect();
        let findex: Vec<i32> = (0..rows as i32).map(|i| if i % 2 == 0 { -1 } else { i - 1 }).collect();
        // warm start: the impulses of the same corner in the last frame
        let mut x = vec![0.0; rows];
        for (c, pair) in x.chunks_exact_mut(2).enumerate() {
            if let Some(old) = last.iter().find(|old| old.0 == body[c] && old.1 == corners[c]) {
                pair.copy_from_slice(&[old.2, old.3]);
            }
        }
        let problem = Problem::new(&operator, &b).lower(&lower).upper(&upper).friction_index(&findex);
        let outcome = solver.solve(&problem, &mut x)?;
        frames += 1;
        solved += usize::from(outcome.solved());
        most = most.max(outcome.iterations);
        if frame % 40 == 0 {
            println!(
                "frame {frame:3}: {:2} contacts, {} by {}, residual {:.1e}",
                rows / 2,
                outcome.ending,
                outcome.method,
                outcome.residual
            );
        }
        operator.push(&x, &mut v)?;
        last =
            x.chunks_exact(2).enumerate().map(|(c, pair)| (body[c], corners[c], pair[0], pair[1])).collect();
        for (k, at) in position.iter_mut().enumerate() {
            for (d, coordinate) in at.iter_mut().enumerate() {
                *coordinate += STEP * v[3 * k + d];
            }
        }
    }
    let top = position[BOXES - 1];
    println!(
        "{solved} of {frames} frames solved, at most {most} iterations; the top box is at height {:.2}",
        top[1]
    );
    Ok(())
}
