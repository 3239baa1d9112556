package dev.outrider.drafter.bandit;

import dev.outrider.common.StickyChoice;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DraftLengthPolicy;

/// Pulls arms for one sequence, each for a block of rounds. A block that the sequence's end cuts short teaches nothing. Confined to one
/// thread.
final class BanditPolicy implements DraftLengthPolicy {
    private final Bandit bandit;
    private final StickyChoice held;
    private Bandit.Pull pull = new Bandit.Pull(0, 1, "");
    private Bandit.Block block = Bandit.Block.EMPTY;

    /// @param rounds of a block
    BanditPolicy(Bandit bandit, int rounds) {
        this.bandit = bandit;
        this.held = new StickyChoice(rounds);
    }

    @Override
    public int next() {
        return held.next(this::decide);
    }

    private int decide() {
        if (block.rounds() > 0) {
            bandit.reward(pull, block);
        }
        block = Bandit.Block.EMPTY;
        pull = bandit.pull();
        return pull.arm();
    }

    @Override
    public String reason() {
        return pull.reason();
    }

    @Override
    public void observe(RoundCompleted round) {
        if (held.settled()) {
            block = block.with(round.verdict().acceptedLength() + 1, round.times().total());
        }
    }
}
