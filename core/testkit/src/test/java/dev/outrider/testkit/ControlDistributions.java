package dev.outrider.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The tables on which the reference enumeration found the largest error of each negative control.
final class ControlDistributions {
    private static final String FILE = "control-distributions.csv";
    private static final Map<String, Map<List<Integer>, double[]>> TABLES = read();

    private ControlDistributions() {}

    /// Returns a table by name; its prefixes begin after [Toy#PROMPT].
    static TableModel table(String name) {
        var rows = Objects.requireNonNull(TABLES.get(name), name);
        return TableModel.of(
                3,
                prefix -> {
                    var guessed = prefix.subList(Toy.PROMPT.length, prefix.size());
                    return Objects.requireNonNull(
                            rows.get(guessed),
                            () ->
                                    "table '%s' has no row after %s, take shorter drafts or a deeper table"
                                            .formatted(name, guessed));
                });
    }

    private static Map<String, Map<List<Integer>, double[]>> read() {
        var tables = new HashMap<String, Map<List<Integer>, double[]>>();
        InputStream file =
                Objects.requireNonNull(ControlDistributions.class.getResourceAsStream(FILE));
        try (var reader = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            reader.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(",", -1))
                    .forEach(cells ->
                            tables.computeIfAbsent(cells[0], _ -> new HashMap<>())
                                    .put(prefix(cells[1]), distribution(cells)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return tables;
    }

    private static List<Integer> prefix(String cell) {
        return cell.isEmpty()
                ? List.of()
                : Arrays.stream(cell.split(" ", -1)).map(Integer::valueOf).toList();
    }

    private static double[] distribution(String[] cells) {
        return Arrays.stream(cells).skip(2).mapToDouble(Double::parseDouble).toArray();
    }
}
