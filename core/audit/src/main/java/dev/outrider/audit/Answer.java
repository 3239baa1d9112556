package dev.outrider.audit;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.common.BoundedFile;
import dev.outrider.common.FailureReason;
import dev.outrider.common.Require;
import dev.outrider.experiment.run.Prompt;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.Tokenizer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// A server's answer to a prompt; a line of `answers.jsonl`.
///
/// @param side     number of the side that wrote it; empty if there is one side
/// @param prompt   id of the prompt
/// @param read     token ids that it read
/// @param ids      token ids that it wrote
/// @param guessed  whether ids are those of our tokenizer for its text
/// @param text     the text of the answer
/// @param finish   the server's reason of the end; empty if it gives none
public record Answer(
        String side,
        String prompt,
        @JsonProperty("prompt_token_ids") List<Integer> read,
        @JsonProperty("token_ids") List<Integer> ids,
        boolean guessed,
        String text,
        @JsonProperty("finish_reason") String finish) {
    static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int MAX_BYTES = 1 << 30;
    private static final int MAX_NAME = 40;
    private static final String ID = "token_id:";

    /// Reasons of an end that mean that an end-of-sequence token was written.
    static final Set<String> ENDED = Set.of("stop", "eos", "eos_token", "end_turn");

    /// Reasons of an end that mean that none was written; the last is ours, for a stop string or a stop token.
    static final Set<String> CUT = Set.of("length", "abort", "stop_reason");

    public Answer {
        read = List.copyOf(read);
        ids = List.copyOf(ids);
        // A file cannot keep one half of a surrogate pair.
        text = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    /// Reads the answer of `/completions`.
    ///
    /// @param encoder makes ids of a text if the server gives none
    /// @param ends    tokens that end a text
    /// @throws OutriderException `SERVER_ANSWER_INVALID`
    static Answer of(
            JsonNode body,
            Answers.Asked asked,
            Function<String, List<Integer>> encoder,
            Set<Integer> ends) {
        var choice = body.at("/choices/0");
        var text = choice.path("text").asText("");
        var finish =
                choice.hasNonNull("stop_reason")
                        ? "stop_reason"
                        : choice.path("finish_reason").asText("");
        try {
            Require.that(
                    choice.path("text").isTextual(),
                    "no choices[0].text, expected a completion as OpenAI's API has it");
            var ids = ids(choice);
            int counted = body.at("/usage/completion_tokens").asInt();
            boolean whole = whole(ids, counted, finish, ends);
            return new Answer(
                    asked.side(),
                    asked.prompt(),
                    asked.ids(),
                    whole ? ids : encoder.apply(text),
                    !whole && (!text.isEmpty() || counted > 1),
                    text,
                    finish);
        } catch (IllegalArgumentException e) {
            throw ErrorCode.SERVER_ANSWER_INVALID.error(
                    "the answer is wrong: " + e.getMessage(),
                    "Give the address that ends in /v1.",
                    e);
        }
    }

    /// Returns whether ids are all tokens that the server counts: llama.cpp's lists lack tokens that end within a character, and
    /// some lack the token that ended the text.
    private static boolean whole(List<Integer> ids, int counted, String finish, Set<Integer> ends) {
        int missing = counted == 0 ? 0 : counted - ids.size();
        return !ids.isEmpty()
                && (missing == 0
                        || missing == 1 && ENDED.contains(finish) && !ends.contains(ids.getLast()));
    }

    /// Returns the token ids of the server's answer: vLLM's `return_token_ids`, llama.cpp's log probabilities, vLLM's
    /// `return_tokens_as_token_ids`.
    private static List<Integer> ids(JsonNode choice) {
        var own = choice.path("token_ids");
        if (own.isArray()) {
            return numbers(own);
        }
        var listed = items(choice.at("/logprobs/content")).map(each -> each.path("id")).toList();
        if (!listed.isEmpty() && listed.stream().allMatch(JsonNode::isInt)) {
            return listed.stream().map(JsonNode::asInt).toList();
        }
        var tokens = items(choice.at("/logprobs/tokens")).map(JsonNode::asText).toList();
        return tokens.stream().allMatch(each -> each.matches(ID + "[0-9]{1,9}"))
                ? tokens.stream().map(each -> Integer.valueOf(each.substring(ID.length()))).toList()
                : List.of();
    }

    private static Stream<JsonNode> items(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    private static List<Integer> numbers(JsonNode list) {
        return items(list)
                .map(each -> {
                    Require.that(each.isInt(), "%s is no id of a token", each);
                    return each.asInt();
                })
                .toList();
    }

    /// Reads answers of any engine from a file: lines of this record; lines with a text or token ids as `prompt` (`prompt_token_ids`) and
    /// `text` (`output`, `generated_text`, `token_ids`); or the result of vLLM's or SGLang's `bench serve` with its texts, whose prompts are
    /// those of the experiment, in order.
    ///
    /// @param prompts of the experiment
    /// @param reader  receives every line's JSON
    /// @throws OutriderException `DATA_INVALID`, `IO_FAILED`
    static List<Answer> read(
            Path file, List<Prompt> prompts, Tokenizer tokenizer, Consumer<JsonNode> reader) {
        var answers = new ArrayList<Answer>();
        int number = 0;
        try {
            var text = BoundedFile.text(file, MAX_BYTES);
            try (var parser = MAPPER.createParser(text)) {
                var lines = MAPPER.<JsonNode>readValues(parser, JsonNode.class);
                while (lines.hasNextValue()) {
                    number++;
                    var line = lines.nextValue();
                    reader.accept(line);
                    var texts = line.path("generated_texts");
                    if (texts.isArray()) {
                        for (int index = 0; index < texts.size(); index++) {
                            var prompt = prompts.get(index % prompts.size());
                            var written = texts.path(index).asText("");
                            answers.add(foreign(prompt.id(), prompt.ids(), written, "", tokenizer));
                        }
                    } else {
                        answers.add(line(line, prompts, tokenizer, number));
                    }
                }
            }
            return answers;
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw ErrorCode.DATA_INVALID.error(
                    "'%s' is no file of answers: line %d: %s"
                            .formatted(file, number, e.getMessage()),
                    "docs/guide/audit.md shows the layouts.",
                    e);
        } catch (IOException e) {
            throw FailureReason.reading(file, e);
        }
    }

    private static Answer line(
            JsonNode line, List<Prompt> prompts, Tokenizer tokenizer, int number) {
        var written = line.path("token_ids");
        var ids = numbers(written);
        var given = line.path("prompt_token_ids");
        var prompt = given.isArray() ? given : line.path("prompt");
        Require.that(
                prompt.isArray() || prompt.isTextual(),
                "the prompt is %s, expected a text or token ids",
                prompt.isMissingNode() ? "missing" : prompt);
        if (line.has("side")) {
            var own = MAPPER.convertValue(line, Answer.class);
            Require.that(!own.read().isEmpty(), "its prompt has no token ids");
            return own;
        }
        var text = prompt.asText();
        var known = prompts.stream().filter(each -> each.id().equals(text)).map(Prompt::ids);
        List<Integer> read =
                prompt.isArray()
                        ? numbers(prompt)
                        : known.findFirst().orElseGet(() -> encoded(tokenizer, text, true));
        var start = text.substring(0, Math.min(MAX_NAME, text.length()));
        var name = prompt.isTextual() ? start : "line " + number;
        Require.that(!read.isEmpty(), "the prompt is empty, expected a text or token ids");
        var finish = line.path("finish_reason").asText("");
        if (written.isArray()) {
            return new Answer("", name, read, ids, false, line.path("text").asText(""), finish);
        }
        for (var key : List.of("text", "output", "generated_text")) {
            if (line.path(key).isTextual()) {
                return foreign(name, read, line.path(key).asText(), finish, tokenizer);
            }
        }
        throw new IllegalArgumentException("no text, output, generated_text or token_ids");
    }

    private static Answer foreign(
            String name, List<Integer> read, String text, String finish, Tokenizer tokenizer) {
        var ids = encoded(tokenizer, text, false);
        return new Answer("", name, read, ids, !text.isEmpty(), text, finish);
    }

    static List<Integer> encoded(Tokenizer tokenizer, String text, boolean begins) {
        return IntStream.of(tokenizer.encode(text, begins)).boxed().toList();
    }
}
