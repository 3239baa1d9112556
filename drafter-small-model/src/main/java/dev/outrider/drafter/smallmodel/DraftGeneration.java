package dev.outrider.drafter.smallmodel;

/// Parameters of a draft that learns, between two steps. They are closed once nothing drafts with them and later ones are in force.
/// Thread-safe.
final class DraftGeneration {
    private final SmallModelDrafter drafter;
    private int users = 1;

    /// Held by whoever makes it.
    DraftGeneration(SmallModelDrafter drafter) {
        this.drafter = drafter;
    }

    SmallModelDrafter drafter() {
        return drafter;
    }

    synchronized void hold() {
        users++;
    }

    synchronized void release() {
        users--;
        if (users == 0) {
            drafter.close();
        }
    }
}
