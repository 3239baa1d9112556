package dev.outrider.drafter.hydraplusplus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafting.head.SequenceDrafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Tests the reading of the authors' layout, and its refusals.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PrefixLayoutTest {
    private static final String GROUNDED = ", \"grounded_heads\": true";

    private static final PrefixNames NAMES = new PrefixNames(Set.of());

    private final TargetModel target = Heads.target();

    @AfterAll
    void close() {
        target.close();
    }

    @Test
    void aHeadIsReadWithoutSizesAndItsParametersAreCounted(@TempDir Path folder) {
        new Heads(2, true)
                .with("input_embed_fn.weight", Heads.VOCABULARY, Heads.HIDDEN)
                .with("prefix_embeding_layer.embed_tokens.weight", Heads.VOCABULARY, Heads.HIDDEN)
                .with("prefix_embeding_layer.layers.0.self_attn.rotary_emb.inv_freq", 16)
                .write(folder, GROUNDED + ", \"hydra_num_heads\": 4, \"hydra_num_layers\": 4");
        int d = Heads.HIDDEN;
        int layer = 3 * d + d * (64 + 32 + 32 + 64) + 3 * d * 176;
        int heads = 0;
        for (int head = 0; head < 2; head++) {
            heads += 2 * ((head + 2) * d + 1) * d + 3 * (d + 1) * d + (d + 1) * Heads.VOCABULARY;
        }
        try (var drafter = Heads.drafter(folder, new TreePlan.Chain(2), target)) {
            assertThat(((SequenceDrafter) drafter).parameters()).isEqualTo(layer + heads);
        }
    }

    @Test
    void draftsDeeperThanThereAreHeadsAreRefused(@TempDir Path folder) {
        new Heads(1, true).write(folder, GROUNDED);
        assertThatThrownBy(() -> Heads.drafter(folder, new TreePlan.Chain(5), target))
                .hasMessageContaining(
                        "drafts of drafter 'hydra-plus-plus' are 5 deep, but %s has 4 heads"
                                .formatted(folder));
    }

    @Test
    void otherArchitecturesAreRefused(@TempDir Path folder) {
        new Heads(1, true)
                .write(folder, "hydra_lm_head.safetensors", "\"hydra_head_arch\": \"mlp\"");
        refused(folder).hasMessageContaining("hydra_head_arch 'mlp'");
        new Heads(1, true).write(folder, "");
        refused(folder).hasMessageContaining("grounded_heads false");
        new Heads(1, true).write(folder, GROUNDED + ", \"hidden_state_offset\": 1");
        refused(folder).hasMessageContaining("hidden_state_offset 1");
    }

    @Test
    void configurationAndTensorsMustAgree(@TempDir Path folder) {
        new Heads(1, true).write(folder, GROUNDED + ", \"hydra_num_heads\": 5");
        refused(folder).hasMessageContaining("hydra_num_heads");
        new Heads(2, true).write(folder, GROUNDED + ", \"hydra_num_layers\": 1");
        refused(folder).hasMessageContaining("holds tensor 'hydra_mlp.0.3.linear.bias'");
        new Heads(1, true).write(folder, GROUNDED + ", \"hydra_num_layers\": 2");
        refused(folder).hasMessageContaining("hydra_mlp.0.3.linear.weight");
        new Heads(1, true).write(folder, GROUNDED + ", \"hydra_num_layers\": 65");
        refused(folder).hasMessageContaining("4 heads of 65 blocks");
    }

    @Test
    void tensorsThatAreMissingOrOfOtherTargetsAreRefused(@TempDir Path folder) {
        new Heads(1, true).without(NAMES.residual(2) + ".weight").write(folder, GROUNDED);
        refused(folder).hasMessageContaining("hydra_mlp.2.1.res_connection.weight");
        for (var name : List.of(NAMES.block(0, 0), NAMES.block(0, 1), NAMES.residual(0))) {
            new Heads(2, true).without(name + ".bias").write(folder, GROUNDED);
            refused(folder)
                    .hasMessageContaining("CHECKPOINT_INCOMPLETE")
                    .hasMessageContaining(name + ".bias");
        }
        new Heads(1, true).without(PrefixLayout.NORM).write(folder, GROUNDED);
        refused(folder).hasMessageContaining(PrefixLayout.NORM);
        new Heads(1, true).with("medusa.weight", 3).write(folder, GROUNDED);
        refused(folder).hasMessageContaining("holds tensor 'medusa.weight'");
        new Heads(1, true)
                .with(NAMES.projection(1) + ".weight", 300, Heads.HIDDEN)
                .write(folder, GROUNDED);
        refused(folder)
                .hasMessageContaining("DRAFTER_VOCABULARY_MISMATCH")
                .hasMessageContaining("hydra_lm_head.1.1.weight");
        var wider =
                GROUNDED
                        + ", \"model_type\": \"llama\", \"vocab_size\": 512, \"hidden_size\": 32, \"intermediate_size\": 8,"
                        + " \"num_hidden_layers\": 1, \"num_attention_heads\": 2, \"rms_norm_eps\": 1e-5,"
                        + " \"max_position_embeddings\": 64";
        new Heads(1, true).write(folder, wider);
        refused(folder)
                .hasMessageContaining("its prefix layer has 32 numbers, the target's states 64");
    }

    @Test
    void headsThatAreNotUsedAreCheckedToo(@TempDir Path folder) {
        new Heads(1, true)
                .with(NAMES.block(3, 0) + ".weight", Heads.HIDDEN, Heads.HIDDEN)
                .write(folder, GROUNDED);
        assertThatThrownBy(() -> Heads.drafter(folder, new TreePlan.Chain(1), target))
                .hasMessageContaining("CHECKPOINT_SHAPE_MISMATCH")
                .hasMessageContaining(NAMES.block(3, 0));
    }

    private AbstractThrowableAssert<?, ? extends Throwable> refused(Path folder) {
        return assertThatThrownBy(() -> Heads.drafter(folder, new TreePlan.Chain(4), target));
    }
}
