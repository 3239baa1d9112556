package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.architecture.Family;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The table of families in docs/models.md and the families there are.
class ModelsDocumentTest {
    /// `gemma3` is a family of images and text, of which the text part runs.
    private static final String PART_OF_ANOTHER = "gemma3";

    private static final Pattern ROW =
            Pattern.compile("\\| [^|]+ \\| ([^|]*`[^|]+`[^|]*) \\| (?:runs|refused) .*");
    private static final Pattern TYPE = Pattern.compile("`([a-z0-9_]+)`");

    @Test
    void theTableHasEveryFamilyAndNoOther() throws IOException {
        var documented = new TreeSet<String>();
        for (var line : Files.readAllLines(Shipped.ROOT.resolve("docs/models.md"))) {
            var row = ROW.matcher(line);
            if (row.matches()) {
                TYPE.matcher(row.group(1)).results().forEach(type -> documented.add(type.group(1)));
            }
        }
        var families =
                Arrays.stream(Family.values())
                        .map(Family::modelType)
                        .collect(Collectors.toCollection(TreeSet::new));
        families.add(PART_OF_ANOTHER);

        assertThat(documented).isEqualTo(families);
    }
}
