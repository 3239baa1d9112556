package dev.outrider.audit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.audit.Answers.Asked;
import dev.outrider.audit.Audit.Outcome;
import dev.outrider.audit.Audit.Plan;
import dev.outrider.audit.Audit.Settings;
import dev.outrider.audit.Audit.Verdict;
import dev.outrider.audit.Audit.Weights;
import dev.outrider.audit.Hypotheses.Written;
import dev.outrider.audit.ServerClient.Server;
import dev.outrider.common.Sha256;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.run.Progress;
import dev.outrider.experiment.run.Prompt;
import dev.outrider.experiment.run.PromptEncoder;
import dev.outrider.experiment.run.PromptReader;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/// One audit: sends requests, stores every answer in a folder, continues an earlier run, and stops when it is decided.
public final class AuditRun {
    private static final int OWN_TEXTS = 8;

    private final Audit audit;
    private final Settings settings;
    private final ExperimentConfig config;
    private final List<Prompt> prompts;
    private final TargetModel target;

    /// @param loaded  the target and its plain decoding; all models stay the caller's
    /// @param others  other weights that the server might have
    /// @param drafter a model that it might draft with
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
        if (target.description().sources().isPresent()) {
            throw ErrorCode.USAGE.error(
                    "the target is an encoder-decoder, expected a decoder: a request has no source",
                    "Name a target without an encoder.");
        }
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
            var source = RandomnessSource.of(new KeyedRandomStreams(~settings.seed(), index));
            var written = plain.generate(request, source, DecodeListener.none(), interrupted);
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
                        settings,
                        interrupted);
    }

    /// Returns the faults that can be found.
    public Plan plan() {
        return audit.plan();
    }

    /// Compares the answers of a file with the target.
    ///
    /// @throws dev.outrider.spi.error.OutriderException as [Answer#read]
    public Outcome read(Path traces, Progress progress, BooleanSupplier interrupted) {
        var answers = Answer.read(traces, prompts, target.tokenizer(), audit::lint);
        int taken = 0;
        while (taken < answers.size() && !interrupted.getAsBoolean()) {
            audit.take(answers.get(taken++));
            progress.at("", taken, answers.size());
        }
        return audit.outcome(taken == answers.size());
    }

    /// Sends requests to a server until it is decided.
    ///
    /// @param folder of the answers; existing answers are read first
    /// @throws dev.outrider.spi.error.OutriderException `SERVER_UNREACHABLE`, `SERVER_ANSWER_INVALID`, `RESULTS_NOT_WRITABLE`
    public Outcome ask(Server server, Path folder, Progress progress, BooleanSupplier interrupted)
            throws InterruptedException {
        Function<String, List<Integer>> encoder =
                text -> Answer.encoded(target.tokenizer(), text, false);
        try (var answers = new Answers(folder, ServerClient.of(server, config, interrupted))) {
            return asked(
                    number -> {
                        var prompt = prompts.get(number % prompts.size());
                        var asked = new Asked("", prompt.id(), prompt.ids(), "", Map.of());
                        long seed = settings.seed() + number;
                        var ends = target.description().endOfSequence();
                        audit.take(answers.get(number, asked, seed, encoder, ends));
                    },
                    audit::settled,
                    audit::outcome,
                    answers,
                    settings,
                    progress,
                    interrupted);
        }
    }

    /// Requests one answer and takes it.
    private interface Step {
        void take(int number) throws InterruptedException;
    }

    private static Outcome asked(
            Step step,
            BooleanSupplier settled,
            Function<Boolean, Outcome> outcome,
            Answers answers,
            Settings settings,
            Progress progress,
            BooleanSupplier interrupted)
            throws InterruptedException {
        int taken = 0;
        try {
            while (taken < settings.requests()
                    && !interrupted.getAsBoolean()
                    && !settled.getAsBoolean()) {
                step.take(taken++);
                progress.at("", taken, settings.requests());
            }
        } catch (CancellationException e) {
            taken--;
        } catch (OutriderException e) {
            var found = outcome.apply(false);
            if (found.verdict() != Verdict.DIFFERENT) {
                throw e;
            }
            found.findings().add(String.valueOf(e.getMessage()));
            return answers.noted(found, taken - 1);
        }
        boolean complete = taken == settings.requests() || !interrupted.getAsBoolean();
        return answers.noted(outcome.apply(complete), taken);
    }

    /// Sends requests to a server in two ways until it is decided whether its answers differ; no weights are needed.
    ///
    /// @param sides  further fields of requests of either side
    /// @param folder as in [#ask]
    /// @throws dev.outrider.spi.error.OutriderException as [#ask]
    public static Outcome compare(
            Server server,
            ExperimentConfig config,
            List<Map<String, JsonNode>> sides,
            Settings settings,
            Path folder,
            Progress progress,
            BooleanSupplier interrupted)
            throws InterruptedException {
        var prompts = PromptReader.read(config.prompts());
        var test = new TwoSides(settings);
        try (var answers = new Answers(folder, ServerClient.of(server, config, interrupted))) {
            return asked(
                    number -> {
                        var prompt = prompts.get(number % prompts.size());
                        int side = test.side();
                        var name = side == 0 ? "on" : "off";
                        var text = prompt.turns().getFirst();
                        var asked = new Asked(name, prompt.id(), List.of(), text, sides.get(side));
                        long seed = settings.seed() + number;
                        test.take(answers.get(number, asked, seed, _ -> List.of(), Set.of()), side);
                    },
                    test::decided,
                    test::outcome,
                    answers,
                    settings,
                    progress,
                    interrupted);
        }
    }

    /// The folder of an audit: equal for the same settings, prompts and server.
    ///
    /// @param hash of the configuration
    /// @param asked further facts about the requests
    public static Path folder(
            Path results,
            String name,
            String hash,
            Optional<Server> server,
            long seed,
            String asked) {
        var shown = server.map(AuditRun::shown).orElse("");
        var what = String.join("\n", hash, shown, Long.toString(seed), asked);
        return results.resolve(
                "audit-%s-%s".formatted(name, Sha256.of(what).hex().substring(0, 8)));
    }

    private static String shown(Server server) {
        return "%s %s %s %s"
                .formatted(
                        server.base(),
                        server.model().orElse(""),
                        server.bare(),
                        new TreeMap<>(server.fields()));
    }
}
