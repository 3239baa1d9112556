package dev.outrider.serve.request;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.engine.decode.EncodedPrompt;
import dev.outrider.engine.processing.ProcessorChain.Named;
import dev.outrider.engine.processing.TokenPenalties;
import dev.outrider.serve.request.TextRequest.Streaming;
import dev.outrider.serve.request.TextRequest.Text;
import dev.outrider.serving.ServedVariant;
import dev.outrider.serving.ServingRequest;
import dev.outrider.serving.ServingRequest.Ending;
import dev.outrider.serving.ServingRequest.Sampling;
import dev.outrider.serving.ServingRequest.Scores;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.ChatFormatter;
import dev.outrider.spi.target.ChatFormatter.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/// Reads the bodies of `/v1/completions` and `/v1/chat/completions`. Refuses requests that cannot be served before anything is generated.
///
/// @param served   the target
/// @param deadline of every request
public record RequestReader(ServedTarget served, Optional<Duration> deadline) {
    private static final int MAX_CANDIDATES = 20;
    private static final int MAX_STOP_LENGTH = 1000;
    private static final int MAX_BIASES = 1024;
    private static final int MAX_TURNS = 4096;
    private static final double MAX_TEMPERATURE = 100;

    /// Reads the body of `/v1/completions`.
    ///
    /// @param client that sent the request
    /// @throws ApiException the mistake of the request
    public TextRequest completion(JsonFields fields, String client) {
        Unsupported.refuse(fields, false);
        var prompts = prompts(fields);
        var scores = fields.count("logprobs", 0, MAX_CANDIDATES);
        boolean echo = fields.flag("echo", false);
        require(
                !echo || served.description().sources().isEmpty(),
                "echo",
                "the target is an encoder-decoder, which does not continue its prompt");
        fields.any("prediction")
                .ifPresent(_ -> {
                    throw ApiException.unsupported(
                            "prediction", "'prediction' is a field of /v1/chat/completions");
                });
        return request(fields, prompts, new Wanted(client, false, echo, scores, Optional.empty()));
    }

    /// Reads the body of `/v1/chat/completions`.
    ///
    /// @param client that sent the request
    /// @throws ApiException the mistake of the request
    public TextRequest chat(JsonFields fields, String client) {
        Unsupported.refuse(fields, true);
        var written = conversation(fields);
        boolean scored = fields.flag("logprobs", false);
        var candidates = fields.count("top_logprobs", 0, MAX_CANDIDATES);
        require(
                scored || candidates.isEmpty(),
                "top_logprobs",
                "top_logprobs needs logprobs: true beside it");
        var scores = scored ? OptionalInt.of(candidates.orElse(0)) : OptionalInt.empty();
        boolean drafts = served.variant(fields.text("model")).decoder().drafter().isPresent();
        var predicted =
                drafts
                        ? fields.any("prediction").map(RequestReader::predicted)
                        : Optional.<String>empty();
        return request(
                fields,
                List.of(new Prompt(written, EncodedPrompt.ofChat(served.target(), written))),
                new Wanted(client, true, false, scores, predicted));
    }

    /// Returns the conversation in the target's form.
    ///
    /// @throws ApiException if it is missing, or cannot be written
    public String conversation(JsonFields fields) {
        var formatter =
                served.target()
                        .capability(ChatFormatter.class)
                        .filter(_ -> served.description().sources().isEmpty())
                        .orElseThrow(() ->
                                ApiException.unsupported(
                                        "messages",
                                        "target '%s' has no chat template; use /v1/completions"
                                                .formatted(served.name())));
        var messages = fields.required("messages");
        if (!messages.isArray() || messages.isEmpty() || messages.size() > MAX_TURNS) {
            throw JsonFields.wrong(
                    "messages", messages, "a list of 1 to %d messages".formatted(MAX_TURNS));
        }
        var turns = new ArrayList<Turn>();
        for (var message : JsonFields.items(messages)) {
            turns.add(turn(JsonFields.of(message, "messages[%d]".formatted(turns.size()))));
        }
        try {
            return formatter.write(turns);
        } catch (OutriderException e) {
            if (e.code().equals(ErrorCode.DATA_INVALID)) {
                throw ApiException.invalid("messages", e.problem());
            }
            throw e;
        }
    }

    private static Turn turn(JsonFields message) {
        var role = JsonFields.text("messages.role", message.required("role"));
        if (message.any("tool_calls").filter(calls -> !calls.isEmpty()).isPresent()
                || role.equals("tool")) {
            throw ApiException.unsupported("messages", "calls of tools are not supported");
        }
        var content = message.required("content");
        return new Turn(
                role.equals("developer") ? "system" : role, content("messages.content", content));
    }

    private static String predicted(JsonNode prediction) {
        var fields = JsonFields.of(prediction, "prediction");
        return content("prediction.content", fields.required("content"));
    }

