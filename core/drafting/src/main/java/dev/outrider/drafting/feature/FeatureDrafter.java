package dev.outrider.drafting.feature;

import dev.outrider.drafting.StopRule;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.spi.DraftRequest;
import dev.outrider.spi.DraftSession;
import dev.outrider.spi.Drafter;
import dev.outrider.spi.DrafterTraits;
import dev.outrider.spi.HiddenState;
import dev.outrider.spi.SamplingPolicy;
import java.util.Optional;
import java.util.Set;

/// A drafter that runs one draft layer, or several in turn. Thread-safe; owns their networks.
public final class FeatureDrafter implements Drafter {
    private final FeatureDraft draft;
    private final DrafterTraits traits;
    private final Optional<SamplingPolicy> sampling;
    private final StopRule stopRule;
    private final long parameters;
    private final String digest;

    /// @param draft      the layer and how it drafts
    /// @param traits     what the factory says about the configuration
    /// @param sampling   the drafter's own sampling; the target's if there is none
    /// @param parameters number of the layer's own parameters
    /// @param digest     digest of its weights
    public FeatureDrafter(
            FeatureDraft draft,
            DrafterTraits traits,
            Optional<SamplingPolicy> sampling,
            StopRule stopRule,
            long parameters,
            String digest) {
        this.draft = draft;
        this.traits = traits;
        this.sampling = sampling;
        this.stopRule = stopRule;
        this.parameters = parameters;
        this.digest = digest;
    }

    @Override
    public DrafterTraits traits() {
        return traits;
    }

    @Override
    public Set<HiddenState> hiddenStates() {
        return Set.copyOf(draft.captured());
    }

    @Override
    public long parameters() {
        return parameters;
    }

    @Override
    public String digest() {
        return digest;
    }

    /// How it drafts, for summaries.
    public FeatureDraft draft() {
        return draft;
    }

    @Override
    public DraftSession open(DraftRequest request) {
        return draft.open(request, sampling.orElse(request.policy()), stopRule);
    }

    @Override
    public void close() {
        draft.networks().forEach(FeatureNetwork::close);
    }
}
