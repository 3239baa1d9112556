@NullMarked
package dev.outrider.experiment.tune;

import org.jspecify.annotations.NullMarked;
