//! Writes `batches` batches of `rows` rows to the path it is given, through libtailrace.so, and looks at who owns what.
//!
//! Usage: tailrace-from-rust PATH BATCHES ROWS. Prints "peak_kib N": how much the peak of the process's memory grew from
//! the time when all batches were there.

mod counted;
mod tailrace;

use arrow_array::ffi::to_ffi;
use arrow_array::{Array, Int64Array, StructArray};
use arrow_buffer::ScalarBuffer;
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{DataType, Field, Schema};
use std::ffi::CString;
use std::mem::zeroed;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use tailrace::{check, FileOptions, Handle, RuntimeOptions};

fn schema() -> Schema {
    Schema::new(vec![Field::new("id", DataType::Int64, false)])
}

/// Rows `first` and on; `freed` counts when their memory is given back.
fn batch(first: i64, rows: i64, freed: &Arc<AtomicUsize>) -> StructArray {
    let values = counted::buffer((first..first + rows).collect(), freed.clone());
    let ids = Int64Array::new(ScalarBuffer::from(values), None);
    StructArray::new(schema().fields, vec![Arc::new(ids)], None)
}

/// The highest memory of this process so far.
fn peak_kib() -> i64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("proc");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("VmHWM");
    line.split_whitespace().nth(1).expect("a number").parse().expect("a number")
}

fn open(path: &str) -> Result<(Handle, Handle), String> {
    let url = CString::new(path).map_err(|error| error.to_string())?;
    let (mut store, mut writer) = (null_mut(), null_mut());
    // SAFETY: the structs are those of the header, whose init functions fill them.
    unsafe {
        check(|error| tailrace::tailrace_store_open(url.as_ptr(), null_mut(), &mut store, error))?;
        let mut options: FileOptions = zeroed();
        tailrace::tailrace_file_options_init(&mut options, std::mem::size_of::<FileOptions>());
        options.row_group_bytes = 4 << 20;
        options.part_size_bytes = 4 << 20;
        let mut runtime: RuntimeOptions = zeroed();
        tailrace::tailrace_runtime_options_init(&mut runtime, std::mem::size_of::<RuntimeOptions>());
        runtime.memory_budget_bytes = 32 << 20;
        let mut columns = FFI_ArrowSchema::try_from(schema()).map_err(|error| error.to_string())?;
        check(|error| {
            tailrace::tailrace_writer_open(store, null(), &mut columns, &options, &runtime, &mut writer, error)
        })?;
    }
    Ok((store, writer))
}

fn run(path: &str, batches: i64, rows: i64) -> Result<(), String> {
    let freed = Arc::new(AtomicUsize::new(0));
    let made: Vec<StructArray> = (0..batches).map(|i| batch(i * rows, rows, &freed)).collect();
    let before = peak_kib();
    let (store, writer) = open(path)?;
    for array in made {
        let (mut exported, _) = to_ffi(&array.to_data()).map_err(|error| error.to_string())?;
        counted::count_releases(&mut exported);
        drop(array);
        // SAFETY: the library takes the array over and leaves it released.
        check(|error| unsafe { tailrace::tailrace_writer_write(writer, &mut exported, null_mut(), error) })?;
        assert!(exported.is_released(), "what was moved is ours no more");
    }
    // SAFETY: the handles are those that the library gave, each freed once.
    unsafe {
        assert_eq!(tailrace::tailrace_writer_rows(writer), batches * rows);
        let mut pending = null_mut();
        check(|error| tailrace::tailrace_writer_close(writer, &mut pending, error))?;
        // Closed means that every row is encoded: each batch was released once, and with it went the memory.
        assert_eq!(counted::RELEASED.load(Ordering::SeqCst), batches as usize, "releases");
        assert_eq!(freed.load(Ordering::SeqCst), batches as usize, "buffers given back");
        println!("peak_kib {}", peak_kib() - before);
        check(|error| tailrace::tailrace_commit(pending, store, null_mut(), null_mut(), error))?;
        tailrace::tailrace_pending_free(pending);
        tailrace::tailrace_writer_free(writer);
        tailrace::tailrace_store_free(store);
    }
    Ok(())
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    // SAFETY: takes and touches nothing.
    assert_eq!(unsafe { tailrace::tailrace_abi_version() }, 1);
    let number = |text: &str| text.parse::<i64>().expect("a number");
    if let Err(message) = run(&arguments[1], number(&arguments[2]), number(&arguments[3])) {
        eprintln!("{message}");
        std::process::exit(1);
    }
}
