/// The report's tables for papers: Markdown and CSV.
@NullMarked
package dev.outrider.experiment.report.paper;

import org.jspecify.annotations.NullMarked;
