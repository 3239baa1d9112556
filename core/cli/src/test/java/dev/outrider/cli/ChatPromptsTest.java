package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.experiment.run.Prompt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Conversations with a checkpoint's own chat template, on a copy of the shipped target that has one.
class ChatPromptsTest {
    private static final Path ROOT =
            Path.of(System.getProperty("outrider.root", "../..")).toAbsolutePath().normalize();
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String FIRST = "Write a story about a kind gardener.";
    private static final String SECOND = "Write another about a thick pan.";

    @TempDir private Path folder;
    private Path config = Path.of("");

    @BeforeEach
    void copyTheTarget() throws IOException {
        Path model = Files.createDirectories(folder.resolve("chat-target"));
        try (Stream<Path> files = Files.list(ROOT.resolve("models/tiny-target"))) {
            for (Path file : files.toList()) {
                Files.copy(file, model.resolve(file.getFileName()));
            }
        }
        Files.writeString(
                model.resolve("tokenizer_config.json"),
                """
                {"bos_token": {"content": "<|endoftext|>"},
                 "chat_template": "{{ bos_token }}{% for message in messages %}{% if message['role'] == 'user' %}\
                Question: {{ message['content'] | trim }}\\n{% else %}Answer: {{ message['content'] }}\\n{% endif %}\
                {% endfor %}{% if add_generation_prompt %}Answer:{% endif %}"}
                """);
        Files.writeString(
                folder.resolve("question.jsonl"),
                """
                {"question_id": 81, "category": "writing", "turns": ["%s", "%s "]}
                {"question_id": 82, "category": "math", "turns": ["7 + 5 ="]}
                """
                        .formatted(FIRST, SECOND));
        config =
                Files.writeString(
                        folder.resolve("chat.yaml"),
                        """
                        name: chat
                        target: {use: vector, path: chat-target}
                        prompts: {file: question.jsonl}
                        maxTokens: 12
                        warmup: 0
                        repetitions: 1
                        exactnessTestSeconds: 0
                        variants:
                          - name: chain
                            drafter: {use: small-model, path: %s/models/tiny-draft, length: 2}
                        """
                                .formatted(ROOT.toString().replace('\\', '/')));
    }

    @Test
    void everyTurnIsWrittenByTheTemplateAfterTheTargetsOwnAnswers() throws IOException {
        String first = "<|endoftext|>Question: " + FIRST + "\nAnswer:";
        String answer = continued(first).get("text").asText();
        String second =
                "<|endoftext|>Question: %s\nAnswer: %s\nQuestion: %s\nAnswer:"
                        .formatted(FIRST, answer, SECOND);
        assertThat(answer).isNotBlank();

        assertThat(measured("--set", "prompts.template=chat", "--set", "prompts.turns=all"))
                .isEqualTo(
                        Map.of(
                                "81/1",
                                digest(first),
                                "81/2",
                                digest(second),
                                "82",
                                digest("<|endoftext|>Question: 7 + 5 =\nAnswer:")));
    }

    @Test
    void withoutTheTemplateTurnsAreTakenAsTheyAre() throws IOException {
        String answer = continued(FIRST).get("text").asText();
        assertThat(measured("--set", "prompts.turns=all"))
                .isEqualTo(
                        Map.of(
                                "81/1",
                                digest(FIRST),
                                "81/2",
                                digest(FIRST + "\n" + answer + "\n" + SECOND + " "),
                                "82",
                                digest("7 + 5 =")));
        assertThat(measured()).isEqualTo(Map.of("81", digest(FIRST), "82", digest("7 + 5 =")));
    }

    @Test
    void aTargetWithoutATemplateSaysSo() throws IOException {
        Files.delete(folder.resolve("chat-target/tokenizer_config.json"));
        var run = bench("--set", "prompts.template=chat");
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .startsWith(
                        "CAPABILITY_MISSING: target 'chat-target' has no chat template, and prompts.template is chat\n");
    }

    @Test
    void aTemplateThatRefusesTheConversationIsQuoted() throws IOException {
        Files.writeString(
                folder.resolve("chat-target/chat_template.jinja"),
                "{% if messages | length > 1 %}{{ raise_exception('one turn only') }}{% endif %}{{ messages[0]['content'] }}");
        var run = bench("--set", "prompts.template=chat", "--set", "prompts.turns=all");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).startsWith("DATA_INVALID: ").contains("one turn only");
    }

    /// Digests of the prompts that were measured, by their ids.
    private Map<String, String> measured(String... more) throws IOException {
        var run = bench(more);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        var digests = new TreeMap<String, String>();
        for (String line :
                Files.readAllLines(folder.resolve("out/chat/latest/generations.jsonl"))) {
            JsonNode generation = JSON.readTree(line);
            digests.put(generation.get("prompt").asText(), generation.get("digest").asText());
        }
        return digests;
    }

    private Run bench(String... more) {
        var command =
                new ArrayList<>(
                        List.of(
                                "bench",
                                config.toString(),
                                "--out",
                                folder.resolve("out").toString()));
        command.addAll(List.of(more));
        return Run.of(command.toArray(String[]::new));
    }

    private String digest(String prompt) throws IOException {
        var ids = new ArrayList<Integer>();
        continued(prompt).get("promptIds").forEach(id -> ids.add(id.asInt()));
        return new Prompt("", "", ids, List.of()).digest();
    }

    private JsonNode continued(String prompt) throws IOException {
        var run =
                Run.of(
                        "generate",
                        "--config",
                        config.toString(),
                        "--variant",
                        "plain",
                        "--json",
                        "--prompt",
                        prompt);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        return JSON.readTree(run.out());
    }
}
