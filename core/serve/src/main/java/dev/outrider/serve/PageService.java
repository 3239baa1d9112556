package dev.outrider.serve;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.common.Resource;
import dev.outrider.serve.answer.Answers;
import dev.outrider.serve.answer.RoundEvents;
import dev.outrider.serve.answer.RunningTexts;
import dev.outrider.serve.connection.ClientConnection;
import dev.outrider.serve.request.ApiException;
import dev.outrider.serve.request.RequestReader;
import dev.outrider.serve.request.ServedTarget;
import dev.outrider.serve.request.TextRequest;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.ChatFormatter;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Set;

/// The page that shows rounds: its files, its choices (`/page/variants.json`), and the stream of rounds of a text
/// (`POST /page/rounds`, with the body of `/v1/completions` or `/v1/chat/completions`).
///
/// The files are a fixed list, so no path leads to another one. They are sent without a key: a browser cannot send one when it opens a page.
record PageService(ServedTarget served, RequestReader reader, RequestLog log)
        implements HttpService {
    static final String VARIANTS = "/page/variants.json";
    static final String ROUNDS = "/page/rounds";

    private static final String SCRIPT = "text/javascript; charset=utf-8";
    private static final String HOME = "/";
    private static final Map<String, String> TYPES =
            Map.ofEntries(
                    Map.entry(HOME, "text/html; charset=utf-8"),
                    Map.entry("/page/style.css", "text/css; charset=utf-8"),
                    Map.entry("/page/icon.svg", "image/svg+xml"),
                    Map.entry("/page/app.js", SCRIPT),
                    Map.entry("/page/lane.js", SCRIPT),
                    Map.entry("/page/source.js", SCRIPT),
                    Map.entry("/page/trace.js", SCRIPT),
                    Map.entry("/page/tree.js", SCRIPT));
    private static final Map<String, String> HEADERS =
            Map.ofEntries(
                    Map.entry(
                            "Content-Security-Policy",
                            "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'"),
                    Map.entry("X-Frame-Options", "DENY"),
                    Map.entry("Referrer-Policy", "no-referrer"),
                    Map.entry("Cross-Origin-Opener-Policy", "same-origin"),
                    Map.entry("Cross-Origin-Resource-Policy", "same-origin"));

    /// The paths of the page's files.
    static Set<String> files() {
        return TYPES.keySet();
    }

    @Override
    public void routing(HttpRules rules) {
        TYPES.forEach((path, type) -> {
            byte[] bytes = file(path.equals(HOME) ? "/page/index.html" : path);
            rules.get(
                    path,
                    Exchange.of((_, response) -> {
                        HEADERS.forEach(
                                (name, value) -> response.header(HeaderNames.create(name), value));
                        response.header(HeaderNames.CONTENT_TYPE, type);
                        careful(response);
                        response.send(bytes);
                    }));
        });
        rules.get(
                VARIANTS,
                Exchange.of((_, response) -> {
                    careful(response);
                    Exchange.send(response, variants());
                }));
        rules.post(
                ROUNDS,
                Exchange.of((request, response) -> {
                    var fields = Exchange.fields(request);
                    var client = TextService.client(request);
                    rounds(
                            fields.any("messages").isPresent()
                                    ? reader.chat(fields, client)
                                    : reader.completion(fields, client),
                            response);
                }));
    }

    private static byte[] file(String path) {
        return Resource.bytes(PageService.class, "/dev/outrider/serve" + path);
    }

    /// Forbids browsers to guess the type, and to use a copy that is older than the server.
    private static void careful(ServerResponse response) {
        response.header(HeaderNames.create("X-Content-Type-Options"), "nosniff");
        response.header(HeaderNames.CACHE_CONTROL, "no-cache");
    }

    private ObjectNode variants() {
        var node = JsonNodeFactory.instance.objectNode();
        var target = served.description();
        node.put("target", served.name());
        node.put("maxTokens", served.maxTokens());
        node.put("positions", target.maxPositions());
        node.put("sequences", served.engine().limits().maxSequences());
        node.put(
                "chat",
                target.sources().isEmpty()
                        && served.target().capability(ChatFormatter.class).isPresent());
        served.rules().keySet().forEach(node.putArray("rules")::add);
        var list = node.putArray("variants");
        for (var variant : served.engine().variants()) {
            var sampling = served.policies().getOrDefault(variant.name(), SamplingPolicy.argmax());
            list.addObject()
                    .put("model", served.name() + ":" + variant.name())
                    .put("name", variant.name())
                    .put("drafts", variant.decoder().drafter().isPresent())
                    .put("temperature", sampling.temperature());
        }
        return node;
    }

    private void rounds(TextRequest request, ServerResponse response)
            throws IOException, InterruptedException {
        if (request.texts().size() != 1) {
            throw ApiException.invalid(
                    "n",
                    "the request asks for %d texts, expected 1 in a stream of rounds"
                            .formatted(request.texts().size()));
        }
        var connection = ClientConnection.current();
        try (var texts = RunningTexts.start(served.engine(), request, true)) {
            connection.whenGone(texts::leave);
            var answers = new Answers(served.engine(), request, new Answers.Head("", 0, ""));
            Exchange.ignored(response, request.ignored());
            log.begin(request);
            careful(response);
            var out = Exchange.events(response);
            var prompt = request.texts().getFirst().request().prompt();
            var events = new RoundEvents(served.target().tokenizer(), prompt, System::nanoTime);
            Exchange.send(out, events.begin(request));
            try {
                while (!texts.done()) {
                    var event = texts.next();
                    answers.take(event);
                    var round = events.take(event);
                    if (round.isPresent()) {
                        Exchange.send(out, round.get());
                    }
                }
            } catch (ApiException e) {
                Exchange.send(out, e.body());
            }
            out.close();
            log.end(request, answers);
        }
    }
}
