package dev.outrider.chat;

import dev.outrider.chat.jinja.Template;
import dev.outrider.chat.jinja.TemplateException;
import dev.outrider.chat.jinja.Value;
import dev.outrider.chat.jinja.Values;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// The chat template of a checkpoint. Encode the rendered text without adding special tokens: the
/// text contains them.
///
/// Thread-safe.
///
/// @see "Hugging Face transformers, chat templates"
public final class ChatTemplate {
    private final Path source;
    private final Supplier<Template> plain;
    private final Supplier<Template> withTools;
    private final Map<String, Value> variables;

    private ChatTemplate(
            Path source,
            Supplier<Template> plain,
            Supplier<Template> withTools,
            Map<String, Value> variables) {
        this.source = source;
        this.plain = plain;
        this.withTools = withTools;
        this.variables = Map.copyOf(variables);
    }

    /// Returns the template of a checkpoint, or nothing if it has none. An invalid template is
    /// reported by [#render], because plain prompts need no template.
    ///
    /// @param directory the checkpoint, in the Hugging Face layout
    /// @param clock     for templates that write the date
    /// @param zone      time zone of that date
    public static Optional<ChatTemplate> load(Path directory, InstantSource clock, ZoneId zone) {
        TemplateFiles files;
        try {
            files = TemplateFiles.read(directory);
        } catch (OutriderException e) {
            return Optional.of(new ChatTemplate(directory, failing(e), failing(e), Map.of()));
        }
        return of(directory, files, clock, zone);
    }

    /// Returns the texts of a checkpoint's templates by name, `default` and perhaps `tool_use`; none if it has no template.
    ///
    /// @param directory the checkpoint, in the Hugging Face layout
    /// @throws OutriderException `CHAT_TEMPLATE_INVALID` or `IO_FAILED` if they cannot be read
    public static Map<String, String> texts(Path directory) {
        return TemplateFiles.read(directory).templates();
    }

    /// Returns a template that is not in files of its own (GGUF), or nothing if there is none.
    ///
    /// @param source        where it was read, for messages
    /// @param templates     texts by name: `default` and `tool_use`
    /// @param specialTokens texts by name, such as `bos_token`
    /// @param clock         for templates that write the date
    /// @param zone          time zone of that date
    public static Optional<ChatTemplate> of(
            Path source,
            Map<String, String> templates,
            Map<String, String> specialTokens,
            InstantSource clock,
            ZoneId zone) {
        return of(source, new TemplateFiles(templates, specialTokens), clock, zone);
    }

    private static Optional<ChatTemplate> of(
            Path source, TemplateFiles files, InstantSource clock, ZoneId zone) {
        var plain = files.choose(false).or(() -> files.choose(true));
        return plain.map(text -> {
            var parsed = parsed(source, text);
            var tools = files.choose(true).orElse(text);
            return new ChatTemplate(
                    source,
                    parsed,
                    tools.equals(text) ? parsed : parsed(source, tools),
                    variables(files.specialTokens(), clock, zone));
        });
    }

    private static Supplier<Template> parsed(Path directory, String text) {
        try {
            var template = Template.parse(text);
            return () -> template;
        } catch (TemplateException e) {
            return failing(
                    TemplateFiles.invalid(
                            "the chat template of '%s' cannot be parsed: %s"
                                    .formatted(directory, e.getMessage())));
        }
    }

    private static Supplier<Template> failing(OutriderException failure) {
        return () -> {
            throw failure;
        };
    }

    private static Map<String, Value> variables(
            Map<String, String> specialTokens, InstantSource clock, ZoneId zone) {
        var variables = new HashMap<String, Value>();
        specialTokens.forEach((name, text) -> variables.put(name, new Value.Text(text)));
        variables.put(
                "strftime_now",
                new Value.Function(
                        "strftime_now",
                        (arguments, budget) -> {
                            var format = arguments.positional().isEmpty() ? "" : text(arguments);
                            return new Value.Text(
                                    TimeFormat.strftime(
                                            format, clock.instant().atZone(zone), budget));
                        }));
        return variables;
    }

    private static String text(Value.Arguments arguments) {
        return arguments.positional().getFirst() instanceof Value.Text(String text) ? text : "";
    }

    /// Returns the text of a conversation.
    ///
    /// @throws OutriderException `CHAT_TEMPLATE_INVALID` if the template cannot be parsed or fails,
    ///     `IO_FAILED` if its files cannot be read, `DATA_INVALID` if it refuses the conversation
    public String render(ChatRequest request) {
        var all = new LinkedHashMap<>(variables);
        all.put(
                "messages",
                new Value.Sequence(
                        request.messages().stream()
                                .map(message -> (Value) ChatRequest.value(message))
                                .toList()));
        all.put("tools", tools(request));
        all.put("documents", new Value.None());
        all.put("add_generation_prompt", new Value.Truth(request.addGenerationPrompt()));
        all.putAll(request.variables());
        try {
            return (request.tools().isEmpty() ? plain : withTools).get().render(all);
        } catch (TemplateException e) {
            throw failure(e);
        }
    }

    private static Value tools(ChatRequest request) {
        List<Value> tools = request.tools().stream().map(Values::of).toList();
        return tools.isEmpty() ? new Value.None() : new Value.Sequence(tools);
    }

    private OutriderException failure(TemplateException e) {
        if (e.raised()) {
            return ErrorCode.DATA_INVALID.error(
                    "the chat template of '%s' refuses the conversation: %s"
                            .formatted(source, e.getMessage()),
                    "Change the messages as the template asks for.");
        }
        return TemplateFiles.invalid(
                "the chat template of '%s' fails: %s".formatted(source, e.getMessage()));
    }
}
