package dev.outrider.testkit;

import static dev.outrider.testkit.Expect.assertThat;
import static dev.outrider.testkit.Expect.assumeFalse;
import static dev.outrider.testkit.Expect.assumeTrue;
import static dev.outrider.testkit.Expect.within;

import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.beam.BeamDecoder;
import dev.outrider.engine.beam.BeamSettings;
import dev.outrider.engine.beam.BeamSettings.EarlyStopping;
import dev.outrider.engine.decode.BatchDecoder;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.exactness.GoodnessOfFit;
import dev.outrider.engine.exactness.JointDistribution;
import dev.outrider.engine.exactness.SequenceCells;
import dev.outrider.engine.exactness.TokenQuantiles;
import dev.outrider.engine.exactness.Trace;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DecodeEvent.FinishReason;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.DrafterUnderTest.RestrictedTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/// Checks that the output is the same as without a drafter.
abstract class DrafterOutputs extends DrafterUnderTest {
    private static final int BEGINNING = 6;
    private static final SamplingPolicy FEW = new SamplingPolicy(1, 4, 1, 0, 1);
    private static final double DISTRIBUTION_ALPHA = 1e-4;
    private static final double ROUNDING = 1e-3;
    static final int COMPANY = 4;

    /// {@return generations, and tokens, of the tests of the output's distribution, which must find wrong distributions: 400 find an
    /// effect (Cohen's w) of about .4}
    protected int distributionSamples() {
        return 400;
    }

    @Check
    void greedyOutputEqualsPlainDecoding() {
        for (int prompt = 0; prompt < PROMPTS; prompt++) {
            assertEqualsPlain(target(), request(prompt, ARGMAX), FixedLength.drafterLimit());
        }
    }

    @Check
    void greedyOutputEqualsPlainDecodingForEveryLength() {
        for (int length = 0; length <= 3; length++) {
            assertEqualsPlain(target(), request(length, ARGMAX), new FixedLength(length));
        }
    }

    @Check
    void outputFollowsTheTargetsDistribution() {
        var request =
                new DecodeRequest(prompt(3), BEGINNING, FEW, List.of(), true)
                        .withSource(source(target(), 3));
        var cells =
                SequenceCells.of(target(), ProcessorChain.none(), request, distributionSamples());
        var joint = new JointDistribution(new BatchDecoder(lossless(), 1), request, cells, 11);
        for (int sample = 0; sample < distributionSamples(); sample++) {
            joint.sample(() -> false);
        }
        assertFollows(joint.test(DISTRIBUTION_ALPHA), "the first tokens of many generations");
    }

    @Check
    void everyTokenFollowsTheTargetsDistribution() {
        assertEveryTokenFollows(target());
    }

    void assertEveryTokenFollows(TargetModel target) {
        var quantiles = new TokenQuantiles(target, ProcessorChain.none(), new SplittableRandom(12));
        for (int request = 0; quantiles.tokens() < distributionSamples(); request++) {
            int prompt = request % PROMPTS;
            var asked =
                    new DecodeRequest(prompt(prompt), 2 * TOKENS, WARM, List.of(), true)
                            .withSource(source(target, prompt));
            var trace = new Trace();
            var generation =
                    lossless(target).decode(asked, randomness(100 + request), trace, () -> false);
            quantiles.add(asked, generation.tokens(), trace);
        }
        assertThat(quantiles.impossible()).describedAs("tokens of probability 0").isZero();
        assertFollows(quantiles.byProbability(DISTRIBUTION_ALPHA), "all tokens by probability");
        assertFollows(
                quantiles.byDraft(DISTRIBUTION_ALPHA),
                "first tokens of rounds by what the draft favours");
        assertFollows(
                quantiles.roundPairs(DISTRIBUTION_ALPHA), "first tokens of consecutive rounds");
    }

    private static void assertFollows(GoodnessOfFit test, String what) {
        assertThat(test.rejected())
                .describedAs(
                        "whether %s were refuted to follow the target's distribution: p = %.2g of %d samples, effect %.2f",
                        what, test.pValue(), test.samples(), test.effect())
                .isFalse();
    }

    @Check
    void theSameSeedGivesTheSameOutput() {
        var request = request(1, WARM);

        assertThat(lossless().decode(request, randomness(7)).tokens())
                .containsExactly(lossless().decode(request, randomness(7)).tokens());
    }

    @Check
    void sequencesOnSeveralThreadsEqualThoseRunAlone() {
        new SharedDecoder(target(), this::lossless).assertEqualOnSeveralThreads(company());
    }

    @Check
    void sequencesThatTakeTurnsEqualThoseRunAlone() {
        new SharedDecoder(target(), this::lossless).assertEqualInTurns(company());
    }

