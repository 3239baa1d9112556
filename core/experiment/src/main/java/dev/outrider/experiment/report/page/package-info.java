/// The report as one page that needs nothing else: table, drawings, exactness, provenance.
@NullMarked
package dev.outrider.experiment.report.page;

import org.jspecify.annotations.NullMarked;
