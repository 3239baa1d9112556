package dev.outrider.audit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.audit.Audit.Outcome;
import dev.outrider.audit.Audit.Plan;
import dev.outrider.audit.Audit.Settings;
import dev.outrider.audit.Audit.Weights;
import dev.outrider.audit.Hypotheses.Written;
import dev.outrider.audit.ServerClient.Server;
import dev.outrider.common.FailureReason;
import dev.outrider.common.Sha256;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.run.Prompt;
import dev.outrider.experiment.run.PromptEncoder;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.target.TargetModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// One audit: asks, keeps every answer in a folder, goes on where an earlier run ended, and stops when it is decided.
public final class AuditRun {
    private static final int OWN_TEXTS = 8;
    private static final String ANSWERS = "answers.jsonl";

    private final Audit audit;
    private final Settings settings;
    private final ExperimentConfig config;
    private final List<Prompt> prompts;
    private final TargetModel target;

    /// @param loaded  the target and its plain decoding; all models stay the caller's
    /// @param others  other weights that the server might have
    /// @param drafter what it might draft with
    public AuditRun(
            ExperimentConfig config,
            LoadedExperiment loaded,
            List<Weights> others,
            Optional<TargetModel> drafter,
            Settings settings,
            BooleanSupplier interrupted) {
        this.config = config;
        this.settings = settings;
        this.target = loaded.target();
        this.prompts = new PromptEncoder(target, config.maxTokens()).encode(config.prompts());
        var plain = loaded.variants().getFirst();
        var texts = new ArrayList<Written>();
        for (int index = 0; index < OWN_TEXTS && !config.sampling().greedy(); index++) {
            var prompt = prompts.get(index % prompts.size());
            var request =
                    prompt.request(
                            config.maxTokens(),
                            config.sampling(),
                            List.of(),
                            config.ignoreEndOfSequence());
            var streams = new KeyedRandomStreams(settings.seed(), index);
            var written =
                    plain.generate(
                            request,
                            RandomnessSource.of(streams),
                            DecodeListener.none(),
                            interrupted);
            texts.add(new Written(prompt, written.tokens()));
        }
        this.audit =
                new Audit(
                        target,
                        new Setting(config.sampling(), config.operators()),
                        plain.decoder().processors(),
                        others,
                        drafter,
                        texts,
                        settings);
    }

    /// What can be found.
    public Plan plan() {
        return audit.plan();
    }

    /// Told of every answer.
    @FunctionalInterface
    public interface Progress {
        /// Takes the number of answers so far.
        void at(int answers, int most);
    }

    /// Holds the answers of a file against the target.
    ///
    /// @throws dev.outrider.spi.error.OutriderException as [Answer#read]
    public Outcome read(Path traces, Progress progress, BooleanSupplier interrupted) {
        var answers = Answer.read(traces, prompts, target.tokenizer());
        int taken = 0;
        while (taken < answers.size() && !interrupted.getAsBoolean()) {
            audit.take(answers.get(taken++));
            progress.at(taken, answers.size());
        }
        return audit.outcome(taken == answers.size());
    }

    /// Asks a server until it is decided.
    ///
    /// @param folder of the answers; what is there is read first
    /// @throws dev.outrider.spi.error.OutriderException `SERVER_UNREACHABLE`, `SERVER_ANSWER_INVALID`, `RESULTS_NOT_WRITABLE`
    public Outcome ask(
            Server server, Path folder, Progress progress, BooleanSupplier interrupted)
            throws InterruptedException {
        try (var answers = new Answers(folder, server)) {
            int taken = 0;
            while (taken < settings.requests()
                    && !audit.settled()
                    && !interrupted.getAsBoolean()) {
                var prompt = prompts.get(taken % prompts.size());
                audit.take(answers.get(taken++, "", prompt, Map.of()));
                progress.at(taken, settings.requests());
            }
            return audit.outcome(taken == settings.requests() || audit.settled());
        }
    }

    /// Answers of earlier runs, then those of the server.
    final class Answers implements AutoCloseable {
        private final Path file;
        private final ServerClient client;
        private final List<Answer> kept;

        Answers(Path folder, Server server) {
            file = folder.resolve(ANSWERS);
            client = new ServerClient(server, config);
            kept = Json.lines(file, Answer.class);
            try {
                Files.createDirectories(folder);
                if (Files.exists(file)) {
                    // A last line without its end was being written when a run was killed.
                    var whole = new StringBuilder();
                    kept.forEach(each -> whole.append(Json.line(each)).append('\n'));
                    Files.writeString(file, whole);
                }
            } catch (IOException e) {
                throw FailureReason.writing("answers", file, e);
            }
        }

        Answer get(int number, String side, Prompt prompt, Map<String, JsonNode> fields)
                throws InterruptedException {
            if (number < kept.size()) {
                return kept.get(number);
            }
            var body = client.complete(prompt, settings.seed() + number, fields);
            var answer = Answer.of(body, side, prompt, target.tokenizer());
            try {
                Files.writeString(
                        file,
                        Json.line(answer) + "\n",
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw FailureReason.writing("answers", file, e);
            }
            return answer;
        }

        @Override
        public void close() {
            client.close();
        }
    }

    /// The folder of an audit: equal for the same settings, prompts and server.
    ///
    /// @param hash of the configuration
    public static Path folder(
            Path results, String name, String hash, Optional<Server> server, long seed) {
        var what =
                Stream.of(hash, server.map(AuditRun::shown).orElse(""), seed)
                        .map(Object::toString)
                        .reduce("", (all, each) -> all + each + "\n");
        return results.resolve("audit-%s-%s".formatted(name, Sha256.of(what).hex().substring(0, 8)));
    }

    private static String shown(Server server) {
        return "%s %s %s %s"
                .formatted(
                        server.base(),
                        server.model().orElse(""),
                        server.bare(),
                        new java.util.TreeMap<>(server.fields()));
    }
}
