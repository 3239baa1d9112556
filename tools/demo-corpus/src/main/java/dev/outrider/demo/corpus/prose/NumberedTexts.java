package dev.outrider.demo.corpus.prose;

import dev.outrider.common.BoundedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The text files of a data package whose names contain a number: chapters and years.
final class NumberedTexts {
    private static final int MAX_BYTES = 1 << 22;

    private NumberedTexts() {}

    /// A file's name without its ending, and its content.
    record Named(String name, String text) {}

    /// Returns the files in the order of their numbers; files of one number in the order of their
    /// names.
    ///
    /// @param number matches a whole file name; its first group is the number
    static List<Named> read(Path folder, Pattern number) throws IOException {
        List<Matcher> names;
        try (var files = Files.list(folder)) {
            names =
                    files.map(file -> number.matcher(file.getFileName().toString()))
                            .filter(Matcher::matches)
                            .sorted(
                                    Comparator.<Matcher>comparingInt(
                                                    name -> Integer.parseInt(name.group(1)))
                                            .thenComparing(name -> name.group()))
                            .toList();
        }
        if (names.isEmpty()) {
            throw Malformed.file(folder, "it has no files named like " + number);
        }
        List<Named> texts = new ArrayList<>();
        for (var name : names) {
            var file = name.group();
            texts.add(
                    new Named(
                            file.substring(0, file.lastIndexOf('.')),
                            BoundedFile.text(folder.resolve(file), MAX_BYTES)));
        }
        return texts;
    }
}
