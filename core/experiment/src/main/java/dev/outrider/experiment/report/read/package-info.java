/// Results read back from files: cells of a comparison or of a sweep, checked as any foreign input is.
@NullMarked
package dev.outrider.experiment.report.read;

import org.jspecify.annotations.NullMarked;
