package dev.outrider.drafter.lookup;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/// How often every token, and every pair of adjacent tokens, occurs in a corpus. Immutable.
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
        require(vocabulary >= 1, "tokens must cover at least one token");
        require(
                offsets.length == vocabulary + 1
                        && offsets[0] == 0
                        && offsets[vocabulary] == successors.length
                        && counts.length == successors.length,
                "offsets must have %d entries, from 0 to the number of pairs, got %d entries and %d pairs",
                vocabulary + 1,
                offsets.length,
                successors.length);
        for (int token = 0; token < vocabulary; token++) {
            require(
                    tokens[token] >= 0,
                    "token %d occurs %d times, expected 0 or more",
                    token,
                    tokens[token]);
            require(
                    offsets[token] <= offsets[token + 1],
                    "offsets fall from %d to %d at token %d",
                    offsets[token],
                    offsets[token + 1],
                    token);
        }
        for (int token = 0; token < vocabulary; token++) {
            int before = -1;
            for (int pair = offsets[token]; pair < offsets[token + 1]; pair++) {
                require(
                        successors[pair] > before && successors[pair] < vocabulary,
                        "successor %d of token %d must be above %d and below %d",
                        successors[pair],
                        token,
                        before,
                        vocabulary);
                require(
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

    private static void require(boolean condition, String message, Object... values) {
        if (!condition) {
            throw new IllegalArgumentException(message.formatted(values));
        }
    }
}
