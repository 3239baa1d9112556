package dev.outrider.drafter.lookahead;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.acceptance.GumbelCoupledRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Jacobi decoding of samples: with the noise of every position fixed, the sample is the fixed
/// point.
class JacobiCoupledTest {
    private static final int[] PROMPT = {1, 4, 2, 1, 4, 3};
    private static final int TOKENS = 24;

    @Test
    void theSampleIsThatOfPlainDecodingInAtMostAsManyRoundsAsTokens() {
        for (var table : List.of(Toys.circle(), Toys.pairs(), Toys.chaos())) {
            for (int seed = 0; seed < 12; seed++) {
                var plain = emitted(table, Optional.empty(), seed);
                for (boolean coupled : new boolean[] {true, false}) {
                    var rounds = emitted(table, Optional.of(drafter(coupled)), seed);

                    assertThat(flat(rounds)).isEqualTo(flat(plain));
                    assertThat(rounds).hasSizeLessThanOrEqualTo(TOKENS);
                }
            }
        }
    }

    @Test
    void aTargetThatIgnoresItsGuessesConvergesAtOnceInSamplesToo() {
        var table = placesAlone();
        int coupled = 0;
        int uncoupled = 0;
        for (int seed = 0; seed < 8; seed++) {
            coupled += emitted(table, Optional.of(drafter(true)), seed).size();
            uncoupled += emitted(table, Optional.of(drafter(false)), seed).size();
        }

        // One token, then five, and again: the filler is never in the support. Argmax is a guess
        // among thirty.
        assertThat(coupled).isEqualTo(8 * 8);
        assertThat(uncoupled).isGreaterThan(8 * 18);
    }

    /// A flat distribution over thirty tokens that are not in the prompt, which depends on the
    /// position alone.
    private static TableModel placesAlone() {
        return TableModel.of(
                40,
                prefix -> {
                    var distribution = new double[40];
                    for (int token = 10; token < 40; token++) {
                        distribution[token] = 1 + (token * prefix.size()) % 7;
                    }
                    return distribution;
                });
    }

    private static List<List<Integer>> emitted(
            TableModel table, Optional<Drafter> drafter, long seed) {
        var rounds = new ArrayList<Integer>();
        var generation =
                new Decoder(
                                TableTarget.of(table),
                                drafter,
                                new GumbelCoupledRule(),
                                FixedLength.drafterLimit(),
                                true,
                                () -> 0)
                        .decode(
                                DecodeRequest.of(PROMPT, TOKENS, SamplingPolicy.atTemperature(1)),
                                RandomnessSource.of(new KeyedRandomStreams(seed, 0)),
                                event -> {
                                    if (event instanceof DecodeEvent.RoundCompleted round) {
                                        rounds.add(round.emitted());
                                    }
                                },
                                () -> false);
        var tokens = new ArrayList<List<Integer>>();
        int start = 0;
        for (int count : rounds) {
            var round = new ArrayList<Integer>();
            for (int index = start; index < start + count; index++) {
                round.add(generation.tokens()[index]);
            }
            tokens.add(round);
            start += count;
        }
        return tokens;
    }

    private static List<Integer> flat(List<List<Integer>> rounds) {
        return rounds.stream().flatMap(List::stream).toList();
    }

    private static Drafter drafter(boolean coupled) {
        return JacobiSession.drafter(new JacobiConfig(4, coupled, 1), Set.of());
    }
}
