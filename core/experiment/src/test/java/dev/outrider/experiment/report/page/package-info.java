/// Tests: The page.
@NullMarked
package dev.outrider.experiment.report.page;

import org.jspecify.annotations.NullMarked;
