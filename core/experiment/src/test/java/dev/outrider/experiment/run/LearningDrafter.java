package dev.outrider.experiment.run;

import dev.outrider.engine.check.ForwardingDrafter;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.Drafter.Learning;
import dev.outrider.spi.draft.DrafterTraits;
import java.util.List;
import java.util.Optional;

/// A drafter that knows nothing until it was told to learn twice, and everything afterwards. Learning takes 1000 ns.
final class LearningDrafter implements ForwardingDrafter, Learning {
    /// Time of a step.
    static final long STEP = 1000;

    private final List<Drafter> drafters;
    private final FakeClock clock;
    private int learned;

    /// @param novice drafts at first
    /// @param adept  drafts afterwards
    LearningDrafter(Drafter novice, Drafter adept, FakeClock clock) {
        drafters = List.of(novice, adept);
        this.clock = clock;
    }

    @Override
    public Drafter drafter() {
        return drafters.get(learned < 2 ? 0 : 1);
    }

    @Override
    public DrafterTraits traits() {
        return drafters.getFirst().traits().learning();
    }

    @Override
    public String digest() {
        return "beef";
    }

    @Override
    public Optional<Learning> learning() {
        return Optional.of(this);
    }

    @Override
    public DraftSession open(DraftRequest request) {
        return drafter().open(request);
    }

    @Override
    public int learn() {
        clock.advance(STEP);
        learned++;
        return 1;
    }

    @Override
    public void restart() {
        learned = 0;
    }

    @Override
    public void close() {
        drafters.forEach(Drafter::close);
    }
}
