package dev.outrider.drafter.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafter.lookup.Datastore.Chunk;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files of a datastore are read as they were written; damaged files give an error with a code, or worse guesses.
class DatastoreFilesTest {
    private static final int VOCABULARY = 50;
    private static final int STRIDE = Boolean.getBoolean("outrider.nightly") ? 1 : 3;

    @TempDir private Path folder = Path.of("");

    @Test
    void chunksComeBack() {
        var path = written(3000, 1024);
        try (var files = DatastoreFiles.open(path, VOCABULARY)) {
            assertThat(files.datastore().chunks().stream().map(Chunk::length))
                    .containsExactly(1024, 1024, 952);
            assertThat(files.tokenizer()).isEqualTo("digest of a tokenizer");
            assertThat(files.datastore().sortedTokens()).isEqualTo(16);
            assertThat(files.digest()).hasSize(64);
        }
    }

    @Test
    void otherTextHasAnotherDigest() {
        var one = written("one", text(500, 1));
        var same = written("same", text(500, 1));
        var other = written("other", text(500, 2));

        assertThat(digest(one)).isEqualTo(digest(same)).isNotEqualTo(digest(other));
    }

    @Test
    void withoutAnIndexItIsUnfinished() throws IOException {
        var path = written(500, 1024);
        Files.delete(path.resolve(DatastoreFiles.INDEX));

        assertThatThrownBy(() -> DatastoreFiles.open(path, VOCABULARY))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("CHECKPOINT_NOT_FOUND");
    }

    @Test
    void aMissingChunkIsNamed() throws IOException {
        var path = written(3000, 1024);
        Files.delete(path.resolve("chunk-00001.safetensors"));

        assertThatThrownBy(() -> DatastoreFiles.open(path, VOCABULARY))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("chunk-00001");
    }

    @Test
    void everyFlippedByteIsAnErrorWithACodeOrADatastore() throws IOException {
        var path = written(60, 1024);
        for (var name : List.of(DatastoreFiles.INDEX, "chunk-00000.safetensors")) {
            var file = path.resolve(name);
            var good = Files.readAllBytes(file);
            for (int at = 0; at < good.length; at += STRIDE) {
                var bad = good.clone();
                bad[at] ^= (byte) (1 << at % 8);
                Files.write(file, bad);
                tryIt(path);
            }
            for (int length = 0; length < good.length; length += 7) {
                Files.write(file, Arrays.copyOf(good, length));
                tryIt(path);
            }
            Files.write(file, good);
        }
        assertThat(tryIt(path)).isTrue();
    }

    /// Returns whether it can be opened and used.
    private static boolean tryIt(Path path) {
        try (var files = DatastoreFiles.open(path, VOCABULARY)) {
            var config = new DatastoreConfig(path, 4, 1, 16, 8, 0);
            for (int token = 0; token < VOCABULARY; token++) {
                var index = new DatastoreIndex(files.datastore(), config);
                index.append(token);
                var tree = index.guess(new DraftBudget(16, 8));
                assertThat(IntStream.of(tree.tokens())).allMatch(each -> each < VOCABULARY);
            }
            return true;
        } catch (OutriderException e) {
            assertThat(e.getMessage()).isNotEmpty();
            return false;
        }
    }

    private static String digest(Path path) {
        try (var files = DatastoreFiles.open(path, VOCABULARY)) {
            return files.digest();
        }
    }

    private Path written(int length, int chunkTokens) {
        return written("store", text(length, 3), chunkTokens);
    }

    private Path written(String name, int[] text) {
        return written(name, text, 1024);
    }

    private Path written(String name, int[] text, int chunkTokens) {
        var path = folder.resolve(name);
        var writer = new DatastoreWriter(path, 16, chunkTokens);
        writer.add(text);
        writer.finish("digest of a tokenizer", 0, Map.of("corpusSeed", "1"));
        return path;
    }

    private static int[] text(int length, long seed) {
        return new Random(seed).ints(length, 0, VOCABULARY).toArray();
    }
}
