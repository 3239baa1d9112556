/// Evidence for or against the promise that a variant of a comparison writes what the target alone would write.
@NullMarked
package dev.outrider.experiment.verify;

import org.jspecify.annotations.NullMarked;
