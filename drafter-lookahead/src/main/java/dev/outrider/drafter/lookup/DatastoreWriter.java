package dev.outrider.drafter.lookup;

import dev.outrider.common.Sha256;
import dev.outrider.nn.checkpoint.FreshFolder;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.spi.error.ErrorCode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Writes a datastore chunk by chunk: at most one chunk is in memory. A document that does not fit
/// into a chunk continues in the next one. Confined to one thread.
final class DatastoreWriter {
    private final Path folder;
    private final int sortedTokens;
    private final int[] chunk;
    private int filled;
    private final List<Long> lengths = new ArrayList<>();
    private final Map<String, String> facts = new HashMap<>();

    /// @param folder       new or empty
    /// @param sortedTokens number of tokens of a suffix that are sorted
    /// @param chunkTokens  maximum tokens of a chunk
    DatastoreWriter(Path folder, int sortedTokens, int chunkTokens) {
        FreshFolder.require(folder);
        this.folder = folder;
        this.sortedTokens = sortedTokens;
        this.chunk = new int[chunkTokens];
    }

    /// Adds a document's tokens, its separator included.
    void add(int[] document) {
        int at = 0;
        while (at < document.length) {
            int count = Math.min(document.length - at, chunk.length - filled);
            System.arraycopy(document, at, chunk, filled, count);
            filled += count;
            at += count;
            if (filled == chunk.length) {
                writeChunk();
            }
        }
    }

    /// Returns the number of tokens so far.
    long tokens() {
        return lengths.stream().mapToLong(Long::longValue).sum() + filled;
    }

    /// Writes the last chunk and the index.
    ///
    /// @param tokenizer digest of the tokenizer
    /// @param separator the token that ends a document
    /// @param origin    origin of the corpus
    void finish(String tokenizer, int separator, Map<String, String> origin) {
        if (filled > 0) {
            writeChunk();
        }
        if (lengths.isEmpty()) {
            throw ErrorCode.DATA_INVALID.error(
                    "there is nothing to store: the data have no documents to learn",
                    "Name files with documents in 'data', or lower 'data.validation'.");
        }
        facts.putAll(origin);
        facts.put("format", DatastoreFiles.FORMAT);
        facts.put("tokenizer", tokenizer);
        facts.put("separator", Integer.toString(separator));
        facts.put("sortedTokens", Integer.toString(sortedTokens));
        var numbers = lengths.stream().mapToLong(Long::longValue).toArray();
        SafetensorsWriter.write(
                folder.resolve(DatastoreFiles.INDEX),
                List.of(StoredTensor.ofLongs("chunks", numbers, numbers.length)),
                facts);
    }

    private void writeChunk() {
        int[] tokens = Arrays.copyOf(chunk, filled);
        var stored = StoredTensor.ofInts("tokens", tokens, tokens.length);
        var name = DatastoreFiles.chunk(lengths.size());
        SafetensorsWriter.write(
                folder.resolve(name + ".safetensors"),
                List.of(
                        stored,
                        StoredTensor.ofInts(
                                "order", SuffixOrder.of(tokens, sortedTokens), tokens.length)),
                Map.of());
        facts.put(name, digest(stored));
        lengths.add((long) filled);
        filled = 0;
    }

    private static String digest(StoredTensor tensor) {
        return new Sha256().add(tensor.data().asByteBuffer()).hex();
    }

    /// Sorts the suffixes of a text by their first tokens: multikey quicksort. Suffixes that are equal
    /// in all of these tokens are in the order of the text, so repeated text costs no more than other
    /// text.
    ///
    /// @see "Bentley and Sedgewick 1997, Fast algorithms for sorting and searching strings, section 2"
    static final class SuffixOrder {
        private static final int FEW = 12;

        private final int[] tokens;
        private final int sortedTokens;
        private final int[] order;

        private SuffixOrder(int[] tokens, int sortedTokens) {
            this.tokens = tokens;
            this.sortedTokens = sortedTokens;
            this.order = new int[tokens.length];
            Arrays.setAll(order, position -> position);
        }

        /// Returns the beginnings of the suffixes in ascending order.
        ///
        /// @param tokens       the text
        /// @param sortedTokens number of tokens of a suffix that are compared
        static int[] of(int[] tokens, int sortedTokens) {
            var sort = new SuffixOrder(tokens, sortedTokens);
            sort.sort(0, tokens.length, 0);
            return sort.order;
        }

        private void sort(int from, int to, int depth) {
            int low = from;
            int high = to;
            int level = depth;
            while (high - low > FEW && level < sortedTokens) {
                int pivot = pivot(low, high, level);
                int less = low;
                int greater = high;
                int next = low;
                while (next < greater) {
                    int token = token(order[next], level);
                    if (token < pivot) {
                        swap(less++, next++);
                    } else if (token > pivot) {
                        swap(next, --greater);
                    } else {
                        next++;
                    }
                }
                sort(low, less, level);
                sort(greater, high, level);
                low = less;
                high = greater;
                level++;
            }
            if (level == sortedTokens) {
                Arrays.sort(order, low, high);
            } else {
                insert(low, high, level);
            }
        }

        private void insert(int from, int to, int depth) {
            for (int i = from + 1; i < to; i++) {
                int position = order[i];
                int at = i;
                while (at > from && comesBefore(position, order[at - 1], depth)) {
                    order[at] = order[at - 1];
                    at--;
                }
                order[at] = position;
            }
        }

        private boolean comesBefore(int one, int other, int depth) {
            for (int level = depth; level < sortedTokens; level++) {
                int difference = Integer.compare(token(one, level), token(other, level));
                if (difference != 0) {
                    return difference < 0;
                }
            }
            return one < other;
        }

        /// Returns the median of three medians of three.
        private int pivot(int from, int to, int depth) {
            int step = (to - from) / 9;
            return median(
                    ofThree(from, step, depth),
                    ofThree(from + 3 * step, step, depth),
                    ofThree(from + 6 * step, step, depth));
        }

        private int ofThree(int from, int step, int depth) {
            return median(
                    token(order[from], depth),
                    token(order[from + step], depth),
                    token(order[from + 2 * step], depth));
        }

        private static int median(int a, int b, int c) {
            return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
        }

        /// The end of the text sorts before every token.
        private int token(int position, int depth) {
            int at = position + depth;
            return at < tokens.length ? tokens[at] : -1;
        }

        private void swap(int a, int b) {
            int kept = order[a];
            order[a] = order[b];
            order[b] = kept;
        }
    }
}
