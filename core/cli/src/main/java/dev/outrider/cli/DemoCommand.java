package dev.outrider.cli;

import dev.outrider.config.ConfigLoader.Change;
import dev.outrider.engine.decode.EncodedPrompt;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.run.Variant;
import dev.outrider.nn.target.PassThreads;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The command `outrider demo`: plain and speculative decoding side by side.
@Command(name = "demo")
final class DemoCommand extends Subcommand {
    private static final int MOST_THREADS = 4;
    private static final int WARM_UP_ROUNDS = 8;
    private static final int TRANSCRIPT_COLUMNS = 80;
    private static final long WAIT_NANOS = 50_000_000;

    @Option(names = "--target", paramLabel = "DIR")
    private Optional<String> target = Optional.empty();

    @Option(names = "--draft", paramLabel = "DIR")
    private Optional<String> draft = Optional.empty();

    @Option(names = "--eagle3", paramLabel = "DIR")
    private Optional<String> eagle3 = Optional.empty();

    @Option(names = "--drafter", paramLabel = "NAME")
    private Optional<String> drafter = Optional.empty();

    @Option(names = "--prompt", paramLabel = "TEXT")
    private String prompt = "Write a story about Dana, a kind gardener, and a thick pan.\nStory:";

    @Option(names = "--max-tokens", paramLabel = "N", defaultValue = "64")
    private int maxTokens;

