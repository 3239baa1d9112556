package dev.outrider.training.data;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// Bytes of a file as text.
final class Utf8 {
    private static final int MARK = '\uFEFF';

    private Utf8() {}

    /// @param start whether the file begins here, where a byte order mark may stand
    /// @throws CharacterCodingException if it is not UTF-8
    static String decoded(byte[] bytes, int from, int to, boolean start)
            throws CharacterCodingException {
        var text =
                StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes, from, to - from))
                        .toString();
        return start && !text.isEmpty() && text.charAt(0) == MARK ? text.substring(1) : text;
    }
}
