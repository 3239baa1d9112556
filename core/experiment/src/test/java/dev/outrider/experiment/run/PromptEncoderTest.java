package dev.outrider.experiment.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.experiment.config.PromptSource;
import dev.outrider.experiment.config.PromptSource.Template;
import dev.outrider.experiment.config.PromptSource.Turns;
import dev.outrider.spi.target.ChatFormatter;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.ForwardingTarget;
import dev.outrider.testkit.TableTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PromptEncoderTest {
    private static final TargetModel PLAIN =
            new TableTarget(TablePlugin.distribution(0.9), 64, Set.of());

    private static final TargetModel READING = TablePlugin.reading(0.9, 64);

    @TempDir Path folder;
    private Path file = Path.of("");

    @BeforeEach
    void writeTheFile() throws IOException {
        file =
                Files.writeString(
                        folder.resolve("question.jsonl"),
                        """
                        {"question_id": 1, "category": "writing", "turns": ["ab", "cd"]}
                        {"question_id": 2, "category": "math", "turns": ["ba"]}
                        """);
    }

    @Test
    void takesFirstTurnsAsTheyAre() {
        assertThat(texts(PLAIN, Turns.FIRST, Template.NONE)).containsExactly("1 ab", "2 ba");
    }

    @Test
    void laterTurnsFollowTheTargetsOwnAnswers() {
        var prompts = encode(PLAIN, Turns.ALL, Template.NONE);
        assertThat(prompts).extracting(Prompt::id).containsExactly("1/1", "1/2", "2");
        assertThat(prompts).extracting(Prompt::kind).containsExactly("writing", "writing", "math");

        // ab, three tokens of an answer, cd: the line breaks between them are no letters
        assertThat(prompts.get(1).ids()).startsWith(0, 1).endsWith(2, 3).hasSize(2 + 3 + 2);
        assertThat(encode(PLAIN, Turns.ALL, Template.NONE))
                .as("answers are greedy, so they repeat")
                .isEqualTo(prompts);
    }

    @Test
    void aTemplateWritesItsOwnSpecialTokens() {
        var chatty = new Chatty(PLAIN);
        assertThat(texts(chatty, Turns.FIRST, Template.CHAT)).containsExactly("1 fabe", "2 fbae");
        assertThat(texts(chatty, Turns.FIRST, Template.NONE)).containsExactly("1 ab", "2 ba");
        var second = text(encode(chatty, Turns.ALL, Template.CHAT).get(1));
        assertThat(second).startsWith("fab").endsWith("cde");
    }

    @Test
    void aTargetWithoutATemplateIsRefusedOne() {
        assertThatThrownBy(() -> encode(PLAIN, Turns.FIRST, Template.CHAT))
                .hasMessage(
                        """
                        CAPABILITY_MISSING: target 'table' has no chat template, and prompts.template is chat
                          Set prompts.template: none, or choose a target with a chat template.\
                        """);
    }

    @Test
    void whatAnEncoderDecoderIsGivenIsItsSource() {
        var prompts = encode(READING, Turns.FIRST, Template.NONE);

        assertThat(prompts)
                .containsExactly(
                        new Prompt("1", "writing", List.of(5), List.of(0, 1)),
                        new Prompt("2", "math", List.of(5), List.of(1, 0)));
        assertThat(new PromptEncoder(READING, 3).encode(new PromptSource.Texts(List.of("cab"))))
                .containsExactly(new Prompt("text-1", "text", List.of(5), List.of(2, 0, 1)));
    }

    @Test
    void aSourceOfItsOwnLeavesTheTextToTheDecoder() throws IOException {
        Files.writeString(
                file,
                """
                {"id": "1", "source": "abc", "prompt": "de"}
                {"id": "2", "source": "abc"}
                """);
        assertThat(encode(READING, Turns.FIRST, Template.NONE))
                .containsExactly(
                        new Prompt("1", "text", List.of(5, 3, 4), List.of(0, 1, 2)),
                        new Prompt("2", "text", List.of(5), List.of(0, 1, 2)));
        for (Turns turns : Turns.values()) {
            assertThatThrownBy(() -> encode(new Chatty(PLAIN), turns, Template.CHAT))
                    .hasMessageStartingWith(
                            "SOURCE_UNEXPECTED: prompt '1': there is a source of 3 tokens, but target 'table' is a decoder alone");
        }
    }

    @Test
    void anEncoderDecoderHoldsNoConversation() {
        for (var wanted : List.of(Turns.ALL, Template.CHAT)) {
            var turns = wanted == Turns.ALL ? Turns.ALL : Turns.FIRST;
            var template = wanted == Template.CHAT ? Template.CHAT : Template.NONE;
            assertThatThrownBy(() -> encode(READING, turns, template))
                    .hasMessageStartingWith(
                            "CAPABILITY_MISSING: target 'table' is an encoder-decoder, which holds no conversations, and prompts has turns: %s and template: %s"
                                    .formatted(
                                            turns.name().toLowerCase(Locale.ROOT),
                                            template.name().toLowerCase(Locale.ROOT)));
        }
    }

    @Test
    void aDigestNamesTheSourceToo() {
        var alone = new Prompt("1", "text", List.of(5, 1), List.of());
        var one = new Prompt("1", "text", List.of(5, 1), List.of(2));
        var other = new Prompt("1", "text", List.of(5), List.of(1, 2));

        assertThat(alone.digest()).isEqualTo("4a181c72fece92f9");
        assertThat(List.of(alone.digest(), one.digest(), other.digest())).doesNotHaveDuplicates();
        assertThat(alone.sourceDigest()).isEmpty();
        assertThat(one.sourceDigest())
                .contains(new Prompt("1", "text", List.of(2), List.of()).digest())
                .isNotEqualTo(other.sourceDigest());
    }

    private List<String> texts(TargetModel target, Turns turns, Template template) {
        return encode(target, turns, template).stream()
                .map(prompt -> prompt.id() + " " + text(prompt))
                .toList();
    }

    private static String text(Prompt prompt) {
        return PLAIN.tokenizer().decode(prompt.array());
    }

    private List<Prompt> encode(TargetModel target, Turns turns, Template template) {
        return new PromptEncoder(target, 3)
                .encode(
                        new PromptSource.FromFile(
                                file, List.of(), 0, Optional.empty(), turns, template));
    }

    /// A target that was trained on `f`, then all messages, then `e`.
    private record Chatty(TargetModel target) implements ForwardingTarget {
        @Override
        public <T> Optional<T> capability(Class<T> type) {
            ChatFormatter formatter =
                    messages -> messages.stream().collect(Collectors.joining("", "f", "e"));
            return type == ChatFormatter.class
                    ? Optional.of(type.cast(formatter))
                    : ForwardingTarget.super.capability(type);
        }
    }
}
