package dev.outrider.config;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// All problems of one configuration. Confined to one load.
public final class Problems {
    private static final int SHOWN = 40;
    private static final Comparator<Origin> IN_ORDER =
            Comparator.comparing(Origin::kind)
                    .thenComparingInt(Origin::line)
                    .thenComparingInt(Origin::column);

    private final List<Problem> found = new ArrayList<>();

    Problems() {}

    private record Problem(Origin origin, String text) {}

    /// Adds a problem.
    ///
    /// @param path the key, such as `drafter.depth`; empty for the whole file
    public void add(Origin origin, String path, String text) {
        found.add(new Problem(origin, path.isEmpty() ? text : path + ": " + text));
    }

    /// Adds a problem at a position.
    public void add(SourceLocation location, String text) {
        add(location.origin(), location.path(), text);
    }

    /// Adds an unknown name, with the nearest name and all of them.
    ///
    /// @param given the written name
    /// @param names the known names
    /// @param label name of `names`, such as `valid keys`
    public void misspelt(
            Origin origin,
            String path,
            String text,
            String given,
            Collection<String> names,
            String label) {
        add(origin, path, text + Names.hint(given, names, label));
    }

    /// Adds a value of the wrong kind.
    public void mismatch(YamlNode node, SourceLocation location, String expected) {
        Origin origin = node instanceof YamlNode.Scalar ? node.origin() : location.origin();
        add(origin, location.path(), "expected " + expected + ", got " + node.describe());
    }

    /// Adds a duplicate key.
    public void duplicate(YamlNode.Entry again, YamlNode.Entry first, SourceLocation location) {
        add(
                again.keyOrigin(),
                location.key(again.key(), again.keyOrigin()).path(),
                "given twice; first at " + first.keyOrigin().place());
    }

    /// Returns a mapping; an absent value counts as an empty one, and anything else is a mismatch.
    public Optional<YamlNode.Mapping> mapping(
            YamlNode node, SourceLocation location, String expected) {
        if (node instanceof YamlNode.Mapping mapping) {
            return Optional.of(mapping);
        }
        if (node instanceof YamlNode.Scalar scalar && scalar.isNull()) {
            return Optional.of(new YamlNode.Mapping(List.of(), scalar.origin()));
        }
        mismatch(node, location, expected);
        return Optional.empty();
    }

    /// Returns the number of problems so far.
    public int size() {
        return found.size();
    }

    /// Returns the problems, one line each, sorted by position.
    List<String> lines() {
        return found.stream()
                .sorted(Comparator.comparing(Problem::origin, IN_ORDER))
                .map(problem -> problem.origin().place() + ": " + problem.text())
                .distinct()
                .toList();
    }

    /// Returns one error with all problems.
    ///
    /// @param source the input, as the user named it
    OutriderException toException(String source) {
        List<String> lines = lines();
        String shown =
                lines.stream()
                        .limit(SHOWN)
                        .map(line -> "\n  " + line)
                        .collect(Collectors.joining());
        String rest =
                lines.size() <= SHOWN ? "" : "\n  ... and " + (lines.size() - SHOWN) + " more";
        String count = lines.size() == 1 ? "1 problem" : lines.size() + " problems";
        return ErrorCode.CONFIG_INVALID.error(
                source + " has " + count + ":" + shown + rest,
                "Correct the places named; each line says what was expected there.");
    }
}
