package dev.outrider.parquet;

import dev.hardwood.metadata.ColumnChunk;
import dev.hardwood.metadata.CompressionCodec;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// Limits of a Parquet file, checked before the library reads it. The library allocates what
/// headers say, and gives Snappy's native code a buffer of the size in the page's header, while
/// Snappy writes as many bytes as its own header says. So both headers are read and compared first
/// (docs/decisions/0069).
///
/// @param file to read
/// @param size of it in bytes
/// @see "Apache Parquet format 2.11, README and parquet.thrift"
public record ParquetBounds(FileChannel file, long size) {
    /// Maximum bytes of a footer.
    public static final int FOOTER = 1 << 24;

    /// Maximum bytes of a page, before and after compression; DuckDB writes up to 100 MB.
    public static final int PAGE = 1 << 27;

    /// Maximum bytes of a dictionary. Writers stop at about one MiB. The limit is low because one
    /// value of a dictionary may be used in many rows.
    public static final int DICTIONARY = 1 << 24;

    /// Maximum values of a page.
    public static final int VALUES = 1 << 24;

    /// Maximum nesting of groups of columns.
    private static final int DEPTH = 64;

    private static final int TAIL = 8;
    private static final int MAGIC = 4;
    private static final int HEADER = 1 << 12;
    private static final int LONGEST_HEADER = 1 << 24;
    private static final int DATA_PAGE = 0;
    private static final int DICTIONARY_PAGE = 2;
    private static final int DATA_PAGE_V2 = 3;
    private static final int I32 = 5;
    private static final int BINARY = 8;
    private static final int STRUCT = 12;

    /// A page in the file, its header included.
    private record Page(long offset, long length) {}

    /// Totals of a column in a group of rows.
    ///
    /// @param values     number of values, missing ones included
    /// @param bytes      of all pages, unpacked
    /// @param dictionary bytes of the dictionary, unpacked
    public record Column(long values, long bytes, long dictionary) {}

    /// Checks the footer.
    ///
    /// @throws IOException if it is invalid or too long
    public void checkFooter() throws IOException {
        if (size < MAGIC + TAIL) {
            throw new IOException("it has %d bytes".formatted(size));
        }
        var tail = bytes(size - TAIL, TAIL);
        long length = Integer.toUnsignedLong(tail.getInt(0));
        if (length > FOOTER || length > size - TAIL - MAGIC) {
            throw new IOException(
                    "its footer says that it has %d bytes; expected at most %d"
                            .formatted(length, Math.min(FOOTER, size - TAIL - MAGIC)));
        }
        var footer = ThriftStruct.read(bytes(size - TAIL - length, (int) length));
        checkDepth(footer.structs(2));
        footer.expect(5, STRUCT);
        footer.expect(7, STRUCT);
        for (var group : footer.structs(4)) {
            group.expect(4, STRUCT);
            for (var chunk : group.structs(1)) {
                var column =
                        chunk.struct(3)
                                .orElseThrow(() -> new IOException("a column has no description"));
                column.expect(2, I32);
                column.expect(3, BINARY);
                column.expect(8, STRUCT);
                column.expect(13, STRUCT);
            }
        }
    }

    /// Checks the nesting of groups of columns; the library follows it by recursion.
    private static void checkDepth(List<ThriftStruct> schema) throws IOException {
        var open = new ArrayDeque<Long>();
        for (var element : schema) {
            while (!open.isEmpty() && open.peek() == 0) {
                open.pop();
            }
            if (!open.isEmpty()) {
                open.push(open.pop() - 1);
            }
            open.push(Math.max(0, element.number(5).orElse(0)));
            if (open.size() > DEPTH) {
                throw new IOException(
                        "its columns have more than %d groups within each other".formatted(DEPTH));
            }
        }
    }

