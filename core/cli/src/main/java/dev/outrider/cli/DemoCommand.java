package dev.outrider.cli;

import dev.outrider.config.ConfigLoader.Change;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.EncodedPrompt;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.run.Variant;
import dev.outrider.nn.target.PassThreads;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DecodeListener;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The command `outrider demo`: plain and speculative decoding side by side.
@Command(name = "demo")
final class DemoCommand extends Subcommand {
    private static final String TARGET = "demo-target";
    private static final String SHAPE = "tinyllama-1.1b";
    private static final String DRAFT_SHAPE = "llama-68m";

    /// Guesses of a draft: with the root four rows, which cost little more than one.
    private static final int LENGTH = 3;

    private static final int MOST_THREADS = 4;
    private static final int WARM_UP_TOKENS = 8;
    private static final int TRANSCRIPT_COLUMNS = 80;
    private static final int POLL_MILLIS = 1;
    private static final int WAIT_MILLIS = 200;
    private static final char FIRST_KEY = '1';

    @Option(names = "--target", paramLabel = "DIR")
    private Optional<String> target = Optional.empty();

    @Option(names = "--draft", paramLabel = "DIR")
    private Optional<String> draft = Optional.empty();

    @Option(names = "--eagle3", paramLabel = "DIR")
    private Optional<String> eagle3 = Optional.empty();

    @Option(names = "--drafter", paramLabel = "NAME")
    private Optional<String> drafter = Optional.empty();

