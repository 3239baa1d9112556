package dev.outrider.drafting.feature;

import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.Drafting;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.target.HiddenState;
import java.util.List;

/// A loaded draft layer and how it drafts; opens sessions. Thread-safe.
///
/// @param networks   the layer, or the layers that predict one token each, in this order
/// @param captured   the target's states a row brings, in the order in which they lie end to end; loaders translate
///                   their dialect's ids to these
/// @param recycling  what stands in for the features of guesses
/// @param vocabulary which logits are which tokens
/// @param drafting   shape, sampling and ends of the drafts
public record FeatureDraft(
        List<FeatureNetwork> networks,
        List<HiddenState> captured,
        Recycling recycling,
        DraftVocabulary vocabulary,
        Drafting drafting) {
    public FeatureDraft {
        captured = List.copyOf(captured);
        networks = List.copyOf(networks);
        var fusion = networks.getFirst().config().fusion().orElseThrow();
        if (captured.size() != fusion.captured()) {
            throw new IllegalArgumentException(
                    "%d captured states %s for a layer that reads %d"
                            .formatted(captured.size(), captured, fusion.captured()));
        }
        if (vocabulary.width() > fusion.headSize()) {
            throw new IllegalArgumentException(
                    "a vocabulary of %d tokens for a head of %d"
                            .formatted(vocabulary.width(), fusion.headSize()));
        }
    }

    /// A single layer.
    public FeatureDraft(
            FeatureNetwork network,
            List<HiddenState> captured,
            Recycling recycling,
            DraftVocabulary vocabulary,
            Drafting drafting) {
        this(List.of(network), captured, recycling, vocabulary, drafting);
    }

    /// The first layer, mostly the only one.
    public FeatureNetwork network() {
        return networks.getFirst();
    }

    /// Starts drafting for one sequence.
    public DraftSession open(DraftRequest request) {
        int positions = networks.getFirst().config().maxPositions();
        int rows = Math.addExact(Math.min(request.capacity(), positions), drafting.maxRows());
        return new FeatureSession(
                this,
                drafting.expander(request.policy(), vocabulary),
                new FeatureModules(networks, recycling, rows));
    }
}
