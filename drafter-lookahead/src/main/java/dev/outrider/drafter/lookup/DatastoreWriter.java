package dev.outrider.drafter.lookup;

import dev.outrider.nn.checkpoint.FreshFolder;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
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
            throw new OutriderException(
                    ErrorCode.DATA_INVALID,
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
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(tensor.data().asByteBuffer());
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
