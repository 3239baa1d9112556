package dev.outrider.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.common.BoundedFile;
import dev.outrider.common.FailureReason;
import dev.outrider.config.ConfigLoader.Change;
import dev.outrider.config.YamlText;
import dev.outrider.engine.decode.EncodedPrompt;
import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.metrics.DecodeMetrics.MetricsCollector;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.results.Logprobs;
import dev.outrider.experiment.run.Variant;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The command `outrider generate`: continues one prompt.
@Command(name = "generate")
final class GenerateCommand extends Subcommand {

    @ArgGroup(multiplicity = "1")
    private ModelChoice choice = new ModelChoice();

    /// The model that runs.
    static final class ModelChoice {
        @Option(names = "--config", paramLabel = "FILE")
        private Optional<Path> config = Optional.empty();

        @Option(names = "--model", paramLabel = "MODEL")
        private Optional<String> model = Optional.empty();
    }

    @ArgGroup private PromptChoice prompt = new PromptChoice();

    /// The source of the prompt.
    static final class PromptChoice {
        @Option(names = "--prompt", paramLabel = "TEXT")
        private Optional<String> text = Optional.empty();

        @Option(names = "--prompt-file", paramLabel = "FILE")
        private Optional<Path> file = Optional.empty();
    }

    @ArgGroup private SourceChoice source = new SourceChoice();

    /// The origin of the source text of an encoder-decoder.
    static final class SourceChoice {
        @Option(names = "--source", paramLabel = "TEXT")
        private Optional<String> text = Optional.empty();

        @Option(names = "--source-file", paramLabel = "FILE")
        private Optional<Path> file = Optional.empty();
    }

    @Mixin private ExperimentOptions options = new ExperimentOptions();

    @Option(names = "--variant", paramLabel = "NAME")
    private Optional<String> variant = Optional.empty();

    @Option(names = "--max-tokens", paramLabel = "N")
    private Optional<Integer> maxTokens = Optional.empty();

    @Option(names = "--temperature", paramLabel = "T")
    private Optional<Double> temperature = Optional.empty();

    @Option(names = "--seed", paramLabel = "N")
    private Optional<Long> seed = Optional.empty();

    @Option(names = "--precision", paramLabel = "FORMAT")
    private Optional<String> precision = Optional.empty();

    @Option(names = "--trace")
    private boolean trace;

    @Option(names = "--check")
    private boolean check;

    @Option(names = "--json")
    private boolean json;

    @Option(names = "--logprobs", paramLabel = "N")
    private Optional<Integer> logprobs = Optional.empty();

    @Override
    public Integer call() {
        requireModel();
        requireLogprobs();
        var experiment = withChosenVariant(experiment());
        var read = sourceText();
        var text = promptText(read.isPresent());
        try (var loadedExperiment = context().load(experiment, check)) {
            generate(
                    experiment,
                    loadedExperiment.target(),
                    loadedExperiment.variants().getLast(),
                    read,
                    text);
        }
        return ExitCode.OK;
    }

    // A group with an initial value counts as given, so the parser does not see that it is missing.
    private void requireModel() {
        if (choice.config.isEmpty() && choice.model.isEmpty()) {
            throw wrong("there is no model; give --config=FILE or --model=DIR");
        }
    }

    private void requireLogprobs() {
        int most = logprobs.orElse(0);
        require(most >= 0, "--logprobs", most, "0 or more");
        require(json || logprobs.isEmpty(), "--logprobs", most, "together with --json");
    }

    private void generate(
            ExperimentConfig experiment,
            TargetModel target,
            Variant variant,
            Optional<String> read,
            String text) {
        var prompt = EncodedPrompt.of(target, read, text);
        var request = request(experiment, variant, prompt);
        var metrics = new MetricsCollector();
        var listener = metrics.and(display(target));
        var randomness = RandomnessSource.of(new KeyedRandomStreams(experiment.seed(), 0));
        var generation = variant.generate(request, randomness, listener, context().interrupted());
        var most = logprobs.or(() -> experiment.protocol().logprobs());
        finish(variant, target, prompt, generation, metrics, most);
    }

    private DecodeListener display(TargetModel target) {
        if (json) {
            return DecodeListener.none();
        }
        return trace
                ? new GenerationOutput.TraceDisplay(context().console(), target.tokenizer())
                : new GenerationOutput.TextDisplay(context().console());
    }

    private void finish(
            Variant variant,
            TargetModel target,
            EncodedPrompt prompt,
            Generation generation,
            MetricsCollector metrics,
            Optional<Integer> most) {
        if (json) {
            var root = GenerationOutput.json(variant, prompt, generation, metrics.metrics());
            most.ifPresent(each -> {
                var scored =
                        Logprobs.of(
                                variant,
                                prompt.source(),
                                prompt.array(),
                                generation.tokens(),
                                each);
                root.setAll((ObjectNode) Json.tree(Json.line(scored)));
            });
            out().println(root);
            return;
        }
        out().println();
        if (generation.hypotheses().size() > (trace ? 0 : 1)) {
            out().print(GenerationOutput.hypotheses(generation.hypotheses(), target.tokenizer()));
        }
        err().println(GenerationOutput.summary(variant, generation, metrics.metrics()));
    }

    private ExperimentConfig experiment() {
        var overrides = new ArrayList<>(options.sets());
        maxTokens.ifPresent(value -> overrides.add("maxTokens=" + value));
        temperature.ifPresent(value -> overrides.add("sampling.temperature=" + value));
        seed.ifPresent(value -> overrides.add("seed=" + value));
        precision.ifPresent(value -> overrides.add("target.precision=" + value));
        if (choice.config.isPresent()) {
            var file = choice.config.get();
            return options.experiment(overrides, sets -> context().experiment(file, sets)).config();
        }
        var model = context().local(choice.model.orElseThrow()).toAbsolutePath();
        var yaml =
                """
                name: generate
                target:
                  use: vector
                  path: %s
                """
                        .formatted(YamlText.quoted(model.toString()));
        return options.experiment(
                        overrides,
                        sets ->
                                context()
                                        .parsed(
                                                yaml,
                                                "--model",
                                                ExperimentConfig.class,
                                                Change.set(sets)))
                .config();
    }

    /// Returns the experiment with only the variant that is to run.
    private ExperimentConfig withChosenVariant(ExperimentConfig all) {
        return variant.isEmpty()
                ? all.withVariants(all.variants().stream().limit(1).toList())
                : only(List.of(variant.get()), all, "plain");
    }

    private Optional<String> sourceText() {
        return source.text.or(() -> source.file.map(BoundedFile::whole));
    }

    /// @param optional whether the prompt may be missing
    private String promptText(boolean optional) {
        if (prompt.text.isPresent()) {
            return prompt.text.get();
        }
        if (prompt.file.isPresent()) {
            return BoundedFile.whole(prompt.file.get());
        }
        if (optional) {
            return "";
        }
        if (context().console().terminal()) {
            throw wrong(
                    "there is no prompt; give --prompt, --prompt-file, or text on the standard input");
        }
        var in = context().console().in();
        return FailureReason.reading(
                        Path.of("standard input"),
                        () -> BoundedFile.text(in, "standard input", BoundedFile.MAX_TEXT_BYTES))
                .stripTrailing();
    }
}
