package dev.outrider.drafter.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.drafter.lookup.NgramDrafter.NgramDistribution;
import dev.outrider.drafter.lookup.NgramFile.NgramCounts;
import dev.outrider.drafting.Drafting;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.acceptance.WithoutReplacementRule;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.ExactDistribution;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NgramTest {
    private static final NgramCounts COUNTS =
            NgramCounts.of(Stream.of(new int[] {0, 1, 0, 1, 2}, new int[] {1, 0}), 3);

    @TempDir private Path folder = Path.of("");

    @Test
    void countsTokensAndPairsButNoPairAcrossDocuments() {
        assertThat(COUNTS.tokens()).containsExactly(3, 3, 1);
        assertThat(COUNTS.offsets()).containsExactly(0, 1, 3, 3);
        assertThat(COUNTS.successors()).containsExactly(1, 0, 2);
        assertThat(COUNTS.counts()).containsExactly(2, 2, 1);
    }

    @Test
    void theDistributionIsTheSmoothedShareOfPairs() {
        double[] unigram = {4 / 10.0, 4 / 10.0, 2 / 10.0};
        assertThat(distribution(new NgramDistribution(COUNTS, 1, 1), 0))
                .containsExactly(unigram, within(1e-6));
        assertThat(distribution(new NgramDistribution(COUNTS, 2, 1), 1))
                .containsExactly(
                        new double[] {(2 + unigram[0]) / 4, unigram[1] / 4, (1 + unigram[2]) / 4},
                        within(1e-6));
        assertThat(distribution(new NgramDistribution(COUNTS, 2, 1), 2))
                .describedAs("a token without successors goes by the unigram distribution")
                .containsExactly(unigram, within(1e-6));
    }

    @Test
    void aWrittenTableReadsBack() {
        var path = folder.resolve("table.safetensors");
        new NgramFile(COUNTS, "ab").write(path, Map.of("corpus", "three words"));
        var file = NgramFile.read(path);

        assertThat(file.tokenizer()).isEqualTo("ab");
        assertThat(file.counts().successors()).isEqualTo(COUNTS.successors());
        assertThat(file.counts().counts()).isEqualTo(COUNTS.counts());
        assertThat(file.counts().offsets()).isEqualTo(COUNTS.offsets());
        assertThat(file.counts().tokens()).isEqualTo(COUNTS.tokens());
    }

    @Test
    void brokenTablesAreRefused() {
        long[] tokens = {3, 3, 1};
        long[] offsets = {0, 1, 3, 3};
        long[] successors = {1, 0, 2};
        long[] counts = {2, 2, 1};
        assertThat(refusal(tokens, offsets, successors, new long[] {2, 0, 1}))
                .contains("DATA_INVALID")
                .contains("pair (1, 0) occurs 0 times, expected at least 1");
        assertThat(refusal(tokens, offsets, new long[] {1, 0, 3}, counts))
                .contains("successor 3 of token 1 must be above 0 and below 3");
        assertThat(refusal(tokens, offsets, new long[] {1, 2, 0}, counts))
                .contains("successor 0 of token 1 must be above 2 and below 3");
        assertThat(refusal(tokens, new long[] {0, 2, 1, 3}, successors, counts))
                .contains("offsets fall from 2 to 1 at token 1");
        assertThat(refusal(tokens, new long[] {0, 1, 3, 4}, successors, counts))
                .contains("offsets must have 4 entries, from 0 to the number of pairs");
        assertThat(refusal(new long[] {3, -1, 1}, offsets, successors, counts))
                .contains("token 1 occurs -1 times, expected 0 or more");
        assertThat(refusal(tokens, new long[] {0, 1L << 40, 3, 3}, successors, counts))
                .contains("DATA_INVALID");
    }

    @Test
    void otherFilesAreRefused() {
        var path = folder.resolve("other.safetensors");
        SafetensorsWriter.write(path, List.of(), Map.of());
        assertThatThrownBy(() -> NgramFile.read(path))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("CHECKPOINT_UNSUPPORTED")
                .hasMessageContaining("has the format '', expected 'outrider-ngram-1'");
        SafetensorsWriter.write(path, List.of(), Map.of("format", "outrider-ngram-1"));
        assertThatThrownBy(() -> NgramFile.read(path))
                .hasMessageContaining("CHECKPOINT_INCOMPLETE")
                .hasMessageContaining("has no tensor 'tokens'");
        assertThatThrownBy(() -> NgramFile.read(folder.resolve("none")))
                .hasMessageContaining("CHECKPOINT_NOT_FOUND");
    }

    @Test
    void aTableOfAnotherTokenizerIsRefused() {
        var path = folder.resolve("table.safetensors");
        new NgramFile(COUNTS, "another").write(path, Map.of());
        var target = TableTarget.of(TableModel.random(3, DistributionStyle.DENSE, 1));

        assertThatThrownBy(() ->
                        LookupPlugin.NGRAM.create(
                                new NgramConfig(path, 2, Drafting.of(new TreePlan.Chain(4)), 1),
                                () -> target))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("DRAFTER_VOCABULARY_MISMATCH")
                .hasMessageContaining("counted with another tokenizer than that of target 'table'");
    }

    @Test
    void draftsWithItsDistributionAreExactForTheRulesThatDivideByIt() {
        exact(Drafting.of(new TreePlan.Chain(3)), 2, new TokenRejectionRule(), 1);
        exact(Drafting.of(new TreePlan.Chain(2)), 1, new TokenRejectionRule(), 2);
        exact(
                Drafting.of(new TreePlan.SampledWithoutReplacement(List.of(2, 1))),
                2,
                new WithoutReplacementRule(),
                1);
        exact(Drafting.of(new TreePlan.LevelWidths(List.of(2, 2))), 2, new SampleAndMatchRule(), 2);
    }

    @Test
    void draftsThatStopAreExactToo() {
        var chain = Drafting.of(new TreePlan.Chain(3));
        var siblings = Drafting.of(new TreePlan.SampledWithoutReplacement(List.of(2, 1)));
        var uncertain = new Drafting.EntropyStop(0.3, 0.5);
        exact(chain.stoppingBelow(0.4), 2, new TokenRejectionRule(), 1);
        exact(chain.stoppingAt(uncertain), 2, new TokenRejectionRule(), 1);
        exact(siblings.stoppingBelow(0.4), 2, new WithoutReplacementRule(), 1);
        exact(siblings.stoppingAt(uncertain), 2, new WithoutReplacementRule(), 1);
    }

    @Test
    void settingsThatCannotWorkAreRefused() {
        var chain = Drafting.of(new TreePlan.Chain(4));
        assertThatThrownBy(() -> new NgramConfig(folder, 3, chain, 1))
                .hasMessage("order 3 must be 1 or 2");
        assertThatThrownBy(() -> new NgramConfig(folder, 2, chain, 0))
                .hasMessage("smoothing 0.0 must be above 0 and below 1e9");
    }

    private static void exact(Drafting drafting, int order, AcceptanceRule rule, int rounds) {
        for (int seed = 0; seed < 3; seed++) {
            var target = TableModel.random(3, DistributionStyle.values()[seed], seed);
            var config = new NgramConfig(Path.of("none"), order, drafting, 1);
            var drafter = new NgramDrafter(config, new NgramDistribution(COUNTS, order, 1), 3);
            var decoder =
                    new Decoder(
                            TableTarget.of(target),
                            Optional.of(drafter),
                            rule,
                            FixedLength.drafterLimit(),
                            true,
                            () -> 0);
            ExactDistribution.assertExact(
                    decoder,
                    target,
                    new SamplingPolicy(0.8, 0, 1, 0, 1.2),
                    new int[] {1, 0},
                    rounds,
                    drafting.plan().maxDepth() + 1);
        }
    }

    private String refusal(long[] tokens, long[] offsets, long[] successors, long[] counts) {
        var path = folder.resolve("broken.safetensors");
        SafetensorsWriter.write(
                path,
                List.of(
                        StoredTensor.ofLongs("tokens", tokens, tokens.length),
                        StoredTensor.ofLongs("offsets", offsets, offsets.length),
                        StoredTensor.ofLongs("successors", successors, successors.length),
                        StoredTensor.ofLongs("counts", counts, counts.length)),
                Map.of("format", "outrider-ngram-1"));
        try {
            NgramFile.read(path);
        } catch (OutriderException refused) {
            return String.valueOf(refused.getMessage());
        }
        throw new AssertionError("a broken table was read");
    }

    private static double[] distribution(NgramDistribution distribution, int token) {
        var row = distribution.logits(token).toArray(ValueLayout.JAVA_FLOAT);
        var probabilities = new double[row.length];
        for (int i = 0; i < row.length; i++) {
            probabilities[i] = Math.exp(row[i]);
        }
        return probabilities;
    }
}
