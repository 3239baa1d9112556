package dev.outrider.experiment.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.experiment.config.PromptSource;
import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads the prompts an experiment names.
public final class PromptReader {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TEXT = "text";

    private PromptReader() {}

    /// The prompts of a source, in the order they will be run.
    ///
    /// @throws OutriderException DATA_INVALID if there are none or a line is malformed; IO_FAILED
    public static List<PromptText> read(PromptSource source) {
        return switch (source) {
            case PromptSource.Texts inline -> required(inline(inline.texts()), "the configuration");
            case PromptSource.FromFile file -> {
                List<PromptText> all = lines(file.file());
                List<PromptText> wanted =
                        all.stream()
                                .filter(prompt ->
                                        file.kinds().isEmpty()
                                                || file.kinds().contains(prompt.kind()))
                                .toList();
                yield required(limited(wanted, file.limit()), "'" + file.file() + "'");
            }
        };
    }

    private static List<PromptText> inline(List<String> texts) {
        List<PromptText> prompts = new ArrayList<>();
        for (String text : texts) {
            prompts.add(new PromptText(TEXT + "-" + (prompts.size() + 1), TEXT, text));
        }
        return prompts;
    }

    private static List<PromptText> required(List<PromptText> prompts, String where) {
        if (prompts.isEmpty()) {
            throw new OutriderException(
                    ErrorCode.DATA_INVALID,
                    "there are no prompts in " + where,
                    "Give prompts.texts or prompts.file, and kinds that occur in the file.");
        }
        return prompts;
    }

    private static List<PromptText> lines(Path file) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw new OutriderException(
                    ErrorCode.IO_FAILED,
                    "prompt file '" + file + "' cannot be read: " + e,
                    "Check prompts.file; a relative path is relative to the configuration file.",
                    e);
        }
        boolean json = file.toString().endsWith(".jsonl");
        List<PromptText> prompts = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).isBlank()) {
                String id = "line-" + (i + 1);
                prompts.add(
                        json
                                ? parse(lines.get(i), id, file + ":" + (i + 1))
                                : new PromptText(id, TEXT, lines.get(i)));
            }
        }
        return prompts;
    }

    private static PromptText parse(String line, String id, String place) {
        try {
            JsonNode node = JSON.readTree(line);
            String text = Optional.ofNullable(node.get("prompt")).map(JsonNode::asText).orElse("");
            if (text.isEmpty()) {
                throw malformed(place, "has no 'prompt'");
            }
            return new PromptText(node.path("id").asText(id), node.path("kind").asText(TEXT), text);
        } catch (JsonProcessingException e) {
            throw malformed(place, "is not JSON: " + e.getOriginalMessage());
        }
    }

    private static OutriderException malformed(String place, String what) {
        return new OutriderException(
                ErrorCode.DATA_INVALID,
                place + " " + what,
                "Write one JSON object a line, such as {\"prompt\": \"Once\"}.");
    }

    /// At most `limit` prompts, one of each kind in turn, so that a short run still sees every kind.
    private static List<PromptText> limited(List<PromptText> prompts, int limit) {
        if (limit == 0 || prompts.size() <= limit) {
            return prompts;
        }
        Map<String, Deque<PromptText>> byKind = new LinkedHashMap<>();
        for (PromptText prompt : prompts) {
            byKind.computeIfAbsent(prompt.kind(), _ -> new ArrayDeque<>()).add(prompt);
        }
        List<PromptText> chosen = new ArrayList<>();
        while (chosen.size() < limit) {
            for (Deque<PromptText> kind : byKind.values()) {
                if (!kind.isEmpty() && chosen.size() < limit) {
                    chosen.add(kind.removeFirst());
                }
            }
        }
        return chosen;
    }
}
