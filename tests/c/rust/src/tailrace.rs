//! The part of tailrace/tailrace.h that this program uses.

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use std::ffi::{c_char, c_void, CStr};
use std::ptr::null_mut;

/// A handle of the library.
pub type Handle = *mut c_void;

#[repr(C)]
pub struct FileOptions {
    pub struct_size: usize,
    pub codec: i32,
    pub codec_level: i32,
    pub statistics: i32,
    pub page_index: i32,
    pub row_group_bytes: i64,
    pub row_group_rows: i64,
    pub adaptive: i32,
    pub encodings: i32,
    pub dictionary: i32,
    pub parquet_version: i32,
    pub data_page_version: i32,
    pub text_not_utf8: i32,
    pub page_bytes: i64,
    pub columns: *const c_void,
    pub sorting_columns: *const c_void,
    pub key_value_metadata: *const *const c_char,
    pub part_size_bytes: i64,
    pub overwrite: i32,
    pub small_files: i32,
    pub inline_max_bytes: i64,
}

#[repr(C)]
pub struct RuntimeOptions {
    pub struct_size: usize,
    pub executor: Handle,
    pub memory_budget_bytes: i64,
    pub parts_in_flight: i32,
    pub on_error: i32,
    pub encode_threads: i64,
}

#[link(name = "tailrace")]
extern "C" {
    pub fn tailrace_abi_version() -> i32;
    fn tailrace_error_message(error: Handle) -> *const c_char;
    fn tailrace_error_free(error: Handle);
    pub fn tailrace_file_options_init(options: *mut FileOptions, struct_size: usize);
    pub fn tailrace_runtime_options_init(options: *mut RuntimeOptions, struct_size: usize);
    pub fn tailrace_store_open(url: *const c_char, options: Handle, store: *mut Handle, error: *mut Handle) -> i32;
    pub fn tailrace_store_free(store: Handle);
    pub fn tailrace_writer_open(
        store: Handle,
        key: *const c_char,
        schema: *mut FFI_ArrowSchema,
        options: *const FileOptions,
        runtime: *const RuntimeOptions,
        writer: *mut Handle,
        error: *mut Handle,
    ) -> i32;
    pub fn tailrace_writer_write(
        writer: Handle,
        batch: *mut FFI_ArrowArray,
        schema: *mut FFI_ArrowSchema,
        error: *mut Handle,
    ) -> i32;
    pub fn tailrace_writer_rows(writer: Handle) -> i64;
    pub fn tailrace_writer_close(writer: Handle, pending: *mut Handle, error: *mut Handle) -> i32;
    pub fn tailrace_writer_free(writer: Handle);
    pub fn tailrace_commit(
        pending: Handle,
        store: Handle,
        options: Handle,
        info: *mut Handle,
        error: *mut Handle,
    ) -> i32;
    pub fn tailrace_pending_free(pending: Handle);
}

/// Runs a call that takes a place for its error last.
pub fn check(call: impl FnOnce(*mut Handle) -> i32) -> Result<(), String> {
    let mut error = null_mut();
    if call(&mut error) == 0 {
        return Ok(());
    }
    // SAFETY: a failed call has put its error there, and the message lives as long as the error.
    unsafe {
        let message = CStr::from_ptr(tailrace_error_message(error)).to_string_lossy().into_owned();
        tailrace_error_free(error);
        Err(message)
    }
}
