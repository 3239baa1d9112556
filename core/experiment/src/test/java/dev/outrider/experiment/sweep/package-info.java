@NullMarked
package dev.outrider.experiment.sweep;

import org.jspecify.annotations.NullMarked;
