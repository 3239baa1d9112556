package dev.outrider.drafter.mtp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.TinyTarget;
import dev.outrider.drafting.feature.FeatureDrafter;
import dev.outrider.drafting.feature.Recycling;
import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The target accepts whole drafts of modules that output its true next state, for any number of modules and every shape of the
/// draft; it does not accept drafts of modules that output the previous state. The oracle also checks every feature that it gets.
class OracleTest {
    private static final int TOKENS = 40;
    private static final TargetModel TARGET = TinyTarget.SHALLOW.open();
    private static final DecoderNetwork NETWORK = TinyTarget.SHALLOW.network();

    @AfterAll
    static void close() {
        TARGET.close();
        NETWORK.close();
    }

    @ParameterizedTest
    @CsvSource({"1,1", "1,5", "2,2", "2,5", "3,3", "3,6"})
    void chainsOfTrueStatesAreAcceptedWhole(int modules, int length) {
        for (int prompt = 0; prompt < 5; prompt++) {
            var rounds = rounds(oracles(modules), new TreePlan.Chain(length), prompt);

            assertThat(rounds).allMatch(round -> round.verdict().acceptedLength() == depth(round));
            assertThat(rounds.getFirst().draft().tree().maxDepth()).isEqualTo(length);
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "3"})
    void treesOfTrueStatesHoldThePathThatIsAccepted(int modules) {
        for (int prompt = 0; prompt < 5; prompt++) {
            var rounds =
                    rounds(oracles(modules), new TreePlan.LevelWidths(List.of(3, 2, 2, 1)), prompt);

            assertThat(rounds).allMatch(round -> round.verdict().acceptedLength() == depth(round));
        }
    }

    @Test
    void statesOfTheTokenBeforeAreNotAccepted() {
        int accepted = 0;
        int drafted = 0;
        for (int prompt = 0; prompt < 5; prompt++) {
            for (var round :
                    rounds(List.of(OracleNetwork.late(NETWORK)), new TreePlan.Chain(4), prompt)) {
                accepted += round.verdict().acceptedLength();
                drafted += depth(round);
            }
        }
        assertThat((double) accepted / drafted).isLessThan(0.3);
    }

    private static int depth(DecodeEvent.RoundCompleted round) {
        return round.draft().tree().maxDepth();
    }

    private static List<FeatureNetwork> oracles(int modules) {
        return IntStream.rangeClosed(1, modules)
                .<FeatureNetwork>mapToObj(module -> new OracleNetwork(NETWORK, module))
                .toList();
    }

    private static List<DecodeEvent.RoundCompleted> rounds(
            List<FeatureNetwork> modules, TreePlan plan, int prompt) {
        Drafter drafter =
                new FeatureDrafter(
                        modules,
                        List.of(new HiddenState.AfterFinalNorm()),
                        Recycling.AFTER_NORM,
                        DraftVocabulary.shared(TinyTarget.VOCABULARY, TinyTarget.VOCABULARY),
                        Drafting.of(plan),
                        1,
                        "");
        var rounds = new ArrayList<DecodeEvent.RoundCompleted>();
        new Decoder(
                        TARGET,
                        Optional.of(drafter),
                        new GreedyRule(),
                        FixedLength.drafterLimit(),
                        true,
                        () -> 0)
                .decode(
                        DecodeRequest.of(prompt(prompt), TOKENS, SamplingPolicy.argmax()),
                        RandomnessSource.of(new KeyedRandomStreams(1, prompt)),
                        event -> {
                            if (event instanceof DecodeEvent.RoundCompleted round) {
                                rounds.add(round);
                            }
                        },
                        () -> false);
        return rounds;
    }

    private static int[] prompt(int number) {
        var beginning = OracleNetwork.BEGINNING;
        var more = new Random(number).ints(number * 40L, 0, TinyTarget.VOCABULARY).toArray();
        var prompt = Arrays.copyOf(beginning, beginning.length + more.length);
        System.arraycopy(more, 0, prompt, beginning.length, more.length);
        return prompt;
    }
}
