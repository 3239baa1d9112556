package dev.outrider.testkit;

import static dev.outrider.testkit.Expect.assertThat;

import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.run.DraftLengthPolicy;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

/// Checks of every draft-length policy: it must choose possible depths for all accepted lengths, also for many sequences at once.
/// Extend it, return your policy, and run it as a test.
public abstract class DraftLengthPolicyConformance {
    private static final int TOKENS = 60;
    private static final int THREADS = 4;
    private static final SamplingPolicy WARM = SamplingPolicy.atTemperature(1);
    private static final TableModel TARGET = TableModel.random(7, DistributionStyle.DENSE, 5);

    /// For subclasses, which a test framework instantiates.
    protected DraftLengthPolicyConformance() {}

    /// {@return a policy that has seen no round; called from several threads}
    protected abstract DraftLengthPolicy start();

    @Check
    void greedyOutputIsThatOfPlainDecoding() {
        var argmax = SamplingPolicy.argmax();
        var rule = new TokenRejectionRule();
        var plain = Decoder.plain(TableTarget.of(TARGET), rule, () -> 0);

        assertThat(written(decoder(TARGET, argmax), argmax, 0))
                .isEqualTo(written(plain, argmax, 0));
        assertThat(written(decoder(other(), argmax), argmax, 0))
                .isEqualTo(written(plain, argmax, 0));
    }

    @Check
    void everyDepthCanBe() {
        for (int seed = 0; seed < THREADS; seed++) {
            assertThat(written(decoder(other(), WARM), WARM, seed)).hasSize(TOKENS);
        }
    }

    @Check
    void sequencesOfSeveralThreadsEnd() {
        var decoder = decoder(other(), WARM);
        var work =
                IntStream.range(0, THREADS)
                        .<Callable<int[]>>mapToObj(seed -> () -> written(decoder, WARM, seed))
                        .toList();

        assertThat(Threads.together(work)).allSatisfy(tokens -> assertThat(tokens).hasSize(TOKENS));
    }

    private static TableModel other() {
        return TableModel.random(7, DistributionStyle.DENSE, 6);
    }

    private Decoder decoder(TableModel draft, SamplingPolicy drafting) {
        return new Decoder(
                TableTarget.of(TARGET),
                Optional.of(new TableDrafter(draft, new TreePlan.Chain(6), drafting)),
                new TokenRejectionRule(),
                this::start,
                true,
                System::nanoTime);
    }

    private static int[] written(Decoder decoder, SamplingPolicy policy, int seed) {
        return decoder.decode(
                        DecodeRequest.of(new int[] {1, 2}, TOKENS, policy),
                        RandomnessSource.of(new KeyedRandomStreams(seed, 0)))
                .tokens();
    }
}
