package dev.outrider.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.audit.Answers.Asked;
import dev.outrider.common.sampling.SamplingOperators;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// Requests completions from a server with OpenAI's API, one after the other.
public final class ServerClient implements AutoCloseable {
    private static final int MAX_BYTES = 64 << 20;

    /// The number of tokens for penalties in llama.cpp, which refuses -1: more than a text has.
    private static final int ALL_TOKENS = 1 << 16;

    private static final int MAX_TRIES = 8;
    private static final int MAX_WAIT_SECONDS = 60;
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration WHOLE = Duration.ofMinutes(10);
    private static final Duration NEVER = Duration.ofDays(1);
    private static final Future<HttpResponse<byte[]>> NOTHING = new CompletableFuture<>();
    private static final int TICK_MS = 50;
    private static final String REMEDY = "Check that the server runs, and its log.";

    private final Server server;
    private final ObjectNode fields;
    private final BooleanSupplier interrupted;
    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(CONNECT)
                    .build();
    private boolean withIds = true;

    /// A server, and the form of its requests.
    ///
    /// @param base   address of its API, such as http://host:8000/v1
    /// @param model  name in requests; empty leaves it out
    /// @param key    sent as a bearer token
    /// @param bare   whether requests leave sampling to the server's own settings
    /// @param fields further fields of requests
    public record Server(
            URI base,
            Optional<String> model,
            Optional<String> key,
            boolean bare,
            Map<String, JsonNode> fields) {
        /// Checks the address.
        public Server {
            fields = Map.copyOf(fields);
            if (base.getHost() == null
                    || base.getRawUserInfo() != null
                    || base.getRawQuery() != null
                    || !"http".equals(base.getScheme()) && !"https".equals(base.getScheme())) {
                throw ErrorCode.USAGE.error(
                        "'%s' is no address of a server, expected http://HOST:PORT/v1"
                                .formatted(base),
                        "Give the address that clients of OpenAI's API use.");
            }
        }
    }

    /// @param fields      of every request
    /// @param interrupted whether to stop waiting for an answer
    ServerClient(Server server, ObjectNode fields, BooleanSupplier interrupted) {
        this.server = server;
        this.fields = fields;
        this.interrupted = interrupted;
    }

    /// Makes a client for the settings of an experiment.
    static ServerClient of(Server server, ExperimentConfig config, BooleanSupplier interrupted) {
        return new ServerClient(server, fields(config, server.bare()), interrupted);
    }

    @Override
    public void close() {
        http.shutdownNow();
        http.close();
    }

    /// Returns the answer to a prompt.
    ///
    /// @param seed   of the request
    /// @throws OutriderException     `SERVER_UNREACHABLE`, `SERVER_ANSWER_INVALID`
    /// @throws CancellationException if it is interrupted
    JsonNode complete(Asked asked, long seed) throws InterruptedException {
        for (int tries = 1; ; tries++) {
            var answer = sent(body(asked, seed));
            int status = answer.statusCode();
            if ((status == 400 || status == 422) && withIds) {
                // Some servers refuse unknown fields.
                withIds = false;
            } else if ((status == 429 || status == 503) && tries < MAX_TRIES) {
                waited(NOTHING, Duration.ofSeconds(wait(answer, tries)));
            } else {
                return parsed(answer);
            }
        }
    }

    /// Waits for a result up to a limit, and checks now and then whether it is interrupted.
    ///
    /// @throws OutriderException `SERVER_UNREACHABLE`
    private Optional<HttpResponse<byte[]>> waited(
            Future<HttpResponse<byte[]>> answer, Duration most) throws InterruptedException {
        for (long left = most.toMillis(); left > 0; left -= TICK_MS) {
            if (interrupted.getAsBoolean()) {
                throw new CancellationException();
            }
            try {
                return Optional.of(answer.get(TICK_MS, TimeUnit.MILLISECONDS));
            } catch (TimeoutException e) {
                // Waits again.
            } catch (ExecutionException failed) {
                var e = failed.getCause() == null ? failed : failed.getCause();
                var what = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
                throw ErrorCode.SERVER_UNREACHABLE.error(
                        "%s does not answer: %s".formatted(server.base(), what), REMEDY, e);
            }
        }
        return Optional.empty();
    }

    private static long wait(HttpResponse<?> answer, int tries) {
        var asked = answer.headers().firstValue("Retry-After").orElse("");
        long seconds = asked.matches("[0-9]{1,4}") ? Long.parseLong(asked) : tries;
        return Math.min(seconds, MAX_WAIT_SECONDS);
    }

