package dev.outrider.drafter.eagle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafter.eagle.LayoutOverrides.LayerOverrides;
import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.TinyTarget;
import dev.outrider.drafting.head.BackendKey;
import dev.outrider.drafting.head.DraftBackend;
import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests that published layouts of P-EAGLE are read, and other files are refused.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PEagleLayoutTest {
    private final TargetModel target = TinyTarget.DEEP.open();
    @TempDir private Path directory = Path.of("");
    private int written;

    @AfterAll
    void close() {
        target.close();
    }

    @Test
    void readsTheLayoutOfSpeculators() {
        var heads = Heads.peagle();
        try (var drafter = load(heads)) {
            var draft = drafter;
            var config = draft.network().config();
            var fusion = config.fusion().orElseThrow();
            assertThat(draft.captured())
                    .isEqualTo(
                            Stream.of(2, 3, 4)
                                    .<HiddenState>map(HiddenState.AfterLayer::new)
                                    .toList());
            assertThat(config.layers()).isEqualTo(2);
            assertThat(fusion.join()).isEqualTo(FusionConfig.Join.WIDE_FIRST_LAYER);
            assertThat(fusion.has(FusionConfig.Switch.NORMED_RESIDUAL)).isTrue();
            assertThat(fusion.capturedNorm()).isEqualTo(FusionConfig.CapturedNorm.JOINED);
            assertThat(fusion.has(FusionConfig.Switch.OWN_EMBEDDING)).isTrue();
            assertThat(fusion.headSize()).isEqualTo(Heads.DRAFT_VOCABULARY);
            assertThat(draft.vocabulary().token(3)).isEqualTo(5);
            assertThat(draft.mask().token()).isEqualTo(37);
            assertThat(draft.mask().hidden())
                    .isEqualTo(
                            Objects.requireNonNull(heads.tensors.get(EagleLayout.Mask.TENSOR))
                                    .toFloats());
        }
    }

    /// The layout that vLLM reads: one layer with the authors' names, and a token under one of two keys.
    @ParameterizedTest
    @ValueSource(strings = {"pard_token", "ptd_token_id"})
    void readsTheOriginalNamesWithAMask(String key) {
        var heads = Heads.eagle3();
        heads.mask(1, 3L * TinyTarget.HIDDEN);
        heads.config.put(key, "12");
        try (var drafter = load(heads)) {
            assertThat(drafter.mask().token()).isEqualTo(12);
            assertThat(drafter.network().config().layers()).isEqualTo(1);
        }
    }

    @Test
    void theConfigurationOverrulesTheCheckpoint() {
        var path = Heads.peagle().write(fresh());
        var config =
                new PEagleConfig(
                        new HeadKeys(path, Drafting.of(new TreePlan.Chain(5)), Optional.empty()),
                        new BackendKey(DraftBackend.VECTOR),
                        new LayerOverrides(
                                Optional.of(List.of(1, 2, 6)),
                                Optional.of(500000.0),
                                Optional.of(false)),
                        Optional.of(3));
        try (var drafter = (ParallelDrafter) EaglePlugin.P_EAGLE.create(config, () -> target)) {
            var layer = drafter.network().config();
            assertThat(drafter.captured().getLast()).isEqualTo(new HiddenState.AfterLayer(6));
            assertThat(layer.ropeTheta()).isEqualTo(500000);
            assertThat(layer.fusion().orElseThrow().has(FusionConfig.Switch.NORMED_RESIDUAL))
                    .isFalse();
            assertThat(drafter.mask().token()).isEqualTo(3);
        }
        assertThatThrownBy(() ->
                        new PEagleConfig(
                                config.head(),
                                config.engine(),
                                LayerOverrides.NONE,
                                Optional.of(-1)))
                .hasMessage("'maskToken' must be a token, got -1");
    }

    @Test
    void everyTensorIsNeeded() {
        var heads = Heads.peagle();
        for (var name : List.copyOf(heads.tensors.keySet())) {
            boolean optional =
                    List.of("d2t", "t2d", "embed_tokens.weight", EagleLayout.Mask.TENSOR)
                            .contains(name);
            if (!optional) {
                refuses(
                        changed -> changed.tensors.remove(name),
                        "CHECKPOINT_INCOMPLETE: there is no tensor '%s' in".formatted(name));
            }
        }
    }

    @Test
    void refusesMasksThatDoNotFit() {
        refuses(
                heads -> heads.mask(1, 1, 2L * TinyTarget.HIDDEN),
                "CHECKPOINT_SHAPE_MISMATCH: tensor 'mask_hidden' in '",
                "has shape [1, 1, 64]; expected [1, 1, 96], the captured states end to end");
        refuses(
                heads -> heads.mask(3, TinyTarget.HIDDEN),
                "has shape [3, 32]; expected [1, 1, 96]");
        refuses(
                heads -> heads.config.put("mask_token_id", "40"),
                "has mask_token_id = 40; expected a token below 40");
        refuses(heads -> heads.config.put("mask_token_id", "-1"), "mask_token_id = -1");
        refuses(heads -> heads.config.put("mask_token_id", "\"a\""), "mask_token_id = \"a\"");
        refuses(
                heads -> heads.config.remove("mask_token_id"),
                "mask_token_id",
                "expected a token below 40");
    }

    @Test
    void refusesHeadsOfOtherKinds() {
        var path = Heads.eagle3().write(fresh());
        assertThatThrownBy(() -> load(path).close())
                .hasMessage(
                        "CHECKPOINT_UNSUPPORTED: '%s/model.safetensors' holds a head of EAGLE-3; drafter 'p-eagle' expects one of P-EAGLE\n"
                                + "  Choose the drafter 'eagle3' for this head, or another head.",
                        path);
        var parallel = Heads.peagle().write(fresh());
        assertThatThrownBy(() ->
                        EaglePlugin.EAGLE_3
                                .create(Configs.eagle3(parallel, Configs.CHAIN), () -> target)
                                .close())
                .hasMessageContaining("Choose the drafter 'p-eagle' for this head");
        refuses(
                heads -> heads.config.put("speculators_model_type", "\"eagle3\""),
                "speculators_model_type 'eagle3'",
                "'peagle' by this drafter");
    }

    private void refuses(Consumer<Heads> fault, String... parts) {
        var heads = Heads.peagle();
        fault.accept(heads);
        assertThatThrownBy(() -> load(heads).close())
                .isInstanceOf(OutriderException.class)
                .hasMessageContainingAll(parts);
    }

    private ParallelDrafter load(Heads heads) {
        return load(heads.write(fresh()));
    }

    private ParallelDrafter load(Path path) {
        return (ParallelDrafter)
                EaglePlugin.P_EAGLE.create(Configs.peagle(path, Configs.CHAIN), () -> target);
    }

    private Path fresh() {
        return directory.resolve("head" + written++);
    }
}
