package dev.outrider.drafter.lookup;

import dev.outrider.common.Require;
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
import java.util.stream.Stream;

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
                throw ErrorCode.CHECKPOINT_UNSUPPORTED.error(
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
            throw ErrorCode.DATA_INVALID.error(
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
                                ErrorCode.CHECKPOINT_INCOMPLETE.error(
                                        "'%s' has no tensor '%s'".formatted(file.path(), name),
                                        "Make the table again with 'outrider train ngram'."));
        Require.that(
                tensor.shape().size() == 1 && tensor.elements() <= MAX_ELEMENTS,
                "tensor '%s' has shape %s, expected one dimension of at most %d",
                name,
                tensor.shape(),
                MAX_ELEMENTS);
        return tensor.toLongs();
    }

    private static int[] integers(long[] values) {
        return Arrays.stream(values).mapToInt(Math::toIntExact).toArray();
    }

    private static long[] longs(int[] values) {
        return Arrays.stream(values).asLongStream().toArray();
    }

    /// Counts of every token, and of every pair of adjacent tokens, in a corpus. Immutable.
    ///
    /// Pairs are stored by their first token: those of token t are `successors[offsets[t]]` to
    /// `successors[offsets[t + 1] - 1]`, ascending, each with its count.
    ///
    /// @param tokens     shape `[V]`, occurrences of each token, 0 or more
    /// @param offsets    shape `[V + 1]`, rising from 0 to the number of pairs
    /// @param successors shape `[pairs]`, second token of each pair
    /// @param counts     shape `[pairs]`, occurrences of each pair, at least 1
    public record NgramCounts(long[] tokens, int[] offsets, int[] successors, long[] counts) {
        public NgramCounts {
            int vocabulary = tokens.length;
            Require.that(vocabulary >= 1, "tokens must cover at least one token");
            Require.that(
                    offsets.length == vocabulary + 1
                            && offsets[0] == 0
                            && offsets[vocabulary] == successors.length
                            && counts.length == successors.length,
                    "offsets must have %d entries, from 0 to the number of pairs, got %d entries and %d pairs",
                    vocabulary + 1,
                    offsets.length,
                    successors.length);
            for (int token = 0; token < vocabulary; token++) {
                Require.that(
                        tokens[token] >= 0,
                        "token %d occurs %d times, expected 0 or more",
                        token,
                        tokens[token]);
                Require.that(
                        offsets[token] <= offsets[token + 1],
                        "offsets fall from %d to %d at token %d",
                        offsets[token],
                        offsets[token + 1],
                        token);
            }
            for (int token = 0; token < vocabulary; token++) {
                int before = -1;
                for (int pair = offsets[token]; pair < offsets[token + 1]; pair++) {
                    Require.that(
                            successors[pair] > before && successors[pair] < vocabulary,
                            "successor %d of token %d must be above %d and below %d",
                            successors[pair],
                            token,
                            before,
                            vocabulary);
                    Require.that(
                            counts[pair] >= 1,
                            "pair (%d, %d) occurs %d times, expected at least 1",
                            token,
                            successors[pair],
                            counts[pair]);
                    before = successors[pair];
                }
            }
        }

        /// Returns the number of tokens V.
        public int vocabulary() {
            return tokens.length;
        }

        /// Returns the number of distinct pairs.
        public int pairs() {
            return successors.length;
        }

        /// Counts documents; no pair spans two of them.
        ///
        /// @param documents  token ids of each document
        /// @param vocabulary number of tokens V
        /// @throws IndexOutOfBoundsException if a token is not below V
        public static NgramCounts of(Stream<int[]> documents, int vocabulary) {
            var tokens = new long[vocabulary];
            Map<Long, Long> pairs = new HashMap<>();
            documents.forEach(document -> {
                for (int i = 0; i < document.length; i++) {
                    tokens[document[i]]++;
                    if (i > 0) {
                        long pair = (long) document[i - 1] * vocabulary + document[i];
                        pairs.merge(pair, 1L, Long::sum);
                    }
                }
            });
            var offsets = new int[vocabulary + 1];
            var successors = new int[pairs.size()];
            var counts = new long[pairs.size()];
            int pair = 0;
            for (long key : pairs.keySet().stream().mapToLong(Long::longValue).sorted().toArray()) {
                offsets[(int) (key / vocabulary) + 1]++;
                successors[pair] = (int) (key % vocabulary);
                counts[pair++] = pairs.getOrDefault(key, 0L);
            }
            Arrays.parallelPrefix(offsets, Integer::sum);
            return new NgramCounts(tokens, offsets, successors, counts);
        }
    }
}
