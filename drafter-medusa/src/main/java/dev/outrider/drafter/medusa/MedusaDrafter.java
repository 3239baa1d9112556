package dev.outrider.drafter.medusa;

import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.SlotStepper;
import dev.outrider.drafting.StopRule;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.drafting.head.HeadMatrices;
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
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.Set;

/// Loaded heads and the shape of their drafts. Thread-safe; owns the heads.
///
/// @param digest of the checkpoint
record MedusaDrafter(TreePlan plan, VectorHeads heads, String digest) implements Drafter {
    /// Loads heads in their back end, for every target.
    static Drafter open(MedusaConfig config, DrafterContext context) {
        var target = context.target();
        var description = target.description();
        try (var checkpoint =
                MedusaCheckpoint.open(
                        config.path(), description.hiddenSize(), description.vocabularySize())) {
            var sizes = checkpoint.sizes();
            int guesses =
                    HeadKeys.requireDepth("medusa", config.plan(), config.path(), sizes.heads());
            var matrices =
                    new HeadMatrices(
                            "medusa",
                            checkpoint.matrices(),
                            config.precision(),
                            config.engine(),
                            target);
            var projection =
                    sizes.projection() == VectorHeads.Projection.TARGET
                            ? Optional.of(TargetWeights.of("medusa", target, matrices::loadLent))
                            : Optional.<TargetWeights>empty();
            return new MedusaDrafter(
                    config.plan(),
                    checkpoint.load(guesses, matrices, projection),
                    checkpoint.digest());
        }
    }

    @Override
    public DrafterTraits traits() {
        return Drafting.traitsOf(plan, Selection.Kind.POINT_MASS, true);
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

    /// One sequence: the hidden state of the token before the root, from which a round computes all guesses at once.
    private static final class Session extends HeadSession {
        private final VectorHeads heads;
        private final TreeExpander expander;
        private final StateReader reader = StateReader.ofLast();

        Session(MedusaDrafter drafter) {
            heads = drafter.heads();
            expander =
                    new TreeExpander(
                            drafter.plan(),
                            SamplingPolicy.argmax(),
                            new StopRule.Never(),
                            heads.vocabulary());
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
            var logits = MemorySegment.ofArray(heads.logits(reader.state().orElseThrow()));
            long bytes = logits.byteSize() / heads.count();
            var stepper = new SlotStepper(head -> logits.asSlice(head * bytes, bytes));
            return expand(expander, stepper, budget, randomness);
        }

        @Override
        public void close() {}
    }
}
