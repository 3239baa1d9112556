@NullMarked
package dev.outrider.experiment.costs;

import org.jspecify.annotations.NullMarked;
