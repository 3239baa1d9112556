package dev.outrider.serve;

import dev.outrider.common.Ticker;
import dev.outrider.engine.check.Compatibility.LossyPairings;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.plugins.Factories;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.config.ServeSettings;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.serve.request.ServedTarget;
import dev.outrider.serving.ServedVariant;
import dev.outrider.serving.ServingEngine;
import dev.outrider.serving.ServingLimits;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/// Makes the served parts of an experiment: its target, plain decoding, and its variants. The first variant answers requests that
/// name none.
public final class ServedExperiment {
    private static final long MEGABYTE = 1L << 20;

    private ServedExperiment() {}

    /// Starts the engine.
    ///
    /// @param loaded    stays the caller's, who closes it after the engine
    /// @param freeBytes memory for caches, unless the settings have a limit
    /// @param lookup    drafts from texts that requests predict
    /// @param rules     that requests may name
    /// @param seeds     of requests that give none
    /// @throws OutriderException `CAPABILITY_MISSING` for a variant that searches with beams
    public static ServedTarget start(
            ExperimentConfig config,
            LoadedExperiment loaded,
            ServeSettings settings,
            long freeBytes,
            Optional<Drafter> lookup,
            Map<String, AcceptanceRule> rules,
            LongSupplier seeds,
            Ticker ticker) {
        var policies = new HashMap<String, SamplingPolicy>();
        policies.put(ServedVariant.PLAIN, config.sampling());
        var served = new ArrayList<ServedVariant>();
        for (var variant : config.variants()) {
            if (variant.decoding().isPresent()) {
                throw ErrorCode.CAPABILITY_MISSING.error(
                        "variant '%s' has 'decoding', but a beam search shares no passes with other texts"
                                .formatted(variant.name()),
                        "Leave the variant out of what is served.");
            }
            served.add(
                    new ServedVariant(
                            variant.name(),
                            decoder(loaded, variant.name()),
                            variant.rule()
                                    .map(rule -> Factories.rule(rule.factory(), rule.config())),
                            LossyPairings.inFile(config.protocol().allowLossy())));
            policies.put(variant.name(), variant.sampling().orElse(config.sampling()));
        }
        var processors = loaded.variants().getFirst().decoder().processors();
        served.add(ServedVariant.plain(loaded.target(), processors, ticker));
        var capacity = settings.capacity();
        var megabytes = capacity.cacheMegabytes();
        var limits =
                new ServingLimits(
                        capacity.sequences(),
                        capacity.queue(),
                        megabytes.map(each -> each * MEGABYTE).orElse(Math.max(1, freeBytes)),
                        capacity.prefillRows(),
                        capacity.sharePrompts());
        var engine = ServingEngine.start(loaded.target(), served, limits, ticker);
        return new ServedTarget(
                engine,
                served.getFirst(),
                policies,
                config.maxTokens(),
                config.stop(),
                lookup,
                rules,
                seeds,
                new ServedTarget.Limits(
                        settings.requests().prompts(), settings.requests().stops()));
    }

    private static Decoder decoder(LoadedExperiment loaded, String variant) {
        return loaded.variants().stream()
                .filter(each -> each.name().equals(variant))
                .findFirst()
                .orElseThrow()
                .decoder();
    }
}
