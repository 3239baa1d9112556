package dev.outrider.audit;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.common.BoundedFile;
import dev.outrider.common.FailureReason;
import dev.outrider.experiment.run.Prompt;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.Tokenizer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/// What a server wrote after a prompt; a line of `answers.jsonl`.
///
/// @param side     which of two sides wrote it; empty if there is one
/// @param prompt   id of the prompt
/// @param read     token ids that it read
/// @param ids      token ids that it wrote
/// @param guessed  whether ids are those of our tokenizer for its text
/// @param text     what it wrote
/// @param finish   reason of the end as the server says it; empty if it says none
/// @param drafted  guesses that it counts
/// @param accepted those that were right
public record Answer(
        String side,
        String prompt,
        @JsonProperty("prompt_token_ids") List<Integer> read,
        @JsonProperty("token_ids") List<Integer> ids,
        boolean guessed,
        String text,
        @JsonProperty("finish_reason") String finish,
        long drafted,
        long accepted) {
    static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int MAX_BYTES = 1 << 30;
    private static final String ID = "token_id:";

    public Answer {
        read = List.copyOf(read);
        ids = List.copyOf(ids);
    }

    /// Reads the answer of `/completions`.
    ///
    /// @throws OutriderException `SERVER_ANSWER_INVALID`
    static Answer of(JsonNode body, Answers.Asked asked, Function<String, List<Integer>> encoder) {
        var choice = body.at("/choices/0");
        var text = choice.path("text").asText("");
        if (!choice.isObject() || !choice.path("text").isTextual()) {
            throw new OutriderException(
                    ErrorCode.SERVER_ANSWER_INVALID,
                    "the answer has no choices[0].text, expected a completion as OpenAI's API has it",
                    "Give the address that ends in /v1.");
        }
        var ids = ids(choice);
        var details = body.at("/usage/completion_tokens_details");
        long accepted = details.path("accepted_prediction_tokens").asLong();
        long drafted = accepted + details.path("rejected_prediction_tokens").asLong();
        var timings = body.path("timings");
        return new Answer(
                asked.side(),
                asked.prompt(),
                asked.ids(),
                ids.orElseGet(() -> encoder.apply(text)),
                ids.isEmpty(),
                text,
                choice.path("finish_reason").asText(""),
                drafted + timings.path("draft_n").asLong(),
                accepted + timings.path("draft_n_accepted").asLong());
    }

    /// The token ids that a server says it wrote: vLLM's `return_token_ids`, llama.cpp's log probabilities, vLLM's
    /// `return_tokens_as_token_ids`.
    private static Optional<List<Integer>> ids(JsonNode choice) {
        var own = choice.path("token_ids");
        if (own.isArray()) {
            return Optional.of(numbers(own));
        }
        var content = choice.at("/logprobs/content");
        if (content.isArray() && !content.isEmpty() && content.path(0).path("id").isInt()) {
            return Optional.of(
                    items(content).stream().map(each -> each.path("id").asInt()).toList());
        }
        var tokens = choice.at("/logprobs/tokens");
        if (tokens.isArray()
                && !tokens.isEmpty()
                && items(tokens).stream()
                        .allMatch(each -> each.asText("").matches(ID + "[0-9]{1,9}"))) {
            return Optional.of(
                    items(tokens).stream()
                            .map(each -> Integer.valueOf(each.asText().substring(ID.length())))
                            .toList());
        }
        return Optional.empty();
    }

    private static List<JsonNode> items(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false).toList();
    }

    private static List<Integer> numbers(JsonNode list) {
        return items(list).stream().map(JsonNode::asInt).toList();
    }

    /// Reads answers of any engine from a file: lines of this record; lines with a text or token ids as `prompt` (`prompt_token_ids`) and
    /// `text` (`output`, `generated_text`, `token_ids`); or the result of vLLM's or SGLang's `bench serve` with its texts, whose prompts are
    /// those of the experiment, in order.
    ///
    /// @param prompts of the experiment
    /// @throws OutriderException `DATA_INVALID`, `IO_FAILED`
    public static List<Answer> read(Path file, List<Prompt> prompts, Tokenizer tokenizer) {
        try {
            var text = BoundedFile.text(file, MAX_BYTES);
            var answers = new ArrayList<Answer>();
            try (var parser = MAPPER.createParser(text)) {
                var lines = MAPPER.<JsonNode>readValues(parser, JsonNode.class);
                while (lines.hasNextValue()) {
                    var line = lines.nextValue();
                    var texts = line.path("generated_texts");
                    if (texts.isArray()) {
                        for (int index = 0; index < texts.size(); index++) {
                            var prompt = prompts.get(index % prompts.size());
                            var written = texts.path(index).asText("");
                            answers.add(foreign(prompt.id(), prompt.ids(), written, tokenizer));
                        }
                    } else {
                        answers.add(line(line, prompts, tokenizer, answers.size()));
                    }
                }
            }
            return answers;
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw new OutriderException(
                    ErrorCode.DATA_INVALID,
                    "'%s' is no file of answers: %s".formatted(file, e.getMessage()),
                    "docs/guide/audit.md shows the layouts.",
                    e);
        } catch (IOException e) {
            throw FailureReason.reading(file, e);
        }
    }

    private static Answer line(
            JsonNode line, List<Prompt> prompts, Tokenizer tokenizer, int number) {
        if (line.has("side")) {
            return MAPPER.convertValue(line, Answer.class);
        }
        var given = line.path("prompt_token_ids");
        var prompt = given.isArray() ? given : line.path("prompt");
        List<Integer> read =
                prompt.isArray()
                        ? numbers(prompt)
                        : prompts.stream()
                                .filter(each -> each.id().equals(prompt.asText()))
                                .findFirst()
                                .map(Prompt::ids)
                                .orElseGet(() ->
                                        IntStream.of(tokenizer.encode(prompt.asText(), true))
                                                .boxed()
                                                .toList());
        var name = prompt.isTextual() ? prompt.asText() : "line " + (number + 1);
        var written = line.path("token_ids");
        if (read.isEmpty()) {
            throw new IllegalArgumentException("line %d has no prompt".formatted(number + 1));
        }
        if (written.isArray()) {
            return new Answer(
                    "",
                    name,
                    read,
                    numbers(written),
                    false,
                    line.path("text").asText(""),
                    line.path("finish_reason").asText(""),
                    0,
                    0);
        }
        for (var key : List.of("text", "output", "generated_text")) {
            if (line.path(key).isTextual()) {
                return foreign(name, read, line.path(key).asText(), tokenizer);
            }
        }
        throw new IllegalArgumentException(
                "line %d has no text, output, generated_text or token_ids".formatted(number + 1));
    }

    private static Answer foreign(
            String name, List<Integer> read, String text, Tokenizer tokenizer) {
        return new Answer("", name, read, AuditRun.encoded(tokenizer, text), true, text, "", 0, 0);
    }
}
