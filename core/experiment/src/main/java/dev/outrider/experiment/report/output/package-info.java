/// Writes a report's files.
@NullMarked
package dev.outrider.experiment.report.output;

import org.jspecify.annotations.NullMarked;
