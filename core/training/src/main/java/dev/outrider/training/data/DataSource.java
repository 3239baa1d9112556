package dev.outrider.training.data;

import dev.outrider.common.FailureReason;
import dev.outrider.common.Sha256;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.training.data.LineBlocks.JsonRecords;
import dev.outrider.training.data.LineBlocks.Utf8;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.regex.PatternSyntaxException;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The files of one source, as one sequence of blocks. Thread-safe.
final class DataSource {
    /// The number of blocks that are read at a time if all are read; [ShuffledDocuments#WINDOW] has the same size.
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
            throw FailureReason.reading(file, e);
        }
    }

    private static OutriderException unknown(Path file) {
        return refused(
                "the ending of '%s' does not say how documents lie in it".formatted(file),
                "Add 'format: text', 'format: jsonl' or 'format: parquet' to the source.");
    }

    private static OutriderException refused(String problem, String advice) {
        return ErrorCode.CONFIG_INVALID.error("data.sources.files: " + problem, advice);
    }

    DataSourceConfig config() {
        return config;
    }

    /// Returns the number of blocks of all files.
    int blocks() {
        return firstBlocks[files.size()];
    }

    /// Returns the documents of some blocks, block by block in that order.
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
        var own = blocks.stream().map(block -> block - firstBlocks[file]).toList();
        return FailureReason.reading(
                files.get(file).path(), () -> files.get(file).blocks().read(own));
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

    /// Returns weight, number of files and a hash of their content: the same for every place of the files.
    String facts() {
        var all = new Sha256();
        for (var file : files) {
            var own = FailureReason.reading(file.path(), () -> new Sha256().add(file.path()));
            all.add(ByteBuffer.wrap(own.bytes()));
        }
        return "%d files, weight %s, sha256 %s".formatted(files.size(), config.weight(), all.hex());
    }

    /// A file, or a pattern of files: `*` and `?` within a name, `**` through folders, `[ab]`, `{a,b}`.
    ///
    /// @param path of the configuration, absolute or relative to the program's folder
    record FilePattern(Path path) {
        private static final String SPECIAL = "*?[{";

        /// The most entries of folders that are read for a pattern.
        private static final int MAX_ENTRIES = 1_000_000;

        /// Most files.
        static final int MAX_FILES = 100_000;

        /// Returns the files, ordered by their names: regular files and links to them.
        ///
        /// @throws OutriderException `CONFIG_INVALID` if there are none, or too many
        List<Path> files() {
            int plain = plainNames();
            if (plain == path.getNameCount()) {
                if (!Files.isRegularFile(path)) {
                    throw refused(
                            Files.exists(path)
                                    ? "'%s' is not a regular file".formatted(path)
                                    : "there is no file '%s'".formatted(path));
                }
                return List.of(path);
            }
            var found = matches(base(plain));
            if (found.isEmpty()) {
                throw refused("no file matches '%s'".formatted(path));
            }
            found.sort(Comparator.comparing(Path::toString));
            return found;
        }

        private int plainNames() {
            for (int i = 0; i < path.getNameCount(); i++) {
                if (path.getName(i)
                        .toString()
                        .chars()
                        .anyMatch(each -> SPECIAL.indexOf(each) >= 0)) {
                    return i;
                }
            }
            return path.getNameCount();
        }

        private Path base(int names) {
            var root = path.getRoot();
            var inside = names == 0 ? Path.of("") : path.subpath(0, names);
            return root == null ? inside : root.resolve(inside);
        }

        private List<Path> matches(Path base) {
            var found = new ArrayList<Path>();
            if (!Files.isDirectory(base)) {
                return found;
            }
            try {
                var matcher = path.getFileSystem().getPathMatcher("glob:" + path);
                Files.walkFileTree(
                        base,
                        EnumSet.noneOf(FileVisitOption.class),
                        100,
                        new SimpleFileVisitor<>() {
                            private int seen;

                            @Override
                            public FileVisitResult visitFile(Path file, BasicFileAttributes facts) {
                                if (++seen > MAX_ENTRIES) {
                                    throw refused(
                                            "'%s' looks through more than %d files"
                                                    .formatted(path, MAX_ENTRIES));
                                }
                                if (matcher.matches(file) && Files.isRegularFile(file)) {
                                    found.add(file);
                                }
                                return FileVisitResult.CONTINUE;
                            }
                        });
                return found;
            } catch (PatternSyntaxException e) {
                throw refused("'%s' is no pattern: %s".formatted(path, e.getDescription()));
            } catch (IOException e) {
                throw FailureReason.reading(base, e);
            }
        }

        private static OutriderException refused(String problem) {
            return ErrorCode.CONFIG_INVALID.error(
                    "data.sources.files: " + problem,
                    "Name files that are there; a relative path starts at the configuration's folder.");
        }
    }

    /// A file of plain text, cut into pieces of at most 2P bytes, P = 16 KiB: near every multiple of P there is a cut, after the
    /// first blank line from there on, else after the first line, else after the first space, else between two characters. Every piece
    /// is a document, so that even one long text comes in a mixed order.
    ///
    /// @param file with text
    /// @param size of the file in bytes
    record TextBlocks(Path file, long size) implements Blocks {
        /// Bytes between two multiples near which the text is cut.
        static final int PIECE = 1 << 14;

        /// Pieces in a block.
        static final int PIECES = 64;

        @Override
        public int count() {
            return Math.toIntExact((pieces() + PIECES - 1) / PIECES);
        }

        private long pieces() {
            return (size + PIECE - 1) / PIECE;
        }

        @Override
        public List<Document> read(int block) throws IOException {
            long first = (long) block * PIECES;
            int pieces = (int) Math.min(PIECES, pieces() - first);
            long start = first * PIECE;
            byte[] bytes = bytes(start, (int) Math.min(size - start, (pieces + 1L) * PIECE));
            var documents = new ArrayList<Document>();
            int from = cut(bytes, 0, start);
            for (int piece = 1; piece <= pieces; piece++) {
                int to = cut(bytes, piece * PIECE, start);
                var text = text(bytes, from, to, start).strip();
                if (!text.isEmpty()) {
                    documents.add(new Document.Text(text, Document.Overflow.GOES_ON));
                }
                from = to;
            }
            return documents;
        }

        private byte[] bytes(long start, int length) throws IOException {
            var bytes = ByteBuffer.allocate(length);
            try (var channel = FileChannel.open(file)) {
                channel.position(start);
                int read = 0;
                while (bytes.hasRemaining() && read >= 0) {
                    read = channel.read(bytes);
                }
            }
            return Arrays.copyOf(bytes.array(), bytes.position());
        }

        /// Returns the place at or after a multiple of P where the text is cut.
        ///
        /// @param start of the bytes in the file
        private static int cut(byte[] bytes, int from, long start) {
            if (from == 0 && start == 0) {
                return 0;
            }
            if (from >= bytes.length) {
                return bytes.length;
            }
            int end = Math.min(bytes.length, from + PIECE);
            int line = end;
            int space = end;
            int character = end;
            for (int i = end - 1; i >= from; i--) {
                if ((bytes[i] & 0xC0) != 0x80) {
                    character = i;
                }
                if (bytes[i] == ' ' || bytes[i] == '\t') {
                    space = i + 1;
                } else if (bytes[i] == '\n') {
                    line = i + 1;
                }
            }
            for (int i = from; i < end; i++) {
                if (bytes[i] == '\n' && endsBlankLine(bytes, i, from)) {
                    return i + 1;
                }
            }
            return line < end ? line : space < end ? space : character;
        }

        private static boolean endsBlankLine(byte[] bytes, int newline, int from) {
            int before = newline - 1;
            if (before >= from && bytes[before] == '\r') {
                before--;
            }
            return before >= from && bytes[before] == '\n';
        }

        private String text(byte[] bytes, int from, int to, long start) {
            for (int i = from; i < to; i++) {
                if (bytes[i] == 0) {
                    throw DataFailures.at(
                            file, start + i, "expected text in UTF-8, got a zero byte");
                }
            }
            try {
                return Utf8.decoded(bytes, from, to, start == 0 && from == 0);
            } catch (CharacterCodingException e) {
                throw DataFailures.at(
                        file, start + from, "expected text in UTF-8, got other bytes near here");
            }
        }
    }
}