    /// Checks the pages of a column.
    ///
    /// @throws IOException if they do not agree with the footer, or are too large
    public Column check(ColumnChunk chunk) throws IOException {
        var meta = chunk.metaData();
        long start = chunk.chunkStartOffset();
        long length = meta.totalCompressedSize();
        if (start < MAGIC || length < 0 || start > size - TAIL - length) {
            throw new IOException(
                    "a column of %d bytes at byte %d is not in the file".formatted(length, start));
        }
        var pages = new ArrayList<Page>();
        long values = 0;
        long all = 0;
        long dictionary = 0;
        for (long at = start; at < start + length && values < meta.numValues(); ) {
            var header = header(at, start + length);
            long packed = number(header.struct, 3, PAGE);
            long unpacked = number(header.struct, 2, PAGE);
            long end = at + header.length + packed;
            if (end > start + length) {
                throw new IOException("the page at byte %d is not in its column".formatted(at));
            }
            int type = (int) number(header.struct, 1, Byte.MAX_VALUE);
            long levels = 0;
            if (type == DATA_PAGE) {
                values += number(part(header.struct, 5, at), 1, VALUES);
                pages.add(new Page(at, end - at));
            } else if (type == DATA_PAGE_V2) {
                var page = part(header.struct, 8, at);
                values += number(page, 1, VALUES);
                levels = number(page, 5, packed) + number(page, 6, packed);
                pages.add(new Page(at, end - at));
            } else if (type == DICTIONARY_PAGE) {
                number(part(header.struct, 7, at), 1, VALUES);
                dictionary = Math.max(dictionary, number(header.struct, 2, DICTIONARY));
            }
            if (meta.codec() == CompressionCodec.SNAPPY) {
                checkSnappy(header.struct, at + header.length + levels, packed, unpacked, levels);
            }
            all += unpacked;
            at = end;
        }
        if (values != meta.numValues()) {
            throw new IOException(
                    "the pages of a column have %d values; its footer says %d"
                            .formatted(values, meta.numValues()));
        }
        checkIndex(chunk, pages);
        return new Column(values, all, dictionary);
    }

    private void checkSnappy(ThriftStruct header, long at, long packed, long unpacked, long levels)
            throws IOException {
        boolean plain =
                header.struct(8).map(page -> page.number(7).orElse(1) == 0).orElse(false)
                        || packed <= levels;
        if (plain) {
            return;
        }
        long told = ThriftStruct.varint(bytes(at, (int) Math.min(10, packed - levels)));
        if (told != unpacked - levels) {
            throw new IOException(
                    "the page at byte %d unpacks to %d bytes; its header says %d"
                            .formatted(at, told, unpacked - levels));
        }
    }

    /// An index of pages must name the pages that were checked.
    private void checkIndex(ColumnChunk chunk, List<Page> pages) throws IOException {
        var offset = chunk.offsetIndexOffset();
        var length = chunk.offsetIndexLength();
        if (offset == null || length == null) {
            return;
        }
        if (length < 0 || length > FOOTER || offset < MAGIC || offset > size - TAIL - length) {
            throw new IOException(
                    "an index of %d bytes at byte %d is not in the file".formatted(length, offset));
        }
        var found = new ArrayList<Page>();
        for (var page : ThriftStruct.read(bytes(offset, length)).structs(1)) {
            found.add(new Page(number(page, 1, size), number(page, 2, size)));
        }
        if (!found.equals(pages)) {
            throw new IOException("an index does not name the pages of its column");
        }
    }

    private static ThriftStruct part(ThriftStruct header, int field, long at) throws IOException {
        return header.struct(field)
                .orElseThrow(() -> new IOException("there is no page at byte %d".formatted(at)));
    }

    /// @param most the maximum
    private static long number(ThriftStruct struct, int field, long most) throws IOException {
        long value =
                struct.number(field)
                        .orElseThrow(() ->
                                new IOException(
                                        "field %d of a page is not there".formatted(field)));
        if (value < 0 || value > most) {
            throw new IOException(
                    "field %d of a page is %d; expected 0 to %d".formatted(field, value, most));
        }
        return value;
    }

    private record Header(ThriftStruct struct, int length) {}

    private Header header(long at, long end) throws IOException {
        for (long peek = HEADER; ; peek *= 4) {
            var bytes = bytes(at, (int) Math.min(Math.min(peek, LONGEST_HEADER), end - at));
            try {
                return new Header(ThriftStruct.read(bytes), bytes.position());
            } catch (EOFException e) {
                if (bytes.limit() == end - at || bytes.limit() == LONGEST_HEADER) {
                    throw new IOException("there is no page at byte %d".formatted(at), e);
                }
            }
        }
    }

    private ByteBuffer bytes(long at, int length) throws IOException {
        var bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            if (file.read(bytes, at + bytes.position()) < 0) {
                throw new EOFException("it ends at byte %d".formatted(at + bytes.position()));
            }
        }
        return bytes.flip();
    }
}
