package dev.outrider.nn.architecture;

import dev.outrider.nn.network.Experts;
import java.util.OptionalInt;
import java.util.Set;

/// Reads what a family says about experts.
///
/// @param root   of the configuration
/// @param family whose it is
record ExpertsReader(ConfigNode root, Family family) {
    private static final String CHOSEN = "num_experts_per_tok";

    /// @throws IllegalArgumentException if the family has none
    Experts read() {
        return switch (family) {
            case MIXTRAL ->
                    new Experts(
                            root.positive("num_local_experts"),
                            root.positive(CHOSEN),
                            root.positive("intermediate_size"));
            case GPT_OSS ->
                    new Experts(
                            root.positive("num_local_experts"),
                            root.positive(CHOSEN),
                            root.positive("intermediate_size"),
                            true,
                            true,
                            OptionalInt.empty(),
                            1,
                            Set.of());
            case QWEN2_MOE ->
                    qwen(OptionalInt.of(root.positive("shared_expert_intermediate_size")));
            case QWEN3_MOE -> qwen(OptionalInt.empty());
            default -> throw new IllegalArgumentException(family + " has no experts");
        };
    }

    private Experts qwen(OptionalInt shared) {
        return new Experts(
                root.positive("num_experts"),
                root.positive(CHOSEN),
                root.positive("moe_intermediate_size"),
                root.truth("norm_topk_prob", false),
                false,
                shared,
                root.positive("decoder_sparse_step", 1),
                Set.copyOf(root.ids("mlp_only_layers")));
    }
}
