package dev.outrider.parquet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;

/// Writes a table to a Parquet file, row by row: zstd, dictionaries where values repeat, lists of
/// three levels. Confined to one thread.
///
/// @see "Apache Parquet format 2.11, LogicalTypes.md"
public final class TableWriter implements AutoCloseable {
    private static final String LIST = "list";
    private static final String ELEMENT = "element";

    private final List<Column> columns;
    private final MessageType schema;
    private final ParquetWriter<Group> writer;

    /// @param file     created or replaced
    /// @param metadata stored in the footer
    public TableWriter(Path file, List<Column> columns, Map<String, String> metadata)
            throws IOException {
        this.columns = List.copyOf(columns);
        this.schema = schema(columns);
        Files.deleteIfExists(file);
        this.writer =
                ExampleParquetWriter.builder(new LocalOutputFile(file))
                        .withConf(new PlainParquetConfiguration())
                        .withType(schema)
                        .withExtraMetaData(metadata)
                        .withCompressionCodec(CompressionCodecName.ZSTD)
                        .build();
    }

    private static MessageType schema(List<Column> columns) {
        var builder = Types.buildMessage();
        for (var column : columns) {
            builder.addField(field(column));
        }
        return builder.named("outrider");
    }

    private static org.apache.parquet.schema.Type field(Column column) {
        return switch (column.type()) {
            case INT -> primitive(PrimitiveTypeName.INT32, column.name());
            case LONG -> primitive(PrimitiveTypeName.INT64, column.name());
            case DOUBLE -> primitive(PrimitiveTypeName.DOUBLE, column.name());
            case TEXT ->
                    Types.required(PrimitiveTypeName.BINARY)
                            .as(LogicalTypeAnnotation.stringType())
                            .named(column.name());
            case INTS ->
                    Types.requiredList()
                            .requiredElement(PrimitiveTypeName.INT32)
                            .named(column.name());
        };
    }

    private static org.apache.parquet.schema.Type primitive(PrimitiveTypeName type, String name) {
        return Types.required(type).named(name);
    }

    /// Appends a row.
    ///
    /// @param values one for each column, of its type
    /// @throws IllegalArgumentException if number or types differ
    public void row(Object... values) throws IOException {
        if (values.length != columns.size()) {
            throw new IllegalArgumentException(
                    "a row of %d values for %d columns".formatted(values.length, columns.size()));
        }
        var row = new SimpleGroup(schema);
        for (int i = 0; i < values.length; i++) {
            add(row, columns.get(i), values[i]);
        }
        writer.write(row);
    }

    private static void add(Group row, Column column, Object value) {
        switch (value) {
            case Integer number when column.type() == Column.Type.INT ->
                    row.add(column.name(), number.intValue());
            case Long number when column.type() == Column.Type.LONG ->
                    row.add(column.name(), number.longValue());
            case Double number when column.type() == Column.Type.DOUBLE ->
                    row.add(column.name(), number.doubleValue());
            case String text when column.type() == Column.Type.TEXT -> row.add(column.name(), text);
            case int[] numbers when column.type() == Column.Type.INTS -> {
                var list = row.addGroup(column.name());
                for (int number : numbers) {
                    list.addGroup(LIST).add(ELEMENT, number);
                }
            }
            default ->
                    throw new IllegalArgumentException(
                            "column '%s' is of type %s, got %s"
                                    .formatted(
                                            column.name(),
                                            column.type(),
                                            value.getClass().getSimpleName()));
        }
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
