package dev.outrider.nn.tokenizer;

import dev.outrider.common.Require;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.regex.Pattern;

/// Trains a byte-level BPE vocabulary: repeatedly merges the most frequent pair of neighbouring symbols.
///
/// Deterministic: among equally frequent pairs the one with the lowest ids is merged. Confined to one thread.
///
/// @see "Sennrich et al. 2016, algorithm 1; Radford et al. 2019 (GPT-2), section 2.2"
public final class BpeTrainer {
    /// GPT-2's split into words; the same expression the `ByteLevel` pre-tokenizer applies.
    private static final Pattern WORDS =
            Pattern.compile(
                    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
                    Pattern.UNICODE_CHARACTER_CLASS);

    private final Map<String, Long> wordCounts = new HashMap<>();

    /// Counts the words of one document.
    public BpeTrainer add(String text) {
        var matcher = WORDS.matcher(text);
        while (matcher.find()) {
            wordCounts.merge(matcher.group(), 1L, Long::sum);
        }
        return this;
    }

    /// Returns the vocabulary learned from the documents added so far.
    ///
    /// @param vocabularySize special tokens, 256 bytes and merges together; fewer merges if no more
    ///     pairs occur twice
    /// @param specialTokens  ids 0, 1, …; never split
    public BpeVocabulary train(int vocabularySize, List<String> specialTokens) {
        int firstMerge = specialTokens.size() + 256;
        Require.that(
                vocabularySize >= firstMerge,
                "vocabularySize %d is below %d, the special tokens and 256 bytes",
                vocabularySize,
                firstMerge);
        var symbols = new ArrayList<String>(vocabularySize);
        symbols.addAll(specialTokens);
        for (int value = 0; value < 256; value++) {
            symbols.add(String.valueOf(ByteAlphabet.characterOf(value)));
        }
        var pairs = new PairTable(words(specialTokens.size()));
        var idOf = new HashMap<String, Integer>();
        for (int id = 0; id < symbols.size(); id++) {
            idOf.put(symbols.get(id), id);
        }
        var merges = new ArrayList<BpeVocabulary.Merge>();
        while (symbols.size() < vocabularySize) {
            var best = pairs.mostFrequent();
            if (best.isEmpty()) {
                break;
            }
            var left = symbols.get(best.get().left());
            var right = symbols.get(best.get().right());
            // Another split can give the same text; then both merges give one symbol.
            var known = idOf.putIfAbsent(left + right, symbols.size());
            if (known == null) {
                symbols.add(left + right);
            }
            pairs.merge(best.get(), known == null ? symbols.size() - 1 : known);
            merges.add(new BpeVocabulary.Merge(left, right));
        }
        return new BpeVocabulary(symbols, merges, specialTokens);
    }

    private List<Word> words(int firstByte) {
        var words = new ArrayList<Word>(wordCounts.size());
        wordCounts.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> {
                    var bytes = entry.getKey().getBytes(StandardCharsets.UTF_8);
                    var ids = new int[bytes.length];
                    for (int i = 0; i < bytes.length; i++) {
                        ids[i] = firstByte + (bytes[i] & 0xFF);
                    }
                    words.add(new Word(ids, entry.getValue()));
                });
        return words;
    }

    private record Pair(int left, int right) {}

    private record Candidate(Pair pair, long count) implements Comparable<Candidate> {
        @Override
        public int compareTo(Candidate other) {
            int byCount = Long.compare(other.count, count);
            if (byCount != 0) {
                return byCount;
            }
            int byLeft = Integer.compare(pair.left, other.pair.left);
            return byLeft != 0 ? byLeft : Integer.compare(pair.right, other.pair.right);
        }
    }

    private static final class Word {
        private int[] ids;
        private final long count;

        Word(int[] ids, long count) {
            this.ids = ids;
            this.count = count;
        }
    }

    /// Pair frequencies, updated while merges are applied. Queue entries may be outdated; they are
    /// checked when they are taken.
    private static final class PairTable {
        private final Map<Pair, Long> counts = new HashMap<>();
        private final Map<Pair, Set<Word>> occurrences = new HashMap<>();
        private final PriorityQueue<Candidate> queue = new PriorityQueue<>();

        PairTable(List<Word> words) {
            for (var word : words) {
                count(word, 1);
            }
            counts.forEach((pair, count) -> queue.add(new Candidate(pair, count)));
        }

        /// Returns the most frequent pair that occurs at least twice.
        Optional<Pair> mostFrequent() {
            for (var candidate = queue.poll(); candidate != null; candidate = queue.poll()) {
                if (candidate.count() < 2) {
                    return Optional.empty();
                }
                if (counts.getOrDefault(candidate.pair(), 0L) == candidate.count()) {
                    return Optional.of(candidate.pair());
                }
            }
            return Optional.empty();
        }

        void merge(Pair pair, int mergedId) {
            var touched = occurrences.remove(pair);
            if (touched == null) {
                throw new IllegalStateException("pair %s does not occur".formatted(pair));
            }
            var changed = new HashSet<Pair>();
            for (var word : List.copyOf(touched)) {
                changed.addAll(count(word, -1));
                word.ids = replace(word.ids, pair, mergedId);
                changed.addAll(count(word, 1));
            }
            changed.remove(pair);
            for (var other : changed) {
                long count = counts.getOrDefault(other, 0L);
                if (count > 0) {
                    queue.add(new Candidate(other, count));
                }
            }
            counts.remove(pair);
        }

        private Set<Pair> count(Word word, int sign) {
            var seen = new HashSet<Pair>();
            for (int i = 0; i + 1 < word.ids.length; i++) {
                var pair = new Pair(word.ids[i], word.ids[i + 1]);
                counts.merge(pair, sign * word.count, Long::sum);
                if (seen.add(pair)) {
                    if (sign > 0) {
                        occurrences.computeIfAbsent(pair, key -> new HashSet<>()).add(word);
                    } else {
                        var places = occurrences.get(pair);
                        if (places != null) {
                            places.remove(word);
                        }
                    }
                }
            }
            return seen;
        }

        private static int[] replace(int[] ids, Pair pair, int mergedId) {
            var result = new int[ids.length];
            int length = 0;
            for (int i = 0; i < ids.length; i++) {
                if (i + 1 < ids.length && ids[i] == pair.left && ids[i + 1] == pair.right) {
                    result[length++] = mergedId;
                    i++;
                } else {
                    result[length++] = ids[i];
                }
            }
            return Arrays.copyOf(result, length);
        }
    }

    /// The byte alphabet of byte-level BPE: every byte is written as one printable character, so
    /// vocabularies are plain text.
    ///
    /// @see "Radford et al. 2019 (GPT-2), section 2.2"
    static final class ByteAlphabet {
        private static final char[] CHARACTER_OF = new char[256];

        static {
            char next = 256;
            for (int value = 0; value < 256; value++) {
                CHARACTER_OF[value] = printable(value) ? (char) value : next++;
            }
        }

        private ByteAlphabet() {}

        /// Returns the character of a byte, `0 <= value < 256`.
        static char characterOf(int value) {
            return CHARACTER_OF[value];
        }

        private static boolean printable(int value) {
            return (value >= '!' && value <= '~')
                    || (value >= 0xA1 && value <= 0xAC)
                    || (value >= 0xAE && value <= 0xFF);
        }
    }
}
