package dev.outrider.drafter.lookup;

import dev.outrider.common.Sha256;
import dev.outrider.drafter.lookup.Datastore.Chunk;
import dev.outrider.nn.checkpoint.SafetensorsFile;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A datastore's folder, mapped into memory: `index.safetensors`, which is written last, and for each part of the corpus a
/// `chunk-00000.safetensors` and so on.
///
/// | file | tensors | header |
/// | --- | --- | --- |
/// | index | `chunks` `[number]` I64: tokens of each chunk | `format: outrider-datastore-1`, `tokenizer`, `separator`, `sortedTokens`, `chunk-00000` and so on: SHA-256 of its tokens; where the corpus came from |
/// | chunk | `tokens`, `order` `[length]` I32 | |
///
/// Thread-safe. Owner: the caller that opened it.
///
/// @param datastore the corpus
/// @param tokenizer digest of the tokenizer that made its tokens
/// @param digest    of the index, which has those of all chunks
/// @param files     open files
record DatastoreFiles(
        Datastore datastore, String tokenizer, String digest, List<SafetensorsFile> files)
        implements AutoCloseable {
    static final String FORMAT = "outrider-datastore-1";
    static final String INDEX = "index.safetensors";
    private static final int MAX_CHUNKS = 10_000;
    private static final int MAX_SORTED = 1024;

    DatastoreFiles {
        files = List.copyOf(files);
    }

    /// Returns the name of a chunk, without the file's ending.
    static String chunk(int number) {
        return "chunk-%05d".formatted(number);
    }

    /// Maps a datastore.
    ///
    /// @param vocabulary token ids of the target are below it
    /// @throws OutriderException `CHECKPOINT_NOT_FOUND`, `SAFETENSORS_CORRUPT`,
    ///     `CHECKPOINT_UNSUPPORTED`, `CHECKPOINT_INCOMPLETE`, or `DATA_INVALID` if its numbers
    ///     contradict each other
    static DatastoreFiles open(Path folder, int vocabulary) {
        try (var index = SafetensorsFile.open(folder.resolve(INDEX))) {
            var facts = index.metadata();
            if (!facts.getOrDefault("format", "").equals(FORMAT)) {
                throw ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                        "'%s' has the format '%s', expected '%s'"
                                .formatted(index.path(), facts.getOrDefault("format", ""), FORMAT),
                        "Make a datastore with 'outrider train datastore'.");
            }
            return open(
                    folder,
                    lengths(index),
                    number(index, "sortedTokens", 1, MAX_SORTED),
                    number(index, "separator", 0, vocabulary - 1),
                    vocabulary,
                    facts);
        }
    }

    private static DatastoreFiles open(
            Path folder,
            long[] lengths,
            int sortedTokens,
            int separator,
            int vocabulary,
            Map<String, String> facts) {
        List<SafetensorsFile> files = new ArrayList<>();
        try {
            List<Chunk> chunks = new ArrayList<>();
            for (int number = 0; number < lengths.length; number++) {
                var file = SafetensorsFile.open(folder.resolve(chunk(number) + ".safetensors"));
                files.add(file);
                chunks.add(
                        new Chunk(
                                file.path().toString(),
                                tensor(file, "tokens", TensorType.I32, lengths[number]).data(),
                                tensor(file, "order", TensorType.I32, lengths[number]).data(),
                                vocabulary));
            }
            return new DatastoreFiles(
                    new Datastore(chunks, sortedTokens, separator),
                    facts.getOrDefault("tokenizer", ""),
                    digest(facts),
                    files);
        } catch (RuntimeException e) {
            files.forEach(SafetensorsFile::close);
            throw e;
        }
    }

    private static long[] lengths(SafetensorsFile index) {
        var tensor =
                index.tensor("chunks").orElseThrow(() -> broken(index, "has no tensor 'chunks'"));
        if (tensor.shape().size() != 1
                || tensor.elements() < 1
                || tensor.elements() > MAX_CHUNKS
                || tensor.type() != TensorType.I64) {
            throw broken(
                    index,
                    "has chunks of shape %s and type %s, expected I64 and one dimension of 1 to %d"
                            .formatted(tensor.shape(), tensor.type(), MAX_CHUNKS));
        }
        return tensor.toLongs();
    }

    private static int number(SafetensorsFile index, String key, int least, int most) {
        var text = index.metadata().getOrDefault(key, "");
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below, with the text.
        }
        throw broken(
                index,
                "has %s '%s', expected a number from %d to %d".formatted(key, text, least, most));
    }

    private static StoredTensor tensor(
            SafetensorsFile file, String name, TensorType type, long length) {
        var tensor =
                file.tensor(name)
                        .orElseThrow(() -> broken(file, "has no tensor '%s'".formatted(name)));
        if (tensor.type() != type
                || !tensor.shape().equals(List.of(length))
                || length > Integer.MAX_VALUE - 8) {
            throw broken(
                    file,
                    "has '%s' of type %s and shape %s, expected %s and [%d] as the index says"
                            .formatted(name, tensor.type(), tensor.shape(), type, length));
        }
        return tensor;
    }

    private static OutriderException broken(SafetensorsFile file, String what) {
        return ErrorCode.DATA_INVALID.error(
                "the datastore's file '%s' %s".formatted(file.path(), what),
                "Make the datastore again with 'outrider train datastore'.");
    }

    private static String digest(Map<String, String> facts) {
        return Sha256.of(new TreeMap<>(facts).toString()).hex();
    }

    @Override
    public void close() {
        files.forEach(SafetensorsFile::close);
    }
}
