package dev.outrider.drafter.smallmodel;

import dev.outrider.drafting.DraftStepper;
import dev.outrider.drafting.StepInput;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.BooleanSupplier;

/// The next draft's steps as if a guess were its root. Once they are no longer wanted, nothing is guessed any more.
///
/// Confined to one thread.
///
/// @param passes       run the steps
/// @param continuation knows the guess, and gets what is run
/// @param rootRow      row of the guess
/// @param rootDepth    depth of the guess, counted from the root of the draft before
/// @param wanted       whether to go on
record AheadStepper(
        RowsAhead passes,
        Continuation continuation,
        int rootRow,
        int rootDepth,
        BooleanSupplier wanted)
        implements DraftStepper {
    @Override
    public LogitRows root() {
        return _ -> MemorySegment.ofArray(continuation.rootLogits());
    }

    @Override
    public LogitRows step(List<StepInput> nodes) {
        if (!wanted.getAsBoolean()) {
            return new Ended(continuation.rootLogits().length);
        }
        var logits = passes.run(nodes.stream().map(this::below).toList());
        continuation.add(new Continuation.Level(nodes, logits));
        return index -> MemorySegment.ofArray(logits.get(index));
    }

    private StepInput below(StepInput node) {
        int parent = node.parentRow() == StepInput.ROOT ? rootRow : rootRow + 1 + node.parentRow();
        return new StepInput(node.token(), parent, rootDepth + node.depth());
    }

    /// Logits that nothing is guessed from.
    private record Ended(int vocabulary) implements LogitRows {
        @Override
        public MemorySegment row(int index) {
            return MemorySegment.ofArray(new float[vocabulary]);
        }

        @Override
        public boolean guessesFrom(int index) {
            return false;
        }
    }
}
