/// The columns of the summary, shared by page, Markdown and CSV.
@NullMarked
package dev.outrider.experiment.report.table;

import org.jspecify.annotations.NullMarked;
