package dev.outrider.drafter.eagle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafter.eagle.LayoutOverrides.LayerOverrides;
import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.TinyTarget;
import dev.outrider.drafting.VocabularyMaps;
import dev.outrider.drafting.feature.FeatureDrafter;
import dev.outrider.drafting.feature.Recycling;
import dev.outrider.drafting.head.BackendKey;
import dev.outrider.drafting.head.DraftBackend;
import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Tests checkpoints in every layout: how they are recognised, and which are refused by name.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LayoutTest {
    @TempDir private Path directory = Path.of("");
    private final TargetModel target = TinyTarget.DEEP.open();
    private int written;

    @AfterAll
    void close() {
        target.close();
    }

    @Test
    void readsTheOriginalLayoutOfTheFirstGeneration() {
        check1(
                Heads.eagle1(),
                draft -> {
                    var fusion = draft.network().config().fusion().orElseThrow();
                    assertThat(draft.captured()).containsExactly(new HiddenState.AfterFinalNorm());
                    assertThat(draft.recycling()).isEqualTo(Recycling.BEFORE_NORM);
                    assertThat(fusion.join()).isEqualTo(FusionConfig.Join.EMBEDDING_FIRST);
                    assertThat(fusion.has(FusionConfig.Switch.JOIN_BIAS)).isTrue();
                    assertThat(fusion.has(FusionConfig.Switch.FIRST_INPUT_NORM)).isFalse();
                    assertThat(fusion.has(FusionConfig.Switch.OUTPUT_NORM)).isFalse();
                    assertThat(fusion.has(FusionConfig.Switch.OWN_EMBEDDING)).isTrue();
                    assertThat(fusion.has(FusionConfig.Switch.OWN_HEAD)).isFalse();
                });
    }

    @Test
    void readsHeadsWithNormedHalvesAndWithoutBias() {
        var heads = Heads.eagle1();
        heads.config.put("bias", "false");
        heads.tensors.remove("fc.bias");
        heads.tensors.remove("embed_tokens.weight");
        heads.vector("embed_layernorm.weight", TinyTarget.HIDDEN, 1);
        heads.vector("hidden_layernorm.weight", TinyTarget.HIDDEN, 1);
        check1(
                heads,
                draft -> {
                    var fusion = draft.network().config().fusion().orElseThrow();
                    assertThat(fusion.has(FusionConfig.Switch.EMBEDDING_NORM)).isTrue();
                    assertThat(fusion.has(FusionConfig.Switch.FEATURE_NORM)).isTrue();
                    assertThat(fusion.has(FusionConfig.Switch.JOIN_BIAS)).isFalse();
                    assertThat(fusion.has(FusionConfig.Switch.OWN_EMBEDDING)).isFalse();
                });
    }

    @Test
    void readsTheOriginalLayoutOfTheThirdGeneration() {
        check3(
                Heads.eagle3(),
                draft -> {
                    var config = draft.network().config();
                    var fusion = config.fusion().orElseThrow();
                    // Inputs of layers 2, L/2, L-3 of a target with 6 layers.
                    assertThat(draft.captured()).isEqualTo(after(2, 3, 3));
                    assertThat(config.ropeTheta()).isEqualTo(10000);
                    assertThat(fusion.join()).isEqualTo(FusionConfig.Join.WIDE_FIRST_LAYER);
                    assertThat(fusion.has(FusionConfig.Switch.NORMED_RESIDUAL)).isFalse();
                    assertThat(fusion.has(FusionConfig.Switch.OUTPUT_NORM)).isTrue();
                    assertThat(fusion.has(FusionConfig.Switch.OWN_EMBEDDING)).isFalse();
                    assertThat(fusion.headSize()).isEqualTo(Heads.DRAFT_VOCABULARY);
                    assertThat(draft.vocabulary().token(3)).isEqualTo(5);
                    assertThat(draft.vocabulary().token(9)).isEqualTo(39);
                });
    }

    @Test
    void specForgeIdsCountOutputs() {
        check3(Heads.specForge(), draft -> assertThat(draft.captured()).isEqualTo(after(2, 3, 4)));
    }

    @Test
    void speculatorsIdsCountInputsAndItsNormOutputRecyclesTheNormedState() {
        check3(
                Heads.speculators(),
                draft -> {
                    var fusion = draft.network().config().fusion().orElseThrow();
                    assertThat(draft.captured()).isEqualTo(after(2, 3, 4));
                    assertThat(draft.recycling()).isEqualTo(Recycling.AFTER_NORM);
                    assertThat(fusion.has(FusionConfig.Switch.NORMED_RESIDUAL)).isTrue();
                    assertThat(fusion.has(FusionConfig.Switch.OUTPUT_NORM)).isTrue();
                    assertThat(fusion.capturedNorm()).isEqualTo(FusionConfig.CapturedNorm.JOINED);
                });
    }

    /// The additions of EAGLE-3.1 mean the same in every layout.
    @Test
    void normOutputRecyclesTheNormedStateInEveryLayout() {
        for (var heads :
                List.of(Heads.eagle3(), Heads.specForge(), Heads.speculators(), Heads.deepSpec())) {
            heads.config.put("norm_output", "true");
            check3(
                    heads,
                    draft -> {
                        assertThat(draft.recycling()).isEqualTo(Recycling.AFTER_NORM);
                        assertThat(
                                        draft.network()
                                                .config()
                                                .fusion()
                                                .orElseThrow()
                                                .has(FusionConfig.Switch.OUTPUT_NORM))
                                .isTrue();
                    });
            heads.config.put("norm_output", "false");
            check3(
                    heads,
                    draft -> {
                        assertThat(draft.recycling()).isEqualTo(Recycling.BEFORE_NORM);
                        assertThat(
                                        draft.network()
                                                .config()
                                                .fusion()
                                                .orElseThrow()
                                                .has(FusionConfig.Switch.OUTPUT_NORM))
                                .isTrue();
                    });
        }
    }

    @Test
    void refusesTwoNormsBeforeTheMatrix() {
        refuses3(
                heads -> heads.config.put("fc_norm", "true"),
                heads -> heads.config.put("norm_before_fc", "true"),
                "has both fc_norm and norm_before_fc; expected at most one");
    }

    @Test
    void oneNormPerCapturedStateIsRead() {
        var heads = Heads.speculators();
        heads.config.remove("norm_before_fc");
        heads.config.put("fc_norm", "true");
        heads.tensors.remove("input_norm.weight");
        for (int state = 0; state < 3; state++) {
            heads.vector("fc_norm.%d.weight".formatted(state), TinyTarget.HIDDEN, 1);
        }
        check3(
                heads,
                draft ->
                        assertThat(draft.network().config().fusion().orElseThrow().capturedNorm())
                                .isEqualTo(FusionConfig.CapturedNorm.EACH));
    }

    @Test
    void deepSpecIdsCountOutputsFromTheEmbedding() {
        check3(
                Heads.deepSpec(),
                draft -> {
                    var config = draft.network().config();
                    assertThat(draft.captured()).isEqualTo(after(0, 3, 6));
                    assertThat(config.queryKeyNorm()).isTrue();
                    assertThat(config.fusion().orElseThrow().has(FusionConfig.Switch.OWN_EMBEDDING))
                            .isTrue();
                    assertThat(draft.vocabulary().width()).isEqualTo(TinyTarget.VOCABULARY);
                });
    }

    @Test
    void theConfigurationOverrulesTheDialect() {
        var path = Heads.eagle3().write(fresh());
        var config =
                new Eagle3Config(
                        new HeadKeys(path, Drafting.of(new TreePlan.Chain(5)), Optional.empty()),
                        new BackendKey(DraftBackend.VECTOR),
                        new LayoutOverrides(
                                new LayerOverrides(
                                        Optional.of(List.of(1, 2, 6)),
                                        Optional.of(500000.0),
                                        Optional.of(true)),
                                Optional.of(true)));
        try (var drafter = EaglePlugin.EAGLE_3.create(config, () -> target)) {
            var draft = (FeatureDrafter) drafter;
            assertThat(draft.captured()).isEqualTo(after(1, 2, 6));
            assertThat(draft.network().config().ropeTheta()).isEqualTo(500000);
            assertThat(
                            draft.network()
                                    .config()
                                    .fusion()
                                    .orElseThrow()
                                    .has(FusionConfig.Switch.NORMED_RESIDUAL))
                    .isTrue();
            assertThat(draft.recycling()).isEqualTo(Recycling.AFTER_NORM);
        }
    }

    @Test
    void aMapMayBeMadeOfTheMembersAlone() {
        var heads = Heads.eagle3();
        heads.tensors.remove(VocabularyMaps.OFFSETS);
        check3(heads, draft -> assertThat(draft.vocabulary().token(4)).isEqualTo(9));
    }

    @Test
    void refusesMapsThatContradictTheHead() {
        refuses3(
                heads -> heads.tensors.remove(VocabularyMaps.OFFSETS),
                heads -> heads.tensors.remove(VocabularyMaps.MEMBERS),
                "has a head of 10 tokens for a target of 40, and neither 'd2t' nor 't2d' that would"
                        + " say which");
        refuses3(
                heads -> heads.maps(0, 1, 2, 5, 9, 11, 20, 30, 38),
                _ -> {},
                "'d2t' has shape [9]; expected [10], the number of logits of the head");
        refuses3(
                heads ->
                        heads.put(
                                StoredTensor.ofLongs(
                                        VocabularyMaps.OFFSETS,
                                        new long[] {0, 0, 0, 2, 1, 6, 14, 23, 30, 30},
                                        10)),
                _ -> {},
                "'d2t' maps draft id 4 to target id 5; expected above 5 and below 40");
        refuses3(
                heads ->
                        heads.put(
                                StoredTensor.ofLongs(
                                        VocabularyMaps.OFFSETS,
                                        new long[] {0, 0, 0, 2, 5, 6, 14, 23, 30, 31},
                                        10)),
                _ -> {},
                "'d2t' maps draft id 9 to target id 40; expected above 38 and below 40");
        refuses3(
                heads ->
                        heads.put(
                                StoredTensor.ofLongs(
                                        VocabularyMaps.OFFSETS,
                                        new long[] {0, 0, 0, 2, 6, 6, 14, 23, 30, 30},
                                        10)),
                _ -> {},
                "'d2t' maps draft id 4 to target id 10, which 't2d' leaves out");
    }

    @Test
    void refusesWrongShapesByName() {
        refuses3(
                heads -> heads.matrix("fc.weight", TinyTarget.HIDDEN, 2 * TinyTarget.HIDDEN),
                _ -> {},
                "tensor 'fc.weight'",
                "has shape [32, 64]; expected [32, 96]");
        // Attention that reads only one half, as in the first generation.
        refuses3(
                heads -> heads.matrix("midlayer.self_attn.q_proj.weight", 32, 32),
                _ -> {},
                "tensor 'midlayer.self_attn.q_proj.weight'",
                "has shape [32, 32]; expected [32, 64]");
        refuses1(
                heads -> heads.matrix("fc.weight", 2 * TinyTarget.HIDDEN, TinyTarget.HIDDEN),
                "tensor 'fc.weight'",
                "has shape [64, 32]; expected [32, 64]");
        refuses1(
                heads -> heads.config.put("vocab_size", "41"),
                "DRAFTER_VOCABULARY_MISMATCH: drafter 'eagle' at ",
                "was trained for 41 tokens, but target 'tiny' has 40.");
    }

    @Test
    void refusesMissingTensorsByName() {
        for (var name :
                List.of(
                        "fc.weight",
                        "lm_head.weight",
                        "norm.weight",
                        "midlayer.hidden_norm.weight",
                        "midlayer.self_attn.o_proj.weight",
                        "midlayer.mlp.down_proj.weight")) {
            refuses3(
                    heads -> heads.tensors.remove(name),
                    _ -> {},
                    "CHECKPOINT_INCOMPLETE: there is no tensor '%s' in".formatted(name));
        }
        refuses1(
                heads -> heads.tensors.remove("fc.bias"),
                "has bias = true; expected false, as 'fc.bias' is not");
        refuses1(
                heads -> heads.config.put("bias", "false"),
                "has bias = false; expected true, as 'fc.bias' is stored");
    }

    @Test
    void refusesTensorsNobodyWouldUse() {
        refuses1(
                heads -> heads.vector("hidden_norm.weight", TinyTarget.HIDDEN, 1),
                "CHECKPOINT_UNSUPPORTED",
                "holds tensor 'hidden_norm.weight', which a head of the original layout"
                        + " does not have");
        refuses3(
                heads -> heads.vector("input_norm.weight", 3 * TinyTarget.HIDDEN, 1),
                _ -> {},
                "holds tensor 'input_norm.weight', which a head of the original layout does not"
                        + " have");
    }

    @Test
    void refusesHeadsOfTheOtherKind() {
        for (var heads :
                List.of(Heads.eagle3(), Heads.specForge(), Heads.speculators(), Heads.deepSpec())) {
            var path = heads.write(fresh());
            assertThatThrownBy(() -> load1(path).close())
                    .hasMessage(
                            "CHECKPOINT_UNSUPPORTED: '%s/model.safetensors' holds a head of EAGLE-3; drafter 'eagle' expects one of EAGLE-1\n"
                                    + "  Choose the drafter 'eagle3' for this head, or another head.",
                            path);
        }
        var path = Heads.eagle1().write(fresh());
        assertThatThrownBy(() -> load3(path).close())
                .hasMessage(
                        "CHECKPOINT_UNSUPPORTED: '%s/model.safetensors' holds a head of EAGLE-1; drafter 'eagle3' expects one of EAGLE-3\n"
                                + "  Choose the drafter 'eagle' for this head, or another head.",
                        path);
    }

    /// A list with a name for each of these layers would fill the memory before the first missing layer was reported.
    @Test
    void refusesLayersThatAreNotThere() {
        refuses1(
                heads -> heads.config.put("num_hidden_layers", "1000000000"),
                "CHECKPOINT_INCOMPLETE: there is no tensor 'layers.1.");
        refuses3(
                heads -> heads.config.put("num_hidden_layers", "1000000000"),
                _ -> {},
                "CHECKPOINT_UNSUPPORTED: ",
                "holds one tensor 'midlayer.");
    }

    @Test
    void refusesLayersTheTargetDoesNotHave() {
        refuses3(
                heads -> heads.config.put("eagle_aux_hidden_state_layer_ids", "[2, 3, 7]"),
                _ -> {},
                "asks for the residual stream after [2, 3, 7] layers of target 'tiny', which has"
                        + " 6");
    }

    @Test
    void refusesOtherSpeculators() {
        var heads = Heads.speculators();
        heads.config.put("speculators_model_type", "\"dflash\"");
        assertThatThrownBy(() -> load3(heads.write(fresh())))
                .hasMessageContaining("speculators_model_type 'dflash'");
    }

    @Test
    void refusesPickles() throws IOException {
        var path = Heads.eagle1().write(fresh());
        Files.move(path.resolve("model.safetensors"), path.resolve("pytorch_model.bin"));
        assertThatThrownBy(() -> load1(path))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("PICKLE_REFUSED")
                .hasMessageContaining("safetensors");
    }

    private void check1(Heads heads, Consumer<FeatureDrafter> check) {
        try (var drafter = load1(heads.write(fresh()))) {
            check.accept(drafter);
        }
    }

    private void check3(Heads heads, Consumer<FeatureDrafter> check) {
        try (var drafter = load3(heads.write(fresh()))) {
            check.accept(drafter);
        }
    }

    private void refuses1(Consumer<Heads> fault, String... parts) {
        var heads = Heads.eagle1();
        fault.accept(heads);
        var path = heads.write(fresh());
        assertThatThrownBy(() -> load1(path).close())
                .isInstanceOf(OutriderException.class)
                .hasMessageContainingAll(parts);
    }

    private void refuses3(Consumer<Heads> fault, Consumer<Heads> other, String... parts) {
        var heads = Heads.eagle3();
        fault.accept(heads);
        other.accept(heads);
        var path = heads.write(fresh());
        assertThatThrownBy(() -> load3(path).close())
                .isInstanceOf(OutriderException.class)
                .hasMessageContainingAll(parts);
    }

    private FeatureDrafter load1(Path path) {
        return (FeatureDrafter)
                EaglePlugin.EAGLE.create(Configs.eagle(path, Configs.CHAIN), () -> target);
    }

    private FeatureDrafter load3(Path path) {
        return (FeatureDrafter)
                EaglePlugin.EAGLE_3.create(Configs.eagle3(path, Configs.CHAIN), () -> target);
    }

    private Path fresh() {
        return directory.resolve("head" + written++);
    }

    private static List<HiddenState> after(Integer... layers) {
        return Arrays.stream(layers).<HiddenState>map(HiddenState.AfterLayer::new).toList();
    }
}
