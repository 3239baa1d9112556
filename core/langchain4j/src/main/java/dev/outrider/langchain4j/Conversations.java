package dev.outrider.langchain4j;

import static java.util.Objects.requireNonNullElse;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.outrider.spi.target.ChatFormatter.Turn;
import java.util.List;

/// Reads requests of LangChain4j, and refuses what a generator cannot do.
final class Conversations {
    private Conversations() {}

    /// Returns the conversation of a request.
    ///
    /// @param model the only name of a model that the request may have
    /// @throws UnsupportedFeatureException naming the field that cannot be used
    static List<Turn> turns(ChatRequest request, String model) {
        var asked = request.parameters();
        refuse(!requireNonNullElse(asked.modelName(), model).equals(model), "modelName");
        refuse(asked.temperature() != null, "temperature");
        refuse(asked.topP() != null, "topP");
        refuse(asked.topK() != null, "topK");
        refuse(asked.frequencyPenalty() != null, "frequencyPenalty");
        refuse(asked.presencePenalty() != null, "presencePenalty");
        refuse(!asked.toolSpecifications().isEmpty(), "toolSpecifications");
        refuse(asked.toolChoice() != null, "toolChoice");
        var format = requireNonNullElse(asked.responseFormat(), ResponseFormat.TEXT);
        refuse(!format.equals(ResponseFormat.TEXT), "responseFormat");
        return request.messages().stream().map(Conversations::turn).toList();
    }

    private static Turn turn(ChatMessage message) {
        refuse(message instanceof UserMessage one && one.name() != null, "UserMessage.name");
        boolean calls = message instanceof AiMessage answer && answer.hasToolExecutionRequests();
        refuse(calls, "AiMessage.toolExecutionRequests");
        return switch (message) {
            case SystemMessage system -> new Turn("system", system.text());
            case UserMessage user -> new Turn("user", text(user.contents()));
            case AiMessage answer -> new Turn("assistant", requireNonNullElse(answer.text(), ""));
            default -> throw unsupported("messages: a message of type " + message.type());
        };
    }

    private static String text(List<Content> contents) {
        var text = new StringBuilder();
        for (var content : contents) {
            refuse(!(content instanceof TextContent), "UserMessage.contents: " + content.type());
            text.append(((TextContent) content).text());
        }
        return text.toString();
    }

    private static void refuse(boolean given, String field) {
        if (given) {
            throw unsupported(field);
        }
    }

    private static UnsupportedFeatureException unsupported(String what) {
        return new UnsupportedFeatureException(what + " is not supported in a request to Outrider");
    }
}
