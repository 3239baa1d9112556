package dev.outrider.drafter.block;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;

/// The two drafters, told apart by whether a checkpoint has heads beside the backbone.
enum BlockKind {
    DFLASH("dflash", "DFlash, without them"),
    DSPARK("dspark", "DSpark, with one or both");

    private final String drafter;
    private final String text;

    BlockKind(String drafter, String text) {
        this.drafter = drafter;
        this.text = text;
    }

    /// Name of the drafter that takes it.
    String drafter() {
        return drafter;
    }

    /// Refuses a checkpoint of the other kind.
    ///
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED`
    void require(Path path, HeadForm heads) {
        var found = heads.markov().isPresent() || heads.confidence() ? DSPARK : DFLASH;
        if (found != this) {
            throw new OutriderException(
                    ErrorCode.CHECKPOINT_UNSUPPORTED,
                    "'%s' has %s Markov or confidence head; drafter '%s' expects a checkpoint of %s"
                            .formatted(path, found == DSPARK ? "a" : "no", drafter, text),
                    "Choose the drafter '%s' for it, or another checkpoint."
                            .formatted(found.drafter));
        }
    }
}
