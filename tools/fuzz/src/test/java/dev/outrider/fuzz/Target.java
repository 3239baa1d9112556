package dev.outrider.fuzz;

import dev.outrider.chat.ChatMessage;
import dev.outrider.chat.ChatRequest;
import dev.outrider.chat.ChatTemplate;
import dev.outrider.config.ConfigLoader;
import dev.outrider.engine.plugins.PluginRegistry;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.config.PromptSource;
import dev.outrider.experiment.lab.Recording;
import dev.outrider.experiment.recording.RecordingFiles;
import dev.outrider.experiment.results.ResultReader;
import dev.outrider.experiment.run.PromptReader;
import dev.outrider.experiment.sweep.SweepPlan;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.tokenizer.HfTokenizer;
import dev.outrider.parquet.TableWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// A parser of untrusted bytes. Its seeds are the files in `seeds/<name>`.
enum Target {
    /// A configuration.
    CONFIG((input, folder) -> {
        configuration(new String(input, StandardCharsets.UTF_8), folder, List.of());
    }),
    /// The text after `--set`.
    SET((input, folder) -> {
        configuration(
                Target.EXPERIMENT, folder, List.of(new String(input, StandardCharsets.UTF_8)));
    }),
    /// A file of prompts.
    PROMPTS((input, folder) -> {
        var file = Files.write(folder.resolve("prompts.jsonl"), input);
        PromptReader.read(new PromptSource.FromFile(file, List.of(), 0));
    }),
    /// Weights.
    SAFETENSORS((input, folder) -> {
        var file = Files.write(folder.resolve("model.safetensors"), input);
        try (var tensors = CheckpointTensors.ofFile(file)) {
            tensors.names().forEach(tensors::find);
        }
    }),
    /// A model in one file.
    GGUF((input, folder) -> {
        var file = Files.write(folder.resolve("model.gguf"), input);
        var checkpoint = new Checkpoint(file);
        ModelConfig.read(checkpoint);
        try (var tensors = checkpoint.openTensors()) {
            tensors.names().forEach(tensors::find);
        }
        try (var tokenizer = HfTokenizer.load(file)) {
            tokenizer.decode(tokenizer.encode("Once upon a time", true));
        }
    }),
    /// A model's `config.json`.
    MODEL((input, folder) -> {
        Files.write(folder.resolve("config.json"), input);
        ModelConfig.read(new Checkpoint(folder));
    }),
    /// A model's `tokenizer.json`.
    TOKENIZER((input, folder) -> {
        Files.write(folder.resolve("tokenizer.json"), input);
        try (var tokenizer = HfTokenizer.load(folder)) {
            tokenizer.decode(tokenizer.encode("Once upon a time, 12 lions \u00e9\n", true));
        }
    }),
    /// A model's chat template.
    TEMPLATE((input, folder) -> {
        Files.write(folder.resolve("chat_template.jinja"), input);
        ChatTemplate.load(folder, InstantSource.system(), ZoneOffset.UTC)
                .ifPresent(template ->
                        template.render(ChatRequest.of(new ChatMessage("user", "Hello"))));
    }),
    /// The results of a comparison.
    RESULTS((input, folder) -> {
        Files.writeString(folder.resolve("summary.json"), "[]");
        Files.write(folder.resolve("details.json"), input);
        ResultReader.read(folder);
    }),
    /// The levels of a recorded run, as Parquet.
    RECORDING((input, folder) -> {
        Files.write(OneRecording.in(folder).resolve(RecordingFiles.LEVELS), input);
        Recording.read(folder);
    }),
    /// The plan of a sweep.
    PLAN((input, folder) -> {
        SweepPlan.read(Files.write(folder.resolve("plan.json"), input));
    }),
    /// A plugin's jar.
    PLUGIN((input, folder) -> {
        var plugin = Files.createDirectories(folder.resolve("plugins/one"));
        Files.write(plugin.resolve("plugin.jar"), input);
        PluginRegistry.load(Target.class.getClassLoader(), folder.resolve("plugins"));
    });

    private static final String EXPERIMENT =
            """
            name: fuzz
            target: {use: vector, path: model}
            prompts: {texts: [x]}
            variants:
              - name: chain
                drafter: {use: small-model, path: draft, length: 3}
              - name: tree
                drafter: {use: small-model, path: draft, tree: {widths: [2, 2]}}
                rule: traversal
            """;

    /// Reads one kind of input.
    @FunctionalInterface
    private interface Reader {
        void read(byte[] input, Path folder) throws IOException;
    }

    private final Reader reader;

    Target(Reader reader) {
        this.reader = reader;
    }

    /// Reads an input.
    ///
    /// @param folder this target's folder, whose files are replaced with every input
    /// @throws dev.outrider.spi.error.OutriderException an error for the user
    void read(byte[] input, Path folder) throws IOException {
        reader.read(input, folder);
    }

    /// Returns the name on the command line.
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Returns the target of a name.
    static Optional<Target> of(String id) {
        return List.of(values()).stream().filter(target -> target.id().equals(id)).findFirst();
    }

    private static void configuration(String text, Path folder, List<String> overrides) {
        var registry = Installed.REGISTRY;
        new ConfigLoader(registry, folder)
                .parse(text, "fuzz.yaml", folder, ExperimentConfig.class, overrides);
    }

    /// Components that a configuration may name.
    private static final class Installed {
        static final PluginRegistry REGISTRY =
                PluginRegistry.onClassPath(Target.class.getClassLoader());
    }

    /// A recording of one text with a draft of two levels at each of its two positions, without the
    /// file of levels.
    static final class OneRecording {
        private static final String MANIFEST =
                """
                {"format": %d, "seed": 1, "variants": [
                  {"name": "drawn", "baseline": "plain", "drafter": "small-model", "rule": "token", "temperature": 1.0}]}
                """;

        private OneRecording() {}

        /// Writes it, if it is missing.
        ///
        /// @param results the folder of a run
        /// @return the folder of the recording
        static Path in(Path results) throws IOException {
            Path folder = Files.createDirectories(results.resolve(RecordingFiles.FOLDER));
            Path manifest = folder.resolve(RecordingFiles.MANIFEST);
            if (Files.exists(manifest)) {
                return folder;
            }
            try (var texts =
                    new TableWriter(
                            folder.resolve(RecordingFiles.TEXTS),
                            RecordingFiles.TEXT_COLUMNS,
                            Map.of())) {
                texts.row(0, "plain", "p", "code", 0, 3);
            }
            try (var drafts =
                    new TableWriter(
                            folder.resolve(RecordingFiles.DRAFTS),
                            RecordingFiles.DRAFT_COLUMNS,
                            Map.of())) {
                drafts.row("drawn", 0, 0, 2, "independent");
                drafts.row("drawn", 0, 1, 2, "independent");
            }
            Files.writeString(manifest, MANIFEST.formatted(RecordingFiles.FORMAT));
            return folder;
        }
    }
}
