@NullMarked
package dev.outrider.experiment.predict;

import org.jspecify.annotations.NullMarked;
