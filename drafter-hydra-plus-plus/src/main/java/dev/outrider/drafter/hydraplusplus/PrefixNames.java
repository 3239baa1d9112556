package dev.outrider.drafter.hydraplusplus;

import dev.outrider.drafting.head.HydraHeads;
import java.util.Set;

/// Names of the heads' tensors. In the authors' program all blocks of a head after the first are one block; a file may contain it once or
/// several times.
///
/// @param stored names of all tensors of a file
record PrefixNames(Set<String> stored) implements HydraHeads.Names {
    /// Between the authors' blocks are dropout layers, which have a number and no tensors.
    @Override
    public String block(int head, int block) {
        var own = name(head, block);
        return block < 2 || stored.contains(own + ".weight") ? own : name(head, 1);
    }

    private static String name(int head, int block) {
        return "hydra_mlp.%d.%d.linear".formatted(head, 2 * block + 1);
    }

    @Override
    public String residual(int head) {
        return "hydra_mlp.%d.1.res_connection".formatted(head);
    }

    @Override
    public String projection(int head) {
        return "hydra_lm_head.%d.1".formatted(head);
    }
}
