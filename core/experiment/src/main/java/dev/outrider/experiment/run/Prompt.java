package dev.outrider.experiment.run;

import dev.outrider.spi.target.Tokenizer;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;

/// An encoded prompt.
///
/// @param id   names it in results
/// @param kind kind of task
/// @param ids  token ids, special tokens included
public record Prompt(String id, String kind, List<Integer> ids) {
    public Prompt {
        ids = List.copyOf(ids);
    }

    /// Encode a text with the target's tokenizer.
    ///
    /// @param special whether the tokenizer's own special tokens are added; a chat template writes them itself
    static Prompt encode(
            String id, String kind, String text, Tokenizer tokenizer, boolean special) {
        int[] ids = tokenizer.encode(text, special);
        return new Prompt(id, kind, IntStream.of(ids).boxed().toList());
    }

    /// Names the token ids: 16 hexadecimal digits, equal for equal ids.
    public String digest() {
        try {
            var bytes = ByteBuffer.allocate(Integer.BYTES * ids.size());
            ids.forEach(bytes::putInt);
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes.array());
            return HexFormat.of().formatHex(digest, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /// The ids as an array that the caller owns.
    public int[] array() {
        return ids.stream().mapToInt(Integer::intValue).toArray();
    }
}
