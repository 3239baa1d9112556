package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.check.OnFailure;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.run.DecodeEvent.PluginFailed;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// Requests that are decoded under a guard, with drafters that fail in one of them.
final class GuardedDecoding {
    static final int[] PROMPT = {0, 1};
    static final int TOKENS = 8;
    static final SamplingPolicy WARM = SamplingPolicy.atTemperature(1);
    static final TableTarget TARGET =
            TableTarget.of(TableModel.random(5, DistributionStyle.DENSE, 3));

    /// So few tokens that the whole distribution of the output can be enumerated.
    static final TableModel FEW = TableModel.random(3, DistributionStyle.DENSE, 3);

    static final Drafter FEW_GUESSES =
            new TableDrafter(
                    TableModel.random(3, DistributionStyle.DENSE, 4), new TreePlan.Chain(2), WARM);

    private GuardedDecoding() {}

    /// The call in which a drafter fails.
    enum At {
        OPEN,
        BEGIN,
        PROPOSE,
        OBSERVE,
        CLOSE
    }

    static Drafter honest() {
        return new TableDrafter(
                TableModel.random(5, DistributionStyle.DENSE, 4), new TreePlan.Chain(3), WARM);
    }

    /// The fault occurs in round 1, or in the only call.
    static Drafter failing(At at, Runnable fault) {
        return failing(honest(), at, fault);
    }

    static Drafter failing(Drafter honest, At at, Runnable fault) {
        return new WrappedDrafter(honest, session -> new Failing(session, at, fault)) {
            @Override
            public DraftSession open(DraftRequest request) {
                if (at == At.OPEN) {
                    fault.run();
                }
                return super.open(request);
            }
        };
    }

    static Decoder decoder(Drafter drafter, OnFailure onFailure) {
        return decoder(TARGET, drafter, new TokenRejectionRule(), onFailure);
    }

    static Decoder decoder(
            TargetModel target, Drafter drafter, AcceptanceRule rule, OnFailure onFailure) {
        return new Decoder(
                target,
                Optional.of(drafter),
                rule,
                FixedLength.drafterLimit(),
                false,
                () -> 0,
                onFailure,
                ProcessorChain.none());
    }

    static DecodeRequest request(SamplingPolicy policy) {
        return new DecodeRequest(PROMPT, TOKENS, policy, List.of(), true);
    }

    /// Decodes a request of [#TOKENS] tokens.
    ///
    /// @param events receives every failure
    static int[] decode(Decoder decoder, SamplingPolicy policy, List<PluginFailed> events) {
        return decoder.decode(
                        request(policy),
                        randomness(),
                        event -> {
                            if (event instanceof PluginFailed failed) {
                                events.add(failed);
                            }
                        },
                        () -> false)
                .tokens();
    }

    static int[] decode(Decoder decoder, List<PluginFailed> events) {
        int[] tokens = decode(decoder, WARM, events);
        assertThat(events)
                .extracting(PluginFailed::code)
                .isSubsetOf(ErrorCode.PLUGIN_FAILED, ErrorCode.CONTRACT_BROKEN);
        return tokens;
    }

    /// Returns plain decoding's output at temperature 0.
    static int[] plainArgmax() {
        return Decoder.plain(TARGET, new SampleAndMatchRule(), () -> 0)
                .decode(request(SamplingPolicy.argmax()), randomness())
                .tokens();
    }

    static RandomnessSource randomness() {
        return RandomnessSource.of(new KeyedRandomStreams(3, 1));
    }

    /// Throws anything, checked or not.
    static <T> T fail(Throwable problem) {
        throw GuardedDecoding.<RuntimeException>unchecked(problem);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E unchecked(Throwable problem) throws E {
        throw (E) problem;
    }

    /// Returns null, like a plugin without nullness annotations.
    @SuppressWarnings("NullAway")
    static <T> T nothing() {
        return new LinkedHashMap<String, T>().remove("anything");
    }

    private static final class Failing extends WrappedDrafter.Session {
        private final At at;
        private final Runnable fault;
        private int round;

        Failing(DraftSession session, At at, Runnable fault) {
            super(session);
            this.at = at;
            this.fault = fault;
        }

        @Override
        public void begin(int[] prompt, HiddenStates promptStates) {
            super.begin(prompt, promptStates);
            fault(At.BEGIN, true);
        }

        @Override
        public Draft propose(DraftBudget budget, Randomness randomness) {
            var draft = super.propose(budget, randomness);
            fault(At.PROPOSE, round == 1);
            return draft;
        }

        @Override
        public void observe(Draft draft, Verdict verdict, TargetScores scores) {
            super.observe(draft, verdict, scores);
            fault(At.OBSERVE, round == 1);
            round++;
        }

        @Override
        public void close() {
            super.close();
            fault(At.CLOSE, true);
        }

        private void fault(At now, boolean due) {
            if (at == now && due) {
                fault.run();
            }
        }
    }
}
