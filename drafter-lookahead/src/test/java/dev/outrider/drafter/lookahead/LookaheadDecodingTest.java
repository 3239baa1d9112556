package dev.outrider.drafter.lookahead;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Greedy output equals plain decoding, for every window, level and number of guesses.
class LookaheadDecodingTest {
    private static final int[] PROMPT = {1, 4, 2, 1, 4, 3};

    @Test
    void theOutputIsThatOfPlainDecodingForEverySmallSetting() {
        for (var table : List.of(Toys.circle(), Toys.pairs(), Toys.chaos())) {
            var target = TableTarget.of(table);
            int[] plain = Decoding.plainGreedy(target, PROMPT, 40);
            for (var config : settings(4, 5, 3)) {
                assertThat(Decoding.greedy(target, drafter(config), PROMPT, 40).tokens())
                        .describedAs("%s", config)
                        .containsExactly(plain);
            }
        }
    }

    @Test
    void theOutputIsThatOfPlainDecodingOnARealNetwork() {
        try (var target = Toys.network()) {
            for (int[] prompt : new int[][] {PROMPT, {9}, {30, 31, 30, 31, 30}}) {
                int[] plain = Decoding.plainGreedy(target, prompt, 48);
                for (var config : List.of(of(1, 2, 1), of(3, 3, 2), of(5, 4, 5), of(7, 5, 7))) {
                    assertThat(Decoding.greedy(target, drafter(config), prompt, 48).tokens())
                            .describedAs("%s", config)
                            .containsExactly(plain);
                }
            }
        }
    }

    @Test
    void whatCanBeForeseenTakesFewerRounds() {
        int rounds =
                Decoding.greedy(target(Toys.circle()), drafter(of(5, 4, 4)), PROMPT, 60).rounds();

        // Three tokens of a guess and the next one, once the pool contains the circle.
        assertThat(rounds).isLessThan(30);
    }

    @Test
    void theTokenAfterAFullyMatchedGuessIsEmitted() {
        var emitted = new ArrayList<Integer>();
        Decoding.greedy(
                target(Toys.circle()),
                drafter(of(5, 4, 4)),
                PROMPT,
                60,
                round -> emitted.add(round.emitted()));

        assertThat(emitted).contains(4).allMatch(count -> count <= 4);
    }

    @Test
    void theFirstRoundsOnlyFillTheWindow() {
        var guessed = new ArrayList<Integer>();
        Decoding.greedy(
                target(Toys.circle()),
                drafter(new LookaheadConfig(4, 5, 3, true, 1)),
                PROMPT,
                20,
                round -> guessed.add(round.draft().tree().candidateNodes()));

        assertThat(guessed.subList(0, 3)).containsOnly(0);
        assertThat(guessed.subList(3, guessed.size())).anyMatch(count -> count > 0);
    }

    @Test
    void aSequenceReachesTheModelsLastPosition() {
        for (int positions = PROMPT.length + 1; positions < PROMPT.length + 12; positions++) {
            var target = new TableTarget(Toys.circle(), positions, Set.of());
            int room = positions - PROMPT.length;
            int[] plain = Decoding.plainGreedy(target, PROMPT, room);

            assertThat(Decoding.greedy(target, drafter(of(3, 4, 3)), PROMPT, room).tokens())
                    .containsExactly(plain)
                    .hasSize(room);
        }
    }

    @Test
    void anEndOfSequenceIsFoundWherePlainDecodingFindsIt() {
        var target = new TableTarget(Toys.chaos(), 256, Set.of(6));
        var drafter = LookaheadSession.drafter(of(4, 4, 3), target.endOfSequence());

        assertThat(Decoding.greedy(target, drafter, PROMPT, 200).tokens())
                .containsExactly(Decoding.plainGreedy(target, PROMPT, 200))
                .endsWith(6)
                .hasSizeLessThan(200);
    }

    @Test
    void theWindowMovesOnUnderADraftLengthShorterThanIt() {
        // A small depth limit cuts guesses, not the window.
        var target = target(Toys.circle());
        var decoder = Decoding.with(target, drafter(of(5, 4, 4)));
        var nodes = new ArrayList<Integer>();
        var shallow =
                new Decoder(
                        decoder.target(),
                        decoder.drafter(),
                        decoder.rule(),
                        new FixedLength(1),
                        true,
                        () -> 0);
        var generation =
                shallow.decode(
                        DecodeRequest.of(PROMPT, 40, SamplingPolicy.argmax()),
                        RandomnessSource.of(new KeyedRandomStreams(1, 0)),
                        event -> {
                            if (event instanceof DecodeEvent.RoundCompleted round) {
                                nodes.add(round.draft().tree().maxDepth());
                                assertThat(round.draft().tree().candidateDepth()).isLessThan(2);
                            }
                        },
                        () -> false);

        assertThat(generation.tokens()).containsExactly(Decoding.plainGreedy(target, PROMPT, 40));
        assertThat(generation.rounds()).isLessThan(30);
        assertThat(nodes).contains(5 + 4 - 3);
    }

    private static List<LookaheadConfig> settings(int windows, int levels, int guesses) {
        var all = new ArrayList<LookaheadConfig>();
        for (int window = 1; window <= windows; window++) {
            for (int level = 2; level <= levels; level++) {
                for (int kept = 1; kept <= guesses; kept++) {
                    all.add(new LookaheadConfig(window, level, kept, false, 1));
                    all.add(new LookaheadConfig(window, level, kept, true, 2));
                }
            }
        }
        return all;
    }

    private static LookaheadConfig of(int window, int level, int guesses) {
        return new LookaheadConfig(window, level, guesses, false, 1);
    }

    private static Drafter drafter(LookaheadConfig config) {
        return LookaheadSession.drafter(config, Set.of());
    }

    private static TargetModel target(TableModel table) {
        return TableTarget.of(table);
    }
}
