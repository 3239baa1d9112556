package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafting.head.HydraHeads;

/// Names of the tensors of Hydra's authors.
record HydraNames() implements HydraHeads.Names {
    @Override
    public String block(int head, int block) {
        return "hydra_mlp.%d.%d.linear".formatted(head, block);
    }

    @Override
    public String residual(int head) {
        return "hydra_mlp.%d.0.res_connection".formatted(head);
    }

    @Override
    public String projection(int head) {
        return "hydra_lm_head.%d".formatted(head);
    }
}
