package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.architecture.Family;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.architecture.QuantisationConfig;
import dev.outrider.nn.gguf.GgufType;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Compares the tables of docs/guide/models.md with the names that the code reads.
class ModelsDocumentTest {
    /// `gemma3` is a family of models for images and text; Outrider runs the text part.
    private static final String PART_OF_ANOTHER = "gemma3";

    private static final Pattern NAME = Pattern.compile("`([a-z0-9_-]+)`");

    @Test
    void theTableHasEveryFamilyAndNoOther() throws IOException {
        var families =
                Arrays.stream(Family.values())
                        .map(Family::modelType)
                        .collect(Collectors.toCollection(TreeSet::new));
        families.add(PART_OF_ANOTHER);

        assertThat(names("family", 1)).isEqualTo(families);
    }

    @Test
    void theTableHasEveryQuantisedFormAndNoOther() throws IOException {
        var methods =
                rows("`quant_method`").stream()
                        .map(row -> names(row.getFirst()).iterator().next())
                        .collect(Collectors.toSet());

        assertThat(methods).isEqualTo(QuantisationConfig.methods());
    }

    @Test
    void theTableHasEveryArchitectureOfGgufAndNoOther() throws IOException {
        assertThat(names("`general.architecture`", 0)).isEqualTo(ModelConfig.ggufArchitectures());
    }

    @Test
    void theTableHasEveryFormatOfGgufWithItsBits() throws IOException {
        var documented = new HashMap<String, Double>();
        for (var row : rows("format | bits a number in the file")) {
            var formats = row.getFirst().split(", ");
            var bits = row.get(1).split(", ");
            for (int index = 0; index < bits.length && !bits[index].isEmpty(); index++) {
                documented.put(formats[index], Double.valueOf(bits[index]));
            }
        }
        var known =
                Arrays.stream(GgufType.values())
                        .collect(
                                Collectors.toMap(
                                        Enum::name, type -> Math.round(100 * type.bits()) / 100.0));

        assertThat(documented).isEqualTo(known);
    }

    /// Returns the names in a column of the table whose first line begins so.
    private static Set<String> names(String heading, int column) throws IOException {
        return rows(heading).stream()
                .flatMap(row -> names(row.get(column)).stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<String> names(String cell) {
        return NAME.matcher(cell).results().map(name -> name.group(1)).toList();
    }

    /// Returns the cells of a table, row by row.
    private static List<List<String>> rows(String heading) throws IOException {
        var rows =
                Files.readAllLines(Shipped.ROOT.resolve("docs/guide/models.md")).stream()
                        .dropWhile(line -> !line.startsWith("| " + heading))
                        .skip(2)
                        .takeWhile(line -> line.startsWith("|"))
                        .map(line ->
                                Arrays.stream(line.split("\\|"))
                                        .skip(1)
                                        .map(String::strip)
                                        .toList())
                        .toList();
        assertThat(rows).as("table %s", heading).isNotEmpty();
        return rows;
    }
}
