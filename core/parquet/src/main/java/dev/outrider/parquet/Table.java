package dev.outrider.parquet;

import dev.hardwood.HardwoodContext;
import dev.hardwood.InputFile;
import dev.hardwood.metadata.PhysicalType;
import dev.hardwood.reader.ColumnReader;
import dev.hardwood.reader.ParquetFileReader;
import dev.hardwood.schema.ColumnSchema;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Some columns of a Parquet file in memory. The file is checked by [ParquetBounds] before it is
/// read. Immutable.
public final class Table {
    /// Maximum rows.
    public static final int MAX_ROWS = 1 << 25;

    /// Maximum bytes of a text.
    private static final int MAX_TEXT = 1 << 12;

    private static final int BATCH = 1 << 12;

    private final Map<String, Object> columns = new HashMap<>();
    private int rows;

    private Table() {}

    /// Reads columns of a file; other columns are skipped.
    ///
    /// @param wanted at least one, none of lists
    /// @throws IOException if the file cannot be read, is invalid, does not have these columns, or
    ///     is too large
    public static Table read(Path file, List<Column> wanted) throws IOException {
        var table = new Table();
        try (var channel = FileChannel.open(file)) {
            var bounds = new ParquetBounds(channel, channel.size());
            bounds.checkFooter();
            try (var context = HardwoodContext.create(1);
                    var reader = ParquetFileReader.open(InputFile.of(file), context)) {
                for (var column : wanted) {
                    table.add(reader, bounds, column, table.columns.isEmpty());
                }
            }
        } catch (RuntimeException e) {
            // The library throws many kinds of exceptions for an invalid file.
            throw new IOException("it is broken (%s)".formatted(e.getClass().getSimpleName()), e);
        }
        return table;
    }

    private void add(ParquetFileReader reader, ParquetBounds bounds, Column wanted, boolean first)
            throws IOException {
        var column = find(reader, wanted);
        long dictionary = 1;
        for (var group : reader.getFileMetaData().rowGroups()) {
            dictionary =
                    Math.max(
                            dictionary,
                            bounds.check(group.columns().get(column.columnIndex())).dictionary());
        }
        int batch = (int) Math.clamp(ParquetBounds.DICTIONARY / dictionary, 1, BATCH);
        try (var values = reader.buildColumnReader(column.columnIndex()).batchSize(batch).build()) {
            var read = read(values, wanted);
            int length = java.lang.reflect.Array.getLength(read);
            if (!first && length != rows) {
                throw new IOException(
                        "column '%s' has %d values for %d rows"
                                .formatted(wanted.name(), length, rows));
            }
            rows = length;
            columns.put(wanted.name(), read);
        }
    }

    private static ColumnSchema find(ParquetFileReader reader, Column wanted) throws IOException {
        var type =
                switch (wanted.type()) {
                    case INT -> PhysicalType.INT32;
                    case LONG -> PhysicalType.INT64;
                    case DOUBLE -> PhysicalType.DOUBLE;
                    case TEXT -> PhysicalType.BYTE_ARRAY;
                    case INTS, DOUBLES ->
                            throw new IllegalArgumentException(
                                    "column '%s' is of lists".formatted(wanted.name()));
                };
        for (var column : reader.getFileSchema().getColumns()) {
            var names = column.fieldPath().elements();
            if (names.size() == 1 && names.getFirst().equals(wanted.name())) {
                if (column.type() != type || column.maxDefinitionLevel() != 0) {
                    throw new IOException(
                            "its column '%s' is of type %s, expected required %s"
                                    .formatted(wanted.name(), column.type(), type));
                }
                return column;
            }
        }
        throw new IOException("it has no column '%s'".formatted(wanted.name()));
    }

    private static Object read(ColumnReader reader, Column wanted) throws IOException {
        return switch (wanted.type()) {
            case INT -> {
                var all = new int[BATCH];
                int size = 0;
                while (reader.nextBatch()) {
                    int more = more(size, reader);
                    all = size + more > all.length ? Arrays.copyOf(all, 2 * size + more) : all;
                    System.arraycopy(reader.getInts(), 0, all, size, more);
                    size += more;
                }
                yield Arrays.copyOf(all, size);
            }
            case LONG -> {
                var all = new long[BATCH];
                int size = 0;
                while (reader.nextBatch()) {
                    int more = more(size, reader);
                    all = size + more > all.length ? Arrays.copyOf(all, 2 * size + more) : all;
                    System.arraycopy(reader.getLongs(), 0, all, size, more);
                    size += more;
                }
                yield Arrays.copyOf(all, size);
            }
            case DOUBLE -> {
                var all = new double[BATCH];
                int size = 0;
                while (reader.nextBatch()) {
                    int more = more(size, reader);
                    all = size + more > all.length ? Arrays.copyOf(all, 2 * size + more) : all;
                    System.arraycopy(reader.getDoubles(), 0, all, size, more);
                    size += more;
                }
                yield Arrays.copyOf(all, size);
            }
            case TEXT -> texts(reader, wanted);
            case INTS, DOUBLES -> throw new IllegalArgumentException("lists are not read");
        };
    }

    /// Equal texts share one string.
    private static String[] texts(ColumnReader reader, Column wanted) throws IOException {
        var known = new HashMap<String, String>();
        var all = new String[BATCH];
        int size = 0;
        while (reader.nextBatch()) {
            int more = more(size, reader);
            all = size + more > all.length ? Arrays.copyOf(all, 2 * size + more) : all;
            int[] offsets = reader.getBinaryOffsets();
            for (int i = 0; i < more; i++) {
                int length = offsets[i + 1] - offsets[i];
                if (length > MAX_TEXT) {
                    throw new IOException(
                            "column '%s' has a text of %d bytes, expected at most %d"
                                    .formatted(wanted.name(), length, MAX_TEXT));
                }
                var text =
                        new String(
                                reader.getBinaryValues(),
                                offsets[i],
                                length,
                                StandardCharsets.UTF_8);
                all[size + i] = known.computeIfAbsent(text, each -> each);
            }
            size += more;
        }
        return Arrays.copyOf(all, size);
    }

    private static int more(int size, ColumnReader reader) throws IOException {
        int more = reader.getRecordCount();
        if (size + (long) more > MAX_ROWS) {
            throw new IOException("it has more than %d rows".formatted(MAX_ROWS));
        }
        return more;
    }

    /// Returns the number of rows.
    public int rows() {
        return rows;
    }

    /// Returns a column of 32-bit integers (shared, not a copy).
    public int[] ints(String name) {
        return (int[]) column(name);
    }

    /// Returns a column of 64-bit integers (shared, not a copy).
    public long[] longs(String name) {
        return (long[]) column(name);
    }

    /// Returns a column of floating point numbers (shared, not a copy).
    public double[] doubles(String name) {
        return (double[]) column(name);
    }

    /// Returns a column of texts (shared, not a copy).
    public String[] texts(String name) {
        return (String[]) column(name);
    }

    private Object column(String name) {
        var found = columns.get(name);
        if (found == null) {
            throw new IllegalArgumentException("column '%s' was not read".formatted(name));
        }
        return found;
    }
}
