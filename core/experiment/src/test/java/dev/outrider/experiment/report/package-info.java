@NullMarked
package dev.outrider.experiment.report;

import org.jspecify.annotations.NullMarked;
