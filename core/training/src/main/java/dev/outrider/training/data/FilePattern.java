package dev.outrider.training.data;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.regex.PatternSyntaxException;

/// A file, or a pattern of files: `*` and `?` within a name, `**` through folders, `[ab]`, `{a,b}`.
///
/// @param path as the configuration says, absolute or relative to the program's folder
record FilePattern(Path path) {
    private static final String SPECIAL = "*?[{";

    /// Most entries of folders that are looked at for a pattern.
    private static final int MAX_ENTRIES = 1_000_000;

    /// Most files.
    static final int MAX_FILES = 100_000;

    /// The files, ordered by their names; regular ones that may be links.
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
            if (path.getName(i).toString().chars().anyMatch(each -> SPECIAL.indexOf(each) >= 0)) {
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
            throw DataFailures.unreadable(base, e);
        }
    }

    private static OutriderException refused(String problem) {
        return new OutriderException(
                ErrorCode.CONFIG_INVALID,
                "data.sources.files: " + problem,
                "Name files that are there; a relative path starts at the configuration's folder.");
    }
}
