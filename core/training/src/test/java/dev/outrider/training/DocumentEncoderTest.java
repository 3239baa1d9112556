package dev.outrider.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.chat.ChatMessage;
import dev.outrider.chat.ChatTemplate;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.training.data.Document;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DocumentEncoderTest {
    private static final String TURNS =
            "{% for m in messages %}<{{ m.role }}>{{ m.content }}</end>\n{% endfor %}"
                    + "{% if add_generation_prompt %}<assistant>{% endif %}";

    /// A template that leaves out an assistant's reasoning before its last answer, like the templates of reasoning models.
    private static final String FORGETFUL =
            "{% for m in messages %}<{{ m.role }}>{% if loop.last or m.role == 'user' %}{{ m.content }}"
                    + "{% else %}{{ m.content.split('|')[-1] }}{% endif %}</end>\n{% endfor %}"
                    + "{% if add_generation_prompt %}<assistant>{% endif %}";

    private static final List<ChatMessage> TALK =
            List.of(
                    new ChatMessage("system", "Be kind."),
                    new ChatMessage("user", "One?"),
                    new ChatMessage("assistant", "hm|Two."),
                    new ChatMessage("user", "Three?"),
                    new ChatMessage("assistant", "hm|Four."));

    @Test
    void allOfATextIsLearnedAndItsEnd() {
        assertThat(learned(new Document.Text("abc", Document.Overflow.CUT), Optional.empty()))
                .isEqualTo("[abc^]");
    }

    @Test
    void ofACompletionThePromptIsOnlyRead() {
        assertThat(learned(new Document.Completion("ab", "cd", true), Optional.empty()))
                .isEqualTo("ab[cd^]");
        assertThat(learned(new Document.Completion("", "cd", true), Optional.empty()))
                .isEqualTo("[cd^]");
    }

    @Test
    void ofAConversationWhatTheAssistantSaysIsLearnedAndTheEndOfItsTurn() {
        assertThat(learned(new Document.Chat(TALK, true), template(TURNS)))
                .isEqualTo(
                        """
                        <system>Be kind.</end>
                        <user>One?</end>
                        <assistant>[hm|Two.</end>]
                        <user>Three?</end>
                        <assistant>[hm|Four.</end>]
                        ^\
                        """);
    }

    @Test
    void turnsThatTheTemplateWritesOtherwiseLaterAreOnlyRead() {
        assertThat(learned(new Document.Chat(TALK, true), template(FORGETFUL)))
                .isEqualTo(
                        """
                        <system>Be kind.</end>
                        <user>One?</end>
                        <assistant>Two.</end>
                        <user>Three?</end>
                        <assistant>[hm|Four.</end>]
                        ^\
                        """);
    }

    @Test
    void anEmptyAnswerHasNothingToLearnButItsEnd() {
        var talk = List.of(new ChatMessage("user", "A?"), new ChatMessage("assistant", ""));
        assertThat(learned(new Document.Chat(talk, true), template(TURNS)))
                .isEqualTo("<user>A?</end>\n<assistant>[</end>]\n^");
    }

    @Test
    void theEndOfAnAnswerThatWasCutOffIsNotLearned() {
        var talk = List.of(new ChatMessage("user", "A?"), new ChatMessage("assistant", "Bcd"));
        assertThat(learned(new Document.Chat(talk, false), template(TURNS)))
                .isEqualTo("<user>A?</end>\n<assistant>[Bcd]</end>\n^");
        assertThat(learned(new Document.Completion("ab", "cd", false), Optional.empty()))
                .isEqualTo("ab[cd]^");
        assertThat(learned(new Document.Completion("ab", "", false), Optional.empty()))
                .isEqualTo("ab^");
    }

    @Test
    void aTokenAcrossTheBorderIsLearned() {
        var encoder = new DocumentEncoder(new Pairs(), Optional.empty());
        var odd = encoder.encode(new Document.Completion("abc", "defg", true));
        assertThat(odd.ids()).containsExactly('a', 'c', 'e', 'g', 0);
        assertThat(odd.learned()).containsExactly(false, true, true, true, true);
    }

    @Test
    void aTextThatEndsWithTheEndIsNotEndedTwiceAndABeginningStandsBeforeIt() {
        var encoder = new DocumentEncoder(new Begun(), Optional.empty());
        var closed = encoder.encode(new Document.Completion("a", "b^", true));
        assertThat(closed.ids()).containsExactly(1, 'a', 'b', 0);
        assertThat(closed.learned()).containsExactly(false, false, true, true);
    }

    @Test
    void conversationsWithoutATemplateAreRefused() {
        assertThatThrownBy(() -> learned(new Document.Chat(TALK, true), Optional.empty()))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining(
                        "DATA_INVALID: the data have conversations, but the model has no chat template");
    }

    private static Optional<ChatTemplate> template(String text) {
        return ChatTemplate.of(
                Path.of("model"),
                Map.of("default", text),
                Map.of(),
                InstantSource.fixed(Instant.EPOCH),
                ZoneOffset.UTC);
    }

    /// Returns the text of the tokens, with brackets around the learned part.
    private static String learned(Document document, Optional<ChatTemplate> template) {
        var tokens = new DocumentEncoder(new Characters(), template).encode(document);
        var text = new StringBuilder();
        boolean inside = false;
        for (int i = 0; i < tokens.ids().length; i++) {
            if (tokens.learned()[i] != inside) {
                text.append(inside ? ']' : '[');
                inside = !inside;
            }
            text.append(tokens.ids()[i] == 0 ? '^' : (char) tokens.ids()[i]);
        }
        return text.append(inside ? "]" : "").toString();
    }

    /// An encoder with one token per character.
    private static class Characters implements TextEncoder {
        @Override
        public int[] encode(String text) {
            return text.chars().map(each -> each == '^' ? 0 : each).toArray();
        }

        @Override
        public int vocabularySize() {
            return 1 << 16;
        }

        @Override
        public int endOfText() {
            return 0;
        }
    }

    private static final class Begun extends Characters {
        @Override
        public int[] beginning() {
            return new int[] {1};
        }
    }

    /// An encoder with one token per two characters, named by the first; a single last character is a token too.
    private static final class Pairs extends Characters {
        @Override
        public int[] encode(String text) {
            var tokens = new int[(text.length() + 1) / 2];
            for (int i = 0; i < tokens.length; i++) {
                boolean half = 2 * i + 1 == text.length();
                tokens[i] = text.charAt(2 * i) + (half && text.length() == 3 ? 1000 : 0);
            }
            return tokens;
        }
    }
}
