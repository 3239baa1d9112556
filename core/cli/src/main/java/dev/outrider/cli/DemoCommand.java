package dev.outrider.cli;

import dev.outrider.config.YamlText;
import dev.outrider.engine.decode.EncodedPrompt;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.run.Variant;
import dev.outrider.nn.target.PassThreads;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The command `outrider demo`: plain and speculative decoding side by side.
@Command(name = "demo")
final class DemoCommand extends Subcommand {
    private static final String LARGE = "@tinyllama-1.1b";
    private static final String LENGTH = ", length: 3";
    private static final String SMALL = "@llama-68m";
    private static final int WARM_UP_ROUNDS = 8;
    private static final int TRANSCRIPT_COLUMNS = 80;
    private static final long WAIT_NANOS = 50_000_000;

    @Option(names = "--target", paramLabel = "MODEL")
    private Optional<String> target = Optional.empty();

    @Option(names = "--drafter", paramLabel = "MODEL")
    private List<String> drafters = List.of();

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
        int count = threads(threads);
        PassThreads.use(count);
        return target.isPresent() || !drafters.isEmpty()
                ? run("", count)
                : withinMemory(shaped -> run(shaped ? LARGE : "", count));
    }

    /// Runs at the costs of a larger model; if there is too little memory, at the models' own costs.
    int withinMemory(Function<Boolean, Integer> run) {
        try {
            return run.apply(true);
        } catch (OutriderException e) {
            if (!e.code().equals(ErrorCode.OUT_OF_MEMORY)) {
                throw e;
            }
            err().println(e.problem() + " The demo models run at their own costs instead.");
            return run.apply(false);
        }
    }

    /// @param shape shape of the target and its head, if neither has one
    private int run(String shape, int count) {
        var path = target.map(context()::local).orElseGet(() -> shipped("demo-target", shape));
        var facts = new DrafterFacts(context());
        err().println("Loading " + path + " and its drafters ...");
        try (var models = facts.target(path)) {
            var variants = new StringBuilder();
            if (target.isEmpty() && drafters.isEmpty()) {
                var draft = shipped("demo-draft", shape.isEmpty() ? "" : SMALL);
                var head = shipped("demo-eagle3", shape);
                variants.append(variant("small model", facts.keys("small-model", draft) + LENGTH));
                variants.append(variant("EAGLE-3", facts.keys("eagle3", head) + LENGTH));
            }
            var names = new HashSet<String>();
            for (var each : drafters) {
                var drafter = context().local(each);
                for (var kind : facts.fitting(models, path, drafter)) {
                    var name = DrafterFacts.name(kind, drafter, names);
                    names.add(name);
                    variants.append(variant(name, facts.keys(kind, drafter)));
                }
            }
            variants.append(variant("prompt lookup", "use: prompt-lookup" + LENGTH));
            var yaml =
                    """
                    name: demo
                    target: {%s}
                    maxTokens: %d
                    sampling: {temperature: %s}
                    seed: %d
                    threads: %d
                    variants:
                    %s\
                    """
                            .formatted(
                                    facts.keys(path),
                                    maxTokens,
                                    temperature,
                                    seed,
                                    count,
                                    variants);
            var experiment =
                    context().parsed(yaml, "demo", ExperimentConfig.class, List.of()).config();
            try (var loaded =
                    LoadedExperiment.around(models.target(), experiment, context().ticker())) {
                var description = loaded.target().description();
                return new Show(experiment, loaded, about(path, description.parameters(), count))
                        .play();
            }
        }
    }

    private Path shipped(String model, String shape) {
        return context().root().resolve("models").resolve(model + shape);
    }

    private static String variant(String name, String keys) {
        return "  - {name: %s, drafter: {%s}}\n".formatted(YamlText.quoted(name), keys);
    }

    private static String about(Path path, long parameters, int count) {
        var name = String.valueOf(path.getFileName());
        var what =
                name.contains("@")
                        ? Console.format(
                                "A small model's text at the costs of %.1f billion parameters (%s)",
                                parameters / 1e9, name)
                        : Console.format("%s (%.1f million parameters)", name, parameters / 1e6);
        return what + ", in turns on %d %s.".formatted(count, count == 1 ? "thread" : "threads");
    }

    /// The races of one call, with loaded models.
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
        int play() {
            // Compiles the code that both sides use, so that the side that begins does not pay for
            // it.
            try (var race = race(1)) {
                for (int round = 0; round < WARM_UP_ROUNDS; round++) {
                    race.step();
                }
            }
            int chosen = 1;
            try (var terminal = new RaceTerminal(context().console(), context().ticker())) {
                while (true) {
                    try (var race = race(chosen)) {
                        char key = run(race, terminal);
                        if (key == RaceTerminal.END) {
                            terminal.close();
                            var screen = race.screen(heading, List.of(race.sentence()));
                            screen.lines(TRANSCRIPT_COLUMNS, 0, context().console().colours())
                                    .forEach(line -> context().console().write(out(), line + "\n"));
                            return race.exitCode();
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
    }
}
