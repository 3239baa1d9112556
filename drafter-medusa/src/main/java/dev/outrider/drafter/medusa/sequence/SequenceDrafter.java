package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafting.DraftStepper;
import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.StepInput;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.drafting.head.HeadSession;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Loaded heads that read the tokens drafted before, and the shape of their drafts. Thread-safe; owns the heads.
///
/// @param shape      shape, sampling and ends of the drafts
/// @param parameters numbers in the heads that are used
/// @param digest     of the checkpoint
record SequenceDrafter(SequenceHeads heads, Shape shape, long parameters, String digest)
        implements Drafter {
    private static final HiddenState LAST = new HiddenState.AfterFinalNorm();

    @Override
    public DrafterTraits traits() {
        return shape.traits();
    }

    @Override
    public Set<HiddenState> hiddenStates() {
        return Set.of(LAST);
    }

    @Override
    public DraftSession open(DraftRequest request) {
        int vocabulary = heads.vocabulary();
        return new Session(
                heads,
                shape.expander(request.policy(), new DraftVocabulary(vocabulary, vocabulary)));
    }

    @Override
    public void close() {
        heads.close();
    }

    /// Shape, sampling and ends of drafts.
    ///
    /// @param beam in place of the drafting's own shape
    record Shape(Drafting drafting, Optional<Beam> beam) {
        /// Returns the shape of the drafts, or for a beam a shape with as many nodes at most.
        TreePlan plan() {
            return beam.isPresent() ? beam.get().most() : drafting.plan();
        }

        DrafterTraits traits() {
            return beam.map(each -> Drafting.traitsOf(each.most(), Selection.Kind.POINT_MASS, true))
                    .orElseGet(() -> drafting.traits(true));
        }

        /// Returns what grows the drafts.
        ///
        /// @param ofTarget the target's sampling
        TreeExpander expander(SamplingPolicy ofTarget, DraftVocabulary vocabulary) {
            return beam.map(each ->
                            TreeExpander.ofBeam(
                                    each.most(),
                                    drafting.policy(ofTarget),
                                    drafting.stopRule(),
                                    vocabulary))
                    .orElseGet(() -> drafting.expander(ofTarget, vocabulary));
        }
    }

    /// One sequence: its tokens, and the hidden state of the token before the root. Nothing is kept of a round.
    ///
    /// Before the first pass of a prompt of one token there is no such state, and nothing is guessed.
    private static final class Session extends HeadSession {
        private final SequenceHeads heads;
        private final TreeExpander expander;
        private float[] hidden = new float[0];

        Session(SequenceHeads heads, TreeExpander expander) {
            this.heads = heads;
            this.expander = expander;
        }

        @Override
        protected void read(HiddenStates states, int index, int next) {
            hidden = states.hidden(LAST, index).toArray(ValueLayout.JAVA_FLOAT);
        }

        @Override
        protected int depth() {
            return hidden.length > 0 ? heads.guesses() : 0;
        }

        @Override
        protected Draft guess(DraftBudget budget, Randomness randomness) {
            var stepper = new Stepper(heads, hidden, tokens().root());
            return expand(expander, stepper, budget, randomness);
        }

        @Override
        public void close() {}
    }

    /// One round's guesses: every node has the state of its path, and nodes of a depth are guessed from in one pass.
    ///
    /// Confined to one thread.
    private static final class Stepper implements DraftStepper {
        private final SequenceHeads heads;
        private final float[] rootState;

        /// The state of every row that was run except the root's.
        private final List<float[]> rows = new ArrayList<>();

        private float[] logits = new float[0];

        /// @param hidden the target's hidden state at the token before the root
        /// @param root   the last committed token
        Stepper(SequenceHeads heads, float[] hidden, int root) {
            this.heads = heads;
            rootState = heads.after(List.of(heads.start(hidden)), new int[] {root}).getFirst();
        }

        @Override
        public LogitRows root() {
            return logits(0, List.of(rootState));
        }

        @Override
        public LogitRows step(List<StepInput> nodes) {
            var states =
                    heads.after(
                            nodes.stream().map(this::before).toList(),
                            nodes.stream().mapToInt(StepInput::token).toArray());
            rows.addAll(states);
            return logits(nodes.getFirst().depth(), states);
        }

        private float[] before(StepInput node) {
            return node.parentRow() == StepInput.ROOT ? rootState : rows.get(node.parentRow());
        }

        private LogitRows logits(int guess, List<float[]> states) {
            int needed = states.size() * heads.vocabulary();
            if (logits.length < needed) {
                logits = new float[needed];
            }
            heads.logits(guess, states, logits);
            long bytes = heads.vocabulary() * ValueLayout.JAVA_FLOAT.byteSize();
            var memory = MemorySegment.ofArray(logits);
            return index -> memory.asSlice(index * bytes, bytes);
        }
    }
}
