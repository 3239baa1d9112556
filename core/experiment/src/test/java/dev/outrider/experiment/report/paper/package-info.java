/// Tests: Tables for papers.
@NullMarked
package dev.outrider.experiment.report.paper;

import org.jspecify.annotations.NullMarked;
