package dev.outrider.drafting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Compares beams with a twin that keeps whole sequences: the tree has exactly the prefixes of the remaining beams.
class BeamTest {
    private static final int VOCABULARY = 9;
    private static final List<Integer> COMMITTED = List.of(4, 7, 2);

    @Test
    void theTreeIsThePrefixesOfTheBeams() {
        int shared = 0;
        for (int seed = 0; seed < 500; seed++) {
            var random = new Random(seed);
            int width = 1 + random.nextInt(5);
            int length = 1 + random.nextInt(4);
            var network = new PathLogits(VOCABULARY, seed, PathLogits.Style.SMOOTH);
            var stepper = new PathStepper(network, COMMITTED);

            var expansion = expand(stepper, width, length, new DraftBudget(99, 99));

            var beams = beams(network, width, length);
            assertThat(paths(expansion.draft().tree()))
                    .as("seed %d", seed)
                    .isEqualTo(prefixes(beams));
            assertThat(expansion.draft().selection()).isEqualTo(new Selection.PointMass());
            StaticTreeTest.assertRowsHoldThePaths(expansion, stepper);
            shared += expansion.draft().tree().size() - 1 < width * length ? 1 : 0;
        }
        assertThat(shared).as("cases with shared prefixes").isGreaterThan(100);
    }

    @Test
    void aSmallBudgetKeepsTheMostProbableBeams() {
        for (int seed = 0; seed < 200; seed++) {
            var network = new PathLogits(VOCABULARY, seed, PathLogits.Style.SMOOTH);
            int nodes = 1 + seed % 9;
            int depth = Math.min(3, nodes);

            var expansion =
                    expand(
                            new PathStepper(network, COMMITTED),
                            3,
                            3,
                            new DraftBudget(nodes, depth));

            var kept = new LinkedHashSet<List<Integer>>();
            for (var beam : beams(network, Math.min(3, nodes), depth)) {
                for (int size = 1; size <= beam.size() && kept.size() < nodes; size++) {
                    kept.add(beam.subList(0, size));
                }
            }
            assertThat(paths(expansion.draft().tree())).as("seed %d", seed).isEqualTo(kept);
        }
    }

    private static DraftWithRows expand(
            PathStepper stepper, int width, int length, DraftBudget budget) {
        return TreeExpander.ofBeam(
                        new TreePlan.Dynamic(width, length, width * length),
                        SamplingPolicy.atTemperature(1),
                        new StopRule.Never(),
                        new DraftVocabulary(VOCABULARY, VOCABULARY))
                .expand(
                        stepper,
                        TokenHistory.of(COMMITTED.stream().mapToInt(Integer::intValue).toArray()),
                        budget,
                        new RecordingRandomness(0));
    }

    private record Scored(List<Integer> path, double score) {}

    /// Returns the beams, the most probable first.
    private static List<List<Integer>> beams(PathLogits network, int width, int length) {
        var beams = List.of(new Scored(List.of(), 0));
        for (int depth = 0; depth < length; depth++) {
            var next = new ArrayList<Scored>();
            for (var beam : beams) {
                var before = new ArrayList<>(COMMITTED);
                before.addAll(beam.path());
                var reader =
                        new LogitReader(
                                SamplingPolicy.argmax(),
                                new DraftVocabulary(VOCABULARY, VOCABULARY));
                reader.read(network.segmentAfter(before), TokenHistory.empty());
                double normaliser = reader.logNormaliser();
                for (int token = 0; token < VOCABULARY; token++) {
                    var path = new ArrayList<>(beam.path());
                    path.add(token);
                    next.add(new Scored(path, beam.score() + reader.score(token) - normaliser));
                }
            }
            beams =
                    next.stream()
                            .sorted(Comparator.comparingDouble(beam -> -beam.score()))
                            .limit(width)
                            .toList();
        }
        return beams.stream().map(Scored::path).toList();
    }

    private static LinkedHashSet<List<Integer>> prefixes(List<List<Integer>> beams) {
        var prefixes = new LinkedHashSet<List<Integer>>();
        for (var beam : beams) {
            for (int size = 1; size <= beam.size(); size++) {
                prefixes.add(beam.subList(0, size));
            }
        }
        return prefixes;
    }

    private static LinkedHashSet<List<Integer>> paths(TokenTree tree) {
        var paths = new LinkedHashSet<List<Integer>>();
        for (int node = 1; node < tree.size(); node++) {
            var path = new ArrayList<Integer>();
            for (int walker = node; walker != 0; walker = tree.parent(walker)) {
                path.addFirst(tree.tokens()[walker]);
            }
            paths.add(path);
        }
        return paths;
    }
}
