package dev.outrider.cli;

import dev.outrider.common.Ticker;
import dev.outrider.config.ConfigLoader;
import dev.outrider.config.Loaded;
import dev.outrider.engine.decode.BatchDecoder;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.plugins.Factories;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.run.Variant;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.training.OnPolicyTexts;
import dev.outrider.training.TrainingConfig.OnPolicy;
import dev.outrider.training.TrainingConfig.OnPolicy.Writer;
import dev.outrider.training.VisitedPrefixes;
import dev.outrider.training.VisitedText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Rounds of an experiment's variant whose drafter is in training, or texts that the drafter writes alone. The target is loaded once,
/// the drafter for every call.
final class OwnRounds implements OnPolicyTexts {
    private static final Path ANY = Path.of("checkpoint");

    private final OnPolicy settings;
    private final ConfigLoader loader;
    private final Ticker ticker;
    private final String hash;
    private final Optional<TargetModel> target;

    /// @throws OutriderException if the experiment cannot be read, has not one variant, or cannot run
    OwnRounds(OnPolicy settings, ConfigLoader loader, Ticker ticker) {
        this.settings = settings;
        this.loader = loader;
        this.ticker = ticker;
        var loaded = experiment(ANY);
        hash = loaded.effective().configHash();
        LoadedExperiment.check(loaded.config());
        target =
                switch (settings.writer()) {
                    case ROUNDS -> Optional.of(target(loaded.config()));
                    case STUDENT -> Optional.empty();
                };
    }

    @Override
    public String facts() {
        return "experiment " + hash;
    }

    @Override
    public Optional<String> judge() {
        return target.map(model -> model.description().digest());
    }

    @Override
    public List<VisitedText> write(Path drafter, List<Request> requests) {
        var config = experiment(drafter.toAbsolutePath()).config();
        if (target.isPresent()) {
            try (var ready = LoadedExperiment.around(target.get(), config, ticker)) {
                return write(ready.variants().getLast(), config, requests);
            }
        }
        try (var ready = LoadedExperiment.load(config, ticker, false)) {
            return write(ready.variants().getFirst(), config, requests);
        }
    }

    private List<VisitedText> write(
            Variant variant, ExperimentConfig config, List<Request> requests) {
        var items = new ArrayList<BatchDecoder.Item>();
        var visits = new ArrayList<VisitedPrefixes>();
        for (var request : requests) {
            var visited = new VisitedPrefixes(who(), request.prompt());
            int room = request.tokens() - request.prompt().length;
            visits.add(visited);
            items.add(
                    new BatchDecoder.Item(
                            new DecodeRequest(
                                    request.prompt(),
                                    Math.min(config.maxTokens(), room),
                                    variant.policy(),
                                    config.stop(),
                                    config.ignoreEndOfSequence()),
                            RandomnessSource.of(
                                    new KeyedRandomStreams(settings.seed(), request.number())),
                            visited));
        }
        new BatchDecoder(variant.decoder(), items.size()).decode(items, () -> false);
        return visits.stream().map(VisitedPrefixes::text).toList();
    }

    private VisitedPrefixes.Who who() {
        return switch (settings.writer()) {
            case ROUNDS -> VisitedPrefixes.Who.DRAFTER;
            case STUDENT -> VisitedPrefixes.Who.WRITER;
        };
    }

    /// The experiment with a drafter in place of its variant's; of one that writes alone, as the target of no variant.
    private Loaded<ExperimentConfig> experiment(Path drafter) {
        var place =
                switch (settings.writer()) {
                    case ROUNDS -> "variants[0].drafter.path";
                    case STUDENT -> "target.path";
                };
        var loaded =
                loader.load(
                        settings.experiment(),
                        ExperimentConfig.class,
                        List.of(place + "=" + drafter));
        int variants = loaded.config().variants().size();
        if (settings.writer() == Writer.ROUNDS && variants != 1) {
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
                    "experiment '%s' has %d variants, but a drafter in training drafts for one"
                            .formatted(loaded.config().name(), variants),
                    "Leave one variant in it.");
        }
        return settings.writer() == Writer.ROUNDS
                ? loaded
                : new Loaded<>(loaded.config().withVariants(List.of()), loaded.effective());
    }

    private static TargetModel target(ExperimentConfig config) {
        return Factories.target(config.target().factory(), config.target().config());
    }

    @Override
    public void close() {
        target.ifPresent(TargetModel::close);
    }
}
