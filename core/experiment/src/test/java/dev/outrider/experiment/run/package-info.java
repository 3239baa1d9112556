/// Tests of the package of the same name.
@NullMarked
package dev.outrider.experiment.run;

import org.jspecify.annotations.NullMarked;