    @Option(names = "--prompt", paramLabel = "TEXT", defaultValue = "Once upon a time")
    private String prompt = "";

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
        if (target.isPresent()) {
            return run(models("", ""), count, "");
        }
        try {
            return run(models("@" + SHAPE, "@" + DRAFT_SHAPE), count, "");
        } catch (OutriderException e) {
            if (!e.code().equals(ErrorCode.OUT_OF_MEMORY)) {
                throw e;
            }
            err().println(e.problem());
            return run(
                    models("", ""), count, "Too little memory for the costs of a larger model. ");
        }
    }

    /// Returns the model of each drafter by the drafter's name; empty for one that needs none. `target` is among them.
    private SequencedMap<String, String> models(String shape, String draftShape) {
        var models = new LinkedHashMap<String, String>();
        models.put("target", target.orElseGet(() -> shipped(TARGET + shape)));
        boolean others = target.isPresent();
        draft.or(() -> others ? Optional.empty() : Optional.of(shipped("demo-draft" + draftShape)))
                .ifPresent(path -> models.put("small-model", path));
        eagle3.or(() -> others ? Optional.empty() : Optional.of(shipped("demo-eagle3" + shape)))
                .ifPresent(path -> models.put("eagle3", path));
        models.put("prompt-lookup", "");
        return models;
    }

    private String shipped(String model) {
        return context().root().resolve("models").resolve(model).toString();
    }

    private int run(SequencedMap<String, String> models, int count, String remark) {
        var names = models.sequencedKeySet().stream().skip(1).toList();
        drafter.ifPresent(name -> requireOneOf("--drafter", name, names));
        int chosen = drafter.map(names::indexOf).orElse(0);
        var experiment = experiment(models, count);
        err().println("Loading " + models.get("target") + " and its drafters ...");
        try (var loaded = LoadedExperiment.load(experiment, context().ticker(), false)) {
            var description = loaded.target().description();
            var heading =
                    List.of(
                            remark + says(models.get("target"), description.parameters(), count),
                            "Prompt: " + prompt);
            return new Show(experiment, loaded, heading).play(chosen);
        }
    }

    private static String says(String path, long parameters, int count) {
        var name = path.substring(path.lastIndexOf('/') + 1);
        var what =
                name.contains("@")
                        ? Console.format(
                                "A small model's text at the costs of %.1f billion parameters (%s)",
                                parameters / 1e9, name)
                        : Console.format("%s (%.1f million parameters)", name, parameters / 1e6);
        return what + ", in turns on %d %s.".formatted(count, count == 1 ? "thread" : "threads");
    }

    private ExperimentConfig experiment(SequencedMap<String, String> models, int count) {
        var yaml =
                new StringBuilder(
                        "name: demo\ntarget: {use: vector, path: %s}\nvariants:\n"
                                .formatted(quoted(models.get("target"))));
        models.forEach((name, path) -> {
            if (!name.equals("target")) {
                yaml.append(
                        "  - {name: '%s', drafter: {use: %s, length: %d%s}}\n"
                                .formatted(
                                        title(name),
                                        name,
                                        LENGTH,
                                        path.isEmpty() ? "" : ", path: " + quoted(path)));
            }
        });
        var changes =
                List.of(
                        "maxTokens=" + maxTokens,
                        "sampling.temperature=" + temperature,
                        "seed=" + seed,
                        "threads=" + count);
        return context()
                .parsed(yaml.toString(), "demo", ExperimentConfig.class, Change.set(changes))
                .config();
    }

    private String quoted(String path) {
        return "'" + context().local(path).toAbsolutePath().toString().replace("'", "''") + "'";
    }

    private static String title(String drafter) {
        return drafter.equals("eagle3") ? "EAGLE-3" : drafter.replace('-', ' ');
    }

    /// The races of one call, with models that are loaded.
    private final class Show {
        private final ExperimentConfig experiment;
        private final Variant plain;
        private final List<Variant> drafters;
        private final EncodedPrompt encoded;
        private final List<String> heading;

        Show(ExperimentConfig experiment, LoadedExperiment loaded, List<String> heading) {
            this.experiment = experiment;
            this.plain = loaded.variants().getFirst();
            this.drafters = loaded.variants().subList(1, loaded.variants().size());
            this.encoded = EncodedPrompt.of(loaded.target(), Optional.empty(), prompt);
            this.heading = heading;
        }

        /// Races until the user ends it; without a terminal once. Leaves a transcript of the last race.
        ///
        /// @param first number of the first drafter
        int play(int first) {
            int chosen = first;
            warmUp(plain);
            warmUp(drafters.get(first));
            RaceScreen last;
            boolean refuted;
            try (var terminal = RaceTerminal.open(context().console(), context().ticker())) {
                while (true) {
                    var variant = drafters.get(chosen);
                    try (var race =
                            new Race(plain, variant, request(experiment, variant, encoded), seed)) {
                        char key = raced(race, terminal);
                        if (key == RaceTerminal.END) {
                            last = race.screen(heading, List.of(race.sentence()));
                            refuted = race.refuted();
                            break;
                        }
                        chosen = key - FIRST_KEY;
                    }
                }
            }
            // Bytes, because the console replaces escape codes in text.
            last.lines(TRANSCRIPT_COLUMNS, 0, context().console().colours())
                    .forEach(line ->
                            out().writeBytes((line + "\n").getBytes(StandardCharsets.UTF_8)));
            return refuted ? ExitCode.REJECTED : ExitCode.OK;
        }

        /// Decodes a few tokens, so that the side that begins does not pay for the compilation of code that both use.
        private void warmUp(Variant variant) {
            var few =
                    DecodeRequest.of(
                            encoded.array(), Math.min(maxTokens, WARM_UP_TOKENS), variant.policy());
            variant.generate(
                    few.withSource(encoded.source()),
                    RandomnessSource.of(new KeyedRandomStreams(seed, 0)),
                    DecodeListener.none(),
                    context().interrupted());
        }

        /// Runs a race until it is over and a key is pressed; on a terminal that has no keys until it is over.
        ///
        /// @return the key of a drafter or of the end
        private char raced(Race race, RaceTerminal terminal) {
            while (!context().interruption().requested()) {
                if (!race.over()) {
                    race.step();
                }
                boolean over = race.over();
                if (over && !terminal.live()) {
                    return RaceTerminal.END;
                }
                terminal.draw(
                        () -> race.screen(heading, footer(over ? race.sentence() : "")), over);
                char key = terminal.key(over ? WAIT_MILLIS : POLL_MILLIS);
                if (key == RaceTerminal.END
                        || key >= FIRST_KEY && key < FIRST_KEY + drafters.size()) {
                    return key;
                }
            }
            return RaceTerminal.END;
        }

        private List<String> footer(String sentence) {
            var keys = new StringBuilder("Keys: ");
            for (int index = 0; index < drafters.size(); index++) {
                keys.append("%d %s, ".formatted(index + 1, drafters.get(index).name()));
            }
            return List.of(keys + "q end", sentence);
        }
    }
}
