/// Columns: each is defined once, with its key, heading, definition and value, and every table takes its columns from here.
@NullMarked
package dev.outrider.experiment.table;

import org.jspecify.annotations.NullMarked;
