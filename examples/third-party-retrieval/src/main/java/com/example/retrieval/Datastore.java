package com.example.retrieval;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.Tokenizer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/// A text as the target's tokens, and what follows every few of them. Immutable.
final class Datastore {
    private static final ErrorCode TOO_SHORT =
            new ErrorCode("DATASTORE_TOO_SHORT", ErrorCode.Category.FILE);

    private final int[] tokens;
    private final int match;
    private final String digest;
    private final Map<List<Integer>, List<Integer>> places = new HashMap<>();

    private Datastore(int[] tokens, int match, String digest) {
        this.tokens = tokens;
        this.match = match;
        this.digest = digest;
        for (int end = match; end < tokens.length; end++) {
            places.computeIfAbsent(last(tokens, end), key -> new ArrayList<>()).add(end);
        }
    }

    /// Reads a text file.
    ///
    /// @param match     tokens that must agree
    /// @param tokenizer the target's
    /// @throws OutriderException if the file cannot be read or is too short
    static Datastore read(Path file, int match, Tokenizer tokenizer) {
        byte[] bytes = bytes(file);
        int[] tokens = tokenizer.encode(new String(bytes, StandardCharsets.UTF_8), false);
        if (tokens.length <= match) {
            throw new OutriderException(
                    TOO_SHORT,
                    "the datastore %s has %d tokens, expected more than match, which is %d"
                            .formatted(file, tokens.length, match),
                    "Give a longer text, or lower match.");
        }
        return new Datastore(tokens, match, sha256(bytes));
    }

    /// {@return where a text may go on: indices of tokens that follow what it ends with}
    ///
    /// @param length how many tokens of `text` there are
    List<Integer> after(int[] text, int length) {
        return length < match ? List.of() : places.getOrDefault(last(text, length), List.of());
    }

    /// {@return the tokens from an index on, at most `length`}
    int[] from(int index, int length) {
        return Arrays.copyOfRange(tokens, index, Math.min(index + length, tokens.length));
    }

    String digest() {
        return digest;
    }

    private List<Integer> last(int[] text, int length) {
        return Arrays.stream(text, length - match, length).boxed().toList();
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new OutriderException(
                    ErrorCode.IO_FAILED,
                    "the datastore %s cannot be read: %s".formatted(file, e),
                    "Give a text file that is there.",
                    e);
        }
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
