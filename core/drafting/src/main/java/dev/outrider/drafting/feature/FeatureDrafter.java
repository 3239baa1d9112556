package dev.outrider.drafting.feature;

import dev.outrider.drafting.Drafting;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.target.HiddenState;
import java.util.Set;

/// A drafter that runs one draft layer, or several in turn. Thread-safe; owns their networks.
public final class FeatureDrafter implements Drafter {
    private final FeatureDraft draft;
    private final long parameters;
    private final String digest;

    /// @param draft      the layer and how it drafts
    /// @param parameters number of the layer's own parameters
    /// @param digest     digest of its weights
    public FeatureDrafter(FeatureDraft draft, long parameters, String digest) {
        this.draft = draft;
        this.parameters = parameters;
        this.digest = digest;
    }

    /// Traits of every drafter of this kind: it reads the target's hidden states.
    public static DrafterTraits traits(Drafting drafting) {
        return drafting.traits(true);
    }

    @Override
    public DrafterTraits traits() {
        return traits(draft.drafting());
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
        return draft.open(request);
    }

    @Override
    public void close() {
        draft.networks().forEach(FeatureNetwork::close);
    }
}
