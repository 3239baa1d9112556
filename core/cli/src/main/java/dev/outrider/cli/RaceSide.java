package dev.outrider.cli;

import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.metrics.DecodeMetrics;
import dev.outrider.engine.metrics.DecodeMetrics.MetricsCollector;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.experiment.run.Variant;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.target.Tokenizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/// One side of the race of `outrider demo`: a generation on a separate thread, which decodes one round when it gets a turn and then
/// waits. Its time is the engine's, which counts its own rounds and no waiting.
///
/// Confined to one thread. The generation's thread and that thread never run at the same time.
final class RaceSide implements AutoCloseable {
    private final Variant variant;
    private final Semaphore turn = new Semaphore(0);
    private final Semaphore waiting = new Semaphore(0);
    private final MetricsCollector metrics = new MetricsCollector();
    private final List<Piece> pieces = new ArrayList<>();
    private final Tokenizer.TokenStream stream;
    private final Thread thread;
    private Optional<Generation> generation = Optional.empty();
    private Optional<Throwable> failure = Optional.empty();
    private boolean stopping;
    private boolean over;

    /// Text of tokens that have one origin, in one round.
    ///
    /// @param mark their origin; empty without a draft
    record Piece(String text, Optional<TokenMark> mark) {
        /// Text without a drafter's part.
        static Piece plain(String text) {
            return new Piece(text, Optional.empty());
        }

        /// Returns it in brackets, unless colours show the origin.
        String shown(boolean colours) {
            return mark.filter(_ -> !colours).map(each -> each.bracketed(text)).orElse(text);
        }
    }

    RaceSide(Variant variant, DecodeRequest request, long seed) {
        this.variant = variant;
        this.stream = variant.decoder().target().tokenizer().stream();
        this.thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("race-" + variant.name())
                        .start(() -> run(request, seed));
    }

    /// Reads the prompt, or decodes one more round. Does nothing after the end.
    ///
    /// @throws RuntimeException as decoding throws it
    void step() {
        if (over) {
            return;
        }
        turn.release();
        waiting.acquireUninterruptibly();
        switch (failure.orElse(null)) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case null, default -> {}
        }
    }

    /// Whether the text has ended.
    boolean over() {
        return over;
    }

    /// Ids of the whole text; empty until it has ended.
    Optional<int[]> ids() {
        return generation.map(Generation::tokens);
    }

    /// The text so far.
    List<Piece> pieces() {
        return List.copyOf(pieces);
    }

    DecodeMetrics metrics() {
        return metrics.metrics();
    }

    /// Nanoseconds of its own work, the prompt included.
    long nanos() {
        return metrics().prefillNanos() + metrics().times().total();
    }

    /// Tokens per second of its own work; NaN before there was any.
    double tokensPerSecond() {
        return metrics().emitted() * 1e9 / nanos();
    }

    private void run(DecodeRequest request, long seed) {
        turn.acquireUninterruptibly();
        try {
            if (!stopping) {
                var randomness = RandomnessSource.of(new KeyedRandomStreams(seed, 0));
                generation =
                        Optional.of(
                                variant.generate(
                                        request, randomness, listener(), this::waitForTurn));
            }
        } catch (RuntimeException | Error e) {
            failure = Optional.of(e);
        } finally {
            over = true;
            waiting.release();
        }
    }

    /// Hands over to the other thread until the next turn. The decoder asks before every round whether to continue.
    private boolean waitForTurn() {
        waiting.release();
        turn.acquireUninterruptibly();
        return stopping;
    }

    private DecodeListener listener() {
        return metrics.and(event -> {
            switch (event) {
                case DecodeEvent.RoundCompleted round -> add(round);
                case DecodeEvent.Finished _ -> add(stream.finish(), Optional.empty());
                default -> {}
            }
        });
    }

    private void add(DecodeEvent.RoundCompleted round) {
        boolean drafted = round.draft().tree().candidateNodes() > 0;
        TokenMark.each(
                round, stream, (mark, text) -> add(text, Optional.of(mark).filter(_ -> drafted)));
    }

    private void add(String text, Optional<TokenMark> mark) {
        if (!text.isEmpty()) {
            pieces.add(new Piece(text, mark));
        }
    }

    /// Ends the generation after the current round.
    @Override
    public void close() {
        stopping = true;
        while (!over) {
            turn.release();
            waiting.acquireUninterruptibly();
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it ends by itself
        }
    }
}
