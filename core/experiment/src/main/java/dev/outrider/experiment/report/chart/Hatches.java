package dev.outrider.experiment.report.chart;

import java.util.ArrayList;
import java.util.List;

/// Fills that differ without colour: each has lines of its own.
final class Hatches {
    private static final List<String> LINES =
            List.of(
                    "",
                    "M-2 10L10 -2M6 14L14 6",
                    "M3 3h2v2h-2zM9 9h2v2h-2z",
                    "M0 0L12 12M12 0L0 12",
                    "M0 3H12M0 9H12",
                    "M3 0V12M9 0V12");

    /// The number of patterns.
    static final int COUNT = LINES.size();

    private Hatches() {}

    /// The fills of one drawing.
    ///
    /// @param id of the drawing, so that names stay apart in a page
    static Element definitions(String id) {
        var patterns = new ArrayList<Markup>();
        for (int i = 0; i < COUNT; i++) {
            patterns.add(
                    Element.of("pattern")
                            .with("id", id + "-fill" + i)
                            .with("width", 12)
                            .with("height", 12)
                            .with("patternUnits", "userSpaceOnUse")
                            .add(
                                    Svg.rect("f" + i, 0, 0, 12, 12),
                                    Svg.path(i == 2 ? "dots" : "hatch", LINES.get(i))));
        }
        return Element.of("defs").add(patterns);
    }

    /// A bar with the n-th fill.
    static Element bar(String id, int fill, double x, double y, double width, double height) {
        return Svg.rect("filled", x, y, width, height)
                .with("fill", "url(#%s-fill%d)".formatted(id, Math.floorMod(fill, COUNT)));
    }
}
