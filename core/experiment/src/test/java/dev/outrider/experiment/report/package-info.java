/// Tests of the package of the same name.
@NullMarked
package dev.outrider.experiment.report;

import org.jspecify.annotations.NullMarked;
