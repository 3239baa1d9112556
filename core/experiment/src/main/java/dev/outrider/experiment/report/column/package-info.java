/// What is measured as columns: one list that every table, file and legend draws from.
@NullMarked
package dev.outrider.experiment.report.column;

import org.jspecify.annotations.NullMarked;
