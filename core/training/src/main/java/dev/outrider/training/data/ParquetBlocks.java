package dev.outrider.training.data;

import dev.hardwood.HardwoodContext;
import dev.hardwood.InputFile;
import dev.hardwood.metadata.RowGroup;
import dev.hardwood.reader.ParquetFileReader;
import dev.outrider.parquet.ParquetBounds;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.training.data.DataSourceConfig.RecordKind;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// A Parquet file. A block has rows of one group, about 1 MiB on average. Pages do not list their rows, so a
/// block is read from the beginning of its group; blocks that are requested together are read in one pass. Thread-safe.
final class ParquetBlocks implements Blocks {
    /// The most bytes of the text of a block.
    static final long BLOCK_TEXT = 1L << 28;

    /// Most rows that are unpacked at a time.
    private static final int BATCH = 64;

    /// The most bytes of these rows, if each were the longest entry of a dictionary.
    private static final long BATCH_TEXT = 1L << 26;

    /// Bytes of an unpacked value, beside its text.
    private static final long VALUE = 2;

    /// Rows that were written together.
    ///
    /// @param middle of the group in the file, which identifies it for the library
    /// @param first  row of the file that is the group's first
    /// @param rows   number of rows
    /// @param step   rows of a block
    /// @param batch  rows that are unpacked at a time
    private record Group(long middle, long first, long rows, long step, int batch) {
        long blocks() {
            return (rows + step - 1) / step;
        }
    }

    private final Path file;
    private final Optional<RecordKind> kind;
    private final ParquetColumns columns;
    private final List<Group> groups = new ArrayList<>();
    private final int[] firstBlocks;

    /// Reads and checks the file's metadata.
    ///
    /// @param kind of records; if absent, their columns decide
    /// @throws OutriderException `DATA_INVALID` if it is no Parquet file, or has no columns that make records
    ParquetBlocks(Path file, long size, Optional<RecordKind> kind) {
        this.file = file;
        this.kind = kind;
        try (var channel = FileChannel.open(file)) {
            var bounds = new ParquetBounds(channel, size);
            bounds.checkFooter();
            try (var context = HardwoodContext.create(1);
                    var reader = ParquetFileReader.open(InputFile.of(file), context)) {
                columns = ParquetColumns.of(reader.getFileSchema(), kind);
                if (!columns.makeRecords()) {
                    throw DataFailures.file(
                            file,
                            "expected a column 'messages', 'conversations', 'prompt' or 'text', got "
                                    + ParquetColumns.described(reader.getFileSchema()));
                }
                for (var group : reader.getFileMetaData().rowGroups()) {
                    add(group, bounds);
                }
            }
        } catch (IOException | RuntimeException e) {
            throw failure(e);
        }
        firstBlocks = new int[groups.size() + 1];
        for (int i = 0; i < groups.size(); i++) {
            firstBlocks[i + 1] =
                    Math.toIntExact(Math.addExact(firstBlocks[i], groups.get(i).blocks()));
        }
    }

    private void add(RowGroup group, ParquetBounds bounds) throws IOException {
        long bytes = 0;
        long dictionary = 1;
        for (var leaf : columns.leaves()) {
            var column = bounds.check(group.columns().get(leaf.index()));
            if (column.values() < group.numRows()
                    || leaf.member().isEmpty() && column.values() > group.numRows()) {
                throw new IOException(
                        "a column has %d values for %d rows"
                                .formatted(column.values(), group.numRows()));
            }
            bytes += column.bytes() + column.values() * VALUE;
            dictionary = Math.max(dictionary, column.dictionary());
        }
        if (group.numRows() == 0) {
            return;
        }
        long first = groups.isEmpty() ? 0 : groups.getLast().first() + groups.getLast().rows();
        long compressed = 0;
        for (var column : group.columns()) {
            compressed += column.metaData().totalCompressedSize();
        }
        groups.add(
                new Group(
                        group.columns().getFirst().chunkStartOffset() + compressed / 2,
                        first,
                        group.numRows(),
                        Math.max(1, group.numRows() / (1 + bytes / LineBlocks.BLOCK)),
                        (int) Math.clamp(BATCH_TEXT / dictionary, 1, BATCH)));
    }

    @Override
    public int count() {
        return firstBlocks[groups.size()];
    }

    @Override
    public List<Document> read(int block) {
        return read(List.of(block)).getFirst();
    }

    @Override
    public List<List<Document>> read(List<Integer> blocks) {
        var wanted = new TreeMap<Integer, TreeSet<Integer>>();
        for (int block : blocks) {
            int found = Arrays.binarySearch(firstBlocks, block);
            wanted.computeIfAbsent(found < 0 ? -found - 2 : found, _ -> new TreeSet<>()).add(block);
        }
        var read = new HashMap<Integer, List<Document>>();
        wanted.forEach((group, some) -> pass(group, some, read));
        return blocks.stream().map(read::get).toList();
    }

    /// Reads blocks of a group in one pass.
    private void pass(int index, TreeSet<Integer> blocks, Map<Integer, List<Document>> read) {
        var group = groups.get(index);
        try (var context = HardwoodContext.create(1);
                var reader = ParquetFileReader.open(InputFile.of(file), context);
                var rows = new ParquetRows(reader, columns, group.middle(), group.batch())) {
            long at = 0;
            for (int block : blocks) {
                long from = (block - firstBlocks[index]) * group.step();
                for (; at < from; at++) {
                    rows.next();
                }
                var documents = new ArrayList<Document>();
                long before = rows.bytes();
                for (; at < Math.min(group.rows(), from + group.step()); at++) {
                    rows.next();
                    document(rows, group.first() + at + 1).ifPresent(documents::add);
                    if (rows.bytes() - before > BLOCK_TEXT) {
                        throw new IOException(
                                "%d rows have more than %d bytes of text"
                                        .formatted(at - from + 1, BLOCK_TEXT));
                    }
                }
                read.put(block, documents);
            }
        } catch (IOException | RuntimeException e) {
            throw failure(e);
        }
    }

    private Optional<Document> document(ParquetRows rows, long row) throws IOException {
        try {
            var fields =
                    new RecordFields(rows.row(), problem -> DataFailures.row(file, row, problem));
            return Optional.of(fields.document(kind)).filter(Document::hasText);
        } catch (CharacterCodingException e) {
            throw DataFailures.row(file, row, "expected text in UTF-8, got other bytes");
        }
    }

    /// The library throws many kinds of exceptions for an invalid file.
    private OutriderException failure(Exception e) {
        return e instanceof OutriderException known ? known : DataFailures.notParquet(file, e);
    }
}
