package dev.outrider.drafter.smallmodel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.testkit.LetterTokenizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/// Sessions over a network that is a table, with random requests and results.
final class TableSessions {
    static final int VOCABULARY = 11;
    static final DraftBudget AMPLE = new DraftBudget(99, 99);

    private TableSessions() {}

    static Stream<TreePlan> plans() {
        return Stream.of(
                new TreePlan.Chain(1),
                new TreePlan.Chain(4),
                new TreePlan.LevelWidths(List.of(3, 2, 1)),
                new TreePlan.RankPaths(
                        List.of(List.of(0), List.of(2), List.of(0, 1), List.of(0, 1, 3))),
                new TreePlan.Dynamic(3, 4, 10),
                new TreePlan.SampledWithReplacement(List.of(3, 2, 2)),
                new TreePlan.SampledWithoutReplacement(List.of(3, 2, 2)));
    }

    static void assertSame(Draft expected, Draft actual) {
        assertThat(actual.tree()).isEqualTo(expected.tree());
        assertThat(actual.selection().kind()).isEqualTo(expected.selection().kind());
        for (int node = 0; node < expected.tree().size(); node++) {
            if (distributions(expected).has(node)) {
                assertThat(distributions(actual).row(node))
                        .containsExactly(distributions(expected).row(node));
            }
        }
    }

    private static DraftDistributions distributions(Draft draft) {
        return switch (draft.selection()) {
            case Selection.PointMass() -> DraftDistributions.builder().build();
            case Selection.Independent(var distributions) -> distributions;
            case Selection.WithoutReplacement(var distributions) -> distributions;
        };
    }

    static DraftBudget budget(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> new DraftBudget(0, 0);
            case 1 -> new DraftBudget(5, 2);
            default -> AMPLE;
        };
    }

    /// Accepts down to a random node; in half of the cases it is one of the deepest nodes.
    static Verdict verdict(Random random, TokenTree tree) {
        int last = random.nextBoolean() ? tree.size() - 1 : random.nextInt(tree.size());
        var path = new ArrayList<Integer>();
        for (int node : tree.path(last)) {
            path.add(node);
        }
        return new Verdict(
                path.subList(1, path.size()),
                random.nextInt(VOCABULARY),
                Verdict.Origin.CORRECTION);
    }

    static Verdict verdict(Integer... nodes) {
        return new Verdict(List.of(nodes), 5, Verdict.Origin.BONUS);
    }

    static void begin(DraftSession session, List<Integer> prompt) {
        session.begin(
                prompt.stream().mapToInt(Integer::intValue).toArray(), SessionDriver.NO_STATES);
    }

    static DraftSession session(TableNetwork network, TreePlan plan, SamplingPolicy policy) {
        return drafter(network, plan, 1000).open(new DraftRequest(100, policy));
    }

    static SmallModelDrafter drafter(TableNetwork network, TreePlan plan, int maxPositions) {
        return new SmallModelDrafter(
                Configs.of(plan),
                new DraftModel(
                        network,
                        new LetterTokenizer(VOCABULARY),
                        VOCABULARY,
                        maxPositions,
                        7,
                        "",
                        Optional.empty()),
                VOCABULARY);
    }
}
