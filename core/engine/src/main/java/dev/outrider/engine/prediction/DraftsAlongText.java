package dev.outrider.engine.prediction;

import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.random.ForwardingRandomness;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.Support;
import dev.outrider.spi.tree.TreeShape;
import java.util.Set;

/// A drafter's own drafts at every position of a text that the target wrote, with both distributions. From these the decision of
/// every rule can be computed (docs/guide/laboratory.md). If the guesses of a chain are drawn, the text's tokens are drawn, if the
/// drafter gives them any probability: rules divide by q along the text, and q is known without an estimate. Ranked drafts and
/// lookups are the same as in decoding.
///
/// Thread-safe: every call opens sessions of its own.
///
/// @param decoder the decoder whose drafts are read
/// @see "docs/reference/algorithms.md A20"
public record DraftsAlongText(Decoder decoder) {
    /// @throws OutriderException CAPABILITY_MISSING as [ExpectedRounds]; also if the drafter draws trees, whose guesses off the text would
    ///                           matter
    public DraftsAlongText {
        decoder = new ExpectedRounds(decoder).decoder();
    }

    /// Receives the draft at a position.
    @FunctionalInterface
    public interface Visitor {
        /// @param position of the text, from 0: the draft is made before this token
        /// @param draft    valid for this call
        /// @param target   the same
        /// @param rest     the text from the position on
        void at(int position, Draft draft, TargetDistributions target, int[] rest);
    }

    /// Reads a text. Its last token is left out, because a round that begins there drafts nothing.
    ///
    /// @param request    the request of the text
    /// @param written    what the target wrote, at least one token
    /// @param randomness for drafts that are drawn, by any number
    /// @throws OutriderException as [Decoder#decode]; CAPABILITY_MISSING if the drafts cannot follow a text
    public void read(
            DecodeRequest request, int[] written, RandomnessSource randomness, Visitor visitor) {
        if (decoder.drafter().isEmpty()) {
            return;
        }
        var traits = decoder.drafter().get().traits();
        boolean drawn =
                !request.policy().greedy()
                        && !traits.selections().equals(Set.of(Selection.Kind.POINT_MASS));
        if (drawn && traits.shape() != TreeShape.CHAIN) {
            throw refused("draws trees, whose guesses beside the text would matter too");
        }
        try (var walk = new TextWalk(decoder, request, written, 1)) {
            for (int position = 0; position < written.length - 1; position++) {
                int[] rest = walk.rest();
                var own = randomness.round(position);
                var draws = drawn ? new Following(own, rest) : own;
                int at = position;
                walk.draft(
                        0,
                        draws,
                        (draft, target) -> {
                            visitor.at(at, draft, target, rest);
                            return draft;
                        });
            }
        }
    }

    private static OutriderException refused(String why) {
        return ErrorCode.CAPABILITY_MISSING.error(
                "the drafter " + why,
                "Record a variant whose 'tree' is a chain, or measure this one with 'outrider bench'.");
    }

    /// Draws the text's token if it has any probability. In a chain, nodes are numbered in the order of the draws.
    private static final class Following implements ForwardingRandomness {
        private final Randomness randomness;
        private final int[] text;
        private int level;

        Following(Randomness randomness, int... text) {
            this.randomness = randomness;
            this.text = text;
        }

        @Override
        public Randomness randomness() {
            return randomness;
        }

        @Override
        public int draw(Role role, int node, double[] distribution) {
            return draw(role, node, distribution, Support.of(distribution));
        }

        @Override
        public int draw(Role role, int node, double[] distribution, Support support) {
            int at = level++;
            return at < text.length && distribution[text[at]] > 0
                    ? text[at]
                    : randomness.draw(role, node, distribution, support);
        }

        @Override
        public int[] gumbelTopK(int position, double[] distribution, int count) {
            throw refused("shares its noise with the target");
        }
    }
}
