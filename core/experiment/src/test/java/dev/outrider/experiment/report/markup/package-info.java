/// Tests: Markup.
@NullMarked
package dev.outrider.experiment.report.markup;

import org.jspecify.annotations.NullMarked;
