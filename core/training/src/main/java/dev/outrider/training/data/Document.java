package dev.outrider.training.data;

import dev.outrider.chat.ChatMessage;
import java.util.List;
import java.util.stream.Collectors;

/// A record to train on.
public sealed interface Document {
    /// The text that decides whether the document is learned or validated: everything before the first answer, so that another
    /// answer to the same question stays on the same side.
    String question();

    /// Returns how a document that does not fit into the rest of a row is handled.
    Overflow overflow();

    /// Whether there is more than blanks in it; conversations and completions are asked of later, as tokens.
    default boolean hasText() {
        return true;
    }

    /// How a document that does not fit into the rest of a row is handled.
    enum Overflow {
        /// The rest is left out.
        CUT,
        /// The rest begins the next row.
        GOES_ON,
        /// It begins the next row. What a whole row does not hold is left out.
        NEXT_ROW
    }

    /// Plain text; all of it is learned.
    record Text(String text, Overflow overflow) implements Document {
        @Override
        public String question() {
            return text;
        }

        @Override
        public boolean hasText() {
            return !text.isBlank();
        }
    }

    /// A prompt, and what follows it, which is learned.
    ///
    /// @param ended whether the completion came to its end, which is learned too
    record Completion(String prompt, String completion, boolean ended) implements Document {
        @Override
        public String question() {
            return prompt;
        }

        @Override
        public Overflow overflow() {
            return Overflow.NEXT_ROW;
        }
    }

    /// A conversation; what the assistant says is learned.
    ///
    /// @param ended whether the last message came to its end, which is learned too
    record Chat(List<ChatMessage> messages, boolean ended) implements Document {
        /// The role whose messages are learned.
        public static final String ASSISTANT = "assistant";

        public Chat {
            messages = List.copyOf(messages);
        }

        /// The messages before the first of the assistant.
        public List<ChatMessage> opening() {
            return messages.stream()
                    .takeWhile(message -> !message.role().equals(ASSISTANT))
                    .toList();
        }

        @Override
        public String question() {
            return opening().stream()
                    .map(message -> message.role() + "\n" + message.content())
                    .collect(Collectors.joining("\n"));
        }

        @Override
        public Overflow overflow() {
            return Overflow.NEXT_ROW;
        }
    }
}
