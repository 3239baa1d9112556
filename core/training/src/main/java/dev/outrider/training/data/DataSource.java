package dev.outrider.training.data;

import dev.outrider.common.Sha256;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The files of one source, as one row of blocks. Thread-safe.
final class DataSource {
    /// Blocks that are read at a time where all are; what a [ShuffledDocuments#WINDOW] has too.
    private static final int TOGETHER = ShuffledDocuments.WINDOW;

    private record Opened(Path path, Blocks blocks) {}

    private final DataSourceConfig config;
    private final List<Opened> files = new ArrayList<>();
    private final int[] firstBlocks;

    /// @throws OutriderException `CONFIG_INVALID` if there is no such file, or its format is not known; `IO_FAILED` if one cannot be
    ///                           read
    DataSource(DataSourceConfig config) {
        this.config = config;
        for (var pattern : config.files()) {
            for (var file : new FilePattern(pattern).files()) {
                files.add(opened(file));
            }
        }
        if (files.size() > FilePattern.MAX_FILES) {
            throw refused(
                    "%d files, expected at most %d".formatted(files.size(), FilePattern.MAX_FILES),
                    "Join them into fewer.");
        }
        firstBlocks = new int[files.size() + 1];
        for (int i = 0; i < files.size(); i++) {
            firstBlocks[i + 1] = Math.addExact(firstBlocks[i], files.get(i).blocks().count());
        }
    }

    private Opened opened(Path file) {
        try {
            long size = Files.size(file);
            var format =
                    config.format()
                            .or(() -> DataFormat.ofEnding(file.toString()))
                            .orElseThrow(() -> unknown(file));
            return new Opened(
                    file,
                    switch (format) {
                        case TEXT -> new TextBlocks(file, size);
                        case PARQUET -> new ParquetBlocks(file, size, config.records());
                        case JSONL -> new LineBlocks(file, size, new JsonRecords(config.records()));
                    });
        } catch (IOException e) {
            throw DataFailures.unreadable(file, e);
        }
    }

    private static OutriderException unknown(Path file) {
        return refused(
                "the ending of '%s' does not say how documents lie in it".formatted(file),
                "Add 'format: text', 'format: jsonl' or 'format: parquet' to the source.");
    }

    private static OutriderException refused(String problem, String advice) {
        return new OutriderException(
                ErrorCode.CONFIG_INVALID, "data.sources.files: " + problem, advice);
    }

    DataSourceConfig config() {
        return config;
    }

    /// How many blocks all files have.
    int blocks() {
        return firstBlocks[files.size()];
    }

    /// The documents of some blocks, block by block in that order.
    ///
    /// @throws OutriderException `IO_FAILED` if one cannot be read, `DATA_INVALID` if it breaks the file's format
    List<Document> read(List<Integer> blocks) {
        var wanted = new HashMap<Integer, List<Integer>>();
        blocks.forEach(
                each -> wanted.computeIfAbsent(indexOf(each), _ -> new ArrayList<>()).add(each));
        var read = new HashMap<Integer, List<Document>>();
        wanted.forEach((file, some) -> {
            var documents = read(file, some);
            for (int i = 0; i < documents.size(); i++) {
                read.put(some.get(i), documents.get(i));
            }
        });
        return blocks.stream()
                .flatMap(each -> read.getOrDefault(each, List.of()).stream())
                .toList();
    }

    private List<List<Document>> read(int file, List<Integer> blocks) {
        try {
            return files.get(file)
                    .blocks()
                    .read(blocks.stream().map(block -> block - firstBlocks[file]).toList());
        } catch (IOException e) {
            throw DataFailures.unreadable(files.get(file).path(), e);
        }
    }

    /// All documents in the order of the files.
    Stream<Document> documents() {
        return IntStream.iterate(0, first -> first < blocks(), first -> first + TOGETHER)
                .mapToObj(first -> IntStream.range(first, Math.min(blocks(), first + TOGETHER)))
                .flatMap(some -> read(some.boxed().toList()).stream());
    }

    private int indexOf(int block) {
        int found = Arrays.binarySearch(firstBlocks, block);
        if (found < 0) {
            return -found - 2;
        }
        while (firstBlocks[found + 1] == block) {
            found++;
        }
        return found;
    }

    /// Weight, number of files and a hash of all they have: the same wherever the files lie.
    String facts() {
        var all = new Sha256();
        for (var file : files) {
            try {
                all.add(ByteBuffer.wrap(new Sha256().add(file.path()).bytes()));
            } catch (IOException e) {
                throw DataFailures.unreadable(file.path(), e);
            }
        }
        return "%d files, weight %s, sha256 %s".formatted(files.size(), config.weight(), all.hex());
    }
}
