import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.values.bloomfilter.BloomFilter;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.MessageType;

/**
 * Reads Parquet files with parquet-java. Takes lines of words between tabs from its input, and answers each with a line:
 *
 * rows FILE OUT                       writes every row into OUT (RowText), answers their number
 * between FILE OUT COLUMN LOW HIGH    writes the rows of the pages whose range of int64 meets LOW to HIGH, answers their
 *                                     number
 * groups FILE COLUMN NUMBER           answers how many row groups are left when bloom filters alone look for the number
 * bloom FILE COLUMN NUMBER            answers with a 0 or 1 for each row group: may it hold the number?
 *
 * An error is answered by "error " and its text.
 */
public final class ReadParquet {
  public static void main(String[] arguments) throws Exception {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String answer;
      try {
        answer = answer(line.split("\t"));
      } catch (Exception | LinkageError e) {
        answer = "error " + e.toString().replace('\n', ' ');
      }
      System.out.println(answer);
      System.out.flush();
    }
  }

  private static String answer(String[] words) throws Exception {
    switch (words[0]) {
      case "rows":
        return Long.toString(write(words[1], words[2], options().build()));
      case "between":
        return Long.toString(write(words[1], words[2], between(words[3], words[4], words[5])));
      case "groups":
        return Integer.toString(groupsLeft(words[1], words[2], Long.parseLong(words[3])));
      case "bloom":
        return bloom(words[1], words[2], Long.parseLong(words[3]));
      default:
        throw new IllegalArgumentException("unknown word " + words[0]);
    }
  }

  /** Nothing is skipped. */
  private static ParquetReadOptions.Builder options() {
    return ParquetReadOptions.builder(new PlainParquetConfiguration())
        .useStatsFilter(false)
        .useDictionaryFilter(false)
        .useColumnIndexFilter(false)
        .useBloomFilter(false)
        .useRecordFilter(false);
  }

  private static ParquetReadOptions between(String column, String low, String high) {
    return options()
        .useColumnIndexFilter(true)
        .withRecordFilter(FilterCompat.get(FilterApi.and(
            FilterApi.gtEq(FilterApi.longColumn(column), Long.parseLong(low)),
            FilterApi.ltEq(FilterApi.longColumn(column), Long.parseLong(high)))))
        .build();
  }

  private static long write(String file, String target, ParquetReadOptions options) throws Exception {
    long rows = 0;
    try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(Path.of(file)), options);
        PrintWriter sink = new PrintWriter(Files.newBufferedWriter(Path.of(target)))) {
      MessageType schema = reader.getFileMetaData().getSchema();
      MessageColumnIO columns = new ColumnIOFactory().getColumnIO(schema);
      for (PageReadStore group = reader.readNextFilteredRowGroup(); group != null;
          group = reader.readNextFilteredRowGroup()) {
        RecordReader<Group> records = columns.getRecordReader(group, new GroupRecordConverter(schema));
        for (long i = 0; i < group.getRowCount(); ++i) {
          sink.println(RowText.of(records.read()));
        }
        rows += group.getRowCount();
      }
    }
    return rows;
  }

  private static int groupsLeft(String file, String column, long number) throws Exception {
    ParquetReadOptions options = options()
        .useBloomFilter(true)
        .withRecordFilter(FilterCompat.get(FilterApi.eq(FilterApi.longColumn(column), number)))
        .build();
    try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(Path.of(file)), options)) {
      return reader.getRowGroups().size();
    }
  }

  private static String bloom(String file, String column, long number) throws Exception {
    StringBuilder answers = new StringBuilder();
    try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(Path.of(file)), options().build())) {
      for (BlockMetaData group : reader.getRowGroups()) {
        for (ColumnChunkMetaData chunk : group.getColumns()) {
          if (!chunk.getPath().toDotString().equals(column)) {
            continue;
          }
          BloomFilter filter = reader.readBloomFilter(chunk);
          answers.append(filter.findHash(filter.hash(number)) ? '1' : '0');
        }
      }
    }
    return answers.toString();
  }
}
