package dev.outrider.drafter.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.drafter.lookup.PromptLookupConfig.Occurrence;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.testkit.FirstDraft;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Drafters without a model with a source: 9 ends it, and 0 begins the text.
class SourceLookupTest {
    private static final int VOCABULARY = 10;
    private static final List<Integer> SOURCE = List.of(3, 4, 5, 6, 7, 9);
    private static final DraftBudget BUDGET = DraftBudget.chain(6);
    private static final TableTarget TARGET =
            TableTarget.reading(TableModel.of(VOCABULARY, SourceLookupTest::copying));

    static Stream<Drafter> lookups() {
        return Stream.of(
                promptLookup(Occurrence.FIRST),
                promptLookup(Occurrence.LAST),
                suffix(1),
                suffix(3));
    }

    static Stream<Drafter> all() {
        var chain = new TreePlan.RankPaths(List.of(List.of(0), List.of(0, 0)));
        var drafting = new RankedDrafting(1, 1, Optional.of(chain), true, false);
        return Stream.concat(
                lookups(),
                Stream.of(
                        LookupPlugin.TOKEN_RECYCLING.create(
                                new TokenRecyclingConfig(drafting), () -> TARGET),
                        LookupPlugin.ADAPTIVE_NGRAM.create(
                                new AdaptiveNgramConfig(3, 2, 0, 100, drafting), () -> TARGET)));
    }

    private static Drafter promptLookup(Occurrence occurrence) {
        return LookupPlugin.PROMPT_LOOKUP.create(
                new PromptLookupConfig(3, 1, 6, occurrence, 0, 100), () -> TARGET);
    }

    private static Drafter suffix(int branches) {
        return LookupPlugin.SUFFIX_AUTOMATON.create(
                new SuffixAutomatonConfig(6, branches, 1, 0, 100), () -> TARGET);
    }

    @ParameterizedTest
    @MethodSource("all")
    void whatFollowedInTheSourceIsGuessed(Drafter drafter) {
        assertThat(guess(drafter, SOURCE, 0, 4)).startsWith(5, 6);
        assertThat(guess(drafter, List.of(), 0, 4)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("lookups")
    void noGuessGoesOnFromTheSourceIntoTheText(Drafter drafter) {
        assertThat(guess(drafter, SOURCE, 0, 8, 8, 6)).containsExactly(7, 9);
        assertThat(guess(drafter, SOURCE, 0, 7, 9)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("lookups")
    void aSessionThatTakesAnotherTextKeepsItsSource(Drafter drafter) {
        var request = new DraftRequest(100, SamplingPolicy.argmax(), SOURCE);
        var randomness = RandomnessSource.of(new KeyedRandomStreams(1, 1)).round(0);
        try (var session = drafter.open(request);
                var target = TARGET.open(new SessionRequest(8, Set.of(), SOURCE));
                var states = target.prefill(new int[] {0})) {
            session.begin(new int[] {0, 1}, states);
            assertThat(session.restart(new int[] {0, 4})).isTrue();
            int[] tokens = session.propose(BUDGET, randomness).tree().tokens();
            assertThat(tokens).startsWith(4, 5, 6);
        }
    }

    /// A target that copies its source to the end is drafted in two rounds: one for the first
    /// token, one for the rest.
    @Test
    void aTextThatCopiesItsSourceTakesFewRounds() {
        var request = DecodeRequest.of(new int[] {0}, 6, SamplingPolicy.argmax());
        var decoder =
                new Decoder(
                        TARGET,
                        Optional.of(promptLookup(Occurrence.FIRST)),
                        new SampleAndMatchRule(),
                        FixedLength.drafterLimit(),
                        true,
                        () -> 0);
        var done =
                decoder.decode(
                        request.withSource(SOURCE),
                        RandomnessSource.of(new KeyedRandomStreams(1, 1)));

        assertThat(done.tokens()).containsExactly(3, 4, 5, 6, 7, 9);
        assertThat(done.rounds()).isEqualTo(2);
    }

    /// Returns the source's token after the last token of the text; its first token at the
    /// beginning.
    private static double[] copying(List<Integer> prefix) {
        var distribution = new double[VOCABULARY];
        int next = SOURCE.indexOf(prefix.getLast()) + 1;
        distribution[SOURCE.get(Math.min(next, SOURCE.size() - 1))] = 1;
        return distribution;
    }

    private static int[] guess(Drafter drafter, List<Integer> source, int... text) {
        int[] tokens = FirstDraft.of(drafter, BUDGET, source, text).tree().tokens();
        return Arrays.copyOfRange(tokens, 1, tokens.length);
    }
}
