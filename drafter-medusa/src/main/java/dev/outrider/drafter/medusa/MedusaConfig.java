package dev.outrider.drafter.medusa;

import dev.outrider.nn.runtime.ElementType;
import dev.outrider.spi.Default;
import dev.outrider.spi.Doc;
import dev.outrider.spi.DrafterTraits;
import dev.outrider.spi.TreePlan;
import java.nio.file.Path;
import java.util.Optional;

/// Configuration of the drafter `medusa`.
@Doc("Drafts with heads on the target's last hidden state, all of them in one step.")
public record MedusaConfig(
        @Doc(
                        "Folder of the heads: model.safetensors or medusa_lm_head.safetensors, in"
                                + " the layout of Medusa or vLLM.")
                Path path,
        @Doc("Number format of their weights: f32 or bf16.") @Default("f32") ElementType precision,
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
        if (length.isPresent() && tree.isPresent()) {
            throw new IllegalArgumentException(
                    "'length' (%d) and 'tree' exclude each other".formatted(length.get()));
        }
        if (length.isPresent() && length.get() < 1) {
            throw new IllegalArgumentException("'length' must be at least 1, got " + length.get());
        }
        tree.ifPresent(GuessTree::of);
    }

    TreePlan plan() {
        return tree.orElseGet(() -> new TreePlan.Chain(length.orElse(DEFAULT_LENGTH)));
    }

    DrafterTraits traits() {
        var plan = plan();
        return DrafterTraits.tree(plan.maxNodes(), plan.maxDepth()).shaped(plan.shape()).readingHiddenStates();
    }
}
