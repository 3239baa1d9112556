@NullMarked
package dev.outrider.experiment.results;

import org.jspecify.annotations.NullMarked;
