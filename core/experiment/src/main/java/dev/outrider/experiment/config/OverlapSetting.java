package dev.outrider.experiment.config;

import dev.outrider.engine.decode.Overlap;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;

/// Whether the drafter works while the target verifies: `true`, `false`, or `{branches: 4}`.
public sealed interface OverlapSetting {
    /// What it means for a decoder.
    Overlap overlap();

    /// Stages take turns.
    @Doc("It drafts when the target is done.")
    record False() implements OverlapSetting {
        @Override
        public Overlap overlap() {
            return Overlap.NONE;
        }
    }

    /// Stages overlap.
    ///
    /// @param branches most outcomes of a round to work on
    @Doc("It drafts for likely outcomes of the round while the target is at work.")
    record True(
            @Doc(
                            "Most outcomes of a round to work on at a time, 1 to 256: places where the target may leave the draft, and tokens"
                                    + " that may follow. Each is a row more in the passes of the drafter.")
                    @Default("8")
                    int branches)
            implements OverlapSetting {
        /// Checks the number.
        public True {
            Overlap.BESIDE.branches(branches);
        }

        @Override
        public Overlap overlap() {
            return Overlap.BESIDE.branches(branches);
        }
    }
}
