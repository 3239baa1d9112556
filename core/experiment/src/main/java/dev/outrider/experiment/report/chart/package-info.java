/// The drawings of a report, each with the numbers it shows. Series differ in shape, dash and label, never in colour alone.
@NullMarked
package dev.outrider.experiment.report.chart;

import org.jspecify.annotations.NullMarked;
