package dev.outrider.drafter.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafter.block.BlockLayout.Slots;
import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.TinyTarget;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Path;
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
    private static final TreePlan CHAIN = new TreePlan.Chain(2);

    @TempDir private Path directory = Path.of("");
    private final TargetModel target = TinyTarget.DEEP.open();
    private int written;

    @AfterAll
    void close() {
        target.close();
    }

    @Test
    void theAuthorsIdsCountOutputsAndGuessesBeginAfterTheAnchor() {
        check(
                Opened.dflash(target, write(Files.nested()), CHAIN),
                draft -> {
                    assertThat(draft.captured()).isEqualTo(after(2, 4, 5));
                    assertThat(draft.slots()).isEqualTo(new Slots(Files.BLOCK, Files.MASK, false));
                    assertThat(draft.vocabulary().width()).isEqualTo(TinyTarget.VOCABULARY);
                    assertThat(draft.markov()).isEmpty();
                });
    }

    @Test
    void theAuthorsSpreadLayersThatAFileDoesNotName() {
        var files = Files.nested();
        files.section.remove("target_layer_ids");
        files.config.put("num_hidden_layers", "1");
        files.tensors.keySet().removeIf(name -> name.startsWith("layers.1."));
        files.matrix("fc.weight", TinyTarget.HIDDEN, TinyTarget.HIDDEN);
        check(
                Opened.dflash(target, write(files), CHAIN),
                draft -> assertThat(draft.captured()).isEqualTo(after(4)));

        var two = Files.nested();
        two.section.remove("target_layer_ids");
        two.matrix("fc.weight", TinyTarget.HIDDEN, 2 * TinyTarget.HIDDEN);
        check(
                Opened.dflash(target, write(two), CHAIN),
                draft -> assertThat(draft.captured()).isEqualTo(after(2, 4)));
    }

    @Test
    void newerFilesHaveTheBlockSizeInside() {
        var files = Files.nested();
        files.config.remove("block_size");
        files.section.put("block_size", "3");
        check(
                Opened.dflash(target, write(files), CHAIN),
                draft -> assertThat(draft.slots().guesses()).isEqualTo(2));
    }

    @Test
    void specForgesDSparkGuessesFromTheAnchorWhateverItsHeadsAreCalled() {
        for (var files :
                List.of(
                        Files.nestedSpark(HeadForm.Type.GATED),
                        Files.nestedSpark(HeadForm.Type.GATED).olderNames())) {
            check(
                    Opened.dspark(target, write(files), CHAIN),
                    draft -> {
                        assertThat(draft.slots().fromAnchor()).isTrue();
                        assertThat(draft.markov().orElseThrow().type())
                                .isEqualTo(HeadForm.Type.GATED);
                        assertThat(draft.confidence()).isPresent();
                    });
        }
    }

    @Test
    void deepSpecsIdsCountOutputsFromTheEmbedding() {
        check(
                Opened.dspark(target, write(Files.deepSpec(HeadForm.Type.VANILLA)), CHAIN),
                draft -> {
                    assertThat(draft.captured()).isEqualTo(after(0, 3, 6));
                    assertThat(draft.slots().fromAnchor()).isTrue();
                    var fusion = draft.backbone().config().fusion().orElseThrow();
                    assertThat(fusion.has(FusionConfig.Switch.OWN_HEAD)).isTrue();
                    assertThat(fusion.has(FusionConfig.Switch.OWN_EMBEDDING)).isTrue();
                });
    }

    @Test
    void deepSpecsDFlashIsItsDSparkWithoutHeads() {
        var files = Files.deepSpec(HeadForm.Type.VANILLA);
        files.config.put("markov_rank", "0");
        files.config.put("enable_confidence_head", "false");
        files.tensors.keySet().removeIf(name -> name.contains("_head.") && !name.startsWith("lm_"));
        check(
                Opened.dflash(target, write(files), CHAIN),
                draft -> assertThat(draft.slots().fromAnchor()).isTrue());
    }

    @Test
    void speculatorsIdsCountInputsAndItsDraftVocabularyIsMapped() {
        check(
                Opened.dflash(target, write(Files.speculators()), CHAIN),
                draft -> {
                    assertThat(draft.captured()).isEqualTo(after(2, 4, 5));
                    assertThat(draft.slots().fromAnchor()).isFalse();
                    assertThat(draft.vocabulary().width()).isEqualTo(Files.DRAFT_VOCABULARY);
                    assertThat(draft.vocabulary().token(4)).isEqualTo(9);
                });
        check(
                Opened.dspark(target, write(Files.speculatorsSpark(HeadForm.Type.RNN)), CHAIN),
                draft -> assertThat(draft.slots().fromAnchor()).isTrue());
    }

    /// Layers are Qwen3's, including norms of queries and keys, although the target's family has none.
    @Test
    void layersAreTheSameWhateverTheFamily() {
        var files = Files.nested();
        files.config.put("model_type", "\"llama\"");
        check(
                Opened.dflash(target, write(files), CHAIN),
                draft -> assertThat(draft.backbone().config().queryKeyNorm()).isTrue());
    }

    @Test
    void theDraftersConfigurationOverrulesTheFile() {
        var overrides =
                new BlockOverrides(
                        Optional.of(List.of(1, 2, 3)), Optional.of(true), Optional.of(4));
        check(
                Opened.dflash(target, write(Files.nested()), Drafting.of(CHAIN), overrides),
                draft -> {
                    assertThat(draft.captured()).isEqualTo(after(1, 2, 3));
                    assertThat(draft.slots()).isEqualTo(new Slots(Files.BLOCK, 4, true));
                });
    }

    @Test
    void refusesTheOtherDraftersCheckpoints() {
        assertThatThrownBy(() ->
                        Opened.dflash(
                                target, write(Files.nestedSpark(HeadForm.Type.VANILLA)), CHAIN))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("drafter 'dflash' expects a checkpoint of DFlash")
                .hasMessageContaining("Choose the drafter 'dspark'");
        assertThatThrownBy(() -> Opened.dspark(target, write(Files.nested()), CHAIN))
                .hasMessageContaining("Choose the drafter 'dflash'");
    }

    @Test
    void refusesDraftsDeeperThanABlock() {
        assertThatThrownBy(
                        () -> Opened.dflash(target, write(Files.nested()), new TreePlan.Chain(5)))
                .hasMessageContaining("drafts of drafter 'dflash' are 5 deep, but a block of")
                .hasMessageContaining("guesses 4 tokens");
    }

    @Test
    void refusesAThresholdWithoutAHeadForIt() {
        var files = Files.nestedSpark(HeadForm.Type.VANILLA);
        files.section.put("enable_confidence_head", "false");
        files.section.put("confidence_head_with_markov", "false");
        files.tensors.keySet().removeIf(name -> name.startsWith("confidence_head."));
        assertThatThrownBy(() ->
                        Opened.dspark(
                                target, write(files), Drafting.of(CHAIN), 0.5, BlockOverrides.NONE))
                .hasMessageContaining("'acceptanceThreshold' is 0.5, but")
                .hasMessageContaining("has no confidence head");
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        refused(
                files -> files.section.put("projector_type", "\"domino\""),
                "projector_type 'domino'");
        refused(files -> files.section.put("mask_token_id", "40"), "mask_token_id = 40");
        refused(files -> files.section.remove("mask_token_id"), "mask_token_id");
        refused(files -> files.config.put("block_size", "1"), "block_size = 1");
        refused(files -> files.config.put("block_size", "9000000"), "block_size = 9000000");
        refused(files -> files.section.put("target_layer_ids", "[1, 3, 9]"), "which has 6");
        refused(files -> files.section.put("target_layer_ids", "[]"), "target_layer_ids");
        refused(files -> files.vector("layers.0.extra", 3, 0), "layers.0.extra");
        refused(files -> files.tensors.remove("hidden_norm.weight"), "hidden_norm.weight");
        refused(files -> files.matrix("fc.weight", 32, 64), "fc.weight");
        refused(files -> files.config.put("vocab_size", "41"), "trained for 41 tokens");
        refused(
                files ->
                        files.config.put(
                                "layer_types", "[\"sliding_attention\", \"full_attention\"]"),
                "sliding_window");
        refused(files -> files.section.clear(), "speculators");
    }

    @Test
    void refusesRanksThatNoFileHolds() {
        var files = Files.nestedSpark(HeadForm.Type.VANILLA);
        files.section.put("markov_rank", "2000000000");
        assertThatThrownBy(() -> Opened.dspark(target, write(files), CHAIN))
                .hasMessageContaining("markov_rank = 2000000000");
    }

    private void refused(Consumer<Files> change, String message) {
        var files = Files.nested();
        change.accept(files);
        assertThatThrownBy(() -> Opened.dflash(target, write(files), CHAIN))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining(message);
    }

    private void check(BlockDrafter drafter, Consumer<BlockDrafter> checks) {
        try (drafter) {
            assertThat(drafter.parameters()).isPositive();
            assertThat(drafter.digest()).hasSize(64);
            assertThat(drafter.hiddenStates())
                    .containsExactlyInAnyOrderElementsOf(drafter.captured());
            checks.accept(drafter);
        }
    }

    private Path write(Files files) {
        return files.write(directory.resolve("" + written++));
    }

    private static List<HiddenState> after(Integer... layers) {
        return List.of(layers).stream().<HiddenState>map(HiddenState.AfterLayer::new).toList();
    }
}
