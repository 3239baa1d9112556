/// Computes from a recording, without a model, the results of other rules, draft lengths and trees (docs/guide/laboratory.md).
@NullMarked
package dev.outrider.experiment.lab;

import org.jspecify.annotations.NullMarked;
