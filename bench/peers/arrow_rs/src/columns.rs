//! One thread a column.
use std::fs::File;
use std::sync::mpsc::{sync_channel, SyncSender};
use std::sync::Arc;
use std::thread::{spawn, JoinHandle};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::arrow_writer::{
    compute_leaves, ArrowColumnChunk, ArrowColumnWriter, ArrowLeafColumn, ArrowRowGroupWriterFactory,
};
use parquet::arrow::ArrowSchemaConverter;
use parquet::errors::Result as ParquetResult;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;

use crate::{Batches, Fallible};

/// Batches that may wait for a column.
const READ_AHEAD: usize = 2;

struct Column {
    input: SyncSender<ArrowLeafColumn>,
    thread: JoinHandle<ParquetResult<ArrowColumnChunk>>,
}

fn start(mut writer: ArrowColumnWriter) -> Column {
    let (input, leaves) = sync_channel::<ArrowLeafColumn>(READ_AHEAD);
    let thread = spawn(move || {
        for leaf in leaves {
            writer.write(&leaf)?;
        }
        writer.close()
    });
    Column { input, thread }
}

fn send(columns: &[Column], schema: &SchemaRef, batch: &RecordBatch) -> Fallible<()> {
    let mut next = columns.iter();
    for (field, array) in schema.fields().iter().zip(batch.columns()) {
        for leaf in compute_leaves(field, array)? {
            next.next().ok_or("more leaves than columns")?.input.send(leaf)?;
        }
    }
    Ok(())
}

fn finish(columns: Vec<Column>, writer: &mut SerializedFileWriter<File>) -> Fallible<()> {
    let mut group = writer.next_row_group()?;
    for column in columns {
        drop(column.input);
        let chunk = column.thread.join().map_err(|_| "a column's thread panicked")??;
        chunk.append_to_row_group(&mut group)?;
    }
    group.close()?;
    Ok(())
}

pub fn write(batches: Batches, target: File, properties: WriterProperties) -> Fallible<()> {
    let schema = batches.schema();
    let group_rows = properties.max_row_group_row_count().unwrap_or(usize::MAX);
    let properties = Arc::new(properties);
    let root = ArrowSchemaConverter::new().convert(&schema)?.root_schema_ptr();
    let mut writer = SerializedFileWriter::new(target, root, properties)?;
    let factory = ArrowRowGroupWriterFactory::new(&writer, Arc::clone(&schema));
    let (mut columns, mut rows, mut group) = (Vec::new(), 0, 0);
    for batch in batches {
        let (batch, mut taken) = (batch?, 0);
        while taken < batch.num_rows() {
            if columns.is_empty() {
                columns = factory.create_column_writers(group)?.into_iter().map(start).collect();
            }
            let count = (group_rows - rows).min(batch.num_rows() - taken);
            send(&columns, &schema, &batch.slice(taken, count))?;
            taken += count;
            rows += count;
            if rows == group_rows {
                finish(std::mem::take(&mut columns), &mut writer)?;
                (rows, group) = (0, group + 1);
            }
        }
    }
    if !columns.is_empty() {
        finish(columns, &mut writer)?;
    }
    writer.close()?;
    Ok(())
}
