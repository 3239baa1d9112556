package dev.outrider.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.outrider.audit.PlantedDecoder.Written;
import dev.outrider.common.sampling.SamplingOperators;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.StreamSupport;

/// A server with OpenAI's completions for prompts of token ids, whose speculative decoding may have planted faults. It answers
/// `return_token_ids` as vLLM does; `speculative: false` decodes plainly.
final class PlantedServer implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final PlantedDecoder decoder;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final AtomicLong seeds;

    /// A server at a free port of this machine.
    ///
    /// @param seed of requests that have none
    PlantedServer(PlantedDecoder decoder, long seed) throws IOException {
        this.decoder = decoder;
        this.seeds = new AtomicLong(seed);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/v1/models", exchange -> answer(exchange, this::models));
        server.createContext("/v1/completions", exchange -> answer(exchange, this::complete));
        server.start();
    }

    /// Returns the address at which the server listens.
    URI address() {
        return URI.create("http://127.0.0.1:%d/v1".formatted(server.getAddress().getPort()));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private interface Answer {
        JsonNode of(JsonNode request);
    }

    private static void answer(HttpExchange exchange, Answer answer) throws IOException {
        try (exchange) {
            byte[] body;
            int status = 200;
            try {
                var request = JSON.readTree(exchange.getRequestBody().readAllBytes());
                body = JSON.writeValueAsBytes(answer.of(request));
            } catch (IllegalArgumentException | UncheckedIOException e) {
                status = 400;
                var error = JSON.createObjectNode();
                error.putObject("error").put("message", String.valueOf(e.getMessage()));
                body = JSON.writeValueAsBytes(error);
            }
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private JsonNode models(JsonNode request) {
        var models = JSON.createObjectNode().put("object", "list");
        models.putArray("data")
                .addObject()
                .put("id", decoder.target().description().name())
                .put("object", "model");
        return models;
    }

    private JsonNode complete(JsonNode request) {
        var prompts = prompts(request.path("prompt"));
        int choices = request.path("n").asInt(1);
        int most = request.path("max_tokens").asInt(16);
        boolean speculative = request.path("speculative").asBoolean(true);
        long seed = request.path("seed").asLong(seeds.getAndIncrement());
        var ends =
                request.path("ignore_eos").asBoolean(false)
                        ? Set.<Integer>of()
                        : decoder.target().description().endOfSequence();
        var answer =
                JSON.createObjectNode().put("id", "cmpl-" + seed).put("object", "text_completion");
        var list = answer.putArray("choices");
        int promptTokens = 0;
        int written = 0;
        for (int[] prompt : prompts) {
            promptTokens += prompt.length;
            for (int choice = 0; choice < choices; choice++) {
                var source = RandomnessSource.of(new KeyedRandomStreams(seed, list.size()));
                var text = decoder.write(prompt, most, wanted(request), speculative, ends, source);
                written += text.tokens().length;
                add(list.addObject().put("index", list.size() - 1), prompt, text, most);
            }
        }
        answer.putObject("usage")
                .put("prompt_tokens", promptTokens)
                .put("completion_tokens", written)
                .put("total_tokens", promptTokens + written);
        return answer;
    }

    private void add(ObjectNode choice, int[] prompt, Written text, int most) {
        choice.put("text", decoder.target().tokenizer().decode(text.tokens()))
                .put("finish_reason", text.tokens().length < most ? "stop" : "length")
                .putNull("logprobs");
        choice.set("token_ids", JSON.valueToTree(text.tokens()));
        choice.set("prompt_token_ids", JSON.valueToTree(prompt));
    }

    private List<int[]> prompts(JsonNode prompt) {
        if (prompt.isTextual()) {
            return List.of(decoder.target().tokenizer().encode(prompt.asText(), true));
        }
        if (!prompt.path(0).isArray()) {
            return List.of(ids(prompt));
        }
        var all = new ArrayList<int[]>();
        prompt.forEach(each -> all.add(ids(each)));
        return all;
    }

    private static int[] ids(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false).mapToInt(JsonNode::asInt).toArray();
    }

    private static Wanted wanted(JsonNode request) {
        var policy =
                new SamplingPolicy(
                        request.path("temperature").asDouble(1),
                        Math.max(0, request.path("top_k").asInt(0)),
                        request.path("top_p").asDouble(1),
                        request.path("min_p").asDouble(0),
                        request.path("repetition_penalty").asDouble(1));
        return new Wanted(
                policy,
                request.path("presence_penalty").asDouble(0),
                request.path("frequency_penalty").asDouble(0),
                SamplingOperators.none().order());
    }
}
