package dev.outrider.testkit;

import dev.outrider.spi.Coins;
import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftBudget;
import dev.outrider.spi.DraftRequest;
import dev.outrider.spi.DraftSession;
import dev.outrider.spi.Drafter;
import dev.outrider.spi.DrafterTraits;
import dev.outrider.spi.HiddenState;
import dev.outrider.spi.HiddenStates;
import dev.outrider.spi.TargetScores;
import dev.outrider.spi.Verdict;
import java.util.Set;
import java.util.function.UnaryOperator;

/// A drafter that leaves everything to another one; subclasses and the sessions they put around its sessions
/// change a part.
public class ForwardingDrafter implements Drafter {
    private final Drafter drafter;
    private final UnaryOperator<DraftSession> around;

    /// Puts something around every session of a drafter.
    ///
    /// @param drafter what does the work
    /// @param around  what becomes of each of its sessions
    public ForwardingDrafter(Drafter drafter, UnaryOperator<DraftSession> around) {
        this.drafter = drafter;
        this.around = around;
    }

    @Override
    public DrafterTraits traits() {
        return drafter.traits();
    }

    @Override
    public Set<HiddenState> hiddenStates() {
        return drafter.hiddenStates();
    }

    @Override
    public long parameters() {
        return drafter.parameters();
    }

    @Override
    public String digest() {
        return drafter.digest();
    }

    @Override
    public DraftSession open(DraftRequest request) {
        return around.apply(drafter.open(request));
    }

    @Override
    public void close() {
        drafter.close();
    }

    /// A session that leaves everything to another one.
    public static class Session implements DraftSession {
        private final DraftSession session;

        /// Leaves everything to a session.
        ///
        /// @param session what does the work
        public Session(DraftSession session) {
            this.session = session;
        }

        @Override
        public void begin(int[] prompt, HiddenStates promptStates) {
            session.begin(prompt, promptStates);
        }

        @Override
        public Draft propose(DraftBudget budget, Coins coins) {
            return session.propose(budget, coins);
        }

        @Override
        public void observe(Verdict verdict, TargetScores scores) {
            session.observe(verdict, scores);
        }

        @Override
        public void close() {
            session.close();
        }
    }
}
