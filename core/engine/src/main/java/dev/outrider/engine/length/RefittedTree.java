package dev.outrider.engine.length;

import dev.outrider.common.ExploreExploit;
import dev.outrider.common.Require;
import dev.outrider.common.StickyChoice;
import dev.outrider.engine.length.TreeExperience.AskedTree;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DraftLengthPolicy;
import java.util.Optional;
import java.util.function.Supplier;

/// The tree of least time per token, fitted again every `every` rounds to acceptance by rank and to the times of rounds; plain decoding
/// where no tree pays. The drafter's own tree is the first one, and no fitted tree has more nodes, depth or ranks.
///
/// Trees follow measured times, so sampled output cannot be repeated from a seed; it stays exact.
///
/// @param every  rounds from one fit to the next, at least 1
/// @param trials share of the time that trials of other trees may cost beyond the best one, in `[0, 1)`
/// @see "Chen et al. 2024 (Sequoia), sections 3.1 and 3.3; docs/reference/algorithms.md A9.5"
@Doc(
        "The tree of least time per token, fitted again and again during the run; at most as large, as deep and as wide as the drafter's own.")
public record RefittedTree(
        @Default("128") @Doc("Rounds from one fit to the next.") int every,
        @Default("0.01")
                @Doc(
                        "Share of the time that trials of other trees may cost beyond the best one, in [0, 1): what it takes to notice a change.")
                double trials)
        implements DraftLengthPlan {
    public RefittedTree {
        Require.that(every >= 1, "every %d must be at least 1", every);
        Require.that(trials >= 0 && trials < 1, "trials %s must be in [0, 1)", trials);
    }

    @Override
    public DraftLengthPolicy start() {
        return shared().get();
    }

    /// Starts sequences that learn from one another.
    @Override
    public Supplier<DraftLengthPolicy> shared() {
        var experience = new TreeExperience(this);
        return () -> new TreePolicy(experience);
    }

    /// Asks for the trees of one sequence. Confined to one thread.
    private static final class TreePolicy implements DraftLengthPolicy {
        private final TreeExperience experience;
        private final StickyChoice held = new StickyChoice(ExploreExploit.HOLD);
        private TreeExperience.Choice chosen =
                new TreeExperience.Choice(AskedTree.own(0), ExploreExploit.LEARNING);

        TreePolicy(TreeExperience experience) {
            this.experience = experience;
        }

        @Override
        public int next() {
            held.next(() -> {
                chosen = experience.choose();
                return chosen.asked().number();
            });
            return chosen.asked().depth();
        }

        @Override
        public Optional<TreePlan.RankPaths> tree() {
            return chosen.asked().tree();
        }

        @Override
        public String reason() {
            return chosen.reason();
        }

        @Override
        public void observe(RoundCompleted round) {
            if (!held.settled()) {
                chosen.asked().requireGrown(round.draft().tree());
            }
            experience.observe(round, chosen.asked(), held.settled());
        }
    }
}
