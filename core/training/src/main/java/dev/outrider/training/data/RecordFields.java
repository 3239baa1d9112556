package dev.outrider.training.data;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.chat.ChatMessage;
import dev.outrider.common.Surrogates;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.training.data.DataSourceConfig.RecordKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// A record as a document. Conversations are `messages` or `conversations`, lists of `role` and `content` or, as ShareGPT has
/// them, of `from` and `value`.
///
/// @param json    the record
/// @param failure makes the error of a problem in it
record RecordFields(JsonNode json, Function<String, OutriderException> failure) {
    private static final String EXPECTED =
            "an object with 'messages', 'conversations', 'prompt' or 'text'";
    private static final int MAX_MESSAGES = 10_000;

    /// The roles of speakers, by the names that files use.
    private static final Map<String, String> ROLES =
            Map.of(
                    "human", "user",
                    "user", "user",
                    "gpt", Document.Chat.ASSISTANT,
                    "chatgpt", Document.Chat.ASSISTANT,
                    "bing", Document.Chat.ASSISTANT,
                    "bard", Document.Chat.ASSISTANT,
                    "assistant", Document.Chat.ASSISTANT,
                    "system", "system",
                    "tool", "tool");

    /// The record as a document.
    ///
    /// @param kind of the document; if absent, the first kind whose fields are present
    Document document(Optional<RecordKind> kind) {
        return switch (kind.or(this::found).orElseThrow(() -> unexpected(EXPECTED))) {
            case TEXT -> new Document.Text(text(json, "text"), Document.Overflow.GOES_ON);
            case COMPLETION ->
                    new Document.Completion(
                            text(json, "prompt"), completion(), ended() && json.has("completion"));
            case CHAT -> chat();
        };
    }

    private Optional<RecordKind> found() {
        if (json.path("messages").isArray() || json.path("conversations").isArray()) {
            return Optional.of(RecordKind.CHAT);
        }
        if (json.path("prompt").isTextual()) {
            return Optional.of(RecordKind.COMPLETION);
        }
        return json.path("text").isTextual() ? Optional.of(RecordKind.TEXT) : Optional.empty();
    }

    private Document chat() {
        var list = json.path(json.path("messages").isArray() ? "messages" : "conversations");
        if (!list.isArray() || list.isEmpty() || list.size() > MAX_MESSAGES) {
            throw list.isArray()
                    ? failure.apply(
                            "expected 1 to %d messages, got %d"
                                    .formatted(MAX_MESSAGES, list.size()))
                    : unexpected("an object with a list 'messages' or 'conversations'");
        }
        var messages = new ArrayList<ChatMessage>();
        list.forEach(each -> messages.add(message(each)));
        return new Document.Chat(messages, ended());
    }

    /// A prompt may have no completion: then there is nothing to learn.
    private String completion() {
        return json.has("completion") ? text(json, "completion") : "";
    }

    /// Returns whether the text is complete. A text that a length limit cut off has `"truncated": true`.
    private boolean ended() {
        return !json.path("truncated").asBoolean(false);
    }

    private ChatMessage message(JsonNode message) {
        boolean shared = message.has("from");
        var name = text(message, shared ? "from" : "role");
        var role = Optional.ofNullable(ROLES.get(name.toLowerCase(Locale.ROOT)));
        return new ChatMessage(
                role.orElseThrow(() ->
                        failure.apply(
                                "expected a message of system, user, assistant or tool, got '%s'"
                                        .formatted(name))),
                content(message, shared ? "value" : "content"));
    }

    /// A string, or a list of parts that are all text.
    private String content(JsonNode message, String field) {
        var content = message.path(field);
        if (!content.isArray()) {
            return text(message, field);
        }
        var parts = new ArrayList<String>();
        content.forEach(part -> parts.add(text(part, "text")));
        return String.join("", parts);
    }

    private String text(JsonNode object, String field) {
        var value = object.path(field);
        if (!value.isTextual()) {
            throw failure.apply(
                    "expected a string '%s', got %s"
                            .formatted(
                                    field,
                                    value.isMissingNode() ? described(object) : kind(value)));
        }
        if (Surrogates.anyIn(value.textValue())) {
            throw failure.apply(
                    "'%s' has half a surrogate pair, which is no character".formatted(field));
        }
        return value.textValue();
    }

    private OutriderException unexpected(String expected) {
        return failure.apply("expected %s, got %s".formatted(expected, described(json)));
    }

    private static String described(JsonNode json) {
        if (!json.isObject()) {
            return kind(json);
        }
        List<String> names = json.propertyStream().map(Map.Entry::getKey).limit(8).toList();
        return names.isEmpty() ? "an empty object" : "one with " + String.join(", ", names);
    }

    private static String kind(JsonNode json) {
        return json.getNodeType().name().toLowerCase(Locale.ROOT);
    }
}
