package dev.outrider.config;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Everything found wrong with one configuration. Confined to one load.
public final class Problems {
    private static final int SHOWN = 40;
    private static final Comparator<Origin> IN_ORDER =
            Comparator.comparing(Origin::kind)
                    .thenComparingInt(Origin::line)
                    .thenComparingInt(Origin::column);

    private final List<Problem> found = new ArrayList<>();

    Problems() {}

    private record Problem(Origin origin, String text) {}

    /// Note a problem and carry on.
    ///
    /// @param path the key concerned, such as `drafter.depth`; empty for the whole file
    public void add(Origin origin, String path, String text) {
        found.add(new Problem(origin, path.isEmpty() ? text : path + ": " + text));
    }

    /// Note that something is not among what there is, with the nearest name and all of them.
    ///
    /// @param given what was written
    /// @param names what there is
    /// @param label what `names` are, such as `valid keys`
    public void misspelt(
            Origin origin,
            String path,
            String text,
            String given,
            Collection<String> names,
            String label) {
        add(origin, path, text + Names.hint(given, names, label));
    }

    /// Note that a value is of the wrong kind.
    public void mismatch(YamlNode node, SourceLocation location, String expected) {
        Origin origin = node instanceof YamlNode.Scalar ? node.origin() : location.origin();
        add(origin, location.path(), "expected " + expected + ", got " + node.describe());
    }

    /// Note that a key was given before.
    public void duplicate(YamlNode.Entry again, YamlNode.Entry first, SourceLocation location) {
        add(
                again.keyOrigin(),
                location.key(again.key(), again.keyOrigin()).path(),
                "given twice; first at " + first.keyOrigin().place());
    }

    /// A mapping, where nothing at all counts as an empty one; anything else is a mismatch.
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

    /// The problems, one line each, sorted by position.
    List<String> lines() {
        return found.stream()
                .sorted(Comparator.comparing(Problem::origin, IN_ORDER))
                .map(problem -> problem.origin().place() + ": " + problem.text())
                .distinct()
                .toList();
    }

    /// One error that shows all problems.
    ///
    /// @param source what was read, as the user named it
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
        return new OutriderException(
                ErrorCode.CONFIG_INVALID,
                source + " has " + count + ":" + shown + rest,
                "Correct the places named; each line says what was expected there.");
    }
}
