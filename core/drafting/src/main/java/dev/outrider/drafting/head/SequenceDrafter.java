package dev.outrider.drafting.head;

import dev.outrider.drafting.DraftStepper;
import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.StepInput;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.HiddenState;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A drafter whose heads read the target's last hidden state and the tokens drafted before. Thread-safe; owns the heads.
///
/// @param drafting   shape, sampling and stops of the drafts
/// @param beam       a beam search instead of that shape
/// @param parameters number of parameters of the heads that are used
/// @param digest     of the checkpoint
public record SequenceDrafter(
        SequenceHeads heads,
        Drafting drafting,
        Optional<TreePlan.Dynamic> beam,
        long parameters,
        String digest)
        implements Drafter {
    /// Returns the traits of such a drafter, without loading it.
    public static DrafterTraits traits(Drafting drafting, Optional<TreePlan.Dynamic> beam) {
        return beam.map(each -> Drafting.traitsOf(each, Selection.Kind.POINT_MASS, true))
                .orElseGet(() -> drafting.traits(true));
    }

    @Override
    public DrafterTraits traits() {
        return traits(drafting, beam);
    }

    @Override
    public Set<HiddenState> hiddenStates() {
        return Set.of(new HiddenState.AfterFinalNorm());
    }

    @Override
    public DraftSession open(DraftRequest request) {
        var vocabulary = new DraftVocabulary(heads.vocabulary(), heads.vocabulary());
        var expander =
                beam.map(each ->
                                TreeExpander.ofBeam(
                                        each,
                                        drafting.policy(request.policy()),
                                        drafting.stopRule(),
                                        vocabulary))
                        .orElseGet(() -> drafting.expander(request, vocabulary));
        return new StateSession(
                heads.reader(request.capacity()),
                heads.guesses(),
                expander,
                (state, root) -> new Stepper(heads, state, root));
    }

    @Override
    public void close() {
        heads.close();
    }

    /// One round's guesses: every node has the state of its path, and all nodes of a depth run in one pass.
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
