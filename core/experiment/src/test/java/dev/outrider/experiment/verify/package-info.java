@NullMarked
package dev.outrider.experiment.verify;

import org.jspecify.annotations.NullMarked;
