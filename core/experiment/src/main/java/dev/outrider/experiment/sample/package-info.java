/// What a report shows of single rounds: tokens, verdicts, and the distributions p and q they were judged by.
@NullMarked
package dev.outrider.experiment.sample;

import org.jspecify.annotations.NullMarked;
