package dev.outrider.serve.request;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// Fields that other servers support and this one does not. A value without an effect is allowed.
final class Unsupported {
    private static final Predicate<JsonNode> NOTHING =
            node -> node.isContainerNode() && node.isEmpty();
    private static final Predicate<JsonNode> NO = node -> node.isBoolean() && !node.booleanValue();
    private static final Predicate<JsonNode> YES = node -> node.isBoolean() && node.booleanValue();
    private static final Predicate<JsonNode> NEVER = _ -> false;

    private static final Map<String, Predicate<JsonNode>> BOTH =
            Map.ofEntries(
                    Map.entry("response_format", Unsupported::isText),
                    Map.entry("min_tokens", node -> node.isInt() && node.intValue() <= 0),
                    Map.entry("stop_token_ids", NOTHING),
                    Map.entry("bad_words", NOTHING),
                    Map.entry("allowed_token_ids", NEVER),
                    Map.entry("include_stop_str_in_output", NO),
                    Map.entry("skip_special_tokens", YES),
                    Map.entry("spaces_between_special_tokens", YES.or(NO)),
                    Map.entry("use_beam_search", NO),
                    Map.entry("length_penalty", node -> node.isNumber() && node.doubleValue() == 1),
                    Map.entry("early_stopping", NO),
                    Map.entry("truncate_prompt_tokens", NEVER),
                    Map.entry("prompt_logprobs", NEVER),
                    Map.entry("logits_processors", NOTHING),
                    Map.entry("structured_outputs", NEVER),
                    Map.entry("guided_json", NEVER),
                    Map.entry("guided_regex", NEVER),
                    Map.entry("guided_choice", NEVER),
                    Map.entry("guided_grammar", NEVER));
    private static final Map<String, Predicate<JsonNode>> TEXT =
            Map.of(
                    "suffix",
                    node -> node.isTextual() && node.textValue().isEmpty(),
                    "prompt_embeds",
                    NEVER);
    private static final Map<String, Predicate<JsonNode>> CHAT =
            Map.of(
                    "tools", NOTHING,
                    "tool_choice", node -> List.of("none", "auto").contains(node.asText("")),
                    "functions", NOTHING,
                    "function_call", node -> List.of("none", "auto").contains(node.asText("")),
                    "audio", NEVER,
                    "modalities", Unsupported::isTextAlone,
                    "web_search_options", NEVER,
                    "echo", NO,
                    "add_generation_prompt", YES,
                    "continue_final_message", NO);

    private Unsupported() {}

    /// @throws ApiException that names the first field with an effect
    static void refuse(JsonFields fields, boolean chat) {
        refuse(fields, BOTH);
        refuse(fields, chat ? CHAT : TEXT);
    }

    private static void refuse(JsonFields fields, Map<String, Predicate<JsonNode>> known) {
        known.forEach((name, allowed) -> {
            Optional<JsonNode> value = fields.any(name);
            if (value.isPresent() && !allowed.test(value.get())) {
                throw ApiException.unsupported(
                        name,
                        "'%s' is a field that this server knows and does not support with this value; leave it out"
                                .formatted(name));
            }
        });
    }

    private static boolean isText(JsonNode node) {
        return node.path("type").asText("").equals("text");
    }

    private static boolean isTextAlone(JsonNode node) {
        return node.isArray() && node.size() == 1 && node.path(0).asText("").equals("text");
    }
}
