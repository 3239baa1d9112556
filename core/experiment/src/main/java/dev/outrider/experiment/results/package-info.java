/// Files of a run: written by benches, read again by reports, and the tables of text among them.
@NullMarked
package dev.outrider.experiment.results;

import org.jspecify.annotations.NullMarked;
