package dev.outrider.cli;

import dev.outrider.experiment.results.Json;
import dev.outrider.hub.HubName;
import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.nn.target.PassThreads;
import dev.outrider.nn.vector.Probes;
import dev.outrider.nn.vector.VectorMachine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `outrider model`.
@Command(name = "model", subcommands = ModelCommand.Show.class)
final class ModelCommand {
    /// The command `outrider model show`.
    @Command(name = "show")
    static final class Show extends Subcommand {
        private static final int READINGS = 5;
        private static final int LABEL = 22;

        @Parameters(paramLabel = "MODEL")
        private String model = "";

        @Option(names = "--threads", defaultValue = "2", paramLabel = "N")
        private int threads;

        @Option(names = "--drafter", paramLabel = "PATH")
        private Optional<String> drafter = Optional.empty();

        @Option(names = "--json")
        private boolean json;

        @Override
        public Integer call() {
            require(threads >= 1, "--threads", threads, "1 or more");
            var directory = ModelPaths.open(context().local(model));
            var drafters =
                    drafter.map(context()::local)
                            .map(path -> new DrafterFacts(context()).of(directory.path(), path));
            var facts = ModelFacts.of(directory, bandwidth(), drafters);
            if (json) {
                Map<String, Object> all = new LinkedHashMap<>();
                facts.forEach(fact -> all.put(fact.key(), fact.value()));
                out().println(Json.pretty(all));
            } else {
                facts.forEach(this::say);
            }
            return ExitCode.OK;
        }

        /// Returns the bytes per second, measured as in `bench-model`.
        private OptionalDouble bandwidth() {
            if (!VectorMachine.available()) {
                return OptionalDouble.empty();
            }
            PassThreads.use(threads);
            try (var probes = new Probes()) {
                return IntStream.range(0, READINGS)
                        .mapToDouble(_ -> probes.bytesPerSecond(context().ticker()))
                        .max();
            }
        }

        private void say(ModelFacts.Fact fact) {
            var lines = List.of(fact.words().split("\n", -1));
            for (int line = 0; line < lines.size(); line++) {
                var label = line == 0 ? words(fact.key()) : "";
                out().println(
                                label
                                        + " ".repeat(Math.max(1, LABEL - label.length()))
                                        + lines.get(line));
            }
        }

        /// Returns a key as words: `endOfSequence` is `end of sequence`.
        private static String words(String key) {
            return key.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
        }
    }

    /// The command `outrider pull`.
    @Command(name = "pull")
    static final class PullCommand extends Subcommand {
        @Parameters(paramLabel = "NAME")
        private String name = "";

        @Override
        public Integer call() {
            var pulled = context().pull(HubName.isName(name) ? name : HubName.SCHEME + name);
            if (pulled.isEmpty()) {
                err().println("Interrupted; the same command goes on from here.");
                return ExitCode.INTERRUPTED;
            }
            var snapshot = pulled.get();
            out().printf("%s is %s%n", snapshot.name(), snapshot.commit());
            out().println(snapshot.path());
            return ExitCode.OK;
        }
    }
}
