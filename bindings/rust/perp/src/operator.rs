//! The matrix A.

use crate::error::{argument, check, empty_message, expect_length, int, optional_length, pointer, Result};
use crate::sys;
use std::mem::MaybeUninit;
use std::os::raw::c_int;
use std::ptr;

/// The matrix A of a problem: dense, compressed rows or columns, or contacts.
///
/// Solvers and threads may share it: a solve only reads it.
pub struct Operator {
    raw: *mut sys::perp_operator,
    /// The numbers that the library borrows: a vector's memory stays where it is when the operator moves.
    values: Vec<f64>,
    _start: Vec<i64>,
    _index: Vec<c_int>,
    /// The number of velocities of a contact operator.
    velocities: Option<usize>,
}

// SAFETY: the library's objects belong to no thread; it has no thread-local state.
unsafe impl Send for Operator {}
// SAFETY: every function that takes `&self` passes a pointer to const, through which the library writes nothing
// (<perp/operator.h>: "Solvers and threads may share it"; its tests run that with ThreadSanitizer).
unsafe impl Sync for Operator {}

type Compressed = unsafe extern "C" fn(
    c_int,
    *const i64,
    *const c_int,
    *const f64,
    sys::perp_storage,
    *mut *mut sys::perp_operator,
    *mut sys::perp_message,
) -> sys::perp_error;

impl Operator {
    /// A dense n x n matrix, row major: A_ij = a[i * n + j].
    ///
    /// ```
    /// let a = perp::Operator::dense(2, &[2.0, -1.0, -1.0, 2.0])?;
    /// assert_eq!(a.size(), 2);
    /// assert!(perp::Operator::dense(2, &[2.0, f64::NAN, -1.0, 2.0]).is_err());
    /// # Ok::<(), perp::Error>(())
    /// ```
    pub fn dense(n: usize, a: &[f64]) -> Result<Operator> {
        let rows = int("n", n)?;
        let entries = n.checked_mul(n).ok_or_else(|| argument(format!("n: {n} is too large")))?;
        expect_length("a", a.len(), entries)?;
        Operator::create(a.to_vec(), Vec::new(), Vec::new(), |values, _, _, raw, why| {
            // SAFETY: n * n numbers, which the operator owns from now on.
            unsafe { sys::perp_operator_dense(rows, values.as_ptr(), n as i64, sys::PERP_BORROW, raw, why) }
        })
    }

    /// Compressed rows: row i has the entries `start[i] .. start[i + 1]` of `column` and `value`, and columns
    /// ascend within a row.
    ///
    /// ```
    /// let a = perp::Operator::csr(2, &[0, 2, 4], &[0, 1, 0, 1], &[2.0, -1.0, -1.0, 2.0])?;
    /// let mut y = [0.0; 2];
    /// a.apply(&[1.0, 0.0], &mut y)?;
    /// assert_eq!(y, [2.0, -1.0]);
    /// # Ok::<(), perp::Error>(())
    /// ```
    pub fn csr(n: usize, start: &[usize], column: &[usize], value: &[f64]) -> Result<Operator> {
        Operator::compressed(n, start, column, value, sys::perp_operator_csr)
    }

    /// Compressed columns: column j has the entries `start[j] .. start[j + 1]` of `row` and `value`.
    pub fn csc(n: usize, start: &[usize], row: &[usize], value: &[f64]) -> Result<Operator> {
        Operator::compressed(n, start, row, value, sys::perp_operator_csc)
    }

    fn compressed(
        n: usize,
        start: &[usize],
        index: &[usize],
        value: &[f64],
        make: Compressed,
    ) -> Result<Operator> {
        let rows = int("n", n)?;
        let (start, index) = compressed_indices(n, start, index, value)?;
        Operator::create(value.to_vec(), start, index, |values, start, index, raw, why| {
            // SAFETY: the lengths were compared above; the library checks the order of starts and indices.
            unsafe { make(rows, start.as_ptr(), index.as_ptr(), values.as_ptr(), sys::PERP_BORROW, raw, why) }
        })
    }

    fn create(
        values: Vec<f64>,
        start: Vec<i64>,
        index: Vec<c_int>,
        make: impl FnOnce(
            &[f64],
            &[i64],
            &[c_int],
            *mut *mut sys::perp_operator,
            *mut sys::perp_message,
        ) -> sys::perp_error,
    ) -> Result<Operator> {
        let mut raw = ptr::null_mut();
        let mut why = empty_message();
        check(make(&values, &start, &index, &mut raw, &mut why), &why)?;
        Ok(Operator { raw, values, _start: start, _index: index, velocities: None })
    }

