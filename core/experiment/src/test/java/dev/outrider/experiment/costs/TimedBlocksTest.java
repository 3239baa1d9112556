package dev.outrider.experiment.costs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.experiment.costs.TimedBlocks.TimedPasses;
import dev.outrider.experiment.results.RoundLine;
import dev.outrider.experiment.results.RoundLine.TimedRound;
import dev.outrider.experiment.stats.FirstRounds;
import dev.outrider.spi.run.DecodeEvent.StageTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Times of a machine whose speed differs between blocks, and whose first rounds are slow.
final class TimedBlocksTest {
    private static final int BLOCKS = 12;
    private static final Set<String> PLAIN = Set.of("plain");

    private final List<TimedRound> rounds = new ArrayList<>();
    private int generation;

    /// A pass of n rows takes 1,000, and 400 for each row beside the first; a step of a draft 100; the engine 25, and 5 per level;
    /// each of the first rounds takes 30 more.
    private void block(int block, double slowness, int... depths) {
        generation("plain", block, slowness, 0, 0);
        generation("plain", block, slowness, 15, 2);
        for (int depth : depths) {
            generation("drawn", block, slowness, depth, depth);
        }
    }

    private void generation(String variant, int block, double slowness, int nodes, int depth) {
        for (int index = 0; index < 3 * FirstRounds.MAX; index++) {
            double more = index < FirstRounds.MAX ? 30 : 0;
            var times =
                    new StageTimes(
                            Math.round(slowness * 100 * depth),
                            Math.round(slowness * (1_000 + 400 * nodes + more)),
                            Math.round(slowness * (25 + 5 * depth)),
                            0,
                            0,
                            0);
            rounds.add(
                    new TimedRound(
                            new RoundLine(
                                    variant,
                                    "p",
                                    block,
                                    new RoundLine.Round(
                                            nodes, depth, 0, 1, times, Optional.empty())),
                            generation,
                            index));
        }
        generation++;
    }

    private TimedBlocks timed(IntToDoubleFunction slowness) {
        for (int block = 0; block < BLOCKS; block++) {
            block(block, slowness.applyAsDouble(block), 1, 3);
        }
        return TimedBlocks.of(rounds, PLAIN).orElseThrow();
    }

    @Test
    void aMachineThatIsSlowForAWhileMovesNoQuotient() {
        var timed = timed(block -> block % 3 == 0 ? 40 : 20 + block);
        var curve = TimedPasses.curve(timed.passes());

        assertThat(curve.points()).containsOnlyKeys(1, 2, 4, 16);
        assertThat(curve.at(2) / curve.at(1)).isCloseTo(1.4, within(1e-9));
        assertThat(curve.at(4) / curve.at(1)).isCloseTo(2.2, within(1e-9));
        assertThat(curve.at(16) / curve.at(1)).isCloseTo(7, within(1e-9));
        var random = new SplittableRandom(1);
        for (int draw = 0; draw < 20; draw++) {
            var again =
                    TimedPasses.again(
                            curve, timed.drawn(random.ints(BLOCKS, 0, BLOCKS).toArray())::passes);
            assertThat(again.at(4) / again.at(1)).isCloseTo(2.2, within(1e-9));
        }
    }

    /// The control: if the machine is slow for only one of two variants, the quotients change, and bootstrap samples of blocks show
    /// how much.
    @Test
    void whatIsSlowForOneOfTwoShowsInTheDraws() {
        for (int block = 0; block < BLOCKS; block++) {
            generation("plain", block, 20, 0, 0);
            generation("drawn", block, 20 + block, 3, 3);
        }
        var timed = TimedBlocks.of(rounds, PLAIN).orElseThrow();
        var curve = TimedPasses.curve(timed.passes());
        var random = new SplittableRandom(1);
        double[] drawn =
                IntStream.range(0, 200)
                        .mapToDouble(_ ->
                                TimedPasses.again(
                                                curve,
                                                timed.drawn(
                                                                random.ints(BLOCKS, 0, BLOCKS)
                                                                        .toArray())
                                                        ::passes)
                                        .at(4))
                        .sorted()
                        .toArray();

        assertThat(curve.at(4) / curve.at(1)).isBetween(2.7, 2.9);
        assertThat(drawn[5]).isLessThan(curve.at(4) * .97);
        assertThat(drawn[194]).isGreaterThan(curve.at(4) * 1.03);
    }

    @Test
    void firstRoundsDraftsAndTheEngineAreToldApart() {
        var timed = timed(_ -> 1);

        assertThat(timed.firstRounds("plain")).containsOnlyKeys(1).containsEntry(1, 240.0);
        assertThat(timed.firstRounds("drawn")).containsOnlyKeys(2, 4).containsEntry(4, 240.0);
        var draft = timed.draft(List.of("drawn"), "a test").orElseThrow();
        assertThat(draft.of(3)).isCloseTo(300, within(1e-9));
        assertThat(draft.of(2)).isCloseTo(200, within(1e-9));
        var engine = timed.engine("drawn").orElseThrow();
        assertThat(engine.of(1)).isCloseTo(30, within(1e-9));
        assertThat(engine.of(8)).isCloseTo(65, within(1e-9));
        // Padded passes belong to no variant's rounds.
        assertThat(timed.engine("plain").orElseThrow().of(0)).isCloseTo(25, within(1e-9));
        assertThat(timed.engine("nobody")).isEmpty();
    }

    @Test
    void fewTurnsAreCutIntoParts() {
        block(0, 10, 1, 3);
        var timed = TimedBlocks.of(rounds, PLAIN).orElseThrow();

        assertThat(timed.size()).isEqualTo(12);
        assertThat(TimedPasses.curve(timed.passes()).points()).containsOnlyKeys(1, 2, 4, 16);
        assertThat(TimedBlocks.of(rounds, Set.of())).as("no plain decoding").isEmpty();
        assertThat(TimedBlocks.of(List.of(), PLAIN)).isEmpty();
    }
}
