package dev.outrider.drafter.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.StreamRandomness;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.testkit.NoStates;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The matrix that one sequence stores for later sequences behaves as a register: a sequence starts from the complete matrix of the
/// sequence that closed last.
class KeptSuccessorsThreadsTest {
    private static final int VOCABULARY = 4;
    private static final int TRIALS = 200;

    private Drafter drafter = keeping();

    @Test
    void aSequenceStartsFromAWholeMatrixWhicheverThreadLeftIt() throws Exception {
        try (var threads = Executors.newFixedThreadPool(3)) {
            for (int trial = 0; trial < TRIALS; trial++) {
                drafter = keeping();
                var one = begun(0, 1, 2);
                var other = begun(0, 3, 1);

                List<Callable<List<Integer>>> work =
                        List.of(() -> closed(one), () -> closed(other), this::draft);
                var drafted = threads.invokeAll(work).getLast().get();

                assertThat(drafted).isIn(List.of(), List.of(1, 2), List.of(3, 1));
                assertThat(draft()).isIn(List.of(1, 2), List.of(3, 1));
            }
        }
    }

    private static Drafter keeping() {
        var drafting = new RankedDrafting(2, 2, Optional.of(new TreePlan.Chain(2)), true, true);
        return new RankDrafter(
                new TokenRecyclingConfig(drafting).traits(), drafting, new Successors(VOCABULARY));
    }

    private static List<Integer> closed(DraftSession session) {
        session.close();
        return List.of();
    }

    /// Returns the draft of a new sequence after token 0.
    private List<Integer> draft() {
        var session = begun(0);
        var randomness = new StreamRandomness(new KeyedRandomStreams(1, 1), 0);
        var tree = session.propose(new DraftBudget(2, 2), randomness).tree();
        return IntStream.range(1, tree.size()).map(tree::token).boxed().toList();
    }

    private DraftSession begun(int... prompt) {
        var session = drafter.open(new DraftRequest(8, SamplingPolicy.argmax()));
        session.begin(prompt, new NoStates());
        return session;
    }
}
