package dev.outrider.cli;

import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.experiment.results.Json;
import dev.outrider.nn.target.PassThreads;
import dev.outrider.nn.vector.Probes;
import dev.outrider.nn.vector.VectorMachine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The command `outrider model`.
@Command(
        name = "model",
        description = "Says what a model is, before it is run.",
        subcommands = ModelCommand.Show.class,
        footer = {
            "  outrider model show models/demo-target",
            "  outrider model show hf://EleutherAI/pythia-160m --json"
        })
final class ModelCommand {
    /// The command `outrider model show`.
    @Command(
            name = "show",
            description = {
                "Says what a model is and what running it takes, from the headers of its files.",
                "",
                "Family, shape, parameters, bytes by number format, positions, tokenizer, chat template; which back ends run it, or the"
                        + " reason one does not; and for each precision the memory of weights and cache, and the time below which no pass"
                        + " of one row comes on this machine: the bytes it reads over the bandwidth, which is measured now.",
                "",
                "No weights are loaded. A model of the hub that is not on this machine is fetched first.",
                "",
                "With --drafter the model is loaded, and every kind of drafter is asked whether it can draft for it with what lies there."
            },
            footer = {
                "  outrider model show models/demo-target",
                "  outrider model show models/demo-target --drafter models/demo-eagle3",
                "  outrider model show hf://EleutherAI/pythia-160m --json"
            })
    static final class Show implements Callable<Integer> {
        private static final int READINGS = 5;
        private static final int LABEL = 22;

        private final CommandContext context;

        @Spec private CommandSpec spec = CommandSpec.create();

        @Parameters(
                paramLabel = "MODEL",
                description = "A checkpoint's folder, or a name on the hub, hf://ORG/NAME.")
        private String model = "";

        @Option(
                names = "--threads",
                defaultValue = "2",
                paramLabel = "N",
                description = "Threads that read memory (default: ${DEFAULT-VALUE}).")
        private int threads;

        @Option(
                names = "--drafter",
                paramLabel = "PATH",
                description =
                        "A drafter's folder or file, or a name on the hub: says which kinds of drafters load it for this model.")
        private Optional<String> drafter = Optional.empty();

        @Option(names = "--json", description = "Print JSON instead.")
        private boolean json;

        Show(CommandContext context) {
            this.context = context;
        }

        @Override
        public Integer call() {
            Options.require(spec, threads >= 1, "--threads", threads, "1 or more");
            var directory = ModelPaths.open(context.local(model));
            var facts = new ArrayList<>(ModelFacts.of(directory, bandwidth()));
            drafter.map(context::local)
                    .map(path -> new DrafterFacts(context).of(directory.path(), path))
                    .ifPresent(facts::add);
            if (json) {
                Map<String, Object> all = new LinkedHashMap<>();
                facts.forEach(fact -> all.put(fact.key(), fact.value()));
                context.out().println(Json.pretty(all));
            } else {
                facts.forEach(this::say);
            }
            return ExitCode.OK;
        }

        /// Bytes a second, as `bench-model` measures them.
        private OptionalDouble bandwidth() {
            if (!VectorMachine.available()) {
                return OptionalDouble.empty();
            }
            PassThreads.use(threads);
            try (var probes = new Probes()) {
                return IntStream.range(0, READINGS)
                        .mapToDouble(_ -> probes.bytesPerSecond(context.ticker()))
                        .max();
            }
        }

        private void say(ModelFacts.Fact fact) {
            var lines = List.of(fact.words().split("\n", -1));
            for (int line = 0; line < lines.size(); line++) {
                var label = line == 0 ? words(fact.key()) : "";
                context.out()
                        .println(
                                label
                                        + " ".repeat(Math.max(1, LABEL - label.length()))
                                        + lines.get(line));
            }
        }

        /// Keys as words: `endOfSequence` is `end of sequence`.
        private static String words(String key) {
            return key.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
        }
    }
}
