package dev.outrider.testkit;

import dev.outrider.engine.check.ForwardingDraftSession;
import dev.outrider.engine.check.ForwardingDrafter;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import java.util.function.UnaryOperator;

/// A drafter with something around every session; subclasses change more.
public class WrappedDrafter implements ForwardingDrafter {
    private final Drafter drafter;
    private final UnaryOperator<DraftSession> around;

    /// Puts something around every session of a drafter.
    ///
    /// @param drafter what does the work
    /// @param around  what becomes of each of its sessions
    public WrappedDrafter(Drafter drafter, UnaryOperator<DraftSession> around) {
        this.drafter = drafter;
        this.around = around;
    }

    @Override
    public final Drafter drafter() {
        return drafter;
    }

    @Override
    public DraftSession open(DraftRequest request) {
        return around.apply(drafter.open(request));
    }

    /// A session that leaves everything to another one; subclasses change a part.
    public static class Session implements ForwardingDraftSession {
        private final DraftSession session;

        /// Leaves everything to a session.
        ///
        /// @param session what does the work
        public Session(DraftSession session) {
            this.session = session;
        }

        @Override
        public final DraftSession session() {
            return session;
        }
    }
}
