/// Tests: Two results against each other.
@NullMarked
package dev.outrider.experiment.report.compare;

import org.jspecify.annotations.NullMarked;
