/// Tests of the package of the same name.
@NullMarked
package dev.outrider.experiment.verify;

import org.jspecify.annotations.NullMarked;
