@NullMarked
package dev.outrider.experiment.run;

import org.jspecify.annotations.NullMarked;
