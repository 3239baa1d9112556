package dev.outrider.serve.answer;

import dev.outrider.engine.scoring.TokenScore;
import dev.outrider.serve.request.ApiException;
import dev.outrider.serve.request.TextRequest;
import dev.outrider.serving.Completion;
import dev.outrider.serving.ServedRound;
import dev.outrider.serving.ServingEngine;
import dev.outrider.serving.ServingListener;
import dev.outrider.serving.Ticket;
import dev.outrider.spi.error.OutriderException;
import io.helidon.webserver.CloseConnectionException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/// The running texts of one request. The engine takes all of them, or refuses the request.
///
/// One thread asks for events; any thread may call [#leave].
public final class RunningTexts implements AutoCloseable {
    /// Empty once the client has gone away.
    private final BlockingQueue<Optional<Event>> events;

    private final List<Ticket> tickets;
    private int over;

    /// The events of a text.
    public sealed interface Event {
        /// The prompt of a text was scored.
        record Prompt(int text, List<Optional<TokenScore>> scores) implements Event {}

        /// A round of a text.
        record Round(int text, ServedRound round) implements Event {}

        /// A piece of a text is final.
        record Piece(int text, String piece) implements Event {}

        /// A text is done.
        record Finished(int text, Completion completion) implements Event {}

        /// A text failed.
        record Failed(int text, OutriderException failure) implements Event {}
    }

    private RunningTexts(BlockingQueue<Optional<Event>> events, List<Ticket> tickets) {
        this.events = events;
        this.tickets = tickets;
    }

    /// Starts a request.
    ///
    /// @param drafts whether rounds have the nodes of their drafts
    /// @throws ApiException if it cannot be served
    public static RunningTexts start(ServingEngine engine, TextRequest request, boolean drafts) {
        var events = new LinkedBlockingQueue<Optional<Event>>();
        var group = request.texts().stream().map(TextRequest.Text::request).toList();
        try {
            var tickets = engine.submit(group, text -> new Collector(text, drafts, events));
            return new RunningTexts(events, tickets);
        } catch (OutriderException e) {
            throw ApiException.refused(e, engine.retryAfter());
        }
    }

    /// Returns whether all texts are over.
    public boolean done() {
        return over == tickets.size();
    }

    /// Waits for the next event.
    ///
    /// @throws CloseConnectionException if the client has gone away
    public Event next() throws InterruptedException {
        var event =
                events.take().orElseThrow(() -> new CloseConnectionException("the client left"));
        if (event instanceof Event.Finished || event instanceof Event.Failed) {
            over++;
        }
        return event;
    }

    /// Called when the client has gone away: [#next] then fails.
    public void leave() {
        events.add(Optional.empty());
    }

    /// Ends what still runs.
    @Override
    public void close() {
        tickets.forEach(Ticket::cancel);
    }

    private record Collector(int text, boolean drafts, BlockingQueue<Optional<Event>> events)
            implements ServingListener {
        @Override
        public boolean wantsDrafts() {
            return drafts;
        }

        @Override
        public void onPromptScores(List<Optional<TokenScore>> scores) {
            events.add(Optional.of(new Event.Prompt(text, scores)));
        }

        @Override
        public void onRound(ServedRound round) {
            events.add(Optional.of(new Event.Round(text, round)));
        }

        @Override
        public void onText(String piece) {
            events.add(Optional.of(new Event.Piece(text, piece)));
        }

        @Override
        public void onFinished(Completion completion) {
            events.add(Optional.of(new Event.Finished(text, completion)));
        }

        @Override
        public void onFailed(OutriderException failure) {
            events.add(Optional.of(new Event.Failed(text, failure)));
        }
    }
}
