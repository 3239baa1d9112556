package dev.outrider.drafter.hydraplusplus;

import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.head.HydraHeads;
import dev.outrider.drafting.head.RandomHeads;
import dev.outrider.drafting.head.SequenceDrafter;
import dev.outrider.engine.acceptance.MultiStepRule;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.vector.VectorFeatureNetwork;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.testkit.DrafterExactness;
import dev.outrider.testkit.ExactnessPairing;
import dev.outrider.testkit.ReportedRows;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import dev.outrider.testkit.TokenFeatures;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Tests a prefix layer and heads with random numbers: every node has the distribution of its own path and of all states before it.
class HydraPlusPlusExactnessTest extends DrafterExactness {
    private static final int HIDDEN = 4;
    private static final int HEADS = 3;

    @Override
    protected Drafter drafter(ExactnessPairing pairing, int seed) {
        var drafting =
                new Drafting(
                        Optional.empty(),
                        Optional.of(pairing.plan()),
                        pairing.sampling().map(Drafting.Sampling::of),
                        pairing.stopBelow(),
                        Optional.empty());
        return new SequenceDrafter(heads(seed), drafting, Optional.empty(), 0, "");
    }

    @Override
    protected TargetModel target(TableModel table, int seed) {
        return new TokenFeatures(TableTarget.of(table), HIDDEN);
    }

    @Override
    protected int tables() {
        return 2;
    }

    @Override
    protected float[] logits(int seed, int[] prompt, int[] drafted) {
        return logits(seed, prompt, drafted, 0);
    }

    /// The logits are those of heads with one more state before the first state; only attention passes it on to them.
    @Test
    void aStateBeforeTheFirstIsNotExact() {
        assertNotExact(
                chain(Optional.of(WHOLE)),
                (seed, session) ->
                        recomputed(
                                session,
                                WHOLE,
                                (prompt, drafted) -> {
                                    int[] longer = new int[prompt.length + 1];
                                    longer[0] = 2;
                                    System.arraycopy(prompt, 0, longer, 1, prompt.length);
                                    return logits(seed, longer, drafted, 0);
                                }));
    }

    /// The logits are those of heads that read the prefix layer's state at the root one position too late.
    @Test
    void theStateOfTheRootsPlaceIsNotExact() {
        assertNotExact(
                chain(Optional.of(WHOLE)),
                (seed, session) ->
                        recomputed(
                                session,
                                WHOLE,
                                (prompt, drafted) -> logits(seed, prompt, drafted, 1)));
    }

    /// The logits are computed as if all nodes of a depth had the same distribution.
    @Test
    void theDistributionOfTheSiblingsPathIsNotExact() {
        var tree =
                ExactnessPairing.of(
                                new TreePlan.SampledWithReplacement(List.of(2, 1)),
                                new MultiStepRule(),
                                1)
                        .sampledBy(WHOLE);
        assertNotExact(tree, (_, session) -> new Siblings(session));
    }

    /// @param ahead by how many positions the state that the heads read is too late
    private float[] logits(int seed, int[] prompt, int[] drafted, int ahead) {
        var logits = new float[VOCABULARY];
        try (var heads = heads(seed);
                var reader = heads.reader(prompt.length)) {
            var states = new Powers(prompt);
            for (int index = 0; index < prompt.length - 1 + ahead; index++) {
                reader.read(states, index, 0);
            }
            var state = List.of(heads.start(reader.state().orElseThrow()));
            state = heads.after(state, new int[] {prompt[prompt.length - 1]});
            for (int token : drafted) {
                state = heads.after(state, new int[] {token});
            }
            heads.logits(drafted.length, state, logits);
        }
        return logits;
    }

    private static HydraHeads heads(int seed) {
        var sizes =
                DecoderConfig.builder()
                        .vocabularySize(VOCABULARY)
                        .hiddenSize(HIDDEN)
                        .intermediateSize(6)
                        .layers(1)
                        .heads(2)
                        .keyValueHeads(1)
                        .headSize(2)
                        .maxPositions(32)
                        .build();
        var prefix = PrefixLayout.prefix(sizes);
        var whole =
                prefix.fused(
                        prefix.fusion()
                                .orElseThrow()
                                .with(
                                        FusionConfig.Switch.OWN_EMBEDDING,
                                        FusionConfig.Switch.OWN_HEAD));
        var layer =
                new VectorFeatureNetwork(
                        whole,
                        new RandomWeights(whole, seed, 1.5),
                        Precision.F32,
                        Optional.empty());
        return new HydraHeads(
                new HydraHeads.Sizes(HIDDEN, VOCABULARY, HEADS, 2, true),
                new PrefixNames(Set.of()),
                HEADS,
                RandomHeads.matrices(seed),
                RandomHeads.embeddings(VOCABULARY, HIDDEN, seed),
                new PrefixReaders(layer));
    }

    /// States like those of [TokenFeatures].
    @SuppressWarnings("ArrayRecordComponent")
    private record Powers(int[] tokens) implements HiddenStates {
        @Override
        public int size() {
            return tokens.length;
        }

        @Override
        public MemorySegment hidden(HiddenState which, int index) {
            return MemorySegment.ofArray(TokenFeatures.powers(tokens[index], HIDDEN));
        }

        @Override
        public void close() {}
    }

    private static final class Siblings extends ReportedRows {
        Siblings(DraftSession session) {
            super(session);
        }

        @Override
        protected double[] row(TokenTree tree, DraftDistributions rows, int node) {
            return node == 0 ? rows.row(0) : rows.row(3 - node);
        }
    }
}
