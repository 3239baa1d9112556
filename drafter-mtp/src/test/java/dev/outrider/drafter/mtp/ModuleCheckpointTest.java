package dev.outrider.drafter.mtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.drafter.mtp.ModuleCheckpoint.Switches;
import dev.outrider.drafter.mtp.MtpConfig.ConcatOrder;
import dev.outrider.drafter.mtp.MtpConfig.FeedNorm;
import dev.outrider.drafter.mtp.MtpConfig.Recycle;
import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.TinyTarget;
import dev.outrider.drafting.head.BackendKey;
import dev.outrider.drafting.head.DraftBackend;
import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.FusionConfig.Join;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.RowMask;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.nn.vector.VectorFeatureNetwork;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetModel;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModuleCheckpointTest {
    private static final VectorNetwork LENDER = TinyTarget.SHALLOW.network();
    private static final TargetModel TARGET = TinyTarget.SHALLOW.open();

    @TempDir Path folder;

    @AfterAll
    static void close() {
        TARGET.close();
        LENDER.close();
    }

    @Test
    void readsDeepSeeksLayout() throws IOException {
        try (var checkpoint = ModuleCheckpoint.open(ModuleFiles.deepSeek(2).write(folder))) {
            var fusion = checkpoint.architecture(1, checkpoint.switches().order()).fusion();

            assertThat(checkpoint.layout()).isEqualTo(Layout.DEEPSEEK);
            assertThat(checkpoint.modules()).isEqualTo(2);
            assertThat(fusion.orElseThrow().join()).isEqualTo(Join.EMBEDDING_FIRST);
            assertThat(fusion.orElseThrow().has(FusionConfig.Switch.OWN_EMBEDDING)).isFalse();
            assertThat(fusion.orElseThrow().has(FusionConfig.Switch.OWN_HEAD)).isFalse();
            assertThat(checkpoint.switches())
                    .isEqualTo(
                            new Switches(ConcatOrder.EMBEDDING_FIRST, FeedNorm.POST, Recycle.POST));
        }
    }

    @Test
    void readsCopiesOfEmbeddingAndHeadWhereTheyAreStored() throws IOException {
        var files =
                ModuleFiles.deepSeek(1)
                        .put(
                                "model.layers.3.embed_tokens.weight",
                                1,
                                TinyTarget.VOCABULARY,
                                TinyTarget.HIDDEN)
                        .put(
                                "model.layers.3.shared_head.head.weight",
                                1,
                                TinyTarget.VOCABULARY,
                                TinyTarget.HIDDEN);
        try (var checkpoint = ModuleCheckpoint.open(files.write(folder));
                var network = load(checkpoint)) {
            var fusion = network.config().fusion().orElseThrow();

            assertThat(fusion.has(FusionConfig.Switch.OWN_EMBEDDING)).isTrue();
            assertThat(fusion.has(FusionConfig.Switch.OWN_HEAD)).isTrue();
            assertThat(checkpoint.parameters(1, ConcatOrder.EMBEDDING_FIRST))
                    .isGreaterThan(2L * TinyTarget.VOCABULARY * TinyTarget.HIDDEN);
        }
    }

    @Test
    void readsGlmsLayerWithItsBiasesAndNorms() throws IOException {
        try (var checkpoint = ModuleCheckpoint.open(ModuleFiles.glm().write(folder));
                var network = load(checkpoint)) {
            assertThat(checkpoint.layout()).isEqualTo(Layout.DEEPSEEK);
            assertThat(network.config().queryKeyValueBias()).isTrue();
            assertThat(network.config().outputBias()).isFalse();
            assertThat(network.config().queryKeyNorm()).isTrue();
        }
    }

    @Test
    void readsQwensLayerWithGatesAndNormsAroundZero() throws IOException {
        try (var checkpoint = ModuleCheckpoint.open(ModuleFiles.qwen().write(folder));
                var network = load(checkpoint)) {
            var fusion = network.config().fusion().orElseThrow();

            assertThat(checkpoint.layout()).isEqualTo(Layout.QWEN);
            assertThat(fusion.has(FusionConfig.Switch.ZERO_CENTRED_NORMS)).isTrue();
            assertThat(fusion.has(FusionConfig.Switch.GATED_QUERIES)).isTrue();
            assertThat(network.config().queryKeyNorm()).isTrue();
        }
    }

    @Test
    void readsMimosLayoutHiddenHalfFirst() throws IOException {
        try (var checkpoint = ModuleCheckpoint.open(ModuleFiles.mimo().write(folder));
                var network = load(checkpoint)) {
            var fusion = network.config().fusion().orElseThrow();

            assertThat(checkpoint.layout()).isEqualTo(Layout.MIMO);
            assertThat(fusion.join()).isEqualTo(Join.FEATURE_FIRST);
            assertThat(fusion.has(FusionConfig.Switch.MASK_FIRST_POSITION)).isTrue();
            assertThat(network.config().queryKeyValueBias()).isTrue();
        }
    }

    @Test
    void readsWhatTheSpeculatorsLibraryWrites() throws IOException {
        try (var checkpoint =
                ModuleCheckpoint.open(ModuleFiles.speculators().writeNested(folder))) {
            assertThat(checkpoint.layout()).isEqualTo(Layout.SPECULATORS);
            assertThat(checkpoint.switches().order()).isEqualTo(ConcatOrder.EMBEDDING_FIRST);
            assertThat(checkpoint.modules()).isEqualTo(1);
        }
    }

    @Test
    void theSameNumbersGuessTheSameInEveryLayoutOfTheSameLayer() throws IOException {
        // The plain layer in DeepSeek's order of norms and projection, under the others' names.
        var speculators = ModuleFiles.deepSeek(1).renamed(ModuleFiles.speculators(), false);
        var swapped = ModuleFiles.deepSeek(1).renamed(ModuleFiles.speculators(), true);
        float[] expected =
                logits(ModuleFiles.deepSeek(1).write(folder.resolve("a")), Optional.empty());

        assertThat(logits(speculators.writeNested(folder.resolve("b")), Optional.empty()))
                .containsExactly(expected, within(1e-5f));
        assertThat(
                        logits(
                                swapped.writeNested(folder.resolve("c")),
                                Optional.of(ConcatOrder.HIDDEN_FIRST)))
                .containsExactly(expected, within(1e-5f));
        assertThat(distance(logits(folder.resolve("c"), Optional.empty()), expected))
                .isGreaterThan(0.5);
    }

    @Test
    void readsTheSwitchesACheckpointNames() throws IOException {
        var files =
                ModuleFiles.deepSeek(1)
                        .with("mtp_feed_norm", "\"pre\"")
                        .with("mtp_recycle", "\"target\"");
        try (var drafter = create(files.write(folder))) {
            assertThat(drafter.hiddenStates())
                    .containsExactly(new HiddenState.AfterLayer(TinyTarget.SHALLOW.layers()));
        }
        assertRefused(
                ModuleFiles.deepSeek(1).with("mtp_recycle", "\"both\""),
                "MODEL_CONFIG_INVALID: ",
                "has mtp_recycle = \"both\"; expected pre, post or target");
    }

    @Test
    void refusesLatentAttentionByName() throws IOException {
        assertRefused(
                ModuleFiles.deepSeek(1)
                        .put("model.layers.3.self_attn.kv_a_proj_with_mqa.weight", 1, 8, 32),
                "CHECKPOINT_UNSUPPORTED: the modules of ",
                "have latent attention (MLA), tensor 'model.layers.3.self_attn.kv_a_proj_with_mqa.weight'");
        assertRefused(
                ModuleFiles.deepSeek(1)
                        .with("model_type", "\"deepseek_v3\"")
                        .with("kv_lora_rank", "512"),
                "CHECKPOINT_UNSUPPORTED: ",
                "has latent attention (MLA, kv_lora_rank); Outrider runs");
    }

    @Test
    void refusesMixturesOfExpertsByName() throws IOException {
        assertRefused(
                ModuleFiles.qwen().put("mtp.layers.0.mlp.experts.0.up_proj.weight", 1, 4, 32),
                "CHECKPOINT_UNSUPPORTED: the modules of ",
                "have a mixture of experts, tensor 'mtp.layers.0.mlp.experts.0.up_proj.weight'");
        assertRefused(
                ModuleFiles.glm().put("model.layers.3.mlp.gate.weight", 1, 4, 32),
                "CHECKPOINT_UNSUPPORTED: the modules of ",
                "have a mixture of experts, tensor 'model.layers.3.mlp.gate.weight'");
    }

    @Test
    void refusesLayersOfModelsThatAreNotAsInLlama() throws IOException {
        for (var type : new String[] {"mixtral", "gemma2", "gpt_oss"}) {
            assertRefused(
                    ModuleFiles.deepSeek(1)
                            .with("model_type", "\"%s\"".formatted(type))
                            .with("hidden_act", "null"),
                    "CHECKPOINT_UNSUPPORTED: ",
                    "has model_type '%s', whose layers are not as in Llama; Outrider runs modules with a layer as in Llama"
                            .formatted(type));
        }
    }

    @Test
    void expertsInTheTargetsOwnLayersDoNotMatter() throws IOException {
        var files = ModuleFiles.glm().put("model.layers.2.mlp.gate.weight", 1, 4, 32);
        try (var checkpoint = ModuleCheckpoint.open(files.write(folder))) {
            assertThat(checkpoint.modules()).isEqualTo(1);
        }
    }

    @Test
    void refusesQuantisedWeightsByName() throws IOException {
        assertRefused(
                ModuleFiles.deepSeek(1).put("model.layers.3.eh_proj.weight_scale_inv", 1, 1, 1),
                "CHECKPOINT_UNSUPPORTED: the modules of ",
                "have quantised weights, tensor 'model.layers.3.eh_proj.weight_scale_inv'");
    }

    @Test
    void refusesPartlyRotatedHeads() throws IOException {
        assertRefused(
                ModuleFiles.glm().with("partial_rotary_factor", "0.5"),
                "CHECKPOINT_UNSUPPORTED: ",
                "partial_rotary_factor 0.5; Outrider runs rotation of whole heads");
        assertRefused(
                ModuleFiles.qwen().with("partial_rotary_factor", "null"),
                "CHECKPOINT_UNSUPPORTED: ",
                "model_type 'qwen3_next', whose heads are rotated by a part of 0.25 where"
                        + " partial_rotary_factor is not given");
    }

    @Test
    void refusesTensorsItWouldNotRead() throws IOException {
        assertRefused(
                ModuleFiles.qwen().put("mtp.embed_tokens.weight", 1, 40, 32),
                "CHECKPOINT_UNSUPPORTED: the modules of ",
                "hold tensor 'mtp.embed_tokens.weight', which has no meaning in layout QWEN");
        assertRefused(
                ModuleFiles.deepSeek(1).put("model.layers.3.self_attn.q_proj.bias", 1, 32),
                "CHECKPOINT_UNSUPPORTED: ",
                "holds tensor 'model.layers.3.self_attn.q_proj.bias', which the model of its config.json"
                        + " does not have");
    }

    @Test
    void namesAMissingTensor() throws IOException {
        for (var name :
                new String[] {"enorm.weight", "shared_head.norm.weight", "mlp.up_proj.weight"}) {
            assertRefused(
                    ModuleFiles.deepSeek(1).without("model.layers.3." + name),
                    "CHECKPOINT_INCOMPLETE: there is no tensor 'model.layers.3.%s'".formatted(name),
                    "the nearest names are: ");
        }
    }

    @Test
    void namesATensorOfAnotherShape() throws IOException {
        assertRefused(
                ModuleFiles.deepSeek(1).put("model.layers.3.eh_proj.weight", 1, 64, 32),
                "CHECKPOINT_SHAPE_MISMATCH: tensor 'model.layers.3.eh_proj.weight' of ",
                "has shape [64, 32]; expected [32, 64]");
        assertRefused(
                ModuleFiles.mimo().put("model.mtp_layers.0.self_attn.q_proj.bias", 1, 16),
                "CHECKPOINT_SHAPE_MISMATCH: tensor 'model.mtp_layers.0.self_attn.q_proj.bias' of ",
                "has shape [16]; expected [32]");
    }

    @Test
    void refusesANumberOfModulesThatTheFilesDoNotBearOut() throws IOException {
        assertRefused(
                ModuleFiles.deepSeek(2).with("num_nextn_predict_layers", "3"),
                "CHECKPOINT_INCOMPLETE: there is no tensor 'model.layers.5.eh_proj.weight'",
                "the nearest names are: ");
        assertRefused(
                ModuleFiles.deepSeek(2).with("num_nextn_predict_layers", "1"),
                "MODEL_CONFIG_INVALID: ",
                "speaks of 1 modules, but the files hold 2");
        assertRefused(
                ModuleFiles.deepSeek(1).with("num_hidden_layers", "4"),
                "CHECKPOINT_INCOMPLETE: there is no tensor 'model.layers.4.eh_proj.weight'",
                "model.layers.3.eh_proj.weight");
    }

    @Test
    void refusesFilesWithoutModulesAndListsTheLayouts() throws IOException {
        assertRefused(
                ModuleFiles.deepSeek(1).without("model.layers.3.eh_proj.weight"),
                "CHECKPOINT_UNSUPPORTED: ",
                "expected a tensor such as model.layers.N.eh_proj.weight (DEEPSEEK), mtp.fc.weight (QWEN),"
                        + " model.mtp_layers.N.input_proj.weight (MIMO), mtp_layers.N.input_proj.weight"
                        + " (SPECULATORS)");
    }

    @Test
    void refusesPickles() throws IOException {
        ModuleFiles.deepSeek(1).write(folder);
        Files.move(folder.resolve("model.safetensors"), folder.resolve("mtp.pt"));

        assertThatThrownBy(() -> create(folder)).hasMessageStartingWith("PICKLE_REFUSED: ");
    }

    @Test
    void refusesModulesOfAnotherModel() throws IOException {
        var path = ModuleFiles.deepSeek(1).write(folder);
        try (var deeper = new TinyTarget(4, 1).open()) {
            assertThatThrownBy(() -> create(path, deeper))
                    .hasMessageContaining(
                            "belong to a model of 3 layers and hidden size 32, but target 'tiny' has 4 and 32");
        }
    }

    @Test
    void refusesModulesOfAnotherVocabulary() throws IOException {
        var path = ModuleFiles.deepSeek(1).with("vocab_size", "48").write(folder);

        assertThatThrownBy(() -> create(path))
                .hasMessage(
                        """
                        DRAFTER_VOCABULARY_MISMATCH: drafter 'mtp' at %s was trained for 48 tokens, but target 'tiny' has 40.
                          Choose one that was trained for this target.\
                        """
                                .formatted(path));
    }

    @Test
    void refusesMoreModulesThanThereAre() throws IOException {
        var path = ModuleFiles.deepSeek(2).write(folder);
        var config =
                new MtpConfig(
                        new HeadKeys(
                                path,
                                Drafting.of(new TreePlan.Chain(3)),
                                Optional.of(Precision.F32)),
                        new BackendKey(DraftBackend.VECTOR),
                        Optional.of(3),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());

        assertThatThrownBy(() -> MtpPlugin.MTP.create(config, () -> TARGET))
                .hasMessageStartingWith(
                        "CONFIG_INVALID: 'modules' is 3, but '%s' holds 2".formatted(path));
    }

    private void assertRefused(ModuleFiles files, String start, String part) throws IOException {
        var path = files.write(folder);

        assertThatThrownBy(() -> create(path).close())
                .isInstanceOf(OutriderException.class)
                .hasMessageStartingWith(start)
                .hasMessageContaining(part);
    }

    private static Drafter create(Path path) {
        return create(path, TARGET);
    }

    private static Drafter create(Path path, TargetModel target) {
        return MtpPlugin.MTP.create(Configs.drafter(path), () -> target);
    }

    private static FeatureNetwork scripted(DecoderConfig config, WeightSource weights) {
        return new VectorFeatureNetwork(config, weights, Precision.F32, Optional.of(LENDER));
    }

    private static FeatureNetwork load(ModuleCheckpoint checkpoint) {
        return checkpoint
                .load(1, checkpoint.switches().order(), ModuleCheckpointTest::scripted)
                .getFirst();
    }

    private static float[] logits(Path path, Optional<ConcatOrder> order) {
        try (var checkpoint = ModuleCheckpoint.open(path);
                var network =
                        checkpoint
                                .load(
                                        1,
                                        order.orElse(checkpoint.switches().order()),
                                        ModuleCheckpointTest::scripted)
                                .getFirst();
                var cache = network.newCache(4);
                var arena = Arena.ofConfined()) {
            var features = arena.allocate(ValueLayout.JAVA_FLOAT, TinyTarget.HIDDEN);
            for (int i = 0; i < TinyTarget.HIDDEN; i++) {
                features.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) Math.sin(i + 1));
            }
            var block = new RowBlock(cache, new int[] {7}, new int[] {3}, new RowMask.Causal());
            try (var pass =
                    network.forward(
                            block,
                            new FeatureRows(features, 1, FeatureRows.Source.TARGET),
                            PassOutputs.allLogits())) {
                return pass.logits(0).toArray(ValueLayout.JAVA_FLOAT);
            }
        }
    }

    private static double distance(float[] a, float[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += Math.abs(a[i] - b[i]);
        }
        return sum / a.length;
    }
}
