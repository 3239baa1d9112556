package dev.outrider.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/// Reads the part of a configuration that says which keys vary.
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
final class MatrixReader {
    /// The key that holds axes and exclusions.
    static final String SWEEP = "sweep";

    private static final String AXES = "axes";
    private static final String EXCLUDE = "exclude";
    private static final int MOST_CELLS = 10_000;
    private static final int MOST_LABEL = 80;

    private final Problems problems;

    MatrixReader(Problems problems) {
        this.problems = problems;
    }

    /// Whether a configuration has axes at all.
    static boolean has(YamlNode root) {
        return root instanceof YamlNode.Mapping mapping
                && mapping.entries().stream().anyMatch(entry -> entry.key().equals(SWEEP));
    }

    /// The configuration without its axes.
    static YamlNode base(YamlNode root) {
        return root instanceof YamlNode.Mapping mapping
                ? new YamlNode.Mapping(
                        mapping.entries().stream()
                                .filter(entry -> !entry.key().equals(SWEEP))
                                .toList(),
                        mapping.origin())
                : root;
    }

    /// Axes and exclusions; nothing if a problem was found in them.
    Optional<MatrixShape> read(YamlNode root) {
        int before = problems.size();
        Optional<YamlNode.Entry> sweep = sweep(root);
        if (sweep.isEmpty()) {
            return Optional.empty();
        }
        var spot = new Spot(SWEEP, sweep.get().keyOrigin());
        List<YamlNode.Entry> entries =
                problems.mapping(sweep.get().value(), spot, "a mapping with 'axes'")
                        .map(YamlNode.Mapping::entries)
                        .orElse(List.of());
        List<MatrixShape.Axis> axes = new ArrayList<>();
        List<MatrixShape.Exclusion> exclusions = new ArrayList<>();
        for (YamlNode.Entry entry : entries) {
            switch (entry.key()) {
                case AXES -> axes.addAll(axes(entry, spot));
                case EXCLUDE -> {} // read when all axes are known
                default ->
                        problems.add(
                                entry.keyOrigin(),
                                spot.key(entry.key(), entry.keyOrigin()).path(),
                                "unknown key"
                                        + Names.hint(
                                                entry.key(), List.of(AXES, EXCLUDE), "valid keys"));
            }
        }
        if (axes.isEmpty() && problems.size() == before) {
            problems.add(spot.origin(), spot.path(), "there are no axes; list values of some keys");
        }
        entries.stream()
                .filter(entry -> entry.key().equals(EXCLUDE))
                .forEach(entry -> exclusions.addAll(exclusions(entry, axes, spot)));
        var shape = new MatrixShape(axes, exclusions);
        if (shape.size(MOST_CELLS) > MOST_CELLS) {
            problems.add(
                    spot.origin(),
                    spot.path(),
                    "the axes make more than %,d combinations; shorten them".formatted(MOST_CELLS));
        }
        return problems.size() == before ? Optional.of(shape) : Optional.empty();
    }

    private Optional<YamlNode.Entry> sweep(YamlNode root) {
        Optional<YamlNode.Entry> found =
                root instanceof YamlNode.Mapping mapping
                        ? mapping.entries().stream()
                                .filter(entry -> entry.key().equals(SWEEP))
                                .findFirst()
                        : Optional.empty();
        if (found.isEmpty()) {
            problems.add(
                    root.origin(),
                    "",
                    "missing key 'sweep': which keys vary, such as {axes: {sampling.temperature: [0, 1]}}");
        }
        return found;
    }

    private List<MatrixShape.Axis> axes(YamlNode.Entry entry, Spot sweep) {
        Spot spot = sweep.key(AXES, entry.keyOrigin());
        List<MatrixShape.Axis> axes = new ArrayList<>();
        SequencedMap<String, YamlNode.Entry> seen = new LinkedHashMap<>();
        for (YamlNode.Entry axis :
                problems.mapping(entry.value(), spot, "a mapping of keys to lists")
                        .map(YamlNode.Mapping::entries)
                        .orElse(List.of())) {
            YamlNode.Entry first = seen.putIfAbsent(axis.key(), axis);
            if (first != null) {
                problems.duplicate(axis, first, spot);
                continue;
            }
            List<MatrixShape.Point> points = points(axis, spot.key(axis.key(), axis.keyOrigin()));
            if (!points.isEmpty()) {
                axes.add(new MatrixShape.Axis(axis.key(), points));
            }
        }
        return axes;
    }

    private List<MatrixShape.Point> points(YamlNode.Entry axis, Spot spot) {
        List<MatrixShape.Point> points =
                switch (axis.value()) {
                    case YamlNode.Sequence list ->
                            list.items().stream().map(value -> point(axis, value)).toList();
                    case YamlNode.Mapping named ->
                            named.entries().stream().map(entry -> point(entry, spot)).toList();
                    case YamlNode.Scalar _ -> List.of();
                };
        if (points.isEmpty()) {
            problems.add(
                    spot.origin(),
                    spot.path(),
                    "expected a list of values, or a mapping of names to keys and values, got "
                            + (axis.value() instanceof YamlNode.Scalar
                                    ? axis.value().describe()
                                    : "nothing in it"));
        }
        distinct(points, spot);
        return points;
    }

