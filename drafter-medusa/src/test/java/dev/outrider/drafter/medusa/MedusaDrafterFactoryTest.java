package dev.outrider.drafter.medusa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafting.head.BackendKey;
import dev.outrider.drafting.head.DraftBackend;
import dev.outrider.drafting.head.HeadFile;
import dev.outrider.nn.network.Precision;
import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.target.Tokenizer;
import dev.outrider.spi.tree.TreeShape;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MedusaDrafterFactoryTest {
    private static final int SIZE = Cycle.TOKENS;

    @TempDir Path folder;

    @Test
    void isFoundByItsName() {
        var names =
                ServiceLoader.load(OutriderPlugin.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(plugin -> plugin.spiVersion() == OutriderPlugin.SPI_VERSION)
                        .flatMap(plugin -> plugin.drafters().stream())
                        .map(factory -> factory.name());

        assertThat(names).contains("medusa");
    }

    @Test
    void declaresWhatItProposes() {
        var chain = config(Optional.of(2), Optional.empty()).traits();
        assertThat(chain.shape()).isEqualTo(TreeShape.CHAIN);
        assertThat(chain.selections()).containsExactly(Selection.Kind.POINT_MASS);
        assertThat(chain.needsHiddenStates()).isTrue();
        assertThat(chain.maxDepth()).isEqualTo(2);
        var tree =
                config(Optional.empty(), Optional.of(new TreePlan.LevelWidths(List.of(2, 3))))
                        .traits();
        assertThat(tree.shape()).isEqualTo(TreeShape.TREE);
        assertThat(tree.maxNodes()).isEqualTo(8);
        assertThat(config(Optional.empty(), Optional.empty()).traits().maxDepth()).isEqualTo(3);
    }

    @Test
    void aDraftDeeperThanThereAreHeadsIsRefused() {
        heads(2);
        try (var target = Cycle.target()) {
            var config = config(Optional.of(3), Optional.empty());
            assertThatThrownBy(() -> MedusaPlugin.MEDUSA.create(config, () -> target))
                    .hasMessage(
                            """
                            CONFIG_INVALID: drafts of drafter 'medusa' are 3 deep, but %s has 2 heads
                              Give a 'length' or 'tree' of at most 2 levels.\
                            """
                                    .formatted(folder));
        }
    }

    @Test
    void headsWithoutAProjectionNeedATargetThatLendsIts() {
        heads(2);
        try (var target = new Unlending(Cycle.target())) {
            var config = config(Optional.of(2), Optional.empty());
            assertThatThrownBy(() -> MedusaPlugin.MEDUSA.create(config, () -> target))
                    .hasMessage(
                            """
                            CAPABILITY_MISSING: drafter 'medusa' reads the embedding or head of its target, but target 'cycle' (vector/f32) does not share them
                              Use a target that shares them, such as 'vector' or 'djl'.\
                            """);
        }
    }

    @Test
    void statesSizeAndDigestOfTheHeadsForProvenance() {
        heads(3);
        try (var target = Cycle.target();
                var checkpoint = MedusaCheckpoint.open(folder, SIZE, SIZE);
                var drafter =
                        MedusaPlugin.MEDUSA.create(
                                config(Optional.of(2), Optional.empty()), () -> target)) {
            assertThat(drafter.parameters()).isEqualTo(2 * (SIZE * SIZE + SIZE));
            assertThat(drafter.digest()).isEqualTo(checkpoint.digest());
        }
    }

    @Test
    void contradictionsInTheConfigurationAreRefused() {
        var tree = Optional.<TreePlan>of(new TreePlan.Coupled(List.of(2)));
        assertThatThrownBy(() -> config(Optional.empty(), tree))
                .hasMessage(
                        "'tree' has sampled nodes, but Medusa's heads are ranked once"
                                + " a round; give widths, paths, or topK, depth and totalNodes");
        assertThatThrownBy(() -> config(Optional.of(2), tree))
                .hasMessage("'length' (2) and 'tree' exclude each other");
        assertThatThrownBy(() -> config(Optional.of(0), Optional.empty()))
                .hasMessage("'length' 0 must be between 1 and 1024");
    }

    private void heads(int count) {
        var tensors = new HeadFile(2);
        for (int head = 0; head < count; head++) {
            tensors.random(head + ".0.linear.weight", SIZE, SIZE)
                    .random(head + ".0.linear.bias", SIZE);
        }
        tensors.write(folder);
    }

    private MedusaConfig config(Optional<Integer> length, Optional<TreePlan> tree) {
        return new MedusaConfig(folder, Optional.empty(), BackendKey.VECTOR, length, tree);
    }

    @Test
    void refusesANumberFormatThatTheDeviceDoesNotHave() {
        assertThatThrownBy(() ->
                        new MedusaConfig(
                                folder,
                                Optional.of(Precision.BF16),
                                new BackendKey(DraftBackend.TORNADO),
                                Optional.empty(),
                                Optional.empty()))
                .hasMessage(
                        "'precision' is bf16, which 'backend: tornado' does not have; expected f32 or f16 or int8 or int4");
    }

    /// A target that does not lend its weights.
    private record Unlending(TargetModel target) implements TargetModel {
        @Override
        public TargetDescription description() {
            return target.description();
        }

        @Override
        public Tokenizer tokenizer() {
            return target.tokenizer();
        }

        @Override
        public TargetSession open(SessionRequest request) {
            return target.open(request);
        }

        @Override
        public List<TargetScores> scoreAll(List<ScoreRequest> requests) {
            return target.scoreAll(requests);
        }

        @Override
        public <T> Optional<T> capability(Class<T> type) {
            return Optional.empty();
        }

        @Override
        public void close() {
            target.close();
        }
    }
}
