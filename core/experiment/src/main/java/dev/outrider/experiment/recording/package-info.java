/// Records the drafts of a run and both probabilities along its texts, which `outrider lab` reads (docs/guide/laboratory.md).
@NullMarked
package dev.outrider.experiment.recording;

import org.jspecify.annotations.NullMarked;
