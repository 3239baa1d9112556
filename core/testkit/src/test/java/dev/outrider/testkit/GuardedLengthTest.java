package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.check.OnFailure;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.DraftLengthPlan;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.run.DraftLengthPolicy;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// Third-party draft-length policies in the decode loop.
class GuardedLengthTest {
    private static final int TOKENS = 20;
    private static final TableModel MODEL = TableModel.random(5, DistributionStyle.DENSE, 1);
    private static final Drafter DRAFTER =
            new TableDrafter(
                    TableModel.random(5, DistributionStyle.DENSE, 2),
                    new TreePlan.Chain(4),
                    SamplingPolicy.atTemperature(1));

    private final List<Integer> depths = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final DecodeListener log =
            event -> {
                if (event instanceof DecodeEvent.RoundCompleted round) {
                    depths.add(round.draft().tree().candidateDepth());
                }
                if (event instanceof DecodeEvent.PluginFailed failed) {
                    failures.add(failed.problem());
                }
            };

    @Test
    void aPolicyChoosesTheDepthOfEveryRound() {
        decode(new Policy(2, 0, 1, 3), OnFailure.PLAIN);

        assertThat(depths).startsWith(2, 0, 1, 3);
    }

    @Test
    void aPolicyThatFailsEndsTheRequest() {
        assertThatThrownBy(() -> decode(new Policy(2), OnFailure.STOP))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        "PLUGIN_FAILED: draft-length policy 'mine' failed in next of round 1: java.lang.ArrayIndexOutOfBoundsException: Index 1 out of bounds for length 1\n"
                                + "  Report it to its author; with 'onDrafterFailure: plain' requests go on without it.");
    }

    @Test
    void aPolicyThatFailsIsAskedNoMoreAndNothingMoreIsDrafted() {
        decode(new Policy(2), OnFailure.PLAIN);

        assertThat(depths).hasSizeGreaterThan(3).startsWith(2, 0, 0);
        assertThat(depths.subList(1, depths.size())).containsOnly(0);
        assertThat(failures)
                .containsExactly(
                        "draft-length policy 'mine' failed in next of round 1: java.lang.ArrayIndexOutOfBoundsException: Index 1 out of bounds for length 1");
    }

    @Test
    void aNegativeDepthIsRefused() {
        assertThatThrownBy(() -> decode(new Policy(-1), OnFailure.STOP))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        "CONTRACT_BROKEN: draft-length policy 'mine' chose depth -1 in round 0, expected at least 0\n"
                                + "  This is a bug in the draft-length policy: report it to its author.");
    }

    @Test
    void aPolicyObservesEveryRound() {
        var heard = new ArrayList<DecodeEvent.RoundCompleted>();
        decode(
                new DraftLengthPolicy() {
                    @Override
                    public int next() {
                        return 2;
                    }

                    @Override
                    public void observe(DecodeEvent.RoundCompleted round) {
                        heard.add(round);
                    }
                },
                OnFailure.STOP);

        assertThat(heard)
                .extracting(round -> round.draft().tree().candidateDepth())
                .isEqualTo(depths);
        assertThat(heard.stream().mapToInt(DecodeEvent.RoundCompleted::emitted).sum())
                .isEqualTo(TOKENS);
    }

    @Test
    void aPolicyThatFailsInObserveIsNotCalledAgain() {
        var deaf =
                new DraftLengthPolicy() {
                    @Override
                    public int next() {
                        return 2;
                    }

                    @Override
                    public void observe(DecodeEvent.RoundCompleted round) {
                        throw new IllegalStateException("bug");
                    }
                };
        decode(deaf, OnFailure.PLAIN);

        assertThat(depths).startsWith(2, 0);
        assertThat(depths.subList(1, depths.size())).containsOnly(0);
        assertThat(failures)
                .containsExactly(
                        "draft-length policy 'mine' failed in observe of round 0: java.lang.IllegalStateException: bug");
    }

    @Test
    void aPolicyThatCannotStartLeavesNoDraftSessionOpen() {
        var sessions = new ArrayList<String>();
        var watched =
                new WrappedDrafter(
                        DRAFTER,
                        session -> {
                            sessions.add("opened");
                            return new WrappedDrafter.Session(session) {
                                @Override
                                public void close() {
                                    sessions.add("closed");
                                    super.close();
                                }
                            };
                        });

        assertThatThrownBy(() ->
                        decode(
                                watched,
                                () -> {
                                    throw new IllegalStateException("bug");
                                },
                                OnFailure.STOP))
                .hasMessageContaining("draft-length policy 'mine' failed in start of round 0");
        assertThat(sessions).containsExactly("opened", "closed");
    }

    @Test
    void withoutAPolicyThatStartsNothingIsDrafted() {
        decode(
                DRAFTER,
                () -> {
                    throw new IllegalStateException("bug");
                },
                OnFailure.PLAIN);

        assertThat(depths).hasSize(TOKENS).containsOnly(0);
        assertThat(failures).hasSize(1);
    }

    private void decode(DraftLengthPolicy policy, OnFailure onFailure) {
        decode(DRAFTER, () -> policy, onFailure);
    }

    private void decode(
            Drafter drafter, Supplier<DraftLengthPolicy> starting, OnFailure onFailure) {
        DraftLengthPlan plan =
                new DraftLengthPlan() {
                    @Override
                    public DraftLengthPolicy start() {
                        return starting.get();
                    }

                    @Override
                    public String name() {
                        return "mine";
                    }
                };
        new Decoder(
                        TableTarget.of(MODEL),
                        Optional.of(drafter),
                        new TokenRejectionRule(),
                        plan,
                        false,
                        () -> 0,
                        onFailure,
                        ProcessorChain.none())
                .decode(
                        DecodeRequest.of(new int[] {0, 1}, TOKENS, SamplingPolicy.atTemperature(1)),
                        RandomnessSource.of(new KeyedRandomStreams(1, 0)),
                        log,
                        () -> false);
    }

    /// Chooses given depths, and fails when there are no more.
    private static final class Policy implements DraftLengthPolicy {
        private final int[] depths;
        private int round;

        Policy(int... depths) {
            this.depths = depths;
        }

        @Override
        public int next() {
            return depths[round++];
        }
    }
}