    /// A = J M⁻¹ Jᵀ + C of contacts between bodies, never assembled.
    pub fn contacts(contacts: &Contacts<'_>) -> Result<Operator> {
        let data = contacts.raw()?;
        let mut operator = Operator::create(Vec::new(), Vec::new(), Vec::new(), |_, _, _, raw, why| {
            // SAFETY: Contacts::raw has compared the lengths, and the library copies the arrays.
            unsafe { sys::perp_operator_contact_bodies(&data, sys::PERP_COPY, raw, why) }
        })?;
        operator.velocities = Some(contacts.velocities());
        Ok(operator)
    }

    /// Replaces the contacts of a contact operator and reuses its memory, for the next frame. After an error the
    /// operator has no rows.
    pub fn replace_contacts(&mut self, contacts: &Contacts<'_>) -> Result<()> {
        let data = contacts.raw()?;
        let mut why = empty_message();
        // SAFETY: as in `contacts`; &mut: no solve is running. The library refuses other kinds of operator.
        let code =
            unsafe { sys::perp_operator_contact_bodies_replace(self.raw, &data, sys::PERP_COPY, &mut why) };
        self.velocities = Some(contacts.velocities()).filter(|_| code == sys::PERP_OK);
        check(code, &why)
    }

    /// Replaces the numbers of a dense or compressed matrix; its structure stays, and with it what solvers
    /// derived from the structure. After an error the old numbers are in place.
    ///
    /// ```
    /// let mut a = perp::Operator::dense(1, &[2.0])?;
    /// a.set_values(&[4.0])?;
    /// assert_eq!(a.set_values(&[f64::NAN]).unwrap_err().kind(), perp::ErrorKind::Problem);
    /// let mut y = [0.0];
    /// a.apply(&[1.0], &mut y)?;
    /// assert_eq!(y, [4.0]);
    /// # Ok::<(), perp::Error>(())
    /// ```
    pub fn set_values(&mut self, value: &[f64]) -> Result<()> {
        expect_length("value", value.len(), self.values.len())?;
        let old = self.values.clone();
        self.values.copy_from_slice(value);
        let done = self.refresh();
        if done.is_err() {
            self.values.copy_from_slice(&old);
            self.refresh()?;
        }
        done
    }

    fn refresh(&mut self) -> Result<()> {
        let mut why = empty_message();
        // SAFETY: &mut: no solve is running.
        let code = unsafe { sys::perp_operator_refresh(self.raw, &mut why) };
        check(code, &why)
    }

    /// The number of rows.
    pub fn size(&self) -> usize {
        // SAFETY: the operator is valid until it is dropped.
        unsafe { sys::perp_operator_size(self.raw) as usize }
    }

    /// y = A x.
    pub fn apply(&self, x: &[f64], y: &mut [f64]) -> Result<()> {
        expect_length("x", x.len(), self.size())?;
        expect_length("y", y.len(), self.size())?;
        let mut why = empty_message();
        // SAFETY: n numbers each, and the scratch that the operator asks for.
        let code = unsafe {
            let mut scratch = vec![0.0; sys::perp_operator_scratch(self.raw)];
            sys::perp_operator_apply(self.raw, x.as_ptr(), y.as_mut_ptr(), scratch.as_mut_ptr(), &mut why)
        };
        check(code, &why)
    }

    fn expect_velocities(&self, v: &[f64]) -> Result<()> {
        let velocities =
            self.velocities.ok_or_else(|| argument("the operator has no contacts".to_string()))?;
        expect_length("v", v.len(), velocities)
    }

    /// b = J v + c of a contact operator, from the velocities v without contacts.
    pub fn bias(&self, v: &[f64], c: Option<&[f64]>, b: &mut [f64]) -> Result<()> {
        self.expect_velocities(v)?;
        expect_length("b", b.len(), self.size())?;
        optional_length("c", c, self.size())?;
        let mut why = empty_message();
        // SAFETY: the lengths were compared.
        let code =
            unsafe { sys::perp_contact_bias(self.raw, v.as_ptr(), pointer(c), b.as_mut_ptr(), &mut why) };
        check(code, &why)
    }

    /// v += M⁻¹ Jᵀ x of a contact operator: the velocities after the impulses x.
    pub fn push(&self, x: &[f64], v: &mut [f64]) -> Result<()> {
        expect_length("x", x.len(), self.size())?;
        self.expect_velocities(v)?;
        let mut why = empty_message();
        let to = v.as_mut_ptr();
        // SAFETY: the lengths were compared, and the library lets v_new be v.
        let code = unsafe { sys::perp_contact_velocities(self.raw, to, x.as_ptr(), to, &mut why) };
        check(code, &why)
    }

    pub(crate) fn raw(&self) -> *const sys::perp_operator {
        self.raw
    }
}

