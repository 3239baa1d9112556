package dev.outrider.serve.answer;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.serve.answer.RunningTexts.Event;
import dev.outrider.serve.request.ApiException;
import dev.outrider.serve.request.TextRequest;
import dev.outrider.serving.Completion;
import dev.outrider.serving.Completion.Reason;
import dev.outrider.serving.ServingEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Makes the answer of a request from the events of its texts: one object, or an object for every piece. Confined to one thread.
public final class Answers {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final ServingEngine engine;
    private final TextRequest request;
    private final Head head;
    private final List<Choice> choices = new ArrayList<>();

    /// The first fields of every object of an answer.
    ///
    /// @param id      of the answer
    /// @param created seconds since 1970
    /// @param system  identifies the weights
    public record Head(String id, long created, String system) {}

    /// A text as far as it has been written.
    private static final class Choice {
        private final StringBuilder text = new StringBuilder();
        private final Logprobs logprobs;
        private final List<Integer> ids = new ArrayList<>();
        private int emitted;
        private Optional<Completion> completion = Optional.empty();

        Choice(Logprobs logprobs) {
            this.logprobs = logprobs;
        }
    }

    /// @param head of every object
    public Answers(ServingEngine engine, TextRequest request, Head head) {
        this.engine = engine;
        this.request = request;
        this.head = head;
        var tokenizer = engine.target().tokenizer();
        request.texts()
                .forEach(text -> {
                    var before = request.echo() ? new int[0] : text.request().prompt().array();
                    var choice = new Choice(new Logprobs(tokenizer, before));
                    if (request.echo()) {
                        choice.text.append(text.prompt());
                    }
                    choices.add(choice);
                });
    }

    /// Returns the first objects of a stream.
    public List<ObjectNode> first() {
        var chunks = new ArrayList<ObjectNode>();
        if (request.chat()) {
            for (int index = 0; index < choices.size(); index++) {
                var chunk = chunk(index);
                var delta = delta(chunk);
                delta.put("role", "assistant");
                delta.put("content", "");
                chunks.add(chunk);
            }
        }
        return chunks;
    }

    /// Takes an event.
    ///
    /// @return the next object of a stream, if the event makes one
    /// @throws ApiException if the event is a failure
    public Optional<ObjectNode> take(Event event) {
        return switch (event) {
            case Event.Prompt(var text, var scores) -> {
                if (request.scored()) {
                    var ids = request.texts().get(text).request().prompt().ids();
                    choices.get(text).logprobs.prompt(ids, scores);
                }
                yield Optional.empty();
            }
            case Event.Round(var text, var round) -> {
                var choice = choices.get(text);
                choice.emitted += round.tokens().size();
                if (request.ids()) {
                    round.tokens().forEach(each -> choice.ids.add(each.token()));
                }
                if (request.scored()) {
                    choice.logprobs.written(round.tokens());
                }
                yield Optional.empty();
            }
            case Event.Piece(var text, var piece) -> {
                choices.get(text).text.append(piece);
                yield request.stream().map(_ -> piece(text));
            }
            case Event.Finished(var text, var completion) -> {
                choices.get(text).completion = Optional.of(completion);
                yield request.stream().map(_ -> last(text));
            }
            case Event.Failed(var _, var failure) ->
                    throw ApiException.of(failure, engine.retryAfter());
        };
    }

    /// Returns the object after the last text, if it is wanted.
    public Optional<ObjectNode> usage() {
        return request.stream()
                .filter(TextRequest.Streaming::usage)
                .map(_ -> {
                    var chunk = head(kind(true));
                    chunk.putArray("choices");
                    chunk.set("usage", usage(choices));
                    return chunk;
                });
    }

    /// Returns the whole answer, after all texts are over.
    public ObjectNode whole() {
        var answer = head(kind(false));
        var list = answer.putArray("choices");
        for (int index = 0; index < choices.size(); index++) {
            var choice = choices.get(index);
            var node = list.addObject();
            node.put("index", index);
            if (request.chat()) {
                var message = node.putObject("message");
                message.put("role", "assistant");
                message.put("content", choice.text.toString());
                message.putNull("refusal");
            } else {
                node.put("text", choice.text.toString());
            }
            logprobs(node, choice);
            ids(node, choice);
            node.put("finish_reason", reason(choice.completion.orElseThrow().reason()));
        }
        answer.set("usage", usage(choices));
        return answer;
    }

    /// Returns a summary of the answer so far, for a line of the log.
    public String summary() {
        var usage = usage(choices);
        return "%d texts, %s tokens of prompts, %s written, %s guesses accepted"
                .formatted(
                        choices.size(),
                        usage.get("prompt_tokens"),
                        usage.get("completion_tokens"),
                        usage.at("/completion_tokens_details/accepted_prediction_tokens"));
    }