    @Option(names = "--temperature", paramLabel = "T", defaultValue = "0")
    private double temperature;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "0")
    private long seed;

    @Option(names = "--threads", paramLabel = "N")
    private Optional<Integer> threads = Optional.empty();

    @Override
    public Integer call() {
        int count =
                threads.orElseGet(
                        () -> Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors()));
        require(count >= 1, "--threads", count, "1 or more");
        PassThreads.use(count);
        try {
            return run("@tinyllama-1.1b", "@llama-68m", count);
        } catch (OutriderException e) {
            if (target.isPresent() || !e.code().equals(ErrorCode.OUT_OF_MEMORY)) {
                throw e;
            }
            err().println(e.problem() + " The demo models run at their own costs instead.");
            return run("", "", count);
        }
    }

    /// @param shape      of the target and its head, where none are given
    /// @param draftShape of the small model
    private int run(String shape, String draftShape, int count) {
        var model = target.orElseGet(() -> shipped("demo-target", shape));
        var variants = new StringBuilder();
        draft.or(() -> ofShippedTarget("demo-draft", draftShape))
                .ifPresent(path -> variants.append(variant("small model", "small-model", path)));
        eagle3.or(() -> ofShippedTarget("demo-eagle3", shape))
                .ifPresent(path -> variants.append(variant("EAGLE-3", "eagle3", path)));
        variants.append("  - {name: prompt lookup, drafter: {use: prompt-lookup, length: 3}}\n");
        var yaml =
                "name: demo\ntarget: {use: vector, path: %s}\nvariants:\n%s"
                        .formatted(quoted(model), variants);
        var changes =
                Stream.of(
                        "maxTokens=" + maxTokens,
                        "sampling.temperature=" + temperature,
                        "seed=" + seed,
                        "threads=" + count);
        var experiment =
                context()
                        .parsed(yaml, "demo", ExperimentConfig.class, Change.set(changes.toList()))
                        .config();
        var names = experiment.variants().stream().map(each -> each.drafter().use()).toList();
        drafter.ifPresent(name -> requireOneOf("--drafter", name, names));
        int first = 1 + drafter.map(names::indexOf).orElse(0);
        err().println("Loading " + model + " and its drafters ...");
        try (var loaded = LoadedExperiment.load(experiment, context().ticker(), false)) {
            var description = loaded.target().description();
            return new Show(experiment, loaded, about(model, description.parameters(), count))
                    .play(first);
        }
    }

    /// Another target than the shipped one has no drafters of its own.
    private Optional<String> ofShippedTarget(String model, String shape) {
        return target.isPresent() ? Optional.empty() : Optional.of(shipped(model, shape));
    }

    private String shipped(String model, String shape) {
        return context().root().resolve("models").resolve(model + shape).toString();
    }

    private String variant(String name, String drafter, String path) {
        return "  - {name: %s, drafter: {use: %s, path: %s, length: 3}}\n"
                .formatted(name, drafter, quoted(path));
    }

    private String quoted(String path) {
        return "'" + context().local(path).toAbsolutePath().toString().replace("'", "''") + "'";
    }

    private static String about(String path, long parameters, int count) {
        var name = String.valueOf(Path.of(path).getFileName());
        var what =
                name.contains("@")
                        ? Console.format(
                                "A small model's text at the costs of %.1f billion parameters (%s)",
                                parameters / 1e9, name)
                        : Console.format("%s (%.1f million parameters)", name, parameters / 1e6);
        return what + ", in turns on %d %s.".formatted(count, count == 1 ? "thread" : "threads");
    }

    /// The races of one call, with models that are loaded.
    private final class Show {
        private final ExperimentConfig experiment;
        private final List<Variant> variants;
        private final EncodedPrompt encoded;
        private final List<String> heading;

        Show(ExperimentConfig experiment, LoadedExperiment loaded, String about) {
            this.experiment = experiment;
            this.variants = loaded.variants();
            this.encoded = EncodedPrompt.of(loaded.target(), Optional.empty(), prompt);
            this.heading = List.of(about, "Prompt: " + prompt.replace('\n', ' '));
        }

        /// Races until the user ends it; without a terminal once. Leaves a transcript of the last race.
        ///
        /// @param first number of the drafter, from 1
        int play(int first) {
            // So that the side that begins does not pay for the compilation of code that both use.
            try (var race = race(first)) {
                for (int round = 0; round < WARM_UP_ROUNDS; round++) {
                    race.step();
                }
            }
            int chosen = first;
            try (var terminal = RaceTerminal.open(context().console(), context().ticker())) {
                while (true) {
                    try (var race = race(chosen)) {
                        char key = run(race, terminal);
                        if (key == RaceTerminal.END) {
                            terminal.close();
                            print(race.screen(heading, List.of(race.sentence())));
                            return race.refuted() ? ExitCode.REJECTED : ExitCode.OK;
                        }
                        chosen = key - '0';
                    }
                }
            }
        }

        private Race race(int drafter) {
            var plain = variants.getFirst();
            return new Race(
                    plain, variants.get(drafter), request(experiment, plain, encoded), seed);
        }

        /// Runs a race until it is over and a key is pressed; without a terminal until it is over.
        ///
        /// @return the digit of a drafter, or [RaceTerminal#END]
        private char run(Race race, RaceTerminal terminal) {
            while (!context().interruption().requested()) {
                boolean over = race.over();
                if (over && !terminal.live()) {
                    break;
                }
                terminal.draw(() -> race.screen(heading, footer(race)), over);
                char key = terminal.key();
                if (key == RaceTerminal.END || key > '0' && key < '0' + variants.size()) {
                    return key;
                }
                if (over) {
                    LockSupport.parkNanos(WAIT_NANOS);
                } else {
                    race.step();
                }
            }
            return RaceTerminal.END;
        }

        private List<String> footer(Race race) {
            var keys =
                    IntStream.range(1, variants.size())
                            .mapToObj(index -> index + " " + variants.get(index).name())
                            .collect(Collectors.joining(", ", "Keys: ", ", q end"));
            return List.of(keys, race.over() ? race.sentence() : "");
        }

        /// Prints bytes, because the console replaces escape codes in text.
        private void print(RaceScreen screen) {
            screen.lines(TRANSCRIPT_COLUMNS, 0, context().console().colours())
                    .forEach(line ->
                            out().writeBytes((line + "\n").getBytes(StandardCharsets.UTF_8)));
        }
    }
}
