package dev.outrider.experiment.sweep;

import dev.outrider.config.ConfigDocument;
import dev.outrider.config.KeyDescription;
import dev.outrider.config.Problems;
import dev.outrider.config.SourceLocation;
import dev.outrider.config.YamlNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/// Reads the part of a configuration that lists the keys that vary.
///
/// ```yaml
/// sweep:
///   axes:
///     sampling.temperature: [0, 0.7, 1]         # a list: the axis is the key, spelled as after --set
///     shape:                                    # a mapping: each name sets several keys
///       chain: {"variants[0].drafter.length": 5}
///       tree:  {"variants[0].drafter.tree": {widths: [2, 2, 1]}}
///   exclude:
///     - {sampling.temperature: [0.7, 1], shape: tree}
/// ```
final class SweepAxesReader {
    /// The key that holds axes and exclusions.
    static final String SWEEP = "sweep";

    private static final String AXES = "axes";
    private static final String EXCLUDE = "exclude";

    /// The keys below `sweep`.
    static final List<KeyDescription> KEYS =
            List.of(
                    key(
                            AXES,
                            "mapping of keys to lists",
                            true,
                            "What varies: a key, spelled as after --set, with a list of values; or a name with a mapping of"
                                    + " names to keys and values. Every combination is a cell, the last axis fastest."),
                    key(
                            EXCLUDE,
                            "list of mappings of axes to values",
                            false,
                            "Combinations to leave out: those with one of the values on every axis named."));

    private static final int MAX_CELLS = 10_000;
    private static final int MAX_LABEL = 80;

    private final Problems problems;

    SweepAxesReader(Problems problems) {
        this.problems = problems;
    }

    /// Returns axes and exclusions; empty if they have a problem.
    Optional<SweepAxes> read(ConfigDocument document) {
        int before = problems.size();
        Optional<YamlNode.Entry> sweep = document.entry(SWEEP);
        if (sweep.isEmpty()) {
            problems.add(
                    document.root().origin(),
                    "",
                    "missing key 'sweep': which keys vary, such as {axes: {sampling.temperature: [0, 1]}}");
            return Optional.empty();
        }
        var location = new SourceLocation(SWEEP, sweep.get().keyOrigin());
        var entries = entries(sweep.get().value(), location, "a mapping with 'axes'");
        List<SweepAxes.Axis> axes = new ArrayList<>();
        List<SweepAxes.Exclusion> exclusions = new ArrayList<>();
        for (YamlNode.Entry entry : entries) {
            switch (entry.key()) {
                case AXES -> axes.addAll(axes(entry, location));
                case EXCLUDE -> {} // read when all axes are known
                default ->
                        problems.misspelt(
                                entry.keyOrigin(),
                                location.key(entry.key(), entry.keyOrigin()).path(),
                                "unknown key",
                                entry.key(),
                                KEYS.stream().map(KeyDescription::name).toList(),
                                "valid keys");
            }
        }
        if (axes.isEmpty() && problems.size() == before) {
            problem(location, "there are no axes; list values of some keys");
        }
        entries.stream()
                .filter(entry -> entry.key().equals(EXCLUDE))
                .forEach(entry -> exclusions.addAll(exclusions(entry, axes, location)));
        var shape = new SweepAxes(axes, exclusions);
        if (shape.size(MAX_CELLS) > MAX_CELLS) {
            problem(
                    location,
                    "the axes make more than %,d combinations; shorten them".formatted(MAX_CELLS));
        }
        return problems.size() == before ? Optional.of(shape) : Optional.empty();
    }

    private void problem(SourceLocation location, String text) {
        problems.add(location.origin(), location.path(), text);
    }

    /// Returns the entries of a mapping; for any other node none, and a problem is reported.
    private List<YamlNode.Entry> entries(YamlNode node, SourceLocation location, String expected) {
        return problems.mapping(node, location, expected)
                .map(YamlNode.Mapping::entries)
                .orElse(List.of());
    }

    private static KeyDescription key(String name, String type, boolean required, String doc) {
        return new KeyDescription(name, type, required, Optional.empty(), doc, List.of());
    }

    private List<SweepAxes.Axis> axes(YamlNode.Entry entry, SourceLocation sweep) {
        SourceLocation location = sweep.key(AXES, entry.keyOrigin());
        List<SweepAxes.Axis> axes = new ArrayList<>();
        SequencedMap<String, YamlNode.Entry> seen = new LinkedHashMap<>();
        for (YamlNode.Entry axis : entries(entry.value(), location, "a mapping of keys to lists")) {
            YamlNode.Entry first = seen.putIfAbsent(axis.key(), axis);
            if (first != null) {
                problems.duplicate(axis, first, location);
                continue;
            }
            List<SweepAxes.Point> points = points(axis, location.key(axis.key(), axis.keyOrigin()));
            if (!points.isEmpty()) {
                axes.add(new SweepAxes.Axis(axis.key(), points));
            }
        }
        return axes;
    }

