package dev.outrider.engine.decode;

import dev.outrider.common.Ticker;
import dev.outrider.spi.run.DecodeEvent.FinishReason;
import dev.outrider.spi.run.DecodeEvent.TargetPass;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetModel.ScoreRequest;
import dev.outrider.spi.target.TargetScores;
import java.util.ArrayList;
import java.util.List;

/// A round of several sequences of one target: each drafts, one pass of the target scores all drafts, and each decides. The sequences may
/// be of different decoders. Confined to one thread.
///
/// @param target scores
/// @param ticker clock of the pass
public record SharedRound(TargetModel target, Ticker ticker) {
    /// A sequence's place in rounds.
    public interface Seat {
        /// The sequence.
        RunningSequence sequence();

        /// Called when the draft was scored, before the sequence decides.
        ///
        /// @param scores valid until the sequence has decided, its listener's calls included
        default void onScores(TargetScores scores) {}

        /// Called when the sequence is over; it takes part in no other round.
        void onEnd(FinishReason why);

        /// Called when the sequence has failed; it takes part in no other round, and the others go on. An exception of this method
        /// ends the round.
        void onFailure(RuntimeException failure);
    }

    /// Runs the round.
    ///
    /// @param seats sequences whose prompts are read
    /// @throws RuntimeException if the pass fails, or what [Seat#onFailure] throws: no sequence can go on then
    public void run(List<? extends Seat> seats) {
        var scored = new ArrayList<Seat>();
        var requests = new ArrayList<ScoreRequest>();
        for (var seat : seats) {
            try {
                requests.add(seat.sequence().propose());
                scored.add(seat);
            } catch (RuntimeException e) {
                seat.onFailure(e);
            }
        }
        if (scored.isEmpty()) {
            return;
        }
        long start = ticker.nanos();
        var scores = target.scoreAll(requests);
        try {
            long nanos = ticker.nanos() - start;
            int rows = requests.stream().mapToInt(request -> request.tree().size()).sum();
            var pass = new TargetPass(rows, scored.size(), nanos);
            for (int slot = 0; slot < scored.size(); slot++) {
                settle(scored.get(slot), scores.get(slot), pass);
            }
        } finally {
            scores.forEach(TargetScores::close);
        }
    }

    private static void settle(Seat seat, TargetScores scores, TargetPass pass) {
        try {
            seat.onScores(scores);
            seat.sequence().settle(scores, pass).ifPresent(seat::onEnd);
        } catch (RuntimeException e) {
            seat.onFailure(e);
        }
    }
}