impl Drop for Operator {
    fn drop(&mut self) {
        // SAFETY: nobody else destroys it, and problems borrow the operator.
        unsafe { sys::perp_operator_destroy(self.raw) }
    }
}

impl std::fmt::Debug for Operator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Operator").field("size", &self.size()).finish_non_exhaustive()
    }
}

/// The arrays of compressed rows as the library takes them; their lengths are compared, since it cannot see them.
pub(crate) fn compressed_indices(
    lines: usize,
    start: &[usize],
    index: &[usize],
    value: &[f64],
) -> Result<(Vec<i64>, Vec<c_int>)> {
    if start.len().checked_sub(1) != Some(lines) {
        return Err(argument(format!("start has {} numbers, not {}", start.len(), lines.saturating_add(1))));
    }
    expect_length("value", value.len(), index.len())?;
    if start[lines] != index.len() {
        return Err(argument(format!(
            "start ends with {}, but there are {} entries",
            start[lines],
            index.len()
        )));
    }
    let wide = start.iter().map(|&k| i64::try_from(k).unwrap_or(i64::MAX)).collect();
    let index = index.iter().map(|&j| int("an index", j)).collect::<Result<_>>()?;
    Ok((wide, index))
}

/// Contacts between bodies: each row of J touches at most two of them.
///
/// `body` names the two bodies of each contact, -1 one that never moves. A contact has `together` consecutive
/// rows. J has 2 x 6 numbers a row (2 x 3 in the plane): those of the first body, then of the second.
/// `inverse_mass` has 6 x 6 (3 x 3) numbers a body, row major and symmetric.
#[derive(Clone, Copy, Debug)]
pub struct Contacts<'a> {
    freedom: usize,
    body: &'a [[i32; 2]],
    jacobian: &'a [f64],
    inverse_mass: &'a [f64],
    together: usize,
    cfm: f64,
    compliance: Option<&'a [f64]>,
}

impl<'a> Contacts<'a> {
    /// Contacts in space, six velocities a body.
    pub fn in_space(body: &'a [[i32; 2]], jacobian: &'a [f64], inverse_mass: &'a [f64]) -> Contacts<'a> {
        Contacts { freedom: 6, body, jacobian, inverse_mass, together: 1, cfm: 0.0, compliance: None }
    }

    /// Contacts in the plane, three velocities a body.
    pub fn in_plane(body: &'a [[i32; 2]], jacobian: &'a [f64], inverse_mass: &'a [f64]) -> Contacts<'a> {
        Contacts { freedom: 3, ..Contacts::in_space(body, jacobian, inverse_mass) }
    }

    /// Rows per contact; 1 if it is not set.
    #[must_use]
    pub fn together(self, rows: usize) -> Contacts<'a> {
        Contacts { together: rows, ..self }
    }

    /// C = cfm I.
    #[must_use]
    pub fn cfm(self, cfm: f64) -> Contacts<'a> {
        Contacts { cfm, ..self }
    }

    /// The diagonal of C.
    #[must_use]
    pub fn compliance(self, diagonal: &'a [f64]) -> Contacts<'a> {
        Contacts { compliance: Some(diagonal), ..self }
    }

    fn velocities(&self) -> usize {
        self.inverse_mass.len() / self.freedom
    }

    fn raw(&self) -> Result<sys::perp_contact_bodies> {
        let rows = self.jacobian.len() / (2 * self.freedom);
        let bodies = self.inverse_mass.len() / (self.freedom * self.freedom);
        expect_length("jacobian", self.jacobian.len(), 2 * self.freedom * rows)?;
        expect_length("inverse_mass", self.inverse_mass.len(), self.freedom * self.freedom * bodies)?;
        if self.body.len().checked_mul(self.together) != Some(rows) {
            return Err(argument(format!(
                "{} contacts of {} rows, but jacobian has {rows} rows",
                self.body.len(),
                self.together
            )));
        }
        optional_length("compliance", self.compliance, rows)?;
        let mut data = MaybeUninit::uninit();
        // SAFETY: the library fills all of it.
        let mut data: sys::perp_contact_bodies = unsafe {
            sys::perp_contact_bodies_init(data.as_mut_ptr(), std::mem::size_of_val(&data));
            data.assume_init()
        };
        data.rows = int("rows", rows)?;
        data.bodies = int("bodies", bodies)?;
        data.freedom = self.freedom as c_int;
        data.together = int("together", self.together.max(1))?;
        data.body = self.body.as_ptr().cast();
        data.J = self.jacobian.as_ptr();
        data.Minv = self.inverse_mass.as_ptr();
        data.cfm = self.cfm;
        data.C_diagonal = pointer(self.compliance);
        Ok(data)
    }
}
