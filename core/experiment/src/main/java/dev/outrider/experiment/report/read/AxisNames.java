package dev.outrider.experiment.report.read;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

/// Axes of a sweep as drawings and headings call them: short, and distinct within a cell.
public final class AxisNames {
    private static final String TEMPERATURE = "temperature";

    private AxisNames() {}

    /// The name of an axis: the last part of a key, `T` for the temperature; the whole key where another axis would be called
    /// the same.
    ///
    /// @param all every axis of the sweep
    public static String brief(String axis, Collection<String> all) {
        String brief = lastPart(axis);
        boolean distinct = all.stream().filter(each -> lastPart(each).equals(brief)).count() < 2;
        return distinct ? brief : axis;
    }

    /// What sets a cell apart, such as `chain, T 0.6`. A value that is a name needs no axis beside it; keys have dots, axes with
    /// values of their own names have none.
    static String title(Map<String, String> labels) {
        return labels.entrySet().stream()
                .map(label -> {
                    boolean named =
                            label.getKey().indexOf('.') < 0
                                    && label.getValue().chars().anyMatch(Character::isLetter);
                    return named
                            ? label.getValue()
                            : brief(label.getKey(), labels.keySet()) + " " + label.getValue();
                })
                .collect(Collectors.joining(", "));
    }

    private static String lastPart(String axis) {
        String last = axis.substring(axis.lastIndexOf('.') + 1);
        return last.equals(TEMPERATURE) ? "T" : last;
    }
}