    private List<SweepAxes.Point> points(YamlNode.Entry axis, SourceLocation location) {
        List<SweepAxes.Point> points =
                switch (axis.value()) {
                    case YamlNode.Sequence list ->
                            list.items().stream().map(value -> point(axis, value)).toList();
                    case YamlNode.Mapping named ->
                            named.entries().stream().map(entry -> point(entry, location)).toList();
                    case YamlNode.Scalar _ -> List.of();
                };
        if (points.isEmpty()) {
            problem(
                    location,
                    "expected a list of values, or a mapping of names to keys and values, got "
                            + (axis.value() instanceof YamlNode.Scalar
                                    ? axis.value().describe()
                                    : "nothing in it"));
        }
        distinct(points, location);
        return points;
    }

    private void distinct(List<SweepAxes.Point> points, SourceLocation location) {
        List<String> labels = new ArrayList<>();
        for (SweepAxes.Point point : points) {
            if (labels.contains(point.label())) {
                problems.add(
                        point.settings().isEmpty()
                                ? location.origin()
                                : point.settings().getFirst().value().origin(),
                        location.path(),
                        "'%s' is given twice".formatted(point.label()));
            }
            labels.add(point.label());
        }
    }

    private static SweepAxes.Point point(YamlNode.Entry axis, YamlNode value) {
        return new SweepAxes.Point(
                label(value), List.of(new SweepAxes.Setting(axis.key(), value, axis.keyOrigin())));
    }

    private SweepAxes.Point point(YamlNode.Entry named, SourceLocation axis) {
        SourceLocation location = axis.key(named.key(), named.keyOrigin());
        var settings =
                entries(named.value(), location, "a mapping of keys to values").stream()
                        .map(entry ->
                                new SweepAxes.Setting(
                                        entry.key(), entry.value(), entry.keyOrigin()))
                        .toList();
        return new SweepAxes.Point(named.key(), settings);
    }

    private List<SweepAxes.Exclusion> exclusions(
            YamlNode.Entry entry, List<SweepAxes.Axis> axes, SourceLocation sweep) {
        SourceLocation location = sweep.key(EXCLUDE, entry.keyOrigin());
        if (!(entry.value() instanceof YamlNode.Sequence list)) {
            problems.mismatch(entry.value(), location, "a list of mappings from axes to values");
            return List.of();
        }
        List<SweepAxes.Exclusion> exclusions = new ArrayList<>();
        for (int i = 0; i < list.items().size(); i++) {
            YamlNode item = list.items().get(i);
            exclusion(item, axes, location.item(i, item.origin())).ifPresent(exclusions::add);
        }
        return exclusions;
    }

    private Optional<SweepAxes.Exclusion> exclusion(
            YamlNode node, List<SweepAxes.Axis> axes, SourceLocation location) {
        int before = problems.size();
        SequencedMap<String, List<String>> labels = new LinkedHashMap<>();
        for (YamlNode.Entry entry : entries(node, location, "a mapping of axes to values")) {
            Optional<SweepAxes.Axis> axis =
                    axes.stream().filter(each -> each.name().equals(entry.key())).findFirst();
            SourceLocation there = location.key(entry.key(), entry.keyOrigin());
            if (axis.isEmpty()) {
                problems.misspelt(
                        entry.keyOrigin(),
                        there.path(),
                        "there is no such axis",
                        entry.key(),
                        axes.stream().map(SweepAxes.Axis::name).toList(),
                        "axes");
                continue;
            }
            labels.put(entry.key(), chosen(entry.value(), axis.get(), there));
        }
        if (labels.isEmpty() && problems.size() == before) {
            problem(location, "names no axis, so it would exclude everything");
        }
        return problems.size() == before
                ? Optional.of(new SweepAxes.Exclusion(labels))
                : Optional.empty();
    }

    /// Returns the labels of an exclusion: one value, or a list of values.
    private List<String> chosen(YamlNode node, SweepAxes.Axis axis, SourceLocation location) {
        List<String> known = axis.labels();
        if (known.contains(label(node))) {
            return List.of(label(node));
        }
        List<YamlNode> values =
                node instanceof YamlNode.Sequence list ? list.items() : List.of(node);
        for (YamlNode value : values) {
            if (!known.contains(label(value))) {
                problems.misspelt(
                        value.origin(),
                        location.path(),
                        "the axis has no value '%s'".formatted(label(value)),
                        label(value),
                        known,
                        "values");
            }
        }
        return values.stream().map(SweepAxesReader::label).toList();
    }

    /// Returns a value on one line; for a component without keys, its name.
    static String label(YamlNode node) {
        String text =
                switch (node) {
                    case YamlNode.Scalar scalar -> scalar.text().strip();
                    case YamlNode.Sequence list ->
                            list.items().stream()
                                    .map(SweepAxesReader::label)
                                    .collect(Collectors.joining(", ", "[", "]"));
                    case YamlNode.Mapping mapping -> label(mapping);
                };
        return text.length() <= MAX_LABEL ? text : text.substring(0, MAX_LABEL - 3) + "...";
    }

    private static String label(YamlNode.Mapping mapping) {
        var entries = mapping.entries();
        if (entries.size() == 1 && entries.getFirst().key().equals(ConfigDocument.USE)) {
            return label(entries.getFirst().value());
        }
        return entries.stream()
                .map(entry -> entry.key() + ": " + label(entry.value()))
                .collect(Collectors.joining(", ", "{", "}"));
    }
}
