package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.acceptance.OneHotRule;
import dev.outrider.engine.check.CheckedDrafter;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.CoinSupply;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftBudget;
import dev.outrider.spi.Drafter;
import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.TargetModel;
import dev.outrider.spi.TokenTree;
import dev.outrider.spi.TreeShape;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What every drafter must do. Extend it, return a target and your drafter, and run it as a test.
///
/// Drafts are checked against the contract in every round: budget, root, order, declared shape and selection,
/// recorded laws.
public abstract class DrafterConformance {
    private static final int TOKENS = 24;
    private static final int PROMPTS = 6;
    private static final SamplingPolicy WARM = SamplingPolicy.atTemperature(1);

    /// The target the drafter drafts for; shared by all tests.
    protected abstract TargetModel target();

    /// The drafter under test; shared by all tests.
    protected abstract Drafter drafter();

    /// Whether a draft depends on nothing but the committed tokens and the coins. Drafters that learn while a
    /// sequence grows (pools, recycled tokens) say no.
    protected boolean dependsOnHistoryOnly() {
        return true;
    }

    @Test
    void greedyOutputEqualsPlainDecoding() {
        for (int prompt = 0; prompt < PROMPTS; prompt++) {
            var request = request(prompt, SamplingPolicy.argmax());
            var plain = Decoder.plain(target(), new OneHotRule(), () -> 0);

            assertThat(decoder().decode(request, coins(prompt)).tokens())
                    .describedAs("prompt %d", prompt)
                    .containsExactly(plain.decode(request, coins(prompt)).tokens());
        }
    }

    @Test
    void sampledDraftsKeepTheContractInEveryRound() {
        for (int prompt = 0; prompt < PROMPTS; prompt++) {
            var generation = decoder().decode(request(prompt, WARM), coins(prompt));

            assertThat(generation.tokens()).isNotEmpty();
        }
    }

    @Test
    void theSameSeedGivesTheSameOutput() {
        var request = request(1, WARM);

        assertThat(decoder().decode(request, coins(7)).tokens())
                .containsExactly(decoder().decode(request, coins(7)).tokens());
    }

    @Test
    void interleavedSessionsDoNotTouchEachOther() {
        int[] one = prompt(1);
        int[] other = prompt(2);
        try (var alone = new DraftingSequence(target(), checked(), one, coins(1));
                var first = new DraftingSequence(target(), checked(), one, coins(1));
                var second = new DraftingSequence(target(), checked(), other, coins(2))) {
            for (int round = 0; round < 4; round++) {
                var expected = alone.round(budget());
                var interleaved = first.round(budget());
                second.round(budget());

                assertThat(interleaved.tree()).isEqualTo(expected.tree());
            }
        }
    }

    @Test
    void afterAnyVerdictTheSessionProposesWhatAFreshOneWould() {
        if (!dependsOnHistoryOnly()) {
            return;
        }
        for (int prompt = 0; prompt < PROMPTS; prompt++) {
            try (var sequence =
                    new DraftingSequence(target(), checked(), prompt(prompt), coins(prompt))) {
                for (int round = 0; round < 5; round++) {
                    sequence.round(budget());
                    TokenTree proposed = sequence.propose(budget()).tree();
                    try (var fresh =
                            new DraftingSequence(
                                    target(),
                                    checked(),
                                    sequence.committed(),
                                    sequence.coinsFromHere())) {
                        assertThat(fresh.propose(budget()).tree())
                                .describedAs("prompt %d after round %d", prompt, round)
                                .isEqualTo(proposed);
                    }
                    sequence.decide();
                }
            }
        }
    }

    @Test
    void budgetsOfNothingAndOfOneAreKept() {
        try (var sequence = new DraftingSequence(target(), checked(), prompt(0), coins(0))) {
            for (int round = 0; round < 3; round++) {
                assertThat(sequence.round(new DraftBudget(0, 0)).tree().draftedNodes()).isZero();
                Draft one = sequence.round(new DraftBudget(1, 1));
                assertThat(one.tree().draftedNodes()).isLessThanOrEqualTo(1);
            }
            sequence.round(budget());
        }
    }

    @Test
    void aSequenceOfOneTokenIsDraftedFor() {
        var request = DecodeRequest.of(new int[] {prompt(0)[0]}, 6, SamplingPolicy.argmax());

        assertThat(decoder().decode(request, coins(0)).tokens())
                .containsExactly(
                        Decoder.plain(target(), new OneHotRule(), () -> 0)
                                .decode(request, coins(0))
                                .tokens());
    }

    @Test
    void closingASessionTwiceDoesNoHarm() {
        var sequence = new DraftingSequence(target(), checked(), prompt(0), coins(0));
        sequence.round(budget());
        sequence.close();
        sequence.close();
    }

    @Test
    void hiddenStatesAreAskedForExactlyWhenDeclared() {
        assertThat(drafter().hiddenStates().isEmpty())
                .isEqualTo(!drafter().traits().needsHiddenStates());
    }

    private Decoder decoder() {
        return new Decoder(
                target(),
                Optional.of(drafter()),
                new OneHotRule(),
                FixedLength.drafterLimit(),
                true,
                () -> 0);
    }

    private Drafter checked() {
        return new CheckedDrafter(drafter(), target());
    }

    private DraftBudget budget() {
        var traits = drafter().traits();
        int depth = Math.min(traits.maxDepth(), 4);
        int nodes = traits.shape() == TreeShape.CHAIN ? depth : Math.min(traits.maxNodes(), 16);
        return new DraftBudget(Math.max(nodes, depth), depth);
    }

    private DecodeRequest request(int prompt, SamplingPolicy policy) {
        return new DecodeRequest(prompt(prompt), TOKENS, policy, List.of(), true);
    }

    private int[] prompt(int number) {
        var cases = new SeededCases(target().description().vocabularySize());
        int[] tokens = cases.tokens(PROMPTS * 5);
        return Arrays.copyOfRange(tokens, 5 * number, 5 * number + 2 + number % 4);
    }

    private static CoinSupply coins(long request) {
        return CoinSupply.of(new KeyedRandomStreams(3, request));
    }
}
