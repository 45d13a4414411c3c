//! Reads a Parquet file with arrow-rs:
//!
//!     read-with-arrow-rs rows FILE OUT.arrows                     every row, as an Arrow IPC stream
//!     read-with-arrow-rs between FILE OUT.arrows COLUMN LOW HIGH  the pages whose range of int64 meets LOW to HIGH
//!     read-with-arrow-rs bloom FILE COLUMN NUMBER...              may row groups hold the numbers? A line for each: 0s and 1s
//!
//! Columns are top-level ones without nested ones before them.
use std::error::Error;
use std::fs::File;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_ipc::writer::StreamWriter;
use parquet::arrow::arrow_reader::statistics::StatisticsConverter;
use parquet::arrow::arrow_reader::{
    ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder, RowSelection, RowSelector,
};
use parquet::file::metadata::PageIndexPolicy;

type Fallible<T> = Result<T, Box<dyn Error>>;
type Builder = ParquetRecordBatchReaderBuilder<File>;

fn open(path: &str) -> Fallible<Builder> {
    let options = ArrowReaderOptions::new().with_page_index_policy(PageIndexPolicy::Required);
    Ok(Builder::try_new_with_options(File::open(path)?, options)?)
}

fn save(reader: ParquetRecordBatchReader, path: &str) -> Fallible<()> {
    let schema = arrow_array::RecordBatchReader::schema(&reader);
    let mut sink = StreamWriter::try_new(File::create(path)?, &schema)?;
    for batch in reader {
        sink.write(&batch?)?;
    }
    Ok(sink.finish()?)
}

/// What to read of the pages of a column, and how many of how many pages that is.
fn pages_between(builder: &Builder, column: &str, low: i64, high: i64) -> Fallible<(RowSelection, usize, usize)> {
    let converter = StatisticsConverter::try_new(column, builder.schema(), builder.parquet_schema())?;
    let metadata = builder.metadata();
    let index = metadata.page_index().ok_or("no page index")?.as_ref();
    let groups: Vec<usize> = (0..metadata.num_row_groups()).collect();
    let mins = converter.data_page_mins(index, &groups)?;
    let maxes = converter.data_page_maxes(index, &groups)?;
    let rows = converter
        .data_page_row_counts(index, metadata.row_groups(), &groups)?
        .ok_or("no row counts")?;
    let (mins, maxes) = (mins.as_primitive::<Int64Type>(), maxes.as_primitive::<Int64Type>());
    let (mut selectors, mut taken) = (Vec::new(), 0);
    for page in 0..rows.len() {
        let count = rows.value(page) as usize;
        if mins.value(page) <= high && maxes.value(page) >= low {
            selectors.push(RowSelector::select(count));
            taken += 1;
        } else {
            selectors.push(RowSelector::skip(count));
        }
    }
    Ok((RowSelection::from(selectors), taken, rows.len()))
}

fn between(path: &str, target: &str, column: &str, low: &str, high: &str) -> Fallible<()> {
    let builder = open(path)?;
    let (selection, taken, pages) = pages_between(&builder, column, low.parse()?, high.parse()?)?;
    println!("{taken} of {pages} pages");
    save(builder.with_row_selection(selection).build()?, target)
}

fn bloom(path: &str, column: &str, numbers: &[&str]) -> Fallible<()> {
    let builder = open(path)?;
    let leaf = builder.schema().index_of(column)?;
    let mut filters = Vec::new();
    for group in 0..builder.metadata().num_row_groups() {
        let filter = builder.get_row_group_column_bloom_filter(group, leaf)?;
        filters.push(filter.ok_or("a row group without a bloom filter")?);
    }
    for number in numbers {
        let number: i64 = number.parse()?;
        let line: String = filters.iter().map(|f| if f.check(&number) { '1' } else { '0' }).collect();
        println!("{line}");
    }
    Ok(())
}

fn main() -> Fallible<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["rows", path, target] => save(open(path)?.build()?, target),
        ["between", path, target, column, low, high] => between(path, target, column, low, high),
        ["bloom", path, column, numbers @ ..] => bloom(path, column, numbers),
        _ => Err("usage: see the head of src/main.rs".into()),
    }
}
