//! Complementarity problems: A, b and the set K.

use crate::error::{argument, check, empty_message, expect_length, int, optional_length, pointer, Result};
use crate::operator::Operator;
use crate::sys;

/// How several axes of friction share the normal force of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Law {
    /// One cone over all axes.
    Elliptic = sys::PERP_FRICTION_ELLIPTIC,
    /// A disc for the slides, one for the torsion and one for the rolls.
    Discs = sys::PERP_FRICTION_DISCS,
}

/// Find x in K with y = A x + b and -y in the normal cone of K at x. A new problem is the LCP, x >= 0.
///
/// Its arrays are borrowed. Their lengths and numbers are checked by the calls that use the problem.
///
/// ```
/// use perp::{Operator, Problem};
/// let a = Operator::dense(2, &[2.0, -1.0, -1.0, 2.0])?;
/// let boxed = Problem::new(&a, &[-1.0, 0.8]).lower(&[0.0, 0.0]).upper(&[0.2, 1.0]);
/// assert!(boxed.judge(&[0.2, 0.0])?.residual < 1e-12);
/// assert!(boxed.judge(&[0.5, 0.0])?.residual > 0.1);
/// # Ok::<(), perp::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    a: &'a Operator,
    b: &'a [f64],
    lower: Option<&'a [f64]>,
    upper: Option<&'a [f64]>,
    friction_index: Option<&'a [i32]>,
    mu: Option<&'a [f64]>,
    first_rows: Option<&'a [i32]>,
    dim: Option<&'a [i32]>,
    law: Option<&'a [Law]>,
}

/// The natural residual of an x, and the scale it is compared with: x is a solution to the tolerance tol if
/// `residual <= tol * scale`.
#[derive(Clone, Copy, Debug)]
pub struct Verdict {
    /// max_i abs(x_i - P_K(x - y)_i); infinity if x is not finite.
    pub residual: f64,
    /// max abs(b_i), or 1 if b = 0.
    pub scale: f64,
}

impl Verdict {
    /// True if x solves the problem to the tolerance.
    pub fn solves(&self, tol: f64) -> bool {
        unsafe { sys::perp_residual_solved(self.residual, tol, self.scale) }
    }
}

impl<'a> Problem<'a> {
    /// The LCP: 0 <= x ⊥ A x + b >= 0.
    pub fn new(a: &'a Operator, b: &'a [f64]) -> Problem<'a> {
        Problem {
            a,
            b,
            lower: None,
            upper: None,
            friction_index: None,
            mu: None,
            first_rows: None,
            dim: None,
            law: None,
        }
    }

    /// Lower bounds; 0 if they are not given. `f64::NEG_INFINITY`: none in this row.
    #[must_use]
    pub fn lower(self, lo: &'a [f64]) -> Problem<'a> {
        Problem { lower: Some(lo), ..self }
    }

    /// Upper bounds; infinite if they are not given.
    #[must_use]
    pub fn upper(self, hi: &'a [f64]) -> Problem<'a> {
        Problem { upper: Some(hi), ..self }
    }

    /// The friction index: a row i with `findex[i] = j >= 0` has the bounds lo_i abs(x_j) and hi_i abs(x_j);
    /// -1: none.
    #[must_use]
    pub fn friction_index(self, findex: &'a [i32]) -> Problem<'a> {
        Problem { friction_index: Some(findex), ..self }
    }

    /// Coulomb cones of three rows (normal and two tangents) in the first rows, one coefficient each.
    #[must_use]
    pub fn cones(self, mu: &'a [f64]) -> Problem<'a> {
        Problem { mu: Some(mu), ..self }
    }

    /// Contacts of `dim[c]` = 1 to 6 rows, with five coefficients each: two slides, torsion, two rolls, and 0 for
    /// axes that a contact does not have. `law` may be empty: all elliptic.
    #[must_use]
    pub fn contacts(self, dim: &'a [i32], mu: &'a [f64], law: &'a [Law]) -> Problem<'a> {
        Problem { dim: Some(dim), mu: Some(mu), law: if law.is_empty() { None } else { Some(law) }, ..self }
    }

    /// The first row of each cone or contact, ascending, if they are not the first rows.
    #[must_use]
    pub fn at_rows(self, first: &'a [i32]) -> Problem<'a> {
        Problem { first_rows: Some(first), ..self }
    }

    /// The number of unknowns.
    pub fn size(&self) -> usize {
        self.a.size()
    }

    /// Checks lengths, NaN and infinity in b, lo above hi, friction indices and mu, as every solve does.
    pub fn validate(&self) -> Result<()> {
        let raw = self.raw()?;
        let mut why = empty_message();
        // SAFETY: raw() has compared the lengths.
        let code = unsafe { sys::perp_problem_validate(&raw, &mut why) };
        check(code, &why)
    }

    /// Judges any x, whoever computed it.
    pub fn judge(&self, x: &[f64]) -> Result<Verdict> {
        expect_length("x", x.len(), self.size())?;
        let raw = self.raw()?;
        let mut why = empty_message();
        let mut verdict = Verdict { residual: f64::INFINITY, scale: 1.0 };
        // SAFETY: raw() has compared the lengths, and the library checks the problem first.
        let code = unsafe {
            sys::perp_problem_judge(&raw, x.as_ptr(), &mut verdict.residual, &mut verdict.scale, &mut why)
        };
        check(code, &why).map(|()| verdict)
    }

    /// True if u proves, in exact arithmetic on the numbers of the problem, that no solution exists. For the LCP:
    /// u >= 0, Aᵀu <= 0 and bᵀu < 0.
    pub fn certificate_holds(&self, u: &[f64]) -> Result<bool> {
        expect_length("u", u.len(), self.size())?;
        let raw = self.raw()?;
        let mut why = empty_message();
        let mut holds = false;
        // SAFETY: raw() has compared the lengths.
        let code = unsafe { sys::perp_certificate_judge(&raw, u.as_ptr(), &mut holds, &mut why) };
        check(code, &why).map(|()| holds)
    }

    /// The problem as the library takes it, with the lengths compared: it cannot see them.
    pub(crate) fn raw(&self) -> Result<sys::perp_problem> {
        let n = self.size();
        expect_length("b", self.b.len(), n)?;
        optional_length("lower", self.lower, n)?;
        optional_length("upper", self.upper, n)?;
        if let Some(findex) = self.friction_index {
            expect_length("friction_index", findex.len(), n)?;
        }
        let numbers = self.mu.map_or(0, <[f64]>::len);
        let cones = self.dim.map_or(numbers, <[i32]>::len);
        if self.dim.is_some() {
            expect_length("mu", numbers, 5 * cones)?;
        }
        if let Some(first) = self.first_rows {
            expect_length("at_rows", first.len(), cones)?;
        }
        if let Some(law) = self.law {
            expect_length("law", law.len(), cones)?;
        }
        if let Some(dim) = self.dim.and_then(|dim| dim.iter().find(|&&d| !(1..=6).contains(&d))) {
            return Err(argument(format!("dim: {dim}, but a contact has 1 to 6 rows")));
        }
        Ok(sys::perp_problem {
            A: self.a.raw(),
            b: self.b.as_ptr(),
            K: sys::perp_set {
                n: int("n", n)?,
                lo: pointer(self.lower),
                hi: pointer(self.upper),
                findex: pointer(self.friction_index),
                mu: if cones == 0 { std::ptr::null() } else { pointer(self.mu) },
                cones: int("cones", cones)?,
                cone: pointer(self.first_rows),
                dim: pointer(self.dim),
                law: pointer(self.law).cast(),
                reserved: [std::ptr::null()],
            },
        })
    }
}
