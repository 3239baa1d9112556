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
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// A parser of bytes that strangers write. Its seeds are the files in `seeds/<name>`.
enum Target {
    /// A configuration.
    CONFIG {
        @Override
        void read(byte[] input, Path folder) {
            configuration(new String(input, StandardCharsets.UTF_8), folder, List.of());
        }
    },
    /// What stands after `--set`.
    SET {
        @Override
        void read(byte[] input, Path folder) {
            configuration(EXPERIMENT, folder, List.of(new String(input, StandardCharsets.UTF_8)));
        }
    },
    /// A file of prompts.
    PROMPTS {
        @Override
        void read(byte[] input, Path folder) throws IOException {
            var file = Files.write(folder.resolve("prompts.jsonl"), input);
            PromptReader.read(new PromptSource.FromFile(file, List.of(), 0));
        }
    },
    /// Weights.
    SAFETENSORS {
        @Override
        void read(byte[] input, Path folder) throws IOException {
            var file = Files.write(folder.resolve("model.safetensors"), input);
            try (var tensors = CheckpointTensors.ofFile(file)) {
                tensors.names().forEach(tensors::find);
            }
        }
    },
    /// A model in one file.
    GGUF {
        @Override
        void read(byte[] input, Path folder) throws IOException {
            var file = Files.write(folder.resolve("model.gguf"), input);
            var checkpoint = new Checkpoint(file);
            ModelConfig.read(checkpoint);
            try (var tensors = checkpoint.openTensors()) {
                tensors.names().forEach(tensors::find);
            }
            try (var tokenizer = HfTokenizer.load(file)) {
                tokenizer.decode(tokenizer.encode("Once upon a time", true));
            }
        }
    },
    /// A model's `config.json`.
    MODEL {
        @Override
        void read(byte[] input, Path folder) throws IOException {
            Files.write(folder.resolve("config.json"), input);
            ModelConfig.read(new Checkpoint(folder));
        }
    },
    /// A model's `tokenizer.json`.
    TOKENIZER {
        @Override
        void read(byte[] input, Path folder) throws IOException {
            Files.write(folder.resolve("tokenizer.json"), input);
            try (var tokenizer = HfTokenizer.load(folder)) {
                tokenizer.decode(tokenizer.encode("Once upon a time, 12 lions \u00e9\n", true));
            }
        }
    },
    /// A model's chat template.
    TEMPLATE {
        @Override
        void read(byte[] input, Path folder) throws IOException {
            Files.write(folder.resolve("chat_template.jinja"), input);
            ChatTemplate.load(folder, InstantSource.system(), ZoneOffset.UTC)
                    .ifPresent(template ->
                            template.render(ChatRequest.of(new ChatMessage("user", "Hello"))));
        }
    },
    /// The results of a comparison.
    RESULTS {
        @Override
        void read(byte[] input, Path folder) throws IOException {
            Files.writeString(folder.resolve("summary.json"), "[]");
            Files.write(folder.resolve("details.json"), input);
            ResultReader.read(folder);
        }
    },
    /// The levels of a recorded run, as Parquet.
    RECORDING {
        @Override
        void read(byte[] input, Path folder) throws IOException {
            Files.write(OneRecording.in(folder).resolve(RecordingFiles.LEVELS), input);
            Recording.read(folder);
        }
    },
    /// The plan of a sweep.
    PLAN {
        @Override
        void read(byte[] input, Path folder) throws IOException {
            SweepPlan.read(Files.write(folder.resolve("plan.json"), input));
        }
    },
    /// A plugin's jar.
    PLUGIN {
        @Override
        void read(byte[] input, Path folder) throws IOException {
            var plugin = Files.createDirectories(folder.resolve("plugins/one"));
            Files.write(plugin.resolve("plugin.jar"), input);
            PluginRegistry.load(Target.class.getClassLoader(), folder.resolve("plugins"));
        }
    };

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

    /// Reads an input.
    ///
    /// @param folder this target's own, whose files are replaced with every input
    /// @throws dev.outrider.spi.error.OutriderException what a user would see
    abstract void read(byte[] input, Path folder) throws IOException;

    /// Returns the name on the command line.
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The target of a name.
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
}
