package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafting.DraftStepper;
import dev.outrider.drafting.StepInput;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// One round's guesses: every node has the state of its path, and nodes of a depth are guessed from in one pass.
///
/// Confined to one thread.
final class SequenceStepper implements DraftStepper {
    private final SequenceHeads heads;
    private final float[] rootState;

    /// The state of every row that was run, the root's apart.
    private final List<float[]> rows = new ArrayList<>();

    private float[] logits = new float[0];

    /// @param hidden the target's hidden state at the token before the root
    /// @param root   the last committed token
    SequenceStepper(SequenceHeads heads, float[] hidden, int root) {
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
