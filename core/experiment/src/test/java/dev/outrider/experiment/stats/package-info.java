/// Tests of the package of the same name.
@NullMarked
package dev.outrider.experiment.stats;

import org.jspecify.annotations.NullMarked;
