package dev.outrider.serve.answer;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.engine.decode.FollowingText;
import dev.outrider.engine.scoring.TokenScore;
import dev.outrider.serving.ServedRound.Emitted;
import dev.outrider.spi.target.Tokenizer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Log probabilities of a text's tokens in the two forms of OpenAI's API. Collects those of tokens until they are taken with a
/// piece of text.
final class Logprobs {
    /// JSON has no minus infinity.
    private static final double LEAST = -9999;

    private static final char REPLACEMENT = '\uFFFD';
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final Tokenizer tokenizer;
    private final Tokenizer.TokenStream stream;
    private final List<Scored> waiting = new ArrayList<>();
    private int offset;
    private int last;

    private record Scored(int before, int token, int offset, Optional<TokenScore> score) {}

    /// @param before ids of tokens that are not part of the text
    Logprobs(Tokenizer tokenizer, int[] before) {
        this.tokenizer = tokenizer;
        this.stream = FollowingText.stream(tokenizer, before);
        this.last = before.length == 0 ? -1 : before[before.length - 1];
    }

    /// Adds the tokens of a prompt that is echoed.
    void prompt(List<Integer> ids, List<Optional<TokenScore>> scores) {
        for (int at = 0; at < ids.size(); at++) {
            add(ids.get(at), scores.get(at));
        }
    }

    /// Adds tokens that were written.
    void written(List<Emitted> tokens) {
        tokens.forEach(each -> add(each.token(), each.score()));
    }

    private void add(int token, Optional<TokenScore> score) {
        waiting.add(new Scored(last, token, offset, score));
        last = token;
        offset += stream.append(token).length();
    }

    /// Takes the collected probabilities, in the form of completions.
    ObjectNode takeText() {
        var node = JSON.objectNode();
        var tokens = node.putArray("tokens");
        var logprobs = node.putArray("token_logprobs");
        var top = node.putArray("top_logprobs");
        var offsets = node.putArray("text_offset");
        for (var each : waiting) {
            tokens.add(FollowingText.of(tokenizer, each.before(), each.token()));
            offsets.add(each.offset());
            if (each.score().isEmpty()) {
                logprobs.addNull();
                top.addNull();
                continue;
            }
            var score = each.score().get();
            logprobs.add(finite(score.logProbability()));
            var candidates = top.addObject();
            for (var candidate : score.candidates()) {
                put(candidates, each, candidate.token(), candidate.logProbability());
            }
            if (!score.candidates().isEmpty()) {
                put(candidates, each, score.token(), score.logProbability());
            }
        }
        waiting.clear();
        return node;
    }

    /// Two tokens may have one text: the more probable one stays.
    private void put(ObjectNode candidates, Scored at, int token, double logProbability) {
        var name = FollowingText.of(tokenizer, at.before(), token);
        double value = finite(logProbability);
        if (!candidates.has(name) || candidates.get(name).doubleValue() < value) {
            candidates.put(name, value);
        }
    }

    /// Takes the collected probabilities, in the form of conversations.
    ObjectNode takeChat() {
        var node = JSON.objectNode();
        var content = node.putArray("content");
        for (var each : waiting) {
            each.score()
                    .ifPresent(score -> {
                        var entry = content.addObject();
                        token(entry, each, score.token(), score.logProbability());
                        ArrayNode top = entry.putArray("top_logprobs");
                        score.candidates()
                                .forEach(candidate ->
                                        token(
                                                top.addObject(),
                                                each,
                                                candidate.token(),
                                                candidate.logProbability()));
                    });
        }
        node.putNull("refusal");
        waiting.clear();
        return node;
    }

    private void token(ObjectNode entry, Scored at, int token, double logProbability) {
        var text = FollowingText.of(tokenizer, at.before(), token);
        entry.put("token", text);
        entry.put("logprob", finite(logProbability));
        if (text.indexOf(REPLACEMENT) >= 0) {
            entry.putNull("bytes");
        } else {
            var bytes = entry.putArray("bytes");
            for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
                bytes.add(each & 0xff);
            }
        }
    }

    private static double finite(double logProbability) {
        return Math.max(LEAST, logProbability);
    }
}
