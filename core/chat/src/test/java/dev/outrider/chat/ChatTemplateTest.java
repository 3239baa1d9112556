package dev.outrider.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.chat.jinja.Value;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Shortened templates of well-known model families, with the texts that those models were trained
/// on.
class ChatTemplateTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final InstantSource CLOCK =
            InstantSource.fixed(Instant.parse("2026-03-04T15:06:07Z"));
    private static final ChatMessage SYSTEM = new ChatMessage("system", "Be brief.");
    private static final ChatMessage USER = new ChatMessage("user", " Hi! ");
    private static final ChatMessage ASSISTANT = new ChatMessage("assistant", "Hello.");
    private static final ChatMessage QUESTION = new ChatMessage("user", "Why?");

    private static final String LLAMA2 =
            """
            {%- if messages[0]['role'] == 'system' -%}
                {%- set system = '<<SYS>>\\n' + messages[0]['content'] + '\\n<</SYS>>\\n\\n' -%}
                {%- set rest = messages[1:] -%}
            {%- else -%}
                {%- set system = '' -%}
                {%- set rest = messages -%}
            {%- endif -%}
            {%- for message in rest -%}
                {%- if (message['role'] == 'user') != (loop.index0 % 2 == 0) -%}
                    {{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}
                {%- endif -%}
                {%- set content = system + message['content'] if loop.index0 == 0 else message['content'] -%}
                {%- if message['role'] == 'user' -%}
                    {{ bos_token + '[INST] ' + content | trim + ' [/INST]' }}
                {%- else -%}
                    {{ ' ' + content | trim + ' ' + eos_token }}
                {%- endif -%}
            {%- endfor -%}
            """;
    private static final String LLAMA3 =
            """
            {{- bos_token }}
            {%- if not date_string is defined %}
                {%- if strftime_now is defined %}
                    {%- set date_string = strftime_now("%d %b %Y") %}
                {%- else %}
                    {%- set date_string = "26 Jul 2024" %}
                {%- endif %}
            {%- endif %}
            {%- if messages[0]['role'] == 'system' %}
                {%- set system_message = messages[0]['content']|trim %}
                {%- set messages = messages[1:] %}
            {%- else %}
                {%- set system_message = "" %}
            {%- endif %}
            {{- "<|start_header_id|>system<|end_header_id|>\\n\\n" }}
            {{- "Cutting Knowledge Date: December 2023\\n" }}
            {{- "Today Date: " + date_string + "\\n\\n" }}
            {{- system_message }}
            {{- "<|eot_id|>" }}
            {%- for message in messages %}
                {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n'+ message['content'] | trim + '<|eot_id|>' }}
            {%- endfor %}
            {%- if add_generation_prompt %}
                {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
            {%- endif %}
            """;
    private static final String QWEN2 =
            """
            {%- if tools %}
                {{- '<|im_start|>system\\n' }}
                {%- if messages[0].role == 'system' %}
                    {{- messages[0].content + '\\n\\n' }}
                {%- endif %}
                {{- "# Tools\\n\\n<tools>" }}
                {%- for tool in tools %}
                    {{- "\\n" }}
                    {{- tool | tojson }}
                {%- endfor %}
                {{- "\\n</tools><|im_end|>\\n" }}
            {%- else %}
                {%- if messages[0].role == 'system' %}
                    {{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}
                {%- else %}
                    {{- '<|im_start|>system\\nYou are a helpful assistant.<|im_end|>\\n' }}
                {%- endif %}
            {%- endif %}
            {%- for message in messages %}
                {%- if (message.role == "user") or (message.role == "system" and not loop.first) or (message.role == "assistant" and not message.tool_calls) %}
                    {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}
                {%- endif %}
            {%- endfor %}
            {%- if add_generation_prompt %}
                {{- '<|im_start|>assistant\\n' }}
                {%- if enable_thinking is defined and enable_thinking is false %}
                    {{- '<think>\\n\\n</think>\\n\\n' }}
                {%- endif %}
            {%- endif %}
            """;
    private static final String MISTRAL =
            "{{ bos_token }}{% for message in messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}"
                    + "{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}"
                    + "{% if message['role'] == 'user' %}{{ '[INST] ' + message['content'] + ' [/INST]' }}"
                    + "{% elif message['role'] == 'assistant' %}{{ message['content'] + eos_token}}"
                    + "{% else %}{{ raise_exception('Only user and assistant roles are supported!') }}{% endif %}{% endfor %}";
    private static final String LAST_QUESTION =
            """
            {%- set ns = namespace(last=-1) %}
            {%- for message in messages[::-1] %}
                {%- set index = (messages|length - 1) - loop.index0 %}
                {%- if ns.last < 0 and message.role == "user" and not(message.content.startswith('<tool>') and message.content.endswith('</tool>')) %}
                    {%- set ns.last = index %}
                {%- endif %}
            {%- endfor %}
            {%- for message in messages %}
                {%- set content = message.content %}
                {%- if '</think>' in content and loop.index0 < ns.last %}
                    {%- set content = content.split('</think>')[-1].lstrip('\\n') %}
                {%- endif %}
                {{- message.role ~ ':' ~ content }};
            {%- endfor %}
            """;

    @TempDir Path directory;

    @Test
    void writesLlama2() throws IOException {
        assertThat(inConfig(LLAMA2).render(ChatRequest.of(SYSTEM, USER, ASSISTANT, QUESTION)))
                .isEqualTo(
                        "<s>[INST] <<SYS>>\nBe brief.\n<</SYS>>\n\n Hi! [/INST] Hello. </s><s>[INST] Why? [/INST]");
    }

    @Test
    void writesLlama3WithTheDateOfTheGivenClock() throws IOException {
        assertThat(inFile(LLAMA3).render(ChatRequest.of(SYSTEM, USER)))
                .isEqualTo(
                        """
                        <s><|start_header_id|>system<|end_header_id|>

                        Cutting Knowledge Date: December 2023
                        Today Date: 04 Mar 2026

                        Be brief.<|eot_id|><|start_header_id|>user<|end_header_id|>

                        Hi!<|eot_id|><|start_header_id|>assistant<|end_header_id|>

                        """);
    }

    @Test
    void writesQwen2() throws IOException {
        var template = inConfig(QWEN2);
        assertThat(template.render(ChatRequest.of(QUESTION)))
                .isEqualTo(
                        """
                        <|im_start|>system
                        You are a helpful assistant.<|im_end|>
                        <|im_start|>user
                        Why?<|im_end|>
                        <|im_start|>assistant
                        """);
        var whole =
                new ChatRequest(List.of(SYSTEM, QUESTION, ASSISTANT), List.of(), false, Map.of());
        assertThat(template.render(whole))
                .isEqualTo(
                        """
                        <|im_start|>system
                        Be brief.<|im_end|>
                        <|im_start|>user
                        Why?<|im_end|>
                        <|im_start|>assistant
                        Hello.<|im_end|>
                        """);
    }

    @Test
    void writesToolsAndFurtherVariables() throws IOException {
        var tool = MAPPER.readTree("{\"type\":\"function\",\"function\":{\"name\":\"été\"}}");
        var request =
                new ChatRequest(
                        List.of(QUESTION),
                        List.of(tool),
                        true,
                        Map.of("enable_thinking", new Value.Truth(false)));
        assertThat(inConfig(QWEN2).render(request))
                .isEqualTo(
                        """
                        <|im_start|>system
                        # Tools

                        <tools>
                        {"type": "function", "function": {"name": "été"}}
                        </tools><|im_end|>
                        <|im_start|>user
                        Why?<|im_end|>
                        <|im_start|>assistant
                        <think>

                        </think>

                        """);
    }

    @Test
    void writesMistral() throws IOException {
        assertThat(inConfig(MISTRAL).render(ChatRequest.of(QUESTION, ASSISTANT, QUESTION)))
                .isEqualTo("<s>[INST] Why? [/INST]Hello.</s>[INST] Why? [/INST]");
    }

    @Test
    void dropsOldThoughtsAsQwen3Does() throws IOException {
        var thought = new ChatMessage("assistant", "<think>\nhm\n</think>\n\nHello.");
        assertThat(inConfig(LAST_QUESTION).render(ChatRequest.of(QUESTION, thought, QUESTION)))
                .isEqualTo("user:Why?;assistant:Hello.;user:Why?;");
    }

    @Test
    void passesOnWhyATemplateRefusesAConversation() throws IOException {
        var template = inConfig(MISTRAL);
        assertThatThrownBy(() -> template.render(ChatRequest.of(QUESTION, QUESTION)))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        """
                        DATA_INVALID: the chat template of '%s' refuses the conversation: Conversation roles must alternate user/assistant/user/assistant/...
                          Change the messages as the template asks for.\
                        """
                                .formatted(directory));
    }

    @Test
    void saysWhereATemplateIsBroken() throws IOException {
        var template = inConfig("a\n{% if x %}");
        assertThatThrownBy(() -> template.render(ChatRequest.of(QUESTION)))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        """
                        CHAT_TEMPLATE_INVALID: the chat template of '%s' cannot be parsed: line 2: the end of the template where '{%% elif or else or endif %%}' is expected
                          Get the template again from where the model comes from, or give the prompt as plain text.\
                        """
                                .formatted(directory));
    }

    @Test
    void saysWhereATemplateFails() throws IOException {
        var template = inConfig("\n{{ messages[0].nope.x }}");
        assertThatThrownBy(() -> template.render(ChatRequest.of(QUESTION)))
                .isInstanceOfSatisfying(
                        OutriderException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CHAT_TEMPLATE_INVALID))
                .hasMessageContaining("fails: line 2: 'nope' is undefined, so it has no 'x'\n");
    }

    @Test
    void prefersTheFileBesideTheModel() throws IOException {
        inConfig("config");
        assertThat(inFile("file").render(ChatRequest.of(QUESTION))).isEqualTo("file");
    }

    @Test
    void choosesAmongSeveralTemplates() throws IOException {
        config(
                "[{\"name\":\"default\",\"template\":\"plain\"},{\"name\":\"tool_use\",\"template\":\"tools\"}]");
        var template = load().orElseThrow();
        var withTools =
                new ChatRequest(List.of(QUESTION), List.of(MAPPER.readTree("{}")), true, Map.of());
        assertThat(template.render(ChatRequest.of(QUESTION))).isEqualTo("plain");
        assertThat(template.render(withTools)).isEqualTo("tools");

        var folder = Files.createDirectory(directory.resolve("additional_chat_templates"));
        Files.writeString(folder.resolve("tool_use.jinja"), "more tools");
        var fromFiles = inFile("file");
        assertThat(fromFiles.render(ChatRequest.of(QUESTION))).isEqualTo("file");
        assertThat(fromFiles.render(withTools)).isEqualTo("more tools");
    }

    @Test
    void findsNoTemplateWhereThereIsNone() throws IOException {
        assertThat(load()).isEmpty();
        config("null");
        assertThat(load()).isEmpty();
    }

    @Test
    void refusesATemplateOfTheWrongKind() throws IOException {
        config("[1]");
        assertThatThrownBy(this::write)
                .hasMessageContaining("is neither a string nor a list of names and templates\n");
        config("{\"a\":1}");
        assertThatThrownBy(this::write).hasMessageStartingWith("CHAT_TEMPLATE_INVALID: ");
        Files.writeString(directory.resolve("tokenizer_config.json"), "{");
        assertThatThrownBy(this::write)
                .hasMessageContaining("tokenizer_config.json' is not valid JSON: ");
    }

    @Test
    void opensNothingButRegularFiles() throws IOException, InterruptedException {
        var folder = Files.createDirectory(directory.resolve("additional_chat_templates"));
        pipe(folder.resolve("tool_use.jinja"));
        var template = inFile("plain");
        assertThatThrownBy(() -> template.render(ChatRequest.of(QUESTION)))
                .hasMessageStartingWith("IO_FAILED: ")
                .hasMessageContaining("tool_use.jinja' cannot be read: it is not a regular file\n");
        Files.delete(directory.resolve("chat_template.jinja"));
        pipe(directory.resolve("chat_template.jinja"));
        assertThatThrownBy(this::write)
                .hasMessageContaining(
                        "chat_template.jinja' cannot be read: it is not a regular file\n");
    }

    @Test
    void readsNoTemplateLongerThanAny() throws IOException {
        var template = inFile("a".repeat(4_000_001));
        assertThatThrownBy(() -> template.render(ChatRequest.of(QUESTION)))
                .hasMessageContaining("cannot be read: it has more than 4000000 bytes\n");
    }

    @Test
    void aTemplateCannotWriteTimesForEver() throws IOException {
        var endless =
                inFile(
                        "{% for i in range(90000) %}{% set t = strftime_now('%A' * 100) %}{% endfor %}");
        assertThatThrownBy(() -> endless.render(ChatRequest.of(QUESTION)))
                .hasMessageContaining("the template takes more than 2000000 steps\n");
        var wide = inFile("{{ strftime_now('%A' * 101) }}");
        assertThatThrownBy(() -> wide.render(ChatRequest.of(QUESTION)))
                .hasMessageContaining(
                        "a format of a time with 202 characters; expected at most 200\n");
    }

    @Test
    void writesTimesAsStrftimeDoes() {
        var time = CLOCK.instant().atZone(ZoneOffset.UTC);
        assertThat(
                        TimeFormat.strftime(
                                "%A %d %B %Y, %H:%M:%S %% %y-%m-%-d %a %b %I %p %j %q", time))
                .isEqualTo("Wednesday 04 March 2026, 15:06:07 % 26-03-4 Wed Mar 03 PM 063 %q");
    }

    /// Creates a named pipe: opening it blocks.
    private static void pipe(Path path) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor()).isZero();
    }

    private String write() {
        return load().orElseThrow().render(ChatRequest.of(QUESTION));
    }

    private ChatTemplate inFile(String template) throws IOException {
        if (!Files.exists(directory.resolve("tokenizer_config.json"))) {
            config("null");
        }
        Files.writeString(directory.resolve("chat_template.jinja"), template);
        return load().orElseThrow();
    }

    private ChatTemplate inConfig(String template) throws IOException {
        config(MAPPER.writeValueAsString(template));
        return load().orElseThrow();
    }

    private void config(String template) throws IOException {
        Files.writeString(
                directory.resolve("tokenizer_config.json"),
                "{\"bos_token\":{\"content\":\"<s>\"},\"eos_token\":\"</s>\",\"chat_template\":%s}"
                        .formatted(template));
    }

    private Optional<ChatTemplate> load() {
        return ChatTemplate.load(directory, CLOCK, ZoneOffset.UTC);
    }
}
