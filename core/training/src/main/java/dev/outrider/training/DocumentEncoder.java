package dev.outrider.training;

import dev.outrider.chat.ChatMessage;
import dev.outrider.chat.ChatRequest;
import dev.outrider.chat.ChatTemplate;
import dev.outrider.common.Require;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.training.data.Document;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Encodes documents as tokens. A text is encoded as a whole, and cut at the borders of its learned parts: the text before a
/// learned part must have the same tokens there as alone, because alone it is the prompt of a target. Thread-safe if the encoder
/// is.
///
/// @param template of conversations
public record DocumentEncoder(TextEncoder encoder, Optional<ChatTemplate> template) {
    /// A part of a text that is learned, in characters.
    private record Span(int from, int to) {}

    /// Returns the document's tokens, followed by the end-of-text token unless it is already the last.
    ///
    /// @throws OutriderException `DATA_INVALID` if it is a conversation and there is no template, or the template refuses it;
    ///                           `CHAT_TEMPLATE_INVALID` if the template fails
    public LearnedTokens encode(Document document) {
        return switch (document) {
            case Document.Text(String text, _) ->
                    encoded(encoder.beginning(), text, List.of(new Span(0, text.length())), true);
            case Document.Completion(String prompt, String completion, boolean ended) -> {
                var text = prompt + completion;
                yield encoded(
                        encoder.beginning(),
                        text,
                        List.of(new Span(prompt.length(), text.length())),
                        ended);
            }
            case Document.Chat(List<ChatMessage> messages, boolean ended) -> chat(messages, ended);
        };
    }

    /// Marks the assistant's text as learned: a turn's text is what the turn adds to the text that asks for it. A turn is not
    /// learned if the template writes it in another way once others follow, such as an answer without its thoughts.
    private LearnedTokens chat(List<ChatMessage> messages, boolean ended) {
        var text = rendered(messages, false);
        var spans = new ArrayList<Span>();
        for (int i = 0; i < messages.size(); i++) {
            if (messages.get(i).role().equals(Document.Chat.ASSISTANT)) {
                var before = rendered(messages.subList(0, i), true);
                var after =
                        i == messages.size() - 1
                                ? text
                                : rendered(messages.subList(0, i + 1), false);
                if (text.startsWith(after) && after.startsWith(before)) {
                    boolean open = !ended && i == messages.size() - 1;
                    int end =
                            open
                                    ? before.length() + messages.get(i).content().length()
                                    : after.stripTrailing().length();
                    spans.add(
                            new Span(
                                    before.length(),
                                    Math.clamp(end, before.length(), after.length())));
                }
            }
        }
        return encoded(new int[0], text, spans, false);
    }

    private String rendered(List<ChatMessage> messages, boolean asking) {
        return template.orElseThrow(() ->
                        ErrorCode.DATA_INVALID.error(
                                "the data have conversations, but the model has no chat template",
                                "Name a folder with one as 'data.template', or use 'prompt' and 'completion'."))
                .render(new ChatRequest(messages, List.of(), asking, Map.of()));
    }

    private LearnedTokens encoded(int[] beginning, String text, List<Span> spans, boolean closing) {
        int[] ids = encoder.encode(text);
        var all = Arrays.copyOf(beginning, beginning.length + ids.length + 1);
        System.arraycopy(ids, 0, all, beginning.length, ids.length);
        all[all.length - 1] = encoder.endOfText();
        var learned = new boolean[all.length];
        for (var span : spans) {
            int from = beginning.length + tokens(ids, text, span.from());
            int to = beginning.length + tokens(ids, text, span.to());
            Arrays.fill(learned, from, to, true);
        }
        learned[all.length - 1] = closing;
        boolean closed = ids.length > 0 && ids[ids.length - 1] == encoder.endOfText();
        int length = all.length - (closed ? 1 : 0);
        return new LearnedTokens(Arrays.copyOf(all, length), Arrays.copyOf(learned, length));
    }

    /// Returns the number of tokens that the first characters have when they are encoded alone.
    private int tokens(int[] ids, String text, int characters) {
        if (characters == 0 || characters == text.length()) {
            return characters == 0 ? 0 : ids.length;
        }
        int[] before = encoder.encode(text.substring(0, characters));
        int apart = Arrays.mismatch(ids, before);
        return apart < 0 ? ids.length : apart;
    }

    /// The tokens of a document, and which of them are learned.
    ///
    /// @param ids     the tokens
    /// @param learned for each, whether it is learned
    public record LearnedTokens(int[] ids, boolean[] learned) {
        public LearnedTokens {
            Require.that(
                    ids.length == learned.length,
                    "%d tokens, of %d is said whether they are learned",
                    ids.length,
                    learned.length);
        }

        int size() {
            return ids.length;
        }

        /// Returns the number of learned tokens among the first ones.
        ///
        /// @param count number of these first tokens
        public int learned(int count) {
            int found = 0;
            for (int i = 0; i < Math.min(count, learned.length); i++) {
                found += learned[i] ? 1 : 0;
            }
            return found;
        }
    }
}
