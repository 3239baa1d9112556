package dev.outrider.engine.decode;

import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.run.DecodeEvent.FinishReason;
import dev.outrider.spi.run.DecodeEvent.TargetPass;
import dev.outrider.spi.target.TargetModel.ScoreRequest;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// A sequence in steps, and the sessions it works with, which are closed with it: [Decoder#open], then [#prefill] until the prompt is
/// read, then rounds alone or [together][SharedRound], then [#finish]. Confined to one thread.
public final class RunningSequence implements AutoCloseable {
    private final TargetSession target;
    private final DraftSession drafting;
    private final DecodedSequence sequence;

    RunningSequence(TargetSession target, DraftSession drafting, DecodedSequence sequence) {
        this.target = target;
        this.drafting = drafting;
        this.sequence = sequence;
    }

    /// Reads the whole prompt.
    public void prefill() {
        sequence.prefill(Integer.MAX_VALUE, Optional.empty());
    }

    /// Reads the next part of the prompt. The drafter reads all of it at once, after the last part.
    ///
    /// @param most most tokens to read, at least 1
    /// @param rows told the target's scores of the tokens, if a caller wants them; the same in every call
    /// @return whether the prompt is read
    public boolean prefill(int most, Optional<PromptRows> rows) {
        return sequence.prefill(most, rows);
    }

    /// Tokens of the prompt that [#prefill] still has to read.
    public int unread() {
        return sequence.unread();
    }

    /// Ends the sequence. Called once, after the last round.
    public Generation finish(FinishReason why) {
        return sequence.finish(why);
    }

    /// Drafts, and returns the request that a pass is to score. [#settle] follows.
    ScoreRequest propose() {
        return new ScoreRequest(target, sequence.propose());
    }

    /// Decides about the draft; says why the sequence is over, if it is.
    Optional<FinishReason> settle(TargetScores scores, TargetPass pass) {
        return sequence.settle(scores, pass);
    }

    @Override
    public void close() {
        try (target;
                drafting) {
            sequence.closeStates();
        }
    }

    /// Receives the target's scores of a prompt.
    @FunctionalInterface
    public interface PromptRows {
        /// The target has read the tokens before one of the prompt's.
        ///
        /// @param index  of the token in the prompt, from 1, ascending
        /// @param logits shape `[V]` 32-bit floats, of the tokens that could follow there; valid during the call only
        void onRow(int index, MemorySegment logits);
    }
}
