package dev.outrider.engine.length.tree;

import dev.outrider.common.HeldChoice;
import dev.outrider.common.Reasons;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DraftLengthPolicy;
import java.util.Optional;

/// Asks for the trees of one sequence. Confined to one thread.
final class TreePolicy implements DraftLengthPolicy {
    private final TreeExperience experience;
    private final HeldChoice held = new HeldChoice(TreeExperience.HOLD);
    private TreeExperience.Choice chosen =
            new TreeExperience.Choice(AskedTree.own(0), Reasons.LEARNING);

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