    /// A text, or parts that are texts.
    private static String content(String name, JsonNode content) {
        if (!content.isArray()) {
            return JsonFields.text(name, content);
        }
        var text = new StringBuilder();
        for (var part : JsonFields.items(content)) {
            var fields = JsonFields.of(part, name);
            var type = fields.text("type").orElse("text");
            if (!type.equals("text")) {
                throw ApiException.unsupported(
                        "messages",
                        "a part of type '%s' is not supported, expected text".formatted(type));
            }
            text.append(JsonFields.text(name, fields.required("text")));
        }
        return text.toString();
    }

    /// The fields that differ between the two kinds of requests.
    private record Wanted(
            String client,
            boolean chat,
            boolean echo,
            OptionalInt scores,
            Optional<String> predicted) {
        /// Returns the scores to report. The prompt is scored if the scores are echoed, or if no token is to be written.
        Scores scores(int maxTokens) {
            boolean prompt = echo && (scores.isPresent() || maxTokens == 0);
            return new Scores(
                    scores, prompt ? OptionalInt.of(scores.orElse(0)) : OptionalInt.empty());
        }
    }

    private TextRequest request(JsonFields fields, List<Prompt> prompts, Wanted wanted) {
        var model = fields.text("model");
        var named = served.variant(model);
        var variant = variant(fields, named, wanted.predicted());
        int choices = fields.count("n", 1, served.limits().texts()).orElse(1);
        fields.integer("best_of", 1, Long.MAX_VALUE)
                .ifPresent(best ->
                        require(
                                best == choices,
                                "best_of",
                                "best_of is %d and n is %d, expected the same: all texts are returned"
                                        .formatted(best, choices)));
        require(
                (long) prompts.size() * choices <= served.limits().texts(),
                prompts.size() > 1 ? "prompt" : "n",
                "%d prompts and n = %d ask for %d texts, expected at most %d in a request"
                        .formatted(
                                prompts.size(),
                                choices,
                                (long) prompts.size() * choices,
                                served.limits().texts()));
        var policy = policy(fields, served.policy(named));
        var seed = fields.integer("seed", Long.MIN_VALUE, Long.MAX_VALUE);
        var processors = processors(fields);
        var stops = stops(fields);
        boolean ignoreEnd = fields.flag("ignore_eos", false);
        int least = wanted.echo() ? 0 : 1;
        var most = fields.count("max_tokens", least, Integer.MAX_VALUE);
        var better = fields.count("max_completion_tokens", least, Integer.MAX_VALUE);
        var length = fields.count("draft_length", 0, 1024);
        var streaming = streaming(fields);
        var texts = new ArrayList<Text>();
        for (var prompt : prompts) {
            int tokens = prompt.encoded().ids().size();
            int maxTokens = better.orElseGet(() -> most.orElseGet(() -> standard(tokens)));
            long drawn = seed.orElseGet(() -> served.seeds().getAsLong());
            for (int choice = 0; choice < choices; choice++) {
                var request =
                        new ServingRequest(
                                variant,
                                prompt.encoded(),
                                new Sampling(policy, processors, drawn, choice),
                                new Ending(maxTokens, stops, ignoreEnd),
                                wanted.scores(maxTokens),
                                length,
                                deadline,
                                wanted.client());
                texts.add(new Text(prompt.text(), request));
            }
        }
        return new TextRequest(
                model.orElse(served.name()),
                texts,
                choices,
                wanted.chat(),
                wanted.echo(),
                wanted.scores().isPresent(),
                fields.flag("return_token_ids", false),
                streaming,
                fields.ignored());
    }

    /// Returns the default number of tokens of a request.
    private int standard(int promptTokens) {
        int room = served.description().maxPositions() - promptTokens;
        return Math.max(1, Math.min(served.maxTokens(), room));
    }

    private ServedVariant variant(
            JsonFields fields, ServedVariant named, Optional<String> predicted) {
        if (!fields.flag("speculative", true)) {
            return served.plain();
        }
        var variant = predicted.flatMap(served::predicting).orElse(named);
        return fields.text("rule").map(served::rule).map(variant::withRule).orElse(variant);
    }

    private static SamplingPolicy policy(JsonFields fields, SamplingPolicy standard) {
        var topK = fields.count("top_k", -1, Integer.MAX_VALUE);
        double topP = fields.number("top_p", 0, 1).orElse(standard.topP());
        double penalty =
                fields.number("repetition_penalty", 0, 1000).orElse(standard.repetitionPenalty());
        require(topP > 0, "top_p", "top_p is 0, expected a number above 0, at most 1");
        require(
                penalty > 0,
                "repetition_penalty",
                "repetition_penalty is 0, expected a number above 0");
        return new SamplingPolicy(
                fields.number("temperature", 0, MAX_TEMPERATURE).orElse(standard.temperature()),
                Math.max(0, topK.orElse(standard.topK())),
                topP,
                fields.number("min_p", 0, 1).orElse(standard.minP()),
                penalty);
    }

