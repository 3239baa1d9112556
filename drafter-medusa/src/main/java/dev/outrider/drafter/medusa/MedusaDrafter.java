package dev.outrider.drafter.medusa;

import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.SlotStepper;
import dev.outrider.drafting.StopRule;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.drafting.head.HeadMatrices;
import dev.outrider.drafting.head.StateReader;
import dev.outrider.drafting.head.StateSession;
import dev.outrider.drafting.head.TargetWeights;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.HiddenState;
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
        var expander =
                new TreeExpander(
                        plan, SamplingPolicy.argmax(), new StopRule.Never(), heads.vocabulary());
        return new StateSession(
                StateReader.ofLast(), heads.count(), expander, (state, _) -> guesses(state));
    }

    /// Returns all guesses of a round, which one pass of the heads computes.
    private SlotStepper guesses(float[] state) {
        var logits = MemorySegment.ofArray(heads.logits(state));
        long bytes = logits.byteSize() / heads.count();
        return new SlotStepper(head -> logits.asSlice(head * bytes, bytes));
    }

    @Override
    public void close() {
        heads.close();
    }
}
