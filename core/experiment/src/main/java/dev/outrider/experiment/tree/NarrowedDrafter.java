package dev.outrider.experiment.tree;

import dev.outrider.engine.check.ForwardingDrafter;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;

/// A drafter that is never asked for more than some nodes and depth, so that one loaded drafter can be timed at many sizes.
/// Owns nothing: closing it leaves the drafter open.
record NarrowedDrafter(Drafter drafter, int maxNodes, int maxDepth) implements ForwardingDrafter {
    @Override
    public DrafterTraits traits() {
        var all = drafter.traits();
        int nodes = Math.min(maxNodes, all.maxNodes());
        return all.within(nodes, Math.min(nodes, Math.min(maxDepth, all.maxDepth())));
    }

    @Override
    public void close() {}
}
