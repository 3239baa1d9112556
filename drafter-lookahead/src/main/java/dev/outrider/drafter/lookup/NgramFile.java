package dev.outrider.drafter.lookup;

import dev.outrider.nn.checkpoint.SafetensorsFile;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A table of counts as a file: safetensors with 64-bit tensors `tokens` `[V]`, `offsets` `[V +
/// 1]`, `successors` and `counts` `[pairs]`, and in the header `format: outrider-ngram-1`, the
/// tokenizer's digest, and its origin.
///
/// Everything read is checked before it is used.
///
/// @param counts    the counts
/// @param tokenizer digest of the tokenizer that made the tokens
public record NgramFile(NgramCounts counts, String tokenizer) {
    private static final String FORMAT = "outrider-ngram-1";
    private static final int MAX_ELEMENTS = 1 << 28;

    /// Writes the file atomically.
    ///
    /// @param origin further lines for the header, such as the corpus
    /// @throws OutriderException `IO_FAILED`
    public void write(Path path, Map<String, String> origin) {
        Map<String, String> header = new HashMap<>(origin);
        header.put("format", FORMAT);
        header.put("tokenizer", tokenizer);
        SafetensorsWriter.write(
                path,
                List.of(
                        tensor("tokens", counts.tokens()),
                        tensor("offsets", longs(counts.offsets())),
                        tensor("successors", longs(counts.successors())),
                        tensor("counts", counts.counts())),
                header);
    }

    /// Reads a file.
    ///
    /// @throws OutriderException `CHECKPOINT_NOT_FOUND`, `SAFETENSORS_CORRUPT`, `CHECKPOINT_UNSUPPORTED`,
    ///                           `CHECKPOINT_INCOMPLETE`, or `DATA_INVALID` if the counts contradict each other
    public static NgramFile read(Path path) {
        try (var file = SafetensorsFile.open(path)) {
            var format = file.metadata().getOrDefault("format", "");
            if (!format.equals(FORMAT)) {
                throw new OutriderException(
                        ErrorCode.CHECKPOINT_UNSUPPORTED,
                        "'%s' has the format '%s', expected '%s'".formatted(path, format, FORMAT),
                        "Make a table with 'outrider train ngram'.");
            }
            var counts =
                    new NgramCounts(
                            numbers(file, "tokens"),
                            integers(numbers(file, "offsets")),
                            integers(numbers(file, "successors")),
                            numbers(file, "counts"));
            return new NgramFile(counts, file.metadata().getOrDefault("tokenizer", ""));
        } catch (IllegalArgumentException | ArithmeticException broken) {
            throw new OutriderException(
                    ErrorCode.DATA_INVALID,
                    "the table '%s' is broken: %s".formatted(path, broken.getMessage()),
                    "Make it again with 'outrider train ngram'.",
                    broken);
        }
    }

    private static StoredTensor tensor(String name, long[] values) {
        return StoredTensor.ofLongs(name, values, values.length);
    }

    private static long[] numbers(SafetensorsFile file, String name) {
        var tensor =
                file.tensor(name)
                        .orElseThrow(() ->
                                new OutriderException(
                                        ErrorCode.CHECKPOINT_INCOMPLETE,
                                        "'%s' has no tensor '%s'".formatted(file.path(), name),
                                        "Make the table again with 'outrider train ngram'."));
        if (tensor.shape().size() != 1 || tensor.elements() > MAX_ELEMENTS) {
            throw new IllegalArgumentException(
                    "tensor '%s' has shape %s, expected one dimension of at most %d"
                            .formatted(name, tensor.shape(), MAX_ELEMENTS));
        }
        return tensor.toLongs();
    }

    private static int[] integers(long[] values) {
        return Arrays.stream(values).mapToInt(Math::toIntExact).toArray();
    }

    private static long[] longs(int[] values) {
        return Arrays.stream(values).asLongStream().toArray();
    }
}
