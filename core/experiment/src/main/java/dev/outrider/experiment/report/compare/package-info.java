/// Two results against each other, variant by variant on the prompts that both measured.
@NullMarked
package dev.outrider.experiment.report.compare;

import org.jspecify.annotations.NullMarked;
