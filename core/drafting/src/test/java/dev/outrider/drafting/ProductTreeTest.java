package dev.outrider.drafting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.common.sampling.Distributions;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.tree.TokenTree;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Tests trees of drafters whose slots are independent: a level is one row, and the best nodes are the best nodes of the product.
class ProductTreeTest {
    private static final int VOCABULARY = 5;
    private static final PathLogits.Style STYLE = PathLogits.Style.SMOOTH;
    private static final SamplingPolicy PLAIN = SamplingPolicy.atTemperature(1);

    @Test
    void aDynamicTreeHoldsTheMostProbableNodesOfTheProduct() {
        for (int each = 0; each < 300; each++) {
            int seed = each;
            var random = new Random(seed);
            int depth = 1 + random.nextInt(4);
            int topK = 1 + random.nextInt(VOCABULARY);
            int total = 1 + random.nextInt(25);
            var stepper = new Slots(seed);

            var draft = expand(stepper, new TreePlan.Dynamic(topK, depth, total), PLAIN, total);

            assertThat(draft.selection()).isEqualTo(new Selection.PointMass());
            var found = paths(draft.tree());
            var all = everyPath(seed, depth, topK);
            all.sort(Comparator.comparingDouble(path -> -score(seed, path)));
            assertThat(found).hasSize(Math.min(total, all.size()));
            double worst = found.stream().mapToDouble(path -> score(seed, path)).min().orElse(0);
            double due = score(seed, all.get(found.size() - 1));
            assertThat(worst).as("seed %d", seed).isEqualTo(due);
            assertThat(new HashSet<>(found)).hasSameSizeAs(found);
            assertThat(stepper.rows).as("rows run").isLessThan(depth);
        }
    }

    @Test
    void runsOneRowALevelWhateverTheWidth() {
        var stepper = new Slots(3);

        expand(stepper, new TreePlan.LevelWidths(List.of(3, 3, 3)), PLAIN, 99);

        assertThat(stepper.rows).isEqualTo(2);
    }

    @Test
    void distributionsOfALevelDifferWhereTheyDependOnThePath() {
        var penalised = new SamplingPolicy(1, 0, 1, 0, 5);
        var plan = new TreePlan.SampledWithoutReplacement(List.of(3, 1));

        var draft = expand(new Slots(3), plan, penalised, 99);

        var rows = ((Selection.WithoutReplacement) draft.selection()).distributions();
        for (int node = 1; node <= 3; node++) {
            var own =
                    Distributions.of(
                            penalised,
                            Slots.logits(3, 1),
                            VOCABULARY,
                            TokenHistory.of(4, 2, 1, draft.tree().token(node)));
            assertThat(rows.row(node)).isEqualTo(own);
        }
        assertThat(rows.row(1)).isNotEqualTo(rows.row(2));
    }

    /// A drafter may end a draft by its confidence in a slot, for every shape.
    @Test
    void endsWhereTheDrafterDoesNotGuess() {
        for (var plan :
                List.of(
                        new TreePlan.Chain(4),
                        new TreePlan.Dynamic(2, 4, 9),
                        new TreePlan.LevelWidths(List.of(2, 2, 2)),
                        new TreePlan.SampledWithReplacement(List.of(2, 2, 1)))) {
            for (var dependence : DraftStepper.Dependence.values()) {
                var stepper = new Slots(3);
                stepper.dependence = dependence;
                stepper.doubtful = 2;

                assertThat(expand(stepper, plan, PLAIN, 99).tree().maxDepth())
                        .as("%s, %s", plan, dependence)
                        .isEqualTo(2);
            }
        }
    }

    private static Draft expand(Slots stepper, TreePlan plan, SamplingPolicy policy, int nodes) {
        return new TreeExpander(
                        plan,
                        policy,
                        new StopRule.Never(),
                        new DraftVocabulary(VOCABULARY, VOCABULARY))
                .expand(
                        stepper,
                        TokenHistory.of(4, 2, 1),
                        new DraftBudget(nodes, Math.min(nodes, 9)),
                        new RecordingRandomness(0))
                .draft();
    }

    private static List<List<Integer>> everyPath(int seed, int depth, int topK) {
        var all = new ArrayList<List<Integer>>();
        List<List<Integer>> level = List.of(List.of());
        for (int slot = 0; slot < depth; slot++) {
            int[] best =
                    TopTokens.of(
                            new PathLogits(VOCABULARY, seed, STYLE).after(List.of(slot)), topK);
            var next = new ArrayList<List<Integer>>();
            for (var path : level) {
                for (int token : best) {
                    var longer = new ArrayList<>(path);
                    longer.add(token);
                    next.add(List.copyOf(longer));
                }
            }
            all.addAll(next);
            level = next;
        }
        return all;
    }

    private static double score(int seed, List<Integer> path) {
        double score = 0;
        var reader = new LogitReader(PLAIN, new DraftVocabulary(VOCABULARY, VOCABULARY));
        for (int slot = 0; slot < path.size(); slot++) {
            reader.read(Slots.logits(seed, slot), TokenHistory.empty());
            score += Math.min(0, reader.score(path.get(slot)) - reader.logNormaliser());
        }
        return score;
    }

    private static List<List<Integer>> paths(TokenTree tree) {
        var paths = new ArrayList<List<Integer>>();
        for (int node = 1; node < tree.size(); node++) {
            var path = new ArrayList<Integer>();
            for (int each : tree.path(node)) {
                if (each != 0) {
                    path.add(tree.token(each));
                }
            }
            paths.add(List.copyOf(path));
        }
        return paths;
    }

    /// A stepper with a distribution for every depth.
    private static final class Slots implements DraftStepper {
        private final int seed;
        private Dependence dependence = Dependence.DEPTH;
        private int doubtful = Integer.MAX_VALUE;
        private int rows;

        Slots(int seed) {
            this.seed = seed;
        }

        static MemorySegment logits(int seed, int slot) {
            return new PathLogits(VOCABULARY, seed, STYLE).segmentAfter(List.of(slot));
        }

        @Override
        public Dependence dependence() {
            return dependence;
        }

        @Override
        public LogitRows root() {
            return rows(0);
        }

        @Override
        public LogitRows step(List<StepInput> nodes) {
            rows += nodes.size();
            return rows(nodes.getFirst().depth());
        }

        private LogitRows rows(int slot) {
            return new LogitRows() {
                @Override
                public MemorySegment row(int index) {
                    return logits(seed, slot);
                }

                @Override
                public boolean guessesFrom(int index) {
                    return slot < doubtful;
                }
            };
        }
    }
}
