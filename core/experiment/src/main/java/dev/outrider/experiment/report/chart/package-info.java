/// Figures as SVG, each with the numbers it is drawn from, and the markup they are made of.
@NullMarked
package dev.outrider.experiment.report.chart;

import org.jspecify.annotations.NullMarked;
