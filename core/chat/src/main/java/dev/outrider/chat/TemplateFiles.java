package dev.outrider.chat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.common.BoundedFile;
import dev.outrider.common.FailureReason;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The chat templates and special tokens of a checkpoint. They are in `chat_template.jinja` beside
/// the model and `additional_chat_templates/tool_use.jinja`, else in `tokenizer_config.json`.
///
/// @param templates     sources by name; the main template is `default`
/// @param specialTokens texts by name, such as `bos_token`
record TemplateFiles(Map<String, String> templates, Map<String, String> specialTokens) {
    static final String DEFAULT = "default";
    private static final String WITH_TOOLS = "tool_use";

    /// In bytes; many times the longest published template.
    private static final int LONGEST_TEMPLATE = 4_000_000;

    private static final int LONGEST_CONFIG = 64_000_000;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    static TemplateFiles read(Path directory) {
        var config = optional(directory, "tokenizer_config.json").map(TemplateFiles::json);
        var templates = new LinkedHashMap<String, String>();
        optional(directory, "chat_template.jinja")
                .ifPresent(path -> templates.put(DEFAULT, text(path, LONGEST_TEMPLATE)));
        if (templates.isEmpty()) {
            config.ifPresent(json -> templates.putAll(configured(directory, json)));
        } else {
            optional(directory, "additional_chat_templates/%s.jinja".formatted(WITH_TOOLS))
                    .ifPresent(path -> templates.put(WITH_TOOLS, text(path, LONGEST_TEMPLATE)));
        }
        return new TemplateFiles(
                templates, config.map(TemplateFiles::specialTokens).orElseGet(Map::of));
    }

    private static Optional<Path> optional(Path directory, String name) {
        return Optional.of(directory.resolve(name)).filter(path -> Files.exists(path));
    }

    private static Map<String, String> configured(Path directory, JsonNode config) {
        var value = config.path("chat_template");
        if (value.isMissingNode() || value.isNull()) {
            return Map.of();
        }
        if (value.isTextual()) {
            return Map.of(DEFAULT, value.textValue());
        }
        var templates = new LinkedHashMap<String, String>();
        for (var entry : value) {
            var name = entry.path("name");
            var template = entry.path("template");
            if (!value.isArray() || !name.isTextual() || !template.isTextual()) {
                throw invalid(
                        "the chat_template of '%s' is neither a string nor a list of names and templates"
                                .formatted(directory.resolve("tokenizer_config.json")));
            }
            templates.put(name.textValue(), template.textValue());
        }
        return templates;
    }

    private static Map<String, String> specialTokens(JsonNode config) {
        var tokens = new LinkedHashMap<String, String>();
        for (var entry : config.properties()) {
            var value =
                    entry.getValue().isObject()
                            ? entry.getValue().path("content")
                            : entry.getValue();
            if (entry.getKey().endsWith("_token") && value.isTextual()) {
                tokens.put(entry.getKey(), value.textValue());
            }
        }
        return tokens;
    }

    /// Returns the template for a request: the one for tools if the request has tools and that
    /// template exists, else the main one.
    Optional<String> choose(boolean tools) {
        var names = tools ? List.of(WITH_TOOLS, DEFAULT) : List.of(DEFAULT);
        return names.stream().filter(templates::containsKey).findFirst().map(templates::get);
    }

    private static String text(Path path, int most) {
        return FailureReason.reading(path, () -> BoundedFile.text(path, most));
    }

    private static JsonNode json(Path path) {
        try {
            return MAPPER.readTree(text(path, LONGEST_CONFIG));
        } catch (JsonProcessingException e) {
            throw invalid("'%s' is not valid JSON: %s".formatted(path, e.getOriginalMessage()));
        }
    }

    static OutriderException invalid(String problem) {
        return ErrorCode.CHAT_TEMPLATE_INVALID.error(
                problem,
                "Get the template again from where the model comes from, or give the prompt as plain text.");
    }
}
