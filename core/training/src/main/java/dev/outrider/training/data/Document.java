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

    /// Returns whether it has more than blanks; conversations and completions are checked later, as tokens.
    default boolean hasText() {
        return true;
    }

    /// How a document that does not fit into the rest of a row is handled.
    enum Overflow {
        /// The rest is left out.
        CUT,
        /// The rest begins the next row.
        GOES_ON,
        /// It begins the next row. Tokens that a whole row has no room for are left out.
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

    /// A prompt, and its completion, which is learned.
    ///
    /// @param ended whether the completion is complete: then its end is learned too
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

    /// A conversation; the assistant's messages are learned.
    ///
    /// @param ended whether the last message is complete: then its end is learned too
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
