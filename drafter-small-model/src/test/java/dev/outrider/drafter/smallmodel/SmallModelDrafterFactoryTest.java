package dev.outrider.drafter.smallmodel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.testkit.LetterTokenizer;
import java.util.Optional;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class SmallModelDrafterFactoryTest {
    private static final SmallModelConfig CONFIG = Configs.of(new TreePlan.Chain(3));

    @Test
    void isFoundByItsName() {
        var names =
                ServiceLoader.load(OutriderPlugin.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(plugin -> plugin.spiVersion() == OutriderPlugin.SPI_VERSION)
                        .flatMap(plugin -> plugin.drafters().stream())
                        .map(factory -> factory.name());

        assertThat(names).contains("small-model", "pard");
    }

    @Test
    void refusesAnotherTokenizerAndReleasesTheNetwork() {
        var network = new ClosingNetwork();

        assertThatThrownBy(() -> create(network, 9, 9, new TokenizerOnlyTarget(8, 8)))
                .hasMessage(
                        """
                        DRAFTER_VOCABULARY_MISMATCH: drafter 'small-model' at models/draft has the tokenizer \
                        letters9 (9 ids), but target 'letters' has letters8 (8 ids).
                          Choose a draft checkpoint that was trained with the target's tokenizer; its \
                        tokenizer.json must have the same vocabulary and merges. Or set 'vocabulary: shared' or \
                        'vocabulary: text'.\
                        """
                                .replace("models/draft", CONFIG.path().toString()));
        assertThat(network.closed).isTrue();
    }

    @Test
    void refusesACheckpointThatDoesNotCoverItsTokenizer() {
        assertThatThrownBy(() -> create(new ClosingNetwork(), 8, 7, new TokenizerOnlyTarget(8, 8)))
                .hasMessage(
                        """
                        DRAFTER_VOCABULARY_MISMATCH: drafter 'small-model' at models/draft has 7 embeddings, \
                        but its tokenizer has 8 ids.
                          Choose a checkpoint whose vocab_size in config.json covers every id of its \
                        tokenizer.json.\
                        """
                                .replace("models/draft", CONFIG.path().toString()));
    }

    @Test
    void aTargetWithMorePaddingRowsGivesThemProbabilityZero() {
        assertDistributionWidth(8, 12);
    }

    @Test
    void aTargetWithFewerPaddingRowsIsNeverOfferedTheOthers() {
        assertDistributionWidth(12, 9);
    }

    @Test
    void statesSizeAndDigestOfItsWeightsForProvenance() {
        try (var drafter =
                create(new TableNetwork(8, 1, 1.5), 8, 8, new TokenizerOnlyTarget(8, 8))) {
            assertThat(drafter.parameters()).isEqualTo(5);
            assertThat(drafter.digest()).isEqualTo("00");
        }
    }

    private static void assertDistributionWidth(int drafterSize, int targetSize) {
        var drafter =
                create(
                        new TableNetwork(drafterSize, 1, 2),
                        8,
                        drafterSize,
                        new TokenizerOnlyTarget(8, targetSize));
        var policy = SamplingPolicy.atTemperature(1);
        try (var session = drafter.open(new DraftRequest(20, policy))) {
            session.begin(new int[] {1, 2}, SessionDriver.NO_STATES);

            var draft = session.propose(new DraftBudget(3, 3), SessionDriver.randomness(3));

            assertThat(draft.selection()).isInstanceOf(Selection.Independent.class);
            var distributions = ((Selection.Independent) draft.selection()).distributions();
            for (int node = 0; node < 3; node++) {
                assertThat(distributions.row(node)).hasSize(targetSize);
                for (int token = 0; token < targetSize; token++) {
                    assertThat(distributions.row(node)[token] > 0).isEqualTo(token < drafterSize);
                }
            }
        }
        drafter.close();
    }

    private static Drafter create(
            DecoderNetwork network,
            int tokenizerSize,
            int drafterSize,
            TokenizerOnlyTarget target) {
        return new SmallModelDrafterFactory((_, _) ->
                new DraftModel(
                        network,
                        new LetterTokenizer(tokenizerSize),
                        drafterSize,
                        100,
                        5,
                        "00",
                        Optional.empty()))
                .create(CONFIG, () -> target);
    }
}
