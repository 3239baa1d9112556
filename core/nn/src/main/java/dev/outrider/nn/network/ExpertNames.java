package dev.outrider.nn.network;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What checkpoints call the tensors of experts; all other weights have Llama's names.
///
/// @param config whose experts these are
/// @param others names of all other weights
/// @param block  what Mixtral calls a layer's experts, or Qwen
/// @see "Jiang et al. 2024 (Mixtral); Yang et al. 2025 (Qwen 3)"
record ExpertNames(DecoderConfig config, WeightNames others, Block block) implements WeightNaming {
    /// What the names of a layer's experts are made of.
    private enum Block {
        MIXTRAL("block_sparse_moe", "w1", "w3", "w2"),
        QWEN("mlp", "gate_proj", "up_proj", "down_proj");

        private final String module;
        private final String gate;
        private final String up;
        private final String down;

        Block(String module, String gate, String up, String down) {
            this.module = module;
            this.gate = gate;
            this.up = up;
            this.down = down;
        }
    }

    static Optional<WeightNaming> in(DecoderConfig config, Collection<String> names) {
        if (config.form().feedForward().experts().isEmpty()) {
            return Optional.empty();
        }
        var inside = "." + Block.MIXTRAL.module + ".";
        boolean mixtral = names.stream().anyMatch(name -> name.contains(inside));
        return Optional.of(
                new ExpertNames(
                        config,
                        WeightNames.in(config, names),
                        mixtral ? Block.MIXTRAL : Block.QWEN));
    }

    @Override
    public List<String> names(Weight weight, int number) {
        return switch (weight) {
            case ROUTER -> in(number, "gate");
            case EXPERT_GATE -> of(weight, number, block.gate);
            case EXPERT_UP -> of(weight, number, block.up);
            case EXPERT_DOWN -> of(weight, number, block.down);
            case SHARED_GATE -> in(number, "shared_expert." + block.gate);
            case SHARED_UP -> in(number, "shared_expert." + block.up);
            case SHARED_DOWN -> in(number, "shared_expert." + block.down);
            case SHARED_EXPERT_GATE -> in(number, "shared_expert_gate");
            default -> others.names(weight, number);
        };
    }

    @Override
    public boolean mayStayUnread(String name, Set<String> all) {
        return others.mayStayUnread(name, all);
    }

    private List<String> of(Weight weight, int number, String projection) {
        int layer = weight.layer(config, number);
        int expert = number - weight.first(config, layer);
        return in(layer, "experts.%d.%s".formatted(expert, projection));
    }

    private List<String> in(int layer, String name) {
        return List.of(
                "%slayers.%d.%s.%s.weight".formatted(others.decoder(), layer, block.module, name));
    }
}
