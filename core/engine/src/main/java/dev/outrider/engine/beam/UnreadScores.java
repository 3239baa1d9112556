package dev.outrider.engine.beam;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import java.lang.foreign.MemorySegment;

/// What a drafter is shown of the target in a beam search: nothing. Whoever says what it reads was refused before.
///
/// @param vocabularySize number of the target's tokens
record UnreadScores(int vocabularySize) implements TargetScores {
    /// Hidden states of no token.
    static HiddenStates ofPrompt(int vocabularySize) {
        return new UnreadScores(vocabularySize);
    }

    @Override
    public MemorySegment logits(int node) {
        throw unreadable("scores");
    }

    @Override
    public int size() {
        return 0;
    }

    @Override
    public MemorySegment hidden(HiddenState which, int index) {
        throw unreadable("hidden states");
    }

    @Override
    public void close() {}

    private static OutriderException unreadable(String what) {
        return new OutriderException(
                ErrorCode.CAPABILITY_MISSING,
                "the drafter reads %s of the target, but in a beam search it sees the text alone"
                        .formatted(what),
                "Choose a drafter that drafts from the text, such as 'prompt-lookup' or 'small-model'.");
    }
}
