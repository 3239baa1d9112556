package dev.outrider.engine.check;

import dev.outrider.engine.check.Guard.OnFailure;
import dev.outrider.spi.Drafter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The end of a drafter, which neither its failure nor its silence can keep from coming.
///
/// A drafter that was left behind is not closed: its thread may be using what would be freed. It is freed with the process.
///
/// @param drafter closed once [#run()] is called
/// @param guard   its deadline holds for closing too
public record GuardedClose(Drafter drafter, Guard guard) implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedClose.class);

    @Override
    public void run() {
        if (guard.left().contains(drafter)) {
            LOG.warn(
                    "drafter '{}' is not closed: a call of it has not ended",
                    Contract.nameOf(drafter));
            return;
        }
        var forgiving = new Guard(OnFailure.PLAIN, guard.deadline(), guard.left());
        try (var calls =
                GuardedCalls.of(drafter, forgiving, failed -> LOG.warn("{}", failed.problem()))) {
            calls.call(
                    0,
                    "close",
                    () -> {
                        drafter.close();
                        return true;
                    },
                    () -> {});
        }
    }
}
