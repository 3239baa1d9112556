package dev.outrider.drafter.medusa;

import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.head.BackendKey;
import dev.outrider.nn.network.Precision;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection.Kind;
import dev.outrider.spi.draft.TreePlan;
import java.nio.file.Path;
import java.util.Optional;

/// Configuration of the drafter `medusa`. It has only the shape of [Drafting]: the heads guess in one step, by rank, so there is no
/// distribution to sample from and no step that a stop would save.
@Doc(
        "Drafts with heads on the target's last hidden state, all of them in one step; there is nothing"
                + " to sample and no step to stop.")
public record MedusaConfig(
        @Doc(
                        "Folder of the heads: model.safetensors or medusa_lm_head.safetensors, in"
                                + " the layout of Medusa or vLLM.")
                Path path,
        @Doc(
                        "Number format of their weights: f32 or bf16, with a target of 'vector' also f16, int8, int4 or w8a8; the target's"
                                + " when it is not given.")
                Optional<Precision> precision,
        @Inline BackendKey engine,
        @Doc(
                        "Tokens drafted a round as a chain, at most as many as there are heads; 3"
                                + " when neither 'length' nor 'tree' is given.")
                Optional<Integer> length,
        @Doc(
                        "Shape of the drafts, in place of 'length': widths, rank paths, or topK,"
                                + " depth and totalNodes for the most probable nodes.")
                Optional<TreePlan> tree) {
    private static final int DEFAULT_LENGTH = 3;

    public MedusaConfig {
        engine.backend().require(precision);
        var shape = Drafting.planOf(length, tree, DEFAULT_LENGTH);
        if (shape.selection(true) != Kind.POINT_MASS || shape instanceof TreePlan.Coupled) {
            throw new IllegalArgumentException(
                    "'tree' has sampled nodes, but Medusa's heads are ranked once a round;"
                            + " give widths, paths, or topK, depth and totalNodes");
        }
    }

    TreePlan plan() {
        return Drafting.planOf(length, tree, DEFAULT_LENGTH);
    }

    DrafterTraits traits() {
        return Drafting.traitsOf(plan(), Kind.POINT_MASS, true);
    }
}
