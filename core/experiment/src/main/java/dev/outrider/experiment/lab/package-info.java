/// What other rules, draft lengths and trees would have given, from a recording and without a model (docs/guide/laboratory.md).
@NullMarked
package dev.outrider.experiment.lab;

import org.jspecify.annotations.NullMarked;
