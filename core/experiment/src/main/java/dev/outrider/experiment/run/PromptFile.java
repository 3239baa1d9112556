package dev.outrider.experiment.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outrider.common.BoundedFile;
import dev.outrider.common.FailureReason;
import dev.outrider.common.Surrogates;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Reads a file of prompts: `.jsonl`, one object a line, or text with a prompt a line.
///
/// In an object, the text is a string, or a list of strings that are the turns of a conversation. The columns identify the layout:
///
/// | set | text | source | id | kind |
/// | --- | --- | --- | --- | --- |
/// | Outrider's own | `prompt` | `source` | `id` | `kind` |
/// | Spec-Bench, MT-bench (`question.jsonl`) | `turns` | | `question_id` | `category` |
/// | HumanEval | `prompt` | | `task_id` | |
/// | GSM8K | `question` | | | |
///
/// With a source no other text is needed. A named column is the only text.
///
/// @param column the column with the text; empty for the layouts above
record PromptFile(Path file, Optional<String> column) {
    private static final ObjectMapper JSON =
            JsonMapper.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    private static final String SOURCE = "source";
    private static final List<String> TEXT_COLUMNS = List.of("prompt", "turns", "question");
    private static final List<String> ID_COLUMNS = List.of("id", "question_id", "task_id");
    private static final List<String> KIND_COLUMNS = List.of("kind", "category");
    private static final int MAX_LINE_BYTES = 1 << 22;

    /// All prompts, in order.
    ///
    /// @throws OutriderException IO_FAILED, or DATA_INVALID with the line that is wrong
    List<PromptText> read() {
        boolean json = file.toString().endsWith(".jsonl");
        byte[] bytes = bytes();
        List<PromptText> prompts = new ArrayList<>();
        int number = 1;
        for (int start = 0; start < bytes.length; number++) {
            int end = start;
            while (end < bytes.length && bytes[end] != '\n') {
                end++;
            }
            String line = line(bytes, start, end, number);
            if (!line.isBlank()) {
                prompts.add(
                        json
                                ? object(line, number)
                                : new PromptText("line-" + number, PromptText.TEXT, line));
            }
            start = end + 1;
        }
        return prompts;
    }

    private byte[] bytes() {
        try {
            return BoundedFile.bytes(file, BoundedFile.MAX_TEXT_BYTES);
        } catch (IOException e) {
            throw ErrorCode.IO_FAILED.error(
                    "prompt file '%s' cannot be read: %s".formatted(file, FailureReason.of(e)),
                    "Check prompts.file; a relative path is relative to the configuration file.",
                    e);
        }
    }

    private String line(byte[] bytes, int start, int end, int number) {
        if (end - start > MAX_LINE_BYTES) {
            throw malformed(
                    number,
                    "has %d bytes, expected at most %d".formatted(end - start, MAX_LINE_BYTES));
        }
        try {
            String line =
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes, start, end - start))
                            .toString();
            String text = number == 1 && line.startsWith("\uFEFF") ? line.substring(1) : line;
            return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
        } catch (CharacterCodingException e) {
            throw malformed(number, "is not UTF-8 text");
        }
    }

    private PromptText object(String line, int number) {
        JsonNode node = parse(line, number);
        Optional<String> source = source(node, number);
        return new PromptText(
                value(node, ID_COLUMNS).map(JsonNode::asText).orElse("line-" + number),
                value(node, KIND_COLUMNS).map(JsonNode::asText).orElse(PromptText.TEXT),
                source.isPresent() && TEXT_COLUMNS.stream().noneMatch(node::has)
                        ? List.of()
                        : turns(node, number),
                source);
    }

    /// Returns the encoder's source; empty if a column is named.
    private Optional<String> source(JsonNode node, int number) {
        if (column.isPresent() || !node.has(SOURCE)) {
            return Optional.empty();
        }
        String source = node.path(SOURCE).asText();
        if (!node.path(SOURCE).isTextual() || source.isEmpty()) {
            throw malformed(number, "has a '%s' that is not text".formatted(SOURCE));
        }
        return Optional.of(source);
    }

    private JsonNode parse(String line, int number) {
        try {
            JsonNode node = JSON.readTree(line);
            if (!node.isObject()) {
                throw malformed(number, "is no JSON object");
            }
            if (Surrogates.anyIn(node.toString())) {
                throw malformed(number, "has half of a surrogate pair, such as \\ud800");
            }
            return node;
        } catch (JsonProcessingException e) {
            throw malformed(number, "is not JSON: " + e.getOriginalMessage());
        }
    }

    private List<String> turns(JsonNode node, int number) {
        List<String> wanted = column.map(List::of).orElse(TEXT_COLUMNS);
        Optional<String> found = wanted.stream().filter(node::has).findFirst();
        if (found.isEmpty()) {
            var columns = node.properties().stream().map(Map.Entry::getKey).toList();
            var missing = String.join("', '", wanted);
            throw malformed(
                    number,
                    "has no '%s'; columns: %s".formatted(missing, String.join(", ", columns)));
        }
        JsonNode value = node.path(found.get());
        List<JsonNode> parts = value.isArray() ? value.valueStream().toList() : List.of(value);
        if (parts.isEmpty() || !parts.stream().allMatch(JsonNode::isTextual)) {
            throw malformed(
                    number,
                    "has a '%s' that is neither text nor a list of texts".formatted(found.get()));
        }
        List<String> turns = parts.stream().map(JsonNode::asText).toList();
        if (turns.stream().anyMatch(String::isEmpty)) {
            throw malformed(number, "has an empty text in '%s'".formatted(found.get()));
        }
        return turns;
    }

    private static Optional<JsonNode> value(JsonNode node, List<String> columns) {
        return columns.stream()
                .flatMap(name -> Stream.of(node.path(name)))
                .filter(JsonNode::isValueNode)
                .filter(value -> !value.isNull())
                .findFirst();
    }

    private OutriderException malformed(int number, String what) {
        return ErrorCode.DATA_INVALID.error(
                "%s:%d %s".formatted(file, number, what),
                "Write one JSON object a line, such as {\"prompt\": \"Once\"}, or name the text's column with prompts.column.");
    }
}
