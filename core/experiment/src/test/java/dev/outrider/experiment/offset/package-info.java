@NullMarked
package dev.outrider.experiment.offset;

import org.jspecify.annotations.NullMarked;
