/// Running a comparison: plain decoding and every variant interleaved on the same prompts.
@NullMarked
package dev.outrider.experiment.run;

import org.jspecify.annotations.NullMarked;
