package dev.outrider.training.data;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hardwood.metadata.PhysicalType;
import dev.hardwood.reader.ColumnReader;
import dev.hardwood.reader.LayerKind;
import dev.hardwood.reader.ParquetFileReader;
import dev.hardwood.reader.RowGroupPredicate;
import dev.outrider.training.data.LineBlocks.Utf8;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// The rows of a group, from the first on, as records. Confined.
final class ParquetRows implements AutoCloseable {
    /// The most messages of a row that are put into its record; more than a record may have.
    private static final int MAX_MESSAGES = 10_001;

    private final List<ParquetColumns.Leaf> leaves;
    private final List<ColumnReader> readers = new ArrayList<>();
    private int rows;
    private int row;
    private long bytes;

    /// @param group the group's place: only groups whose middle is there are read
    /// @param batch rows that are unpacked at a time
    ParquetRows(ParquetFileReader file, ParquetColumns columns, long group, int batch) {
        leaves = columns.leaves();
        for (var leaf : leaves) {
            readers.add(
                    file.buildColumnReader(leaf.index())
                            .filter(RowGroupPredicate.byteRange(group, group + 1))
                            .batchSize(batch)
                            .build());
        }
    }

    /// Goes to the next row.
    ///
    /// @throws IOException if there is none
    void next() throws IOException {
        row++;
        if (row < rows) {
            return;
        }
        row = 0;
        rows = 0;
        for (var reader : readers) {
            if (!reader.nextBatch() || rows != 0 && rows != reader.getRecordCount()) {
                throw new IOException("its columns have not the same number of rows");
            }
            rows = reader.getRecordCount();
        }
    }

    /// Returns the row; absent fields are absent in the record.
    ///
    /// @throws IOException if it is not UTF-8, or too long
    ObjectNode row() throws IOException {
        var record = JsonNodeFactory.instance.objectNode();
        for (int i = 0; i < readers.size(); i++) {
            var leaf = leaves.get(i);
            if (leaf.member().isPresent()) {
                addMembers(record, leaf.field(), leaf.member().get(), readers.get(i));
            } else {
                add(record, leaf.field(), leaf.type(), readers.get(i), row);
            }
        }
        return record;
    }

    private void add(
            ObjectNode record, String name, PhysicalType type, ColumnReader reader, int value)
            throws IOException {
        if (reader.getLeafValidity().isNull(value)) {
            return;
        }
        if (type == PhysicalType.BOOLEAN) {
            record.put(name, reader.getBooleans()[value]);
            return;
        }
        int[] offsets = reader.getBinaryOffsets();
        int length = offsets[value + 1] - offsets[value];
        if (length > LineBlocks.LONGEST) {
            throw new IOException(
                    "'%s' has %d bytes; expected at most %d"
                            .formatted(name, length, LineBlocks.LONGEST));
        }
        bytes += length;
        record.put(
                name,
                Utf8.decoded(reader.getBinaryValues(), offsets[value], offsets[value + 1], false));
    }

    /// Adds a member to every message of a list.
    private void addMembers(ObjectNode record, String field, String member, ColumnReader reader)
            throws IOException {
        if (reader.getLayerKind(0) != LayerKind.REPEATED) {
            throw new IOException("'%s' is no list".formatted(field));
        }
        if (reader.getLayerValidity(0).isNull(row)) {
            return;
        }
        var list = record.get(field) instanceof ArrayNode found ? found : record.putArray(field);
        int from = reader.getLayerOffsets(0)[row];
        int count = Math.min(reader.getLayerOffsets(0)[row + 1] - from, MAX_MESSAGES);
        for (int i = 0; i < count; i++) {
            if (i == list.size()) {
                list.addObject();
            }
            boolean absent =
                    reader.getLayerCount() > 1 && reader.getLayerValidity(1).isNull(from + i);
            if (!absent && list.get(i) instanceof ObjectNode message) {
                add(message, member, PhysicalType.BYTE_ARRAY, reader, from + i);
            }
        }
    }

    /// Returns the bytes of text in all rows that were read so far.
    long bytes() {
        return bytes;
    }

    @Override
    public void close() {
        readers.forEach(ColumnReader::close);
    }
}
