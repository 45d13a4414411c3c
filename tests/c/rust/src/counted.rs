//! Memory and Arrow arrays that count how often they are given back.

use arrow_array::ffi::FFI_ArrowArray;
use arrow_buffer::Buffer;
use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

/// Owns the bytes of a buffer.
struct Owner {
    values: Vec<i64>,
    freed: Arc<AtomicUsize>,
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.freed.fetch_add(1, Ordering::SeqCst);
    }
}

/// A buffer over `values`, used where they lie; `freed` counts when their memory is given back.
pub fn buffer(values: Vec<i64>, freed: Arc<AtomicUsize>) -> Buffer {
    let owner = Arc::new(Owner { values, freed });
    let bytes = std::mem::size_of_val(owner.values.as_slice());
    let start = NonNull::new(owner.values.as_ptr() as *mut u8).expect("a vector has an address");
    // SAFETY: the owner keeps the vector, which is never changed again, as long as the buffer.
    unsafe { Buffer::from_custom_allocation(start, bytes, owner) }
}

/// How often the release callback of a counted array ran.
pub static RELEASED: AtomicUsize = AtomicUsize::new(0);

type Release = unsafe extern "C" fn(*mut ArrowArray);

/// The struct of the Arrow C Data interface.
#[repr(C)]
struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<Release>,
    private_data: *mut c_void,
}

/// What an array had before.
struct Before {
    release: Release,
    private_data: *mut c_void,
}

unsafe extern "C" fn release_counted(array: *mut ArrowArray) {
    let before = Box::from_raw((*array).private_data as *mut Before);
    (*array).private_data = before.private_data;
    (*array).release = Some(before.release);
    (before.release)(array);
    RELEASED.fetch_add(1, Ordering::SeqCst);
}

/// Puts a count in front of the array's own release callback.
pub fn count_releases(array: &mut FFI_ArrowArray) {
    // SAFETY: both are the struct of the C Data interface.
    let array = unsafe { &mut *(array as *mut FFI_ArrowArray as *mut ArrowArray) };
    let before = Before {
        release: array.release.expect("an array that was not released"),
        private_data: array.private_data,
    };
    array.private_data = Box::into_raw(Box::new(before)) as *mut c_void;
    array.release = Some(release_counted);
}
