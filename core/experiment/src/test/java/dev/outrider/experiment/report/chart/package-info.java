@NullMarked
package dev.outrider.experiment.report.chart;

import org.jspecify.annotations.NullMarked;
