package dev.outrider.experiment.run;

import dev.outrider.common.Sha256;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.EncodedPrompt;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// An encoded prompt.
///
/// @param id   its name in results
/// @param kind kind of task
/// @param ids  token ids, special tokens included
/// @param source token ids that the encoder reads; empty for a target that has none
public record Prompt(String id, String kind, List<Integer> ids, List<Integer> source) {
    /// Separates prompt and source in the digest: it is no token id.
    private static final int BORDER = -1;

    static Prompt of(String id, String kind, EncodedPrompt encoded) {
        return new Prompt(id, kind, encoded.ids(), encoded.source());
    }

    /// Returns the request to a decoder.
    public DecodeRequest request(
            int maxTokens, SamplingPolicy policy, List<String> stop, boolean ignoreEndOfSequence) {
        return new DecodeRequest(array(), maxTokens, policy, stop, ignoreEndOfSequence, source);
    }

    /// Returns the digest of the token ids, those of the source included: 16 hexadecimal digits, equal for equal ids.
    public String digest() {
        return source.isEmpty()
                ? digest(ids)
                : digest(Stream.of(ids, List.of(BORDER), source).flatMap(List::stream).toList());
    }

    /// Returns the digest of the source's token ids, if there is a source.
    public Optional<String> sourceDigest() {
        return source.isEmpty() ? Optional.empty() : Optional.of(digest(source));
    }

    private static String digest(List<Integer> ids) {
        var bytes = ByteBuffer.allocate(Integer.BYTES * ids.size());
        ids.forEach(bytes::putInt);
        return HexFormat.of().formatHex(new Sha256().add(bytes.flip()).bytes(), 0, 8);
    }

    /// The ids as an array that the caller owns.
    public int[] array() {
        return ids.stream().mapToInt(Integer::intValue).toArray();
    }
}
