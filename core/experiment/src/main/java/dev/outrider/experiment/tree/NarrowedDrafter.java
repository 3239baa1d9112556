package dev.outrider.experiment.tree;

import dev.outrider.spi.DraftRequest;
import dev.outrider.spi.DraftSession;
import dev.outrider.spi.Drafter;
import dev.outrider.spi.DrafterTraits;
import dev.outrider.spi.HiddenState;
import java.util.Set;

/// A drafter that is never asked for more than some nodes and depth, so that one loaded drafter can be timed at many sizes.
/// Owns nothing: closing it leaves the drafter open.
record NarrowedDrafter(Drafter drafter, int maxNodes, int maxDepth) implements Drafter {
    @Override
    public DrafterTraits traits() {
        var all = drafter.traits();
        int nodes = Math.min(maxNodes, all.maxNodes());
        return new DrafterTraits(
                all.shape(),
                all.selections(),
                all.needsHiddenStates(),
                all.readsRejectedNodes(),
                nodes,
                Math.min(nodes, Math.min(maxDepth, all.maxDepth())));
    }

    @Override
    public Set<HiddenState> hiddenStates() {
        return drafter.hiddenStates();
    }

    @Override
    public long parameters() {
        return drafter.parameters();
    }

    @Override
    public String digest() {
        return drafter.digest();
    }

    @Override
    public DraftSession open(DraftRequest request) {
        return drafter.open(request);
    }

    @Override
    public void close() {}
}
