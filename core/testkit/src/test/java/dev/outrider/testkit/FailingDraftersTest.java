package dev.outrider.testkit;

import static dev.outrider.engine.check.OnFailure.PLAIN;
import static dev.outrider.engine.check.OnFailure.STOP;
import static dev.outrider.testkit.GuardedDecoding.FEW;
import static dev.outrider.testkit.GuardedDecoding.FEW_GUESSES;
import static dev.outrider.testkit.GuardedDecoding.PROMPT;
import static dev.outrider.testkit.GuardedDecoding.TOKENS;
import static dev.outrider.testkit.GuardedDecoding.WARM;
import static dev.outrider.testkit.GuardedDecoding.decode;
import static dev.outrider.testkit.GuardedDecoding.decoder;
import static dev.outrider.testkit.GuardedDecoding.fail;
import static dev.outrider.testkit.GuardedDecoding.failing;
import static dev.outrider.testkit.GuardedDecoding.honest;
import static dev.outrider.testkit.GuardedDecoding.plainArgmax;
import static dev.outrider.testkit.GuardedDecoding.randomness;
import static dev.outrider.testkit.GuardedDecoding.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.check.GuardedClose;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DecodeEvent.PluginFailed;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.testkit.GuardedDecoding.At;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// For every kind of broken drafter: the output of a request that continues, and of one that stops.
class FailingDraftersTest {
    static Stream<BrokenDrafter> broken() {
        return Stream.concat(BrokenDrafter.throwing(), BrokenDrafter.contractBreaking());
    }

    @ParameterizedTest
    @MethodSource("broken")
    void goesOnWithPlainDecoding(BrokenDrafter broken) {
        var events = new ArrayList<PluginFailed>();

        int[] tokens = decode(decoder(broken.drafter(), PLAIN), events);

        assertThat(tokens).hasSize(TOKENS);
        assertThat(events).hasSize(1);
        assertThat(events.getFirst().problem()).contains(broken.problem());
    }

    @ParameterizedTest
    @MethodSource("broken")
    void stopsIfItIsTo(BrokenDrafter broken) {
        var events = new ArrayList<PluginFailed>();

        assertThatThrownBy(() -> decode(decoder(broken.drafter(), STOP), events))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining(broken.problem());
        assertThat(events).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("broken")
    void argmaxOutputIsThatOfPlainDecoding(BrokenDrafter broken) {
        assertThat(
                        decoder(broken.drafter(), PLAIN)
                                .decode(request(SamplingPolicy.argmax()), randomness())
                                .tokens())
                .containsExactly(plainArgmax());
    }

    @Test
    void theDistributionOfARequestThatWentOnIsTheTargets() {
        for (var at : At.values()) {
            if (at != At.CLOSE) {
                var drafter =
                        failing(FEW_GUESSES, at, () -> fail(new IllegalStateException("bug")));

                ExactDistribution.assertExact(few(drafter), FEW, WARM, PROMPT, 3, 4);
            }
        }
    }

    @Test
    void aFailureThatDependsOnWhatWasDrawnCannotBeMadeGood() {
        var drafter =
                new WrappedDrafter(
                        FEW_GUESSES,
                        session ->
                                new WrappedDrafter.Session(session) {
                                    @Override
                                    public Draft propose(
                                            DraftBudget budget, Randomness randomness) {
                                        var draft = super.propose(budget, randomness);
                                        if (draft.tree().size() > 1 && draft.tree().token(1) == 0) {
                                            throw new IllegalStateException("no token 0");
                                        }
                                        return draft;
                                    }
                                });

        assertThat(ExactDistribution.error(few(drafter), FEW, WARM, PROMPT, 1, 1))
                .isGreaterThan(1e-2);
    }

    @Test
    void aSessionThatFailsToCloseDoesNotUndoTheOutput() {
        var drafter = failing(At.CLOSE, () -> fail(new IllegalStateException("bug")));
        var events = new ArrayList<PluginFailed>();

        assertThat(decode(decoder(drafter, PLAIN), events)).hasSize(TOKENS);
        assertThat(events.getFirst().problem()).contains("failed in close of round");
    }

    @Test
    void aSessionThatHasFailedIsClosedAtOnceAndOnce() {
        var closed = new ArrayList<String>();
        var drafter =
                new WrappedDrafter(
                        FaultyDrafters.throwing(honest(), 1, new IllegalStateException("bug")),
                        session ->
                                new WrappedDrafter.Session(session) {
                                    @Override
                                    public void close() {
                                        closed.add("closed");
                                        super.close();
                                    }
                                });

        decode(decoder(drafter, PLAIN), new ArrayList<>());

        assertThat(closed).containsExactly("closed");
    }

    @Test
    void aDrafterThatFailsToCloseIsClosedAllTheSame() {
        var closed = new ArrayList<String>();
        var drafter =
                new WrappedDrafter(honest(), UnaryOperator.identity()) {
                    @Override
                    public void close() {
                        closed.add("closed");
                        fail(new IllegalStateException("bug"));
                    }
                };

        assertThatCode(() -> new GuardedClose(drafter).run()).doesNotThrowAnyException();
        assertThat(closed).containsExactly("closed");
    }

    @Test
    void aCheckedDrafterIsNamedWithTheRoundThatItGotWrong() {
        var drafter =
                new WrappedDrafter(
                        honest(),
                        session ->
                                new WrappedDrafter.Session(session) {
                                    private int round;

                                    @Override
                                    public Draft propose(
                                            DraftBudget budget, Randomness randomness) {
                                        var draft = super.propose(budget, randomness);
                                        return round++ == 1 ? halved(draft) : draft;
                                    }
                                });
        var checked =
                new Decoder(
                        GuardedDecoding.TARGET,
                        Optional.of(drafter),
                        new TokenRejectionRule(),
                        FixedLength.drafterLimit(),
                        true,
                        () -> 0);

        assertThatThrownBy(() -> checked.decode(request(WARM), randomness()))
                .isInstanceOf(OutriderException.class)
                .hasMessageStartingWith(
                        "CONTRACT_BROKEN: drafter 'WrappedDrafter' in round 1 recorded a distribution that sums to ")
                .hasMessageContaining(" at node 0, expected 1");
    }

    /// States half of every probability.
    private static Draft halved(Draft draft) {
        var drawn = (Selection.Independent) draft.selection();
        var halves = DraftDistributions.builder();
        for (int node = 0; node < draft.tree().draftedNodes(); node++) {
            double[] row = drawn.distributions().row(node);
            halves.put(node, Arrays.stream(row).map(p -> p / 2).toArray());
        }
        return new Draft(draft.tree(), new Selection.Independent(halves.build()));
    }

    private static Decoder few(Drafter drafter) {
        return decoder(TableTarget.of(FEW), drafter, new TokenRejectionRule(), PLAIN);
    }
}
