/// What a run leaves for others to compute with: its rounds as columns, and on request the drafts and both distributions along its texts,
/// from which `outrider lab` answers (docs/guide/laboratory.md).
@NullMarked
package dev.outrider.experiment.recording;

import org.jspecify.annotations.NullMarked;