    private List<Named> processors(JsonFields fields) {
        double presence = fields.number("presence_penalty", -2, 2).orElse(0.0);
        double frequency = fields.number("frequency_penalty", -2, 2).orElse(0.0);
        var bias = fields.any("logit_bias").map(this::bias).filter(each -> !each.isEmpty());
        var all = new ArrayList<Named>();
        bias.map(TokenPenalties::bias).ifPresent(all::add);
        if (presence != 0 || frequency != 0) {
            all.add(TokenPenalties.penalties(presence, frequency));
        }
        return all;
    }

    private Map<Integer, Float> bias(JsonNode bias) {
        if (!bias.isObject() || bias.size() > MAX_BIASES) {
            throw JsonFields.wrong(
                    "logit_bias", bias, "an object of at most %d tokens".formatted(MAX_BIASES));
        }
        int vocabulary = served.description().vocabularySize();
        var map = new HashMap<Integer, Float>();
        bias.properties()
                .forEach(entry -> {
                    boolean number = entry.getKey().matches("[0-9]{1,9}");
                    require(
                            number && Integer.parseInt(entry.getKey()) < vocabulary,
                            "logit_bias",
                            "logit_bias has a key that is no token id from 0 to %d"
                                    .formatted(vocabulary - 1));
                    map.put(
                            Integer.parseInt(entry.getKey()),
                            (float) JsonFields.number("logit_bias", entry.getValue(), -100, 100));
                });
        return map;
    }

    private List<String> stops(JsonFields fields) {
        var stop = fields.any("stop");
        int most = served.limits().stops();
        if (stop.isEmpty()) {
            return served.stop();
        }
        var given = stop.get().isArray() ? JsonFields.items(stop.get()) : List.of(stop.get());
        require(
                given.size() <= most,
                "stop",
                "stop has %d texts, expected at most %d".formatted(given.size(), most));
        var stops = new ArrayList<String>();
        for (var each : given) {
            var text = JsonFields.text("stop", each);
            require(
                    !text.isEmpty() && text.length() <= MAX_STOP_LENGTH,
                    "stop",
                    "a stop text has %d characters, expected 1 to %d"
                            .formatted(text.length(), MAX_STOP_LENGTH));
            stops.add(text);
        }
        return stops;
    }

    private static Optional<Streaming> streaming(JsonFields fields) {
        boolean stream = fields.flag("stream", false);
        var options =
                fields.any("stream_options").map(each -> JsonFields.of(each, "stream_options"));
        require(
                stream || options.isEmpty(),
                "stream_options",
                "stream_options needs stream: true beside it");
        if (!stream) {
            return Optional.empty();
        }
        boolean continuous =
                options.map(each -> each.flag("continuous_usage_stats", false)).orElse(false);
        boolean usage = options.map(each -> each.flag("include_usage", false)).orElse(false);
        return Optional.of(new Streaming(usage, continuous && usage));
    }

    private record Prompt(String text, EncodedPrompt encoded) {}

    /// A text, token ids, or a list of either.
    private List<Prompt> prompts(JsonFields fields) {
        var given = fields.required("prompt");
        boolean special = fields.flag("add_special_tokens", true);
        if (!given.isArray()) {
            return List.of(prompt(given, special));
        }
        var items = JsonFields.items(given);
        require(
                !items.isEmpty(),
                "prompt",
                "prompt is an empty list, expected at least one text or token id");
        if (items.getFirst().isNumber()) {
            return List.of(prompt(given, special));
        }
        require(
                items.size() <= served.limits().texts(),
                "prompt",
                "there are %d prompts, expected at most %d in a request"
                        .formatted(items.size(), served.limits().texts()));
        return items.stream().map(each -> prompt(each, special)).toList();
    }

    private Prompt prompt(JsonNode given, boolean special) {
        if (given.isArray()) {
            var ids = tokens("prompt", given);
            var plain = new EncodedPrompt(ids, List.of());
            var text = served.target().tokenizer().decode(plain.array());
            var sources = served.description().sources();
            return new Prompt(
                    text, sources.map(each -> new EncodedPrompt(each.start(), ids)).orElse(plain));
        }
        if (!given.isTextual()) {
            throw JsonFields.wrong(
                    "prompt", given, "a text, a list of token ids, or a list of either");
        }
        var text = JsonFields.text("prompt", given);
        return new Prompt(
                text,
                special
                        ? EncodedPrompt.of(served.target(), text)
                        : EncodedPrompt.ofChat(served.target(), text));
    }

    /// Token ids of the target's vocabulary.
    ///
    /// @throws ApiException for any other id
    public List<Integer> tokens(String name, JsonNode list) {
        if (!list.isArray()) {
            throw JsonFields.wrong(name, list, "a list of token ids");
        }
        int vocabulary =
                Math.min(
                        served.description().vocabularySize(),
                        served.target().tokenizer().vocabularySize());
        return JsonFields.items(list).stream()
                .map(each -> (int) JsonFields.integer(name, each, 0, vocabulary - 1))
                .toList();
    }

    private static void require(boolean condition, String field, String message) {
        if (!condition) {
            throw ApiException.invalid(field, message);
        }
    }
}
