package dev.outrider.serve.answer;

import dev.outrider.serve.request.ApiException;
import dev.outrider.serve.request.TextRequest;
import dev.outrider.serving.Completion;
import dev.outrider.serving.ServedRound;
import dev.outrider.serving.ServingEngine;
import dev.outrider.serving.ServingListener;
import dev.outrider.serving.Ticket;
import dev.outrider.serving.TokenScore;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/// The texts of one request at work. As many as share a pass are with the engine at a time, the others follow; a full queue refuses a request only
/// if none of its texts was taken.
///
/// One thread asks for events; any thread may call [#leave].
public final class RunningTexts implements AutoCloseable {
    private final ServingEngine engine;
    private final TextRequest request;
    private final boolean drafts;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final List<Ticket> tickets = new ArrayList<>();
    private int submitted;
    private int over;

    /// What happens to a text.
    public sealed interface Event {
        /// The client went away.
        record Gone() implements Event {}

        /// The prompt of a text was scored.
        record Prompt(int text, List<Optional<TokenScore>> scores) implements Event {}

        /// A round of a text.
        record Round(int text, ServedRound round) implements Event {}

        /// A piece of a text became certain.
        record Piece(int text, String piece) implements Event {}

        /// A text is done.
        record Finished(int text, Completion completion) implements Event {}

        /// A text failed.
        record Failed(int text, OutriderException failure) implements Event {}
    }

    private RunningTexts(ServingEngine engine, TextRequest request, boolean drafts) {
        this.engine = engine;
        this.request = request;
        this.drafts = drafts;
    }

    /// Starts a request.
    ///
    /// @param drafts whether rounds have the nodes of their drafts
    /// @throws ApiException if it cannot be served
    public static RunningTexts start(ServingEngine engine, TextRequest request, boolean drafts) {
        var texts = new RunningTexts(engine, request, drafts);
        try {
            texts.submit();
            return texts;
        } catch (RuntimeException | Error e) {
            texts.close();
            throw e;
        }
    }

    /// Whether all texts are over.
    public boolean done() {
        return over == request.texts().size();
    }

    /// Waits for the next event.
    ///
    /// @throws ApiException if a text that waited for its turn cannot be served
    public Event next() throws InterruptedException {
        var event = events.take();
        if (event instanceof Event.Finished || event instanceof Event.Failed) {
            over++;
            submit();
        }
        return event;
    }

    /// The client went away: [#next] says so.
    public void leave() {
        events.add(new Event.Gone());
    }

    private void submit() {
        int most = engine.limits().maxSequences();
        while (submitted < request.texts().size() && submitted - over < most) {
            try {
                var text = request.texts().get(submitted);
                tickets.add(engine.submit(text.request(), new Collector(submitted)));
                submitted++;
            } catch (OutriderException e) {
                if (e.code().equals(ErrorCode.QUEUE_FULL) && submitted > over) {
                    return;
                }
                throw ApiException.of(e, engine.retryAfter());
            }
        }
    }

    /// Ends what still runs.
    @Override
    public void close() {
        tickets.forEach(Ticket::cancel);
    }

    private final class Collector implements ServingListener {
        private final int text;

        Collector(int text) {
            this.text = text;
        }

        @Override
        public boolean wantsDrafts() {
            return drafts;
        }

        @Override
        public void onPromptScores(List<Optional<TokenScore>> scores) {
            events.add(new Event.Prompt(text, scores));
        }

        @Override
        public void onRound(ServedRound round) {
            events.add(new Event.Round(text, round));
        }

        @Override
        public void onText(String piece) {
            events.add(new Event.Piece(text, piece));
        }

        @Override
        public void onFinished(Completion completion) {
            events.add(new Event.Finished(text, completion));
        }

        @Override
        public void onFailed(OutriderException failure) {
            events.add(new Event.Failed(text, failure));
        }
    }
}
