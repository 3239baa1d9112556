package dev.outrider.engine.decode;

import dev.outrider.common.Require;
import dev.outrider.engine.decode.SharedRound.Seat;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DecodeEvent.FinishReason;
import dev.outrider.spi.run.DecodeListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// Generates several sequences together: every round drafts for each and scores all trees in one pass of the target.
/// Sequences accept different numbers of tokens and are of different lengths; the output of each is the same as if it were alone.
/// When one is over, the next request takes its place.
///
/// Thread-safe: every call opens sessions of its own.
///
/// @param decoder what decodes each sequence
/// @param width   most sequences at a time, at least 1
/// @see "Yu et al. 2022 (Orca), section 3.1, iteration-level scheduling"
/// @see "Leviathan et al. 2023, section 3.4, on what drafting gains when a pass is already full"
public record BatchDecoder(Decoder decoder, int width) {
    public BatchDecoder {
        Require.that(width >= 1, "width %d is not positive", width);
    }

    /// One sequence of a batch.
    ///
    /// @param randomness    the randomness of each of its rounds, its own
    /// @param listener told about its rounds; a round's target time is its equal share of the pass
    public record Item(
            DecodeRequest request, RandomnessSource randomness, DecodeListener listener) {}

    /// A sequence that writes its result at the index of its item. A failure of one sequence ends the batch.
    private record Running(int index, RunningSequence sequence, List<Optional<Generation>> done)
            implements Seat {
        @Override
        public void onEnd(FinishReason why) {
            done.set(index, Optional.of(sequence.finish(why)));
        }

        @Override
        public void onFailure(RuntimeException failure) {
            throw failure;
        }

        boolean over() {
            return done.get(index).isPresent();
        }
    }

    /// Generates all sequences.
    ///
    /// @param cancelled asked before every round; once it is true all sequences end, those not begun with no token
    /// @return what was generated, in the order of the items; empty for items that were never begun
    /// @throws OutriderException as [Decoder#decode]; nothing of the others is returned then
    public List<Optional<Generation>> decode(List<Item> items, BooleanSupplier cancelled) {
        var done = new ArrayList<Optional<Generation>>();
        items.forEach(item -> done.add(Optional.empty()));
        var running = new ArrayList<Running>();
        var round = new SharedRound(decoder.target(), decoder.ticker());
        int next = 0;
        try {
            while (true) {
                if (cancelled.getAsBoolean()) {
                    running.forEach(each -> each.onEnd(FinishReason.CANCELLED));
                    return done;
                }
                while (running.size() < width && next < items.size()) {
                    var item = items.get(next);
                    var open = decoder.open(item.request(), item.randomness(), item.listener());
                    running.add(new Running(next, open, done));
                    open.prefill();
                    next++;
                }
                if (running.isEmpty()) {
                    return done;
                }
                round.run(running);
                var over = running.stream().filter(Running::over).toList();
                running.removeIf(Running::over);
                closeAll(over);
            }
        } finally {
            closeAll(running);
        }
    }

    /// Returns whether all sequences ended by themselves, without a cancellation.
    ///
    /// @param generations what [#decode] returned
    public static boolean complete(List<Optional<Generation>> generations) {
        return generations.stream()
                .allMatch(each ->
                        each.filter(whole -> whole.reason() != FinishReason.CANCELLED).isPresent());
    }

    /// Closes all, even if closing one of them fails, and throws the first failure.
    private static void closeAll(List<Running> sequences) {
        Optional<RuntimeException> first = Optional.empty();
        for (var each : sequences) {
            try {
                each.sequence().close();
            } catch (RuntimeException e) {
                first.filter(earlier -> !earlier.equals(e))
                        .ifPresent(earlier -> earlier.addSuppressed(e));
                first = first.or(() -> Optional.of(e));
            }
        }
        if (first.isPresent()) {
            throw first.get();
        }
    }
}
