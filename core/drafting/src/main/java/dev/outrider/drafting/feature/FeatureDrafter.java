package dev.outrider.drafting.feature;

import dev.outrider.common.CacheMemory;
import dev.outrider.common.Require;
import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.Drafting;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.target.HiddenState;
import java.util.List;
import java.util.Set;

/// A drafter that runs one draft layer, or several in turn, over the target's features. Thread-safe; owns the networks.
///
/// @param networks   the layer, or the layers that predict one token each, in this order
/// @param captured   the target's states of a row, in the order of concatenation
/// @param recycling  the features of guesses
/// @param vocabulary maps logits to tokens
/// @param drafting   shape, sampling and ends of the drafts
/// @param parameters number of the layers' own parameters
/// @param digest     of the weights
public record FeatureDrafter(
        List<FeatureNetwork> networks,
        List<HiddenState> captured,
        Recycling recycling,
        DraftVocabulary vocabulary,
        Drafting drafting,
        long parameters,
        String digest)
        implements Drafter, CacheMemory {
    public FeatureDrafter {
        captured = List.copyOf(captured);
        networks = List.copyOf(networks);
        var fusion = networks.getFirst().config().fusion().orElseThrow();
        Require.that(
                captured.size() == fusion.captured(),
                "%d captured states %s for a layer that reads %d",
                captured.size(),
                captured,
                fusion.captured());
        Require.that(
                vocabulary.width() <= fusion.headSize(),
                "a vocabulary of %d tokens for a head of %d",
                vocabulary.width(),
                fusion.headSize());
    }

    /// Returns the first layer; most drafters have only one.
    public FeatureNetwork network() {
        return networks.getFirst();
    }

    @Override
    public DrafterTraits traits() {
        return drafting.traits(true);
    }

    @Override
    public Set<HiddenState> hiddenStates() {
        return Set.copyOf(captured);
    }

    @Override
    public long bytesPerPosition() {
        return networks.stream()
                .mapToLong(each -> VectorNetwork.cacheBytesPerRow(each.config()))
                .sum();
    }

    @Override
    public DraftSession open(DraftRequest request) {
        int positions = network().config().maxPositions();
        int rows = Math.addExact(Math.min(request.capacity(), positions), drafting.maxRows());
        return new FeatureSession(
                this,
                drafting.expander(request, vocabulary),
                new FeatureModules(networks, recycling, rows));
    }

    @Override
    public void close() {
        networks.forEach(FeatureNetwork::close);
    }
}
