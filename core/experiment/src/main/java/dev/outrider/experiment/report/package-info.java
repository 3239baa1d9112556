/// Reports of a comparison: result files, summary, text table, provenance.
@NullMarked
package dev.outrider.experiment.report;

import org.jspecify.annotations.NullMarked;
