package dev.outrider.serve;

import dev.outrider.serve.answer.Answers;
import dev.outrider.serve.answer.RunningTexts;
import dev.outrider.serve.connection.ClientConnection;
import dev.outrider.serve.request.ApiException;
import dev.outrider.serve.request.JsonFields;
import dev.outrider.serve.request.RequestReader;
import dev.outrider.serve.request.ServedTarget;
import dev.outrider.serve.request.TextRequest;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;

/// `/v1/completions` and `/v1/chat/completions`.
final class TextService implements HttpService {
    private static final int DIGEST = 12;

    private final ServedTarget served;
    private final RequestReader reader;
    private final InstantSource clock;
    private final RequestLog log;
    private final long started;
    private final AtomicLong answers = new AtomicLong();

    TextService(ServedTarget served, RequestReader reader, InstantSource clock, RequestLog log) {
        this.served = served;
        this.reader = reader;
        this.clock = clock;
        this.log = log;
        this.started = clock.millis();
    }

    @Override
    public void routing(HttpRules rules) {
        rules.post(
                "/completions",
                Exchange.of((request, response) -> {
                    var fields = Exchange.fields(request);
                    answer(reader.completion(fields, client(request)), response);
                }));
        rules.post(
                "/chat/completions",
                Exchange.of((request, response) -> {
                    JsonFields fields = Exchange.fields(request);
                    answer(reader.chat(fields, client(request)), response);
                }));
    }

    static String client(ServerRequest request) {
        return request.remotePeer().host();
    }

    private void answer(TextRequest request, ServerResponse response)
            throws IOException, InterruptedException {
        var connection = ClientConnection.current();
        try (var texts = RunningTexts.start(served.engine(), request, false)) {
            connection.whenGone(texts::leave);
            var answers = new Answers(served.engine(), request, head(request.chat()));
            Exchange.ignored(response, request.ignored());
            log.begin(request);
            if (request.stream().isPresent()) {
                stream(texts, answers, response);
            } else {
                whole(texts, answers, response);
            }
            log.end(request, answers);
        }
    }

    private void whole(RunningTexts texts, Answers answers, ServerResponse response)
            throws InterruptedException {
        while (!texts.done()) {
            answers.take(texts.next());
        }
        Exchange.send(response, answers.whole());
    }

    private void stream(RunningTexts texts, Answers answers, ServerResponse response)
            throws IOException, InterruptedException {
        response.header(HeaderNames.CACHE_CONTROL, "no-cache");
        var out = Exchange.events(response);
        var first = new ArrayDeque<>(answers.first());
        try {
            while (!texts.done()) {
                var chunk = answers.take(texts.next());
                if (chunk.isPresent()) {
                    while (!first.isEmpty()) { // now: clients time the first token by it
                        Exchange.send(out, first.removeFirst());
                    }
                    Exchange.send(out, chunk.get());
                }
            }
            var usage = answers.usage();
            if (usage.isPresent()) {
                Exchange.send(out, usage.get());
            }
        } catch (ApiException e) {
            Exchange.send(out, e.body());
        }
        out.write(Exchange.event("[DONE]"));
        out.close();
    }

    private Answers.Head head(boolean chat) {
        var digest = served.description().digest();
        return new Answers.Head(
                "%s-%x-%x"
                        .formatted(chat ? "chatcmpl" : "cmpl", started, answers.incrementAndGet()),
                clock.instant().getEpochSecond(),
                "fp_" + digest.substring(0, Math.min(DIGEST, digest.length())));
    }
}
