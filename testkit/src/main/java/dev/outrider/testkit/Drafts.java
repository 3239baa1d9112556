package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftLaws;
import dev.outrider.spi.Selection;
import java.util.Optional;

/// Comparison of drafts: the same tree, chosen in the same way, from the same laws.
final class Drafts {
    private Drafts() {}

    /// @param tolerance largest difference of any probability that arithmetic explains
    /// @param where     says in a failure where the drafts come from
    static void assertSame(Draft actual, Draft expected, double tolerance, String where) {
        assertThat(actual.tree()).describedAs("the draft %s", where).isEqualTo(expected.tree());
        assertThat(actual.selection().kind())
                .describedAs("how the draft %s was chosen", where)
                .isEqualTo(expected.selection().kind());
        var actualLaws = laws(actual.selection());
        var expectedLaws = laws(expected.selection());
        if (actualLaws.isPresent() && expectedLaws.isPresent()) {
            for (int node = 0; node < expected.tree().size(); node++) {
                if (expectedLaws.get().has(node)) {
                    assertThat(actualLaws.get().row(node))
                            .describedAs("law at node %d of the draft %s", node, where)
                            .containsExactly(expectedLaws.get().row(node), within(tolerance));
                }
            }
        }
    }

    private static Optional<DraftLaws> laws(Selection selection) {
        return switch (selection) {
            case Selection.PointMass() -> Optional.empty();
            case Selection.Independent(var laws) -> Optional.of(laws);
            case Selection.WithoutReplacement(var laws) -> Optional.of(laws);
        };
    }
}