    private void distinct(List<MatrixShape.Point> points, Spot spot) {
        List<String> labels = new ArrayList<>();
        for (MatrixShape.Point point : points) {
            if (labels.contains(point.label())) {
                problems.add(
                        point.settings().isEmpty()
                                ? spot.origin()
                                : point.settings().getFirst().value().origin(),
                        spot.path(),
                        "'%s' is given twice".formatted(point.label()));
            }
            labels.add(point.label());
        }
    }

    private static MatrixShape.Point point(YamlNode.Entry axis, YamlNode value) {
        return new MatrixShape.Point(
                label(value),
                List.of(new MatrixShape.Setting(axis.key(), value, axis.keyOrigin())));
    }

    private MatrixShape.Point point(YamlNode.Entry named, Spot axis) {
        Spot spot = axis.key(named.key(), named.keyOrigin());
        List<MatrixShape.Setting> settings =
                problems
                        .mapping(named.value(), spot, "a mapping of keys to values")
                        .map(YamlNode.Mapping::entries)
                        .orElse(List.of())
                        .stream()
                        .map(entry ->
                                new MatrixShape.Setting(
                                        entry.key(), entry.value(), entry.keyOrigin()))
                        .toList();
        return new MatrixShape.Point(named.key(), settings);
    }

    private List<MatrixShape.Exclusion> exclusions(
            YamlNode.Entry entry, List<MatrixShape.Axis> axes, Spot sweep) {
        Spot spot = sweep.key(EXCLUDE, entry.keyOrigin());
        if (!(entry.value() instanceof YamlNode.Sequence list)) {
            problems.mismatch(entry.value(), spot, "a list of mappings from axes to values");
            return List.of();
        }
        List<MatrixShape.Exclusion> exclusions = new ArrayList<>();
        for (int i = 0; i < list.items().size(); i++) {
            YamlNode item = list.items().get(i);
            exclusion(item, axes, spot.item(i, item.origin())).ifPresent(exclusions::add);
        }
        return exclusions;
    }

    private Optional<MatrixShape.Exclusion> exclusion(
            YamlNode node, List<MatrixShape.Axis> axes, Spot spot) {
        int before = problems.size();
        SequencedMap<String, List<String>> labels = new LinkedHashMap<>();
        for (YamlNode.Entry entry :
                problems.mapping(node, spot, "a mapping of axes to values")
                        .map(YamlNode.Mapping::entries)
                        .orElse(List.of())) {
            Optional<MatrixShape.Axis> axis =
                    axes.stream().filter(each -> each.name().equals(entry.key())).findFirst();
            Spot there = spot.key(entry.key(), entry.keyOrigin());
            if (axis.isEmpty()) {
                problems.add(
                        entry.keyOrigin(),
                        there.path(),
                        "there is no such axis"
                                + Names.hint(
                                        entry.key(),
                                        axes.stream().map(MatrixShape.Axis::name).toList(),
                                        "axes"));
                continue;
            }
            labels.put(entry.key(), chosen(entry.value(), axis.get(), there));
        }
        if (labels.isEmpty() && problems.size() == before) {
            problems.add(
                    spot.origin(), spot.path(), "names no axis, so it would exclude everything");
        }
        return problems.size() == before
                ? Optional.of(new MatrixShape.Exclusion(labels))
                : Optional.empty();
    }

    /// The labels an exclusion names: of one value, or of a list of values.
    private List<String> chosen(YamlNode node, MatrixShape.Axis axis, Spot spot) {
        List<String> known = axis.labels();
        if (known.contains(label(node))) {
            return List.of(label(node));
        }
        List<YamlNode> values =
                node instanceof YamlNode.Sequence list ? list.items() : List.of(node);
        for (YamlNode value : values) {
            if (!known.contains(label(value))) {
                problems.add(
                        value.origin(),
                        spot.path(),
                        "the axis has no value '%s'".formatted(label(value))
                                + Names.hint(label(value), known, "values"));
            }
        }
        return values.stream().map(MatrixReader::label).toList();
    }

    /// A value on one line; of a component without keys, its name.
    static String label(YamlNode node) {
        String text =
                switch (node) {
                    case YamlNode.Scalar scalar -> scalar.text().strip();
                    case YamlNode.Sequence list ->
                            list.items().stream()
                                    .map(MatrixReader::label)
                                    .collect(Collectors.joining(", ", "[", "]"));
                    case YamlNode.Mapping mapping -> label(mapping);
                };
        return text.length() <= MOST_LABEL ? text : text.substring(0, MOST_LABEL - 3) + "...";
    }

    private static String label(YamlNode.Mapping mapping) {
        var entries = mapping.entries();
        if (entries.size() == 1 && entries.getFirst().key().equals(Binder.USE)) {
            return label(entries.getFirst().value());
        }
        return entries.stream()
                .map(entry -> entry.key() + ": " + label(entry.value()))
                .collect(Collectors.joining(", ", "{", "}"));
    }
}
