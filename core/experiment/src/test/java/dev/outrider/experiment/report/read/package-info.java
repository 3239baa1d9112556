/// Tests: Reading results back.
@NullMarked
package dev.outrider.experiment.report.read;

import org.jspecify.annotations.NullMarked;
