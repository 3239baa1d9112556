package dev.outrider.chat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.chat.jinja.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What a chat template is asked to write.
///
/// @param messages            the conversation so far
/// @param tools               JSON schemas of the tools the model may call; empty means none
/// @param addGenerationPrompt whether the text ends where the model's answer begins
/// @param variables           further variables the template may know, such as `enable_thinking`
public record ChatRequest(
        List<ChatMessage> messages,
        List<JsonNode> tools,
        boolean addGenerationPrompt,
        Map<String, Value> variables) {
    public ChatRequest {
        messages = List.copyOf(messages);
        tools = List.copyOf(tools);
        variables = Map.copyOf(variables);
    }

    /// A conversation that the model is to continue, without tools.
    public static ChatRequest of(ChatMessage... messages) {
        return new ChatRequest(List.of(messages), List.of(), true, Map.of());
    }

    static Value.Mapping value(ChatMessage message) {
        var entries = new LinkedHashMap<Value, Value>();
        entries.put(new Value.Text("role"), new Value.Text(message.role()));
        entries.put(new Value.Text("content"), new Value.Text(message.content()));
        return new Value.Mapping(entries);
    }
}
