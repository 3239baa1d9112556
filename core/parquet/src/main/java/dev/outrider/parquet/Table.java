package dev.outrider.parquet;

import dev.hardwood.HardwoodContext;
import dev.hardwood.InputFile;
import dev.hardwood.metadata.PhysicalType;
import dev.hardwood.reader.ColumnReader;
import dev.hardwood.reader.ParquetFileReader;
import dev.hardwood.schema.ColumnSchema;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
            int length = Array.getLength(read);
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
                    case INTS ->
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
            case INT -> joined(reader, new int[BATCH], reader::getInts);
            case LONG -> joined(reader, new long[BATCH], reader::getLongs);
            case DOUBLE -> joined(reader, new double[BATCH], reader::getDoubles);
            case TEXT -> {
                var known = new HashMap<String, String>();
                yield joined(reader, new String[BATCH], () -> texts(reader, wanted, known));
            }
            case INTS -> throw new IllegalArgumentException("lists are not read");
        };
    }

    /// The values of the reader's batch, as an array.
    private interface Batch {
        Object values() throws IOException;
    }

    /// Returns the values of all batches.
    ///
    /// @param room array of their type
    private static Object joined(ColumnReader reader, Object room, Batch batch) throws IOException {
        var all = room;
        int size = 0;
        while (reader.nextBatch()) {
            int more = more(size, reader);
            if (size + more > Array.getLength(all)) {
                all = copy(all, size, 2 * size + more);
            }
            System.arraycopy(batch.values(), 0, all, size, more);
            size += more;
        }
        return copy(all, size, size);
    }

    private static Object copy(Object array, int size, int length) {
        var copy = Array.newInstance(array.getClass().componentType(), length);
        System.arraycopy(array, 0, copy, 0, size);
        return copy;
    }

    /// Returns a batch of texts. Equal ones share one string.
    private static String[] texts(ColumnReader reader, Column wanted, Map<String, String> known)
            throws IOException {
        var texts = new String[reader.getRecordCount()];
        int[] offsets = reader.getBinaryOffsets();
        for (int i = 0; i < texts.length; i++) {
            int length = offsets[i + 1] - offsets[i];
            if (length > MAX_TEXT) {
                throw new IOException(
                        "column '%s' has a text of %d bytes, expected at most %d"
                                .formatted(wanted.name(), length, MAX_TEXT));
            }
            var text =
                    new String(
                            reader.getBinaryValues(), offsets[i], length, StandardCharsets.UTF_8);
            texts[i] = known.computeIfAbsent(text, each -> each);
        }
        return texts;
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
