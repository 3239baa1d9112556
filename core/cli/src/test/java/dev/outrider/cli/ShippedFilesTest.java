package dev.outrider.cli;

import static dev.outrider.cli.Shipped.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Shipped files contain the same text on every machine.
class ShippedFilesTest {
    private static final Pattern WRITTEN = Pattern.compile(".*\\.(jsonl?|ya?ml|md)");

    /// A path from the root of a file system, in a value of a record, a string or a list.
    private static final Pattern ABSOLUTE =
            Pattern.compile("(?:^|[\\s\"'=(\\[,])(/[A-Za-z][\\w.-]*/[\\w./-]+|[A-Z]:\\\\\\w+)");

    @Test
    void noModelOrConfigurationNamesAFolderOfTheMachineThatMadeIt() throws IOException {
        List<String> wrong = new ArrayList<>();
        int read = 0;
        for (var folder : List.of("models", "configs")) {
            for (var file : written(ROOT.resolve(folder))) {
                read++;
                ABSOLUTE.matcher(Files.readString(file))
                        .results()
                        .forEach(found -> wrong.add("%s: %s".formatted(file, found.group(1))));
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(read).isGreaterThan(30);
    }

    @Test
    void noModelHasAPlaceholderThatWasNotFilledIn() throws IOException {
        List<Path> wrong = new ArrayList<>();
        for (var file : written(ROOT.resolve("models"))) {
            if (Files.readString(file).contains("${")) {
                wrong.add(file);
            }
        }

        assertThat(wrong).isEmpty();
    }

    @Test
    void whatAPathLooksLikeIsSeen() {
        assertThat(ABSOLUTE.matcher("x, Distillation[teacher=/data/models/target, w]").find())
                .isTrue();
        assertThat(ABSOLUTE.matcher("\"path\" : \"/data/model\"").find()).isTrue();
        assertThat(ABSOLUTE.matcher("teacher=../demo-target, 7/8, models/x/y").find()).isFalse();
    }

    private static List<Path> written(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> WRITTEN.matcher(file.toString()).matches()).toList();
        }
    }
}
