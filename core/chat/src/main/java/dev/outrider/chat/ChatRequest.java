package dev.outrider.chat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.chat.jinja.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The input of a chat template.
///
/// @param messages            the conversation so far
/// @param tools               JSON schemas of the tools that the model may call; empty for none
/// @param addGenerationPrompt whether the text ends where the model's answer begins
/// @param variables           further variables of the template, such as `enable_thinking`
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

    /// Returns a request without tools whose text ends where the model's answer begins.
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
