package dev.outrider.drafter.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.tree.TokenTree;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Compares guesses with counts by hand, and with a slow reference implementation.
class DatastoreIndexTest {
    private static final int SEPARATOR = 9;

    @TempDir private Path folder = Path.of("");

    @Test
    void theMostFrequentContinuationsOfTheLongestMatchFillTheTree() {
        // After "1 2": 3 three times (4 twice, 5 once), 6 once.
        var index =
                index(config(2, 4, 3, 0), 1, 2, 3, 4, 9, 1, 2, 3, 4, 9, 1, 2, 3, 5, 9, 1, 2, 6, 9);
        append(index, 7, 1, 2);

        var tree = TokenTree.builder(2);
        int three = tree.add(0, 3);
        int four = tree.add(three, 4);
        tree.add(four, SEPARATOR);
        tree.add(0, 6);
        assertThat(index.guess(new DraftBudget(8, 8))).isEqualTo(tree.build());
    }

    @Test
    void aGuessEndsWithItsDocument() {
        var index = index(config(1, 8, 4, 0), 1, 2, 9, 3, 4, 9);
        append(index, 1, 2);

        assertThat(index.guess(new DraftBudget(8, 8))).isEqualTo(TokenTree.chain(2, 9));
    }

    @Test
    void whatIsNotThereOrTooShortIsNotGuessed() {
        var index = index(config(2, 8, 4, 0), 1, 2, 3, 9);
        append(index, 2);
        assertThat(index.guess(new DraftBudget(8, 8))).isEqualTo(TokenTree.rootOnly(2));
        append(index, 8);
        assertThat(index.guess(new DraftBudget(8, 8))).isEqualTo(TokenTree.rootOnly(8));
    }

    @Test
    void tooUnlikelyGuessesAreLeftOut() {
        // After "1": 2 three times, 3 once, of 4 matches and one more.
        var index = index(config(1, 8, 1, 0.3), 1, 2, 9, 1, 2, 9, 1, 2, 9, 1, 3, 9);
        append(index, 1);

        assertThat(index.guess(new DraftBudget(8, 8))).isEqualTo(TokenTree.chain(1, 2));
    }

    @Test
    void itGuessesWhatTheDefinitionSays() {
        for (int seed = 0; seed < 40; seed++) {
            var random = new Random(seed);
            var text = text(random, 300);
            var config = config(1 + random.nextInt(2), 1 + random.nextInt(12), 1, 0);
            config = config(config.minMatch(), config.nodes(), Math.min(4, config.nodes()), 0);
            var index = index("seed" + seed, 128, config, text);
            var history = text(random, 20);
            append(index, history);

            assertThat(index.guess(new DraftBudget(12, 12)))
                    .describedAs("seed %d", seed)
                    .isEqualTo(slow(chunks(text, 128), history, config));
        }
    }

    /// Counts every path of every match, then takes the most frequent nodes one after the other.
    private static TokenTree slow(List<int[]> chunks, int[] history, DatastoreConfig config) {
        int root = history[history.length - 1];
        for (int length = Math.min(config.maxMatch(), history.length);
                length >= config.minMatch();
                length--) {
            var wanted = Arrays.copyOfRange(history, history.length - length, history.length);
            var counts = new TreeMap<List<Integer>, Integer>(DatastoreIndexTest::compare);
            for (var chunk : chunks) {
                count(chunk, wanted, config.depth(), counts);
            }
            if (!counts.isEmpty()) {
                return best(root, counts, config.nodes());
            }
        }
        return TokenTree.rootOnly(root);
    }

    private static void count(
            int[] chunk, int[] wanted, int depth, Map<List<Integer>, Integer> counts) {
        for (int at = 0; at + wanted.length <= chunk.length; at++) {
            if (Arrays.equals(chunk, at, at + wanted.length, wanted, 0, wanted.length)) {
                counts.merge(List.of(), 1, Integer::sum);
                List<Integer> path = new ArrayList<>();
                int end = Math.min(chunk.length, at + wanted.length + depth);
                for (int next = at + wanted.length; next < end; next++) {
                    path.add(chunk[next]);
                    counts.merge(List.copyOf(path), 1, Integer::sum);
                    if (chunk[next] == SEPARATOR) {
                        break;
                    }
                }
            }
        }
    }

    private static TokenTree best(int root, Map<List<Integer>, Integer> counts, int nodes) {
        var tree = TokenTree.builder(root);
        var places = new TreeMap<List<Integer>, Integer>(DatastoreIndexTest::compare);
        places.put(List.of(), 0);
        while (tree.size() <= nodes) {
            List<Integer> best = List.of();
            for (var path : counts.keySet()) {
                boolean open =
                        !path.isEmpty()
                                && !places.containsKey(path)
                                && places.containsKey(path.subList(0, path.size() - 1));
                if (open && (best.isEmpty() || better(path, best, counts, places))) {
                    best = path;
                }
            }
            if (best.isEmpty()) {
                break;
            }
            places.put(
                    best,
                    tree.add(
                            places.getOrDefault(best.subList(0, best.size() - 1), -1),
                            best.getLast()));
        }
        return tree.build();
    }

    private static boolean better(
            List<Integer> one,
            List<Integer> other,
            Map<List<Integer>, Integer> counts,
            Map<List<Integer>, Integer> places) {
        if (!counts.getOrDefault(one, 0).equals(counts.getOrDefault(other, 0))) {
            return counts.getOrDefault(one, 0) > counts.getOrDefault(other, 0);
        }
        if (one.size() != other.size()) {
            return one.size() < other.size();
        }
        int parents =
                Integer.compare(
                        places.getOrDefault(one.subList(0, one.size() - 1), -1),
                        places.getOrDefault(other.subList(0, other.size() - 1), -1));
        return parents != 0 ? parents < 0 : one.getLast() < other.getLast();
    }

    private static int compare(List<Integer> one, List<Integer> other) {
        return Arrays.compare(
                one.stream().mapToInt(Integer::intValue).toArray(),
                other.stream().mapToInt(Integer::intValue).toArray());
    }

    private static int[] text(Random random, int length) {
        return random.ints(length, 0, 4).map(token -> token == 3 ? SEPARATOR : token).toArray();
    }

    private static List<int[]> chunks(int[] text, int length) {
        List<int[]> chunks = new ArrayList<>();
        for (int at = 0; at < text.length; at += length) {
            chunks.add(Arrays.copyOfRange(text, at, Math.min(text.length, at + length)));
        }
        return chunks;
    }

    private DatastoreConfig config(int minMatch, int nodes, int depth, double minChance) {
        return new DatastoreConfig(folder, 6, minMatch, nodes, depth, minChance);
    }

    private DatastoreIndex index(DatastoreConfig config, int... text) {
        return index("store", 1024, config, text);
    }

    private DatastoreIndex index(String name, int chunkTokens, DatastoreConfig config, int[] text) {
        var path = folder.resolve(name);
        var writer = new DatastoreWriter(path, 16, chunkTokens);
        writer.add(text);
        writer.finish("tokenizer", SEPARATOR, Map.of());
        // Not closed: the test's folder is deleted after it.
        return new DatastoreIndex(DatastoreFiles.open(path, 10).datastore(), config);
    }

    private static void append(DatastoreIndex index, int... tokens) {
        for (int token : tokens) {
            index.append(token);
        }
    }
}
