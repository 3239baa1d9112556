package dev.outrider.experiment.sweep;

import dev.outrider.config.ConfigDocument;
import dev.outrider.config.Origin;
import dev.outrider.config.YamlNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Axes and exclusions of a sweep, before its cells are bound.
///
/// @param axes       at least one, none of them empty
/// @param exclusions combinations that are left out
record SweepAxes(List<Axis> axes, List<Exclusion> exclusions) {
    /// One axis.
    record Axis(String name, List<Point> points) {
        List<String> labels() {
            return points.stream().map(Point::label).toList();
        }
    }

    /// A place on an axis.
    ///
    /// @param label    its name in reports
    /// @param settings the keys that it sets
    record Point(String label, List<Setting> settings) {}

    /// A key in the spelling of `--set`, its place in the file, and its value.
    record Setting(String key, YamlNode value, Origin origin) {}

    /// Combinations that are left out: those whose label is among the listed ones on every axis named.
    record Exclusion(SequencedMap<String, List<String>> labels) {
        boolean covers(List<Choice> combination) {
            return combination.stream()
                            .filter(choice ->
                                    labels.getOrDefault(choice.axis(), List.of())
                                            .contains(choice.point().label()))
                            .count()
                    == labels.size();
        }
    }

    /// A point of one combination.
    record Choice(String axis, Point point) {}

    /// Number of combinations, or a number above `most` if there are more.
    long size(long most) {
        long size = 1;
        for (Axis axis : axes) {
            size *= axis.points().size();
            if (size > most) {
                return size;
            }
        }
        return size;
    }

    /// Every combination; the last axis varies fastest.
    List<List<Choice>> combinations() {
        List<List<Choice>> combinations = List.of(List.of());
        for (Axis axis : axes) {
            List<List<Choice>> longer = new ArrayList<>();
            for (List<Choice> combination : combinations) {
                for (Point point : axis.points()) {
                    List<Choice> next = new ArrayList<>(combination);
                    next.add(new Choice(axis.name(), point));
                    longer.add(next);
                }
            }
            combinations = longer;
        }
        return combinations;
    }

    boolean excludes(List<Choice> combination) {
        return exclusions.stream().anyMatch(exclusion -> exclusion.covers(combination));
    }

    /// Returns a document with all settings of a combination.
    static ConfigDocument set(ConfigDocument base, List<Choice> combination) {
        ConfigDocument document = base;
        for (Choice choice : combination) {
            for (Setting setting : choice.point().settings()) {
                document = document.with(setting.key(), setting.value(), setting.origin());
            }
        }
        return document;
    }

    static SequencedMap<String, String> labels(List<Choice> combination) {
        SequencedMap<String, String> labels = new LinkedHashMap<>();
        combination.forEach(choice -> labels.put(choice.axis(), choice.point().label()));
        return labels;
    }
}
