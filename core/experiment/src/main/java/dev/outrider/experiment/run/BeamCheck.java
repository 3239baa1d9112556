package dev.outrider.experiment.run;

import dev.outrider.engine.decode.Hypothesis;
import java.util.List;
import java.util.Optional;

/// Compares what a search with guesses came to with what plain search came to.
public final class BeamCheck {
    /// Scores may differ by this where a target's rows depend on what else is in a pass; target `vector`'s do not.
    static final double ROUNDING = 1e-3;

    private BeamCheck() {}

    /// The first hypothesis that differs, if there is one: its first token that does, and by how much the scores of the two differ.
    ///
    /// @param plain   what plain search came to
    /// @param side    name of the variant
    /// @param variant what the variant came to
    public static Optional<Mismatch> compare(
            Prompt prompt, List<Hypothesis> plain, String side, List<Hypothesis> variant) {
        for (int rank = 0; rank < Math.min(plain.size(), variant.size()); rank++) {
            var expected = plain.get(rank);
            var found = variant.get(rank);
            double gap = Math.abs(expected.score() - found.score());
            int position = GreedyCheck.firstDifference(expected.tokens(), found.tokens());
            if (position >= 0 || gap > ROUNDING) {
                int at = Math.max(position, 0);
                return Optional.of(
                        new Mismatch(
                                side,
                                prompt.id(),
                                at,
                                GreedyCheck.tokenAt(expected.tokens(), at),
                                GreedyCheck.tokenAt(found.tokens(), at),
                                gap,
                                true));
            }
        }
        return plain.size() == variant.size()
                ? Optional.empty()
                : Optional.of(new Mismatch(side, prompt.id(), 0, -1, -1, 0, true));
    }
}
