package dev.outrider.experiment.report.chart;

import dev.outrider.common.Require;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// An element of HTML or SVG. Immutable: every method that changes something returns a new element.
///
/// @param name       its tag
/// @param attributes in order
/// @param children   in order
public record Element(String name, Map<String, String> attributes, List<Markup> children)
        implements Markup {
    public Element {
        Require.that(name.matches("[a-zA-Z][a-zA-Z0-9]*"), "'%s' is no name of an element", name);
        attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
        children = List.copyOf(children);
    }

    /// An element with nothing in it.
    public static Element of(String name) {
        return new Element(name, Map.of(), List.of());
    }

    /// An element of a CSS class.
    public static Element of(String name, String style) {
        return of(name).with("class", style);
    }

    /// With an attribute, which replaces one of the same name.
    public Element with(String attribute, String value) {
        Require.that(
                attribute.matches("[a-zA-Z][a-zA-Z0-9:-]*"),
                "'%s' is no name of an attribute",
                attribute);
        var more = new LinkedHashMap<>(attributes);
        more.put(attribute, value);
        return new Element(name, more, children);
    }

    /// With a number as attribute, to a hundredth.
    public Element with(String attribute, double value) {
        return with(attribute, number(value));
    }

    /// With more children at the end.
    public Element add(Markup... more) {
        return add(List.of(more));
    }

    /// With more children at the end.
    public Element add(Collection<? extends Markup> more) {
        var all = new ArrayList<Markup>(children);
        all.addAll(more);
        return new Element(name, attributes, all);
    }

    /// With text at the end.
    public Element text(String text) {
        return add(new Text(text));
    }

    /// A coordinate: at most two digits after the point, none that are 0.
    public static String number(double value) {
        Require.that(Double.isFinite(value), "a drawing has no place for %s", value);
        String text = String.format(Locale.ROOT, "%.2f", value);
        String shorter = text.replaceAll("\\.?0+$", "");
        return shorter.equals("-0") ? "0" : shorter;
    }
}
