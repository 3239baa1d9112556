package dev.outrider.drafter.medusa;

import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.drafting.head.HeadSession;
import dev.outrider.drafting.head.StateReader;
import dev.outrider.drafting.head.TargetWeights;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import java.util.Optional;
import java.util.Set;

/// Loaded heads and the shape of their drafts. Thread-safe; owns the heads.
///
/// @param digest of the checkpoint
record MedusaDrafter(MedusaConfig config, VectorHeads heads, String digest) implements Drafter {
    /// Loads heads, which Java's vector code runs with every target.
    static Drafter open(MedusaConfig config, DrafterContext context) {
        var target = context.target();
        var description = target.description();
        try (var checkpoint =
                MedusaCheckpoint.open(
                        config.path(), description.hiddenSize(), description.vocabularySize())) {
            int depth = config.plan().maxDepth();
            var sizes = checkpoint.sizes();
            if (depth > sizes.heads()) {
                throw new OutriderException(
                        ErrorCode.CONFIG_INVALID,
                        "drafts of drafter 'medusa' are %d deep, but %s has %d heads"
                                .formatted(depth, config.path(), sizes.heads()),
                        "Give a 'length' or 'tree' of at most %d levels.".formatted(sizes.heads()));
            }
            var projection =
                    sizes.projection() == VectorHeads.Projection.TARGET
                            ? Optional.of(TargetWeights.of("medusa", target))
                            : Optional.<TargetWeights>empty();
            var precision = HeadKeys.precision(config.precision(), target);
            return new MedusaDrafter(
                    config, checkpoint.load(depth, precision, projection), checkpoint.digest());
        }
    }

    @Override
    public DrafterTraits traits() {
        return config.traits();
    }

    @Override
    public Set<HiddenState> hiddenStates() {
        return Set.of(new HiddenState.AfterFinalNorm());
    }

    @Override
    public long parameters() {
        return heads.parameters();
    }

    @Override
    public DraftSession open(DraftRequest request) {
        return new Session(this);
    }

    @Override
    public void close() {
        heads.close();
    }

    /// One sequence: the hidden state of the token before the root, from which a round guesses everything at once.
    private static final class Session extends HeadSession {
        private final VectorHeads heads;
        private final GuessTree tree;
        private final StateReader reader = StateReader.ofLast();

        Session(MedusaDrafter drafter) {
            heads = drafter.heads();
            tree = GuessTree.of(drafter.config().plan());
        }

        @Override
        protected void read(HiddenStates states, int index, int next) {
            reader.read(states, index, next);
        }

        @Override
        protected int depth() {
            return reader.state().isPresent() ? heads.count() : 0;
        }

        @Override
        protected Draft guess(DraftBudget budget, Randomness randomness) {
            var guesses =
                    heads.guess(
                            reader.state().orElseThrow(), tree.ranks(), tree.readsProbabilities());
            for (int head = 0; head < guesses.scores().length; head++) {
                requireFinite(head, guesses.scores()[head][0]);
            }
            return new Draft(
                    tree.grow(tokens().root(), guesses, budget), new Selection.PointMass());
        }

        @Override
        public void close() {}

        private static void requireFinite(int head, float best) {
            if (!Float.isFinite(best)) {
                throw new OutriderException(
                        ErrorCode.CONTRACT_BROKEN,
                        "the largest logit of Medusa head %d is %s, expected a finite number"
                                .formatted(head, best),
                        "Check the heads' checkpoint for NaN weights, or choose a wider number format"
                                + " for them.");
            }
        }
    }
}
