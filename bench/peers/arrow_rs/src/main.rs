//! Writes an Arrow IPC stream into a Parquet file with arrow-rs at its defaults:
//!
//!     write-with-arrow-rs writer|columns IN.arrows OUT.parquet zstd|snappy|none
//!
//! writer: ArrowWriter, one thread. columns: each column of a row group by a thread of its own, as the documentation of
//! ArrowColumnWriter shows.
mod columns;

use std::error::Error;
use std::fs::File;
use std::io::BufReader;

use arrow_ipc::reader::StreamReader;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

pub type Fallible<T> = Result<T, Box<dyn Error>>;
pub type Batches = StreamReader<BufReader<File>>;

fn codec(name: &str) -> Fallible<Compression> {
    match name {
        "zstd" => Ok(Compression::ZSTD(ZstdLevel::default())),
        "snappy" => Ok(Compression::SNAPPY),
        "none" => Ok(Compression::UNCOMPRESSED),
        _ => Err(format!("unknown codec {name}").into()),
    }
}

fn write(batches: Batches, target: File, properties: WriterProperties) -> Fallible<()> {
    let mut writer = ArrowWriter::try_new(target, batches.schema(), Some(properties))?;
    for batch in batches {
        writer.write(&batch?)?;
    }
    writer.close()?;
    Ok(())
}

fn main() -> Fallible<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [mode, source, target, name] = arguments.as_slice() else {
        return Err("usage: write-with-arrow-rs writer|columns IN.arrows OUT.parquet zstd|snappy|none".into());
    };
    let batches = StreamReader::try_new_buffered(File::open(source)?, None)?;
    let properties = WriterProperties::builder().set_compression(codec(name)?).build();
    let target = File::create(target)?;
    match mode.as_str() {
        "writer" => write(batches, target, properties),
        "columns" => columns::write(batches, target, properties),
        _ => Err(format!("unknown mode {mode}").into()),
    }
}
