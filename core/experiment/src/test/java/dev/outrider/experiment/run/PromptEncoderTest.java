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
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PromptEncoderTest {
    private static final TargetModel PLAIN =
            new TableTarget(TablePlugin.distribution(0.9), 64, Set.of());

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

    /// A target that was trained on `f`, everything said, `e`.
    private record Chatty(TargetModel target) implements ForwardingTarget {
        @Override
        public <T> Optional<T> capability(Class<T> type) {
            ChatFormatter formatter = messages -> "f" + String.join("", messages) + "e";
            return type == ChatFormatter.class
                    ? Optional.of(type.cast(formatter))
                    : ForwardingTarget.super.capability(type);
        }
    }
}
