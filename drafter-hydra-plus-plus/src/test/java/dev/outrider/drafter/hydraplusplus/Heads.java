package dev.outrider.drafter.hydraplusplus;

import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.head.HeadFile;
import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.target.VectorTargetConfig;
import dev.outrider.nn.target.VectorTargetFactory;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/// The smallest trained target, and heads with random numbers for it.
final class Heads {
    static final Path ROOT = Path.of(System.getProperty("outrider.root", ".."));
    static final Path TARGET = ROOT.resolve("models/tiny-target");
    static final int VOCABULARY = 512;
    static final int HIDDEN = 64;
    static final int COUNT = 4;

    private static final PrefixNames NAMES = new PrefixNames(Set.of());

    private final HeadFile file = new HeadFile(4, 0.2);

    /// @param blocks        residual blocks of a head; each is stored
    /// @param ownProjection whether each head has its own projection
    Heads(int blocks, boolean ownProjection) {
        layer();
        for (int head = 0; head < COUNT; head++) {
            file.linear(NAMES.block(head, 0), HIDDEN, (head + 2) * HIDDEN);
            file.linear(NAMES.residual(head), HIDDEN, (head + 2) * HIDDEN);
            for (int block = 1; block < blocks; block++) {
                file.linear(
                        "hydra_mlp.%d.%d.linear".formatted(head, 2 * block + 1), HIDDEN, HIDDEN);
            }
            if (ownProjection) {
                file.linear(NAMES.projection(head), VOCABULARY, HIDDEN);
            }
        }
    }

    static TargetModel target() {
        return target(TARGET);
    }

    static TargetModel target(Path folder) {
        return new VectorTargetFactory()
                .open(
                        new VectorTargetConfig(
                                folder,
                                Optional.of(Precision.F32),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()));
    }

    static Drafter drafter(Path folder, TreePlan plan, TargetModel target) {
        var keys = new HeadKeys(folder, Drafting.of(plan), Optional.empty());
        return HydraPlusPlusPlugin.HYDRA_PLUS_PLUS.create(
                new HydraPlusPlusConfig(keys), () -> target);
    }

    Heads with(String name, long... shape) {
        file.random(name, shape);
        return this;
    }

    Heads without(String name) {
        file.remove(name);
        return this;
    }

    /// Writes the files of the authors, whose configuration has no sizes.
    ///
    /// @param keys of `config.json` after `hydra_head_arch`
    Path write(Path folder, String keys) {
        return write(
                folder, "hydra_lm_head.safetensors", "\"hydra_head_arch\": \"prefix-mlp\"" + keys);
    }

    Path write(Path folder, String name, String keys) {
        HeadFile.config(folder, "{%s}".formatted(keys));
        return file.write(folder, name);
    }

    private void layer() {
        var layer = PrefixLayout.LAYER.replace("N", "0");
        with(PrefixLayout.NORM, HIDDEN)
                .with(layer + "input_layernorm.weight", HIDDEN)
                .with(layer + "post_attention_layernorm.weight", HIDDEN)
                .with(layer + "self_attn.q_proj.weight", 64, HIDDEN)
                .with(layer + "self_attn.k_proj.weight", 32, HIDDEN)
                .with(layer + "self_attn.v_proj.weight", 32, HIDDEN)
                .with(layer + "self_attn.o_proj.weight", HIDDEN, 64)
                .with(layer + "mlp.gate_proj.weight", 176, HIDDEN)
                .with(layer + "mlp.up_proj.weight", 176, HIDDEN)
                .with(layer + "mlp.down_proj.weight", HIDDEN, 176);
    }
}