    private HttpResponse<byte[]> sent(ObjectNode body) throws InterruptedException {
        var address = URI.create(server.base().toString().replaceFirst("/+$", "") + "/completions");
        var request =
                HttpRequest.newBuilder(address)
                        .timeout(WHOLE)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body.toString()));
        server.key().ifPresent(key -> request.header("Authorization", "Bearer " + key));
        var handler = BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BYTES);
        return waited(http.sendAsync(request.build(), handler), NEVER).orElseThrow();
    }

    private JsonNode parsed(HttpResponse<byte[]> answer) {
        try {
            var body = Answer.MAPPER.readTree(answer.body());
            if (answer.statusCode() == 200 && body != null) {
                return body;
            }
        } catch (IOException e) {
            // Reported below.
        }
        var text = new String(answer.body(), StandardCharsets.UTF_8);
        var start = text.substring(0, Math.min(300, text.length())).strip();
        throw ErrorCode.SERVER_ANSWER_INVALID.error(
                "the server answered with status %d and '%s', expected 200 and JSON"
                        .formatted(answer.statusCode(), start),
                REMEDY);
    }

    private ObjectNode body(Asked asked, long seed) {
        var body = fields.deepCopy();
        server.model().ifPresent(model -> body.put("model", model));
        if (asked.ids().isEmpty()) {
            body.put("prompt", asked.text());
        } else {
            asked.ids().forEach(body.withArray("prompt")::add);
        }
        body.put("seed", seed);
        if (withIds) {
            body.put("return_token_ids", true);
            body.put("return_tokens_as_token_ids", true);
            body.put("logprobs", 1);
        }
        server.fields().forEach(body::set);
        asked.fields().forEach(body::set);
        return body;
    }

    private static ObjectNode fields(ExperimentConfig config, boolean bare) {
        var body = Answer.MAPPER.createObjectNode();
        body.put("max_tokens", config.maxTokens());
        if (config.ignoreEndOfSequence()) {
            body.put("ignore_eos", true);
        }
        if (!config.stop().isEmpty()) {
            // If a text is cut at a stop string, the token of the cut is unknown.
            body.putArray("stop");
        }
        if (!bare) {
            sampling(config, body);
        }
        return body;
    }

    /// Returns the names of an experiment's settings that no request contains.
    public static List<String> unsent(ExperimentConfig config) {
        var operators = config.operators().orElseGet(SamplingOperators::none);
        var breakers = operators.dry().map(SamplingOperators.Dry::breakers).orElse(List.of());
        return Stream.of(
                        config.processors().isEmpty() ? "" : "processors",
                        operators.order().contains(",") ? "operators.order" : "",
                        operators.topA() > 0 ? "operators.topA" : "",
                        operators.epsilon() > 0 ? "operators.epsilon" : "",
                        operators.eta() > 0 ? "operators.eta" : "",
                        breakers.isEmpty() ? "" : "operators.dry.breakers")
                .filter(each -> !each.isEmpty())
                .toList();
    }

    /// Writes the settings, with the names of OpenAI, vLLM and llama.cpp.
    private static void sampling(ExperimentConfig config, ObjectNode body) {
        var policy = config.sampling();
        body.put("temperature", policy.temperature());
        body.put("top_p", policy.topP());
        body.put("top_k", policy.topK() == 0 ? -1 : policy.topK());
        body.put("min_p", policy.minP());
        body.put("repetition_penalty", policy.repetitionPenalty());
        body.put("repeat_penalty", policy.repetitionPenalty());
        body.put("repeat_last_n", ALL_TOKENS);
        if (config.operators().isEmpty()) {
            return;
        }
        var operators = config.operators().get();
        body.put("presence_penalty", operators.presencePenalty());
        body.put("frequency_penalty", operators.frequencyPenalty());
        if (!operators.bias().isEmpty() || !operators.banned().isEmpty()) {
            var bias = body.putObject("logit_bias");
            operators.bias().forEach(bias::put);
            operators.banned().forEach(token -> bias.put(token.toString(), -100));
        }
        if (!operators.allowed().isEmpty()) {
            operators.allowed().forEach(body.withArray("allowed_token_ids")::add);
        }
        if (operators.minTokens() > 0) {
            body.put("min_tokens", operators.minTokens());
        }
        if (operators.typical() < 1) {
            body.put("typical_p", operators.typical());
        }
        if (operators.topNSigma() > 0) {
            body.put("top_n_sigma", operators.topNSigma());
        }
        operators.xtc().ifPresent(xtc -> add(body, "xtc", xtc));
        operators.dynamicTemperature().ifPresent(dynamic -> add(body, "dynatemp", dynamic));
        operators
                .dry()
                .ifPresent(dry -> {
                    add(body, "dry", dry);
                    body.put("dry_penalty_last_n", dry.window() == 0 ? ALL_TOKENS : dry.window());
                });
        operators
                .mirostat()
                .ifPresent(mirostat -> add(body.put("mirostat", 2), "mirostat", mirostat));
    }

    /// Writes the numbers of an operator, such as `dry_allowed_length`.
    private static void add(ObjectNode body, String name, Record operator) {
        Answer.MAPPER.<ObjectNode>valueToTree(operator).properties().stream()
                .filter(each -> each.getValue().isNumber() && !each.getKey().equals("window"))
                .forEach(each ->
                        body.set(
                                name
                                        + "_"
                                        + each.getKey()
                                                .replaceAll("([A-Z])", "_$1")
                                                .toLowerCase(Locale.ROOT),
                                each.getValue()));
    }
}
