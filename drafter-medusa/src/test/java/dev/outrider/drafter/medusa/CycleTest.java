package dev.outrider.drafter.medusa;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.drafting.head.BackendKey;
import dev.outrider.drafting.head.HeadFile;
import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests the alignment: heads that know the next tokens are always right, and heads that are shifted by one place are always wrong.
class CycleTest {
    private static final int HEADS = 4;
    private static final int[] PROMPT = {3, Cycle.after(3, 1), Cycle.after(3, 2)};

    /// Later rounds may be cut where the sequence ends.
    private static final int ROUNDS = 6;

    @TempDir Path folder;

    private final TargetModel target = Cycle.target();

    @AfterEach
    void close() {
        target.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1})
    void headsAreRightExactlyWhenTheyGuessTwoPlacesAheadAndMore(int shift) {
        var rounds = decode(new TreePlan.Chain(HEADS), shift, SamplingPolicy.argmax());

        assertThat(rounds).hasSize(ROUNDS);
        for (var round : rounds) {
            assertThat(round.draft().tree().draftedNodes()).isEqualTo(HEADS);
            assertThat(round.verdict().acceptedLength()).isEqualTo(shift == 0 ? HEADS : 0);
        }
    }

    @Test
    void inATreeTheBestPathIsAccepted() {
        var tree = new TreePlan.LevelWidths(List.of(3, 2, 1));
        for (var round : decode(tree, 0, SamplingPolicy.argmax())) {
            assertThat(round.draft().tree().draftedNodes()).isEqualTo(3 + 6 + 6);
            assertThat(round.verdict().acceptedLength()).isEqualTo(3);
        }
    }

    @Test
    void aPromptOfOneTokenIsGuessedForFromItsSecondRoundOn() {
        var rounds = decode(new TreePlan.Chain(HEADS), 0, SamplingPolicy.argmax(), new int[] {4});

        assertThat(rounds.getFirst().draft().tree().draftedNodes()).isZero();
        assertThat(rounds.get(1).verdict().acceptedLength()).isEqualTo(HEADS);
    }

    @Test
    void logitsOfATokenMapInAnyOrderAreThoseOfTheirTokens() {
        var map = LongStream.range(0, Cycle.TOKENS).map(i -> (5 * i + 3) % Cycle.TOKENS).toArray();

        var rounds =
                decode(
                        mapped(map),
                        new TreePlan.LevelWidths(List.of(2, 1, 1, 1)),
                        SamplingPolicy.argmax(),
                        PROMPT);

        for (var round : rounds) {
            assertThat(round.verdict().acceptedLength()).isEqualTo(HEADS);
        }
    }

    private List<DecodeEvent.RoundCompleted> decode(
            TreePlan plan, int shift, SamplingPolicy policy) {
        return decode(plan, shift, policy, PROMPT);
    }

    private List<DecodeEvent.RoundCompleted> decode(
            TreePlan plan, int shift, SamplingPolicy policy, int[] prompt) {
        return decode(heads(shift), plan, policy, prompt);
    }

    private List<DecodeEvent.RoundCompleted> decode(
            HeadFile tensors, TreePlan plan, SamplingPolicy policy, int[] prompt) {
        var config =
                new MedusaConfig(
                        tensors.write(folder),
                        Optional.empty(),
                        BackendKey.VECTOR,
                        Optional.empty(),
                        Optional.of(plan));
        var rounds = new ArrayList<DecodeEvent.RoundCompleted>();
        try (var drafter = MedusaPlugin.MEDUSA.create(config, () -> target)) {
            var decoder =
                    new Decoder(
                            target,
                            Optional.of(drafter),
                            policy.greedy() ? new GreedyRule() : new SampleAndMatchRule(),
                            FixedLength.drafterLimit(),
                            true,
                            () -> 0);
            var tokens =
                    decoder.decode(
                                    DecodeRequest.of(prompt, 41, policy),
                                    RandomnessSource.of(new KeyedRandomStreams(1, 1)),
                                    event -> {
                                        if (event instanceof DecodeEvent.RoundCompleted round) {
                                            rounds.add(round);
                                        }
                                    },
                                    () -> false)
                            .tokens();
            for (int i = 0; i < tokens.length; i++) {
                assertThat(tokens[i]).isEqualTo(Cycle.after(prompt[prompt.length - 1], i + 1));
            }
        }
        return rounds.subList(0, ROUNDS);
    }

    private static HeadFile heads(int shift) {
        var tensors = new HeadFile(1);
        long size = Cycle.TOKENS;
        for (int head = 0; head < HEADS; head++) {
            tensors.zeros(head + ".0.linear.weight", size, size)
                    .zeros(head + ".0.linear.bias", size)
                    .put(head + ".1.weight", Cycle.projection(head + 2 + shift), size, size);
        }
        return tensors;
    }

    /// Returns the same heads in vLLM's layout, in which row i is the row of token map[i].
    private static HeadFile mapped(long[] map) {
        var tensors = new HeadFile(1);
        int size = Cycle.TOKENS;
        for (int head = 0; head < HEADS; head++) {
            var stored = Cycle.projection(head + 2);
            var rows = new float[map.length * size];
            for (int row = 0; row < map.length; row++) {
                System.arraycopy(stored, (int) map[row] * size, rows, row * size, size);
            }
            tensors.zeros("blocks.%d.layers.0.weight".formatted(head), size, size)
                    .put("lm_heads.%d.weight".formatted(head), rows, map.length, size);
        }
        return tensors.put(StoredTensor.ofLongs("token_map", map, map.length));
    }
}