    /// Returns sequences for several threads: other prompts and seeds, sampled ones and one by argmax.
    private List<SharedDecoder.Sequence> company() {
        var company = new ArrayList<SharedDecoder.Sequence>();
        for (int prompt = 0; prompt < COMPANY; prompt++) {
            var policy = prompt == 0 ? ARGMAX : WARM;
            var request =
                    new DecodeRequest(prompt(prompt), TOKENS / 2, policy, List.of(), true)
                            .withSource(source(target(), prompt));
            company.add(
                    new SharedDecoder.Sequence(
                            "prompt " + prompt, request, randomness(100 + prompt)));
        }
        return company;
    }

    @Check
    void beamSearchWithItsGuessesEqualsPlainSearch() {
        var traits = drafter().traits();
        assumeFalse(
                traits.needsHiddenStates() || traits.readsRejectedNodes(),
                "this drafter reads more than the text");
        assumeTrue(draftsApart(), "this drafter guesses within the target's own sequence");
        for (int prompt = 0; prompt < PROMPTS; prompt++) {
            var request = request(prompt, ARGMAX);
            var settings =
                    new BeamSettings(
                            1 + prompt, 1 + prompt, 1, EarlyStopping.FALSE, 0, 0, List.of());
            var plain = searched(target(), Optional.empty(), settings, request);
            var found = searched(target(), Optional.of(drafter()), settings, request);

            assertThat(found.rounds()).isLessThanOrEqualTo(plain.rounds());
            assertThat(found.hypotheses()).hasSameSizeAs(plain.hypotheses());
            for (int rank = 0; rank < plain.hypotheses().size(); rank++) {
                var expected = plain.hypotheses().get(rank);
                var actual = found.hypotheses().get(rank);
                assertThat(actual.tokens())
                        .describedAs("hypothesis %d of %s", rank, settings)
                        .isEqualTo(expected.tokens());
                assertThat(actual.score()).isCloseTo(expected.score(), within(ROUNDING));
            }
        }
    }

    /// Returns whether it drafts for a text without a session of the target. A drafter that cannot reports it when a session is
    /// opened.
    private boolean draftsApart() {
        int capacity = target().description().maxPositions();
        try (var _ = drafter().open(new DraftRequest(capacity, ARGMAX, source(target(), 0)))) {
            return true;
        } catch (OutriderException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.CAPABILITY_MISSING);
            return false;
        }
    }

    private static Generation searched(
            TargetModel target,
            Optional<Drafter> drafter,
            BeamSettings settings,
            DecodeRequest request) {
        var decoder =
                new Decoder(
                        target,
                        drafter,
                        new SampleAndMatchRule(),
                        FixedLength.drafterLimit(),
                        true,
                        () -> 0);
        return new BeamDecoder(decoder, settings)
                .decode(request, randomness(0), DecodeListener.none(), () -> false);
    }

    @Check
    void aSequenceOfOneTokenIsDraftedFor() {
        var request =
                DecodeRequest.of(new int[] {prompt(0)[0]}, 6, ARGMAX)
                        .withSource(source(target(), 0));

        assertEqualsPlain(unending(), request, FixedLength.drafterLimit());
    }

    @Check
    void theLastPositionIsReached() {
        int[] prompt = prompt(5);
        for (int room = 1; room <= 6; room++) {
            var narrow = new RestrictedTarget(target(), prompt.length + room, Set.of());
            for (var policy : List.of(ARGMAX, WARM)) {
                var request = toTheEnd(prompt, room, policy);
                var generation = decoder(narrow).decode(request, randomness(room));

                assertThat(generation.tokens()).hasSize(room);
            }
            assertEqualsPlain(narrow, toTheEnd(prompt, room, ARGMAX), FixedLength.drafterLimit());
        }
    }

    private DecodeRequest toTheEnd(int[] prompt, int room, SamplingPolicy policy) {
        return new DecodeRequest(prompt, room, policy, List.of(), true)
                .withSource(source(target(), 5));
    }

    @Check
    void anEndTokenInsideATreeCutsWhatFollows() {
        int[] plain = plain(unending(), request(2, ARGMAX)).tokens();
        for (int position = 0; position < 8; position++) {
            var ending =
                    new RestrictedTarget(
                            target(),
                            target().description().maxPositions(),
                            Set.of(plain[position]));
            var request =
                    DecodeRequest.of(prompt(2), TOKENS, ARGMAX).withSource(source(target(), 2));
            var generation = decoder(ending).decode(request, randomness(position));

            assertThat(generation.reason()).isEqualTo(FinishReason.END_OF_SEQUENCE);
            assertThat(generation.tokens())
                    .describedAs("cut at %d", plain[position])
                    .containsExactly(plain(ending, request).tokens());
        }
    }
}
