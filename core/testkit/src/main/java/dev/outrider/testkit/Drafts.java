package dev.outrider.testkit;

import static dev.outrider.testkit.Expect.assertThat;
import static dev.outrider.testkit.Expect.within;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.Selection;
import java.util.Optional;

/// Comparison of drafts: the same tree, chosen in the same way, from the same distributions.
final class Drafts {
    private Drafts() {}

    /// @param tolerance largest difference of any probability that rounding explains
    /// @param where     origin of the drafts, for failures
    static void assertSame(Draft actual, Draft expected, double tolerance, String where) {
        assertThat(actual.tree()).describedAs("the draft %s", where).isEqualTo(expected.tree());
        assertThat(actual.selection().kind())
                .describedAs("how the draft %s was chosen", where)
                .isEqualTo(expected.selection().kind());
        var actualDistributions = distributions(actual.selection());
        var expectedDistributions = distributions(expected.selection());
        if (actualDistributions.isPresent() && expectedDistributions.isPresent()) {
            for (int node = 0; node < expected.tree().size(); node++) {
                if (expectedDistributions.get().has(node)) {
                    assertThat(actualDistributions.get().row(node))
                            .describedAs("distribution at node %d of the draft %s", node, where)
                            .containsExactly(
                                    expectedDistributions.get().row(node), within(tolerance));
                }
            }
        }
    }

    private static Optional<DraftDistributions> distributions(Selection selection) {
        return switch (selection) {
            case Selection.PointMass() -> Optional.empty();
            case Selection.Independent(var distributions) -> Optional.of(distributions);
            case Selection.WithoutReplacement(var distributions) -> Optional.of(distributions);
        };
    }
}