    /// Returns the part of a text that was not sent: pieces are sent as they come, so the builder contains only the rest.
    private ObjectNode piece(int text) {
        var chunk = chunk(text);
        var choice = choices.get(text);
        content(chunk, choice.text.toString());
        choice.text.setLength(0);
        logprobs((ObjectNode) chunk.at("/choices/0"), choice);
        ids((ObjectNode) chunk.at("/choices/0"), choice);
        continuous(chunk, text);
        return chunk;
    }

    private ObjectNode last(int text) {
        var chunk = piece(text);
        if (request.chat()) {
            delta(chunk).remove("content");
        }
        var choice = (ObjectNode) chunk.at("/choices/0");
        choice.put("finish_reason", reason(choices.get(text).completion.orElseThrow().reason()));
        continuous(chunk, text);
        return chunk;
    }

    private void content(ObjectNode chunk, String text) {
        if (request.chat()) {
            delta(chunk).put("content", text);
        } else {
            ((ObjectNode) chunk.at("/choices/0")).put("text", text);
        }
    }

    private static ObjectNode delta(ObjectNode chunk) {
        return (ObjectNode) chunk.at("/choices/0/delta");
    }

    private ObjectNode chunk(int index) {
        var chunk = head(kind(true));
        var choice = chunk.putArray("choices").addObject();
        choice.put("index", index);
        if (request.chat()) {
            choice.putObject("delta");
        }
        choice.putNull("logprobs");
        choice.putNull("finish_reason");
        if (request.stream().filter(TextRequest.Streaming::usage).isPresent()) {
            chunk.putNull("usage");
        }
        return chunk;
    }

    private void logprobs(ObjectNode node, Choice choice) {
        if (request.scored()) {
            node.set(
                    "logprobs",
                    request.chat() ? choice.logprobs.takeChat() : choice.logprobs.takeText());
        } else {
            node.putNull("logprobs");
        }
    }

    private void ids(ObjectNode node, Choice choice) {
        if (request.ids()) {
            choice.ids.forEach(node.putArray("token_ids")::add);
            choice.ids.clear();
        }
    }

    private void continuous(ObjectNode chunk, int text) {
        if (request.stream().filter(TextRequest.Streaming::continuous).isPresent()) {
            chunk.set("usage", usage(List.of(choices.get(text))));
        }
    }

    private String kind(boolean piece) {
        if (!request.chat()) {
            return "text_completion";
        }
        return piece ? "chat.completion.chunk" : "chat.completion";
    }

    private ObjectNode head(String kind) {
        var node = JSON.objectNode();
        node.put("id", head.id());
        node.put("object", kind);
        node.put("created", head.created());
        node.put("model", request.model());
        node.put("system_fingerprint", head.system());
        return node;
    }

    /// Returns the token counts. A prompt counts once, for any number of texts.
    private ObjectNode usage(List<Choice> counted) {
        long prompt = 0;
        long written = 0;
        long drafted = 0;
        long accepted = 0;
        long shared = 0;
        for (var choice : counted) {
            int index = choices.indexOf(choice);
            if (counted.size() == 1 || index % request.choices() == 0) {
                var read = request.texts().get(index).request().prompt();
                prompt += read.ids().size() + read.source().size();
                shared += choice.completion.map(each -> each.usage().sharedTokens()).orElse(0);
            }
            written +=
                    choice.completion
                            .map(each -> each.usage().emittedTokens())
                            .orElse(choice.emitted);
            drafted += choice.completion.map(each -> each.usage().draftedTokens()).orElse(0L);
            accepted += choice.completion.map(each -> each.usage().acceptedTokens()).orElse(0L);
        }
        var usage = JSON.objectNode();
        usage.put("prompt_tokens", prompt);
        usage.put("completion_tokens", written);
        usage.put("total_tokens", prompt + written);
        usage.putObject("prompt_tokens_details").put("cached_tokens", shared);
        var details = usage.putObject("completion_tokens_details");
        details.put("accepted_prediction_tokens", accepted);
        details.put("rejected_prediction_tokens", drafted - accepted);
        return usage;
    }

    /// Returns OpenAI's word for the end of a text; vLLM's `abort` for one that was cut off.
    public static String reason(Reason reason) {
        return switch (reason) {
            case END_OF_SEQUENCE, STOP_STRING -> "stop";
            case MAX_TOKENS, SCORED, DEADLINE -> "length";
            case CANCELLED, CLOSED -> "abort";
        };
    }
}
