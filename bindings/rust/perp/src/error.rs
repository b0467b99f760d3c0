//! Errors: the code and the line of text of the C library.

use crate::sys;
use std::ffi::{CStr, CString};
use std::fmt;
use std::os::raw::{c_char, c_int};

/// What kind of error a call returned. How an iteration ended is an [`Ending`](crate::Ending), not an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A slice of the wrong length, or a number out of its range.
    Argument,
    /// The data: NaN in A, lo above hi, a friction index out of range, ...
    Problem,
    /// The method does not take this form, operator or diagonal.
    Unsupported,
    /// An unknown parameter, or a value outside its range.
    Parameter,
    /// An allocation failed.
    Memory,
    /// An error of another kind.
    Other,
}

/// The error of a call, with one line that names the row and the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// What kind of error it is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// An error in the arguments, found before the library is called.
pub(crate) fn argument(message: String) -> Error {
    Error { kind: ErrorKind::Argument, message }
}

/// Checks the length of a slice: the library cannot see it.
pub(crate) fn expect_length(name: &str, length: usize, expected: usize) -> Result<()> {
    if length == expected {
        return Ok(());
    }
    Err(argument(format!("{name} has {length} numbers, not {expected}")))
}

pub(crate) fn optional_length(name: &str, slice: Option<&[f64]>, expected: usize) -> Result<()> {
    slice.map_or(Ok(()), |slice| expect_length(name, slice.len(), expected))
}

pub(crate) fn int(name: &str, count: usize) -> Result<c_int> {
    c_int::try_from(count).map_err(|_| argument(format!("{name}: {count} is above {}", c_int::MAX)))
}

pub(crate) fn c_string(name: &str, text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| argument(format!("{name}: a text with a zero byte")))
}

pub(crate) fn pointer<T>(slice: Option<&[T]>) -> *const T {
    slice.map_or(std::ptr::null(), <[T]>::as_ptr)
}

pub(crate) fn empty_message() -> sys::perp_message {
    sys::perp_message { text: [0; 512] }
}

/// The text of a C string that the caller keeps alive for 'a; "" for NULL.
///
/// # Safety
/// `text` is NULL or points to a string that ends with 0 and is valid for 'a.
pub(crate) unsafe fn c_text<'a>(text: *const c_char) -> &'a str {
    if text.is_null() {
        return "";
    }
    CStr::from_ptr(text).to_str().unwrap_or("")
}

pub(crate) fn message_text(message: &sys::perp_message) -> String {
    let bytes: Vec<u8> = message.text.iter().map(|&c| c as u8).take_while(|&c| c != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The error of a call and the message that it wrote.
pub(crate) fn check(code: sys::perp_error, message: &sys::perp_message) -> Result<()> {
    let kind = match code {
        sys::PERP_OK => return Ok(()),
        sys::PERP_ERROR_ARGUMENT => ErrorKind::Argument,
        sys::PERP_ERROR_PROBLEM => ErrorKind::Problem,
        sys::PERP_ERROR_UNSUPPORTED => ErrorKind::Unsupported,
        sys::PERP_ERROR_PARAMETER => ErrorKind::Parameter,
        sys::PERP_ERROR_MEMORY => ErrorKind::Memory,
        _ => ErrorKind::Other,
    };
    let mut message = message_text(message);
    if message.is_empty() {
        // SAFETY: the names are static.
        message = unsafe { c_text(sys::perp_error_name(code)) }.to_string();
    }
    Err(Error { kind, message })
}
