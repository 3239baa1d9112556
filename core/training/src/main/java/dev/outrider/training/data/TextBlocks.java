package dev.outrider.training.data;

import dev.outrider.training.data.LineBlocks.Utf8;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A file of plain text, cut into pieces of at most 2P bytes, P = 16 KiB: near every multiple of P there is a cut, after the
/// first blank line from there on, else after the first line, else after the first space, else between two characters. Every piece
/// is a document, so that even one long text comes in a mixed order.
///
/// @param file with text
/// @param size of the file in bytes
record TextBlocks(Path file, long size) implements Blocks {
    /// Bytes between two places near which the text is cut.
    static final int PIECE = 1 << 14;

    /// Pieces in a block.
    static final int PIECES = 64;

    @Override
    public int count() {
        return Math.toIntExact((pieces() + PIECES - 1) / PIECES);
    }

    private long pieces() {
        return (size + PIECE - 1) / PIECE;
    }

    @Override
    public List<Document> read(int block) throws IOException {
        long first = (long) block * PIECES;
        int pieces = (int) Math.min(PIECES, pieces() - first);
        long start = first * PIECE;
        byte[] bytes = bytes(start, (int) Math.min(size - start, (pieces + 1L) * PIECE));
        var documents = new ArrayList<Document>();
        int from = cut(bytes, 0, start);
        for (int piece = 1; piece <= pieces; piece++) {
            int to = cut(bytes, piece * PIECE, start);
            var text = text(bytes, from, to, start).strip();
            if (!text.isEmpty()) {
                documents.add(new Document.Text(text, Document.Overflow.GOES_ON));
            }
            from = to;
        }
        return documents;
    }

    private byte[] bytes(long start, int length) throws IOException {
        var bytes = ByteBuffer.allocate(length);
        try (var channel = FileChannel.open(file)) {
            channel.position(start);
            int read = 0;
            while (bytes.hasRemaining() && read >= 0) {
                read = channel.read(bytes);
            }
        }
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    /// Where the text is cut at or after a multiple of P.
    ///
    /// @param start of the bytes in the file
    private static int cut(byte[] bytes, int from, long start) {
        if (from == 0 && start == 0) {
            return 0;
        }
        if (from >= bytes.length) {
            return bytes.length;
        }
        int end = Math.min(bytes.length, from + PIECE);
        int line = end;
        int space = end;
        int character = end;
        for (int i = end - 1; i >= from; i--) {
            if ((bytes[i] & 0xC0) != 0x80) {
                character = i;
            }
            if (bytes[i] == ' ' || bytes[i] == '\t') {
                space = i + 1;
            } else if (bytes[i] == '\n') {
                line = i + 1;
            }
        }
        for (int i = from; i < end; i++) {
            if (bytes[i] == '\n' && endsBlankLine(bytes, i, from)) {
                return i + 1;
            }
        }
        return line < end ? line : space < end ? space : character;
    }

    private static boolean endsBlankLine(byte[] bytes, int newline, int from) {
        int before = newline - 1;
        if (before >= from && bytes[before] == '\r') {
            before--;
        }
        return before >= from && bytes[before] == '\n';
    }

    private String text(byte[] bytes, int from, int to, long start) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == 0) {
                throw DataFailures.at(file, start + i, "expected text in UTF-8, got a zero byte");
            }
        }
        try {
            return Utf8.decoded(bytes, from, to, start == 0 && from == 0);
        } catch (CharacterCodingException e) {
            throw DataFailures.at(
                    file, start + from, "expected text in UTF-8, got other bytes near here");
        }
    }
}
