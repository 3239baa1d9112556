/// Tokens per round of every variant, foretold on text of the target's own and held against what is measured (docs/guide/laboratory.md).
@NullMarked
package dev.outrider.experiment.predict;

import org.jspecify.annotations.NullMarked;
