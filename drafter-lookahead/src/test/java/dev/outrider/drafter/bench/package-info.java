/// Benchmarks of drafters without a model. Not tests.
@NullMarked
package dev.outrider.drafter.bench;

import org.jspecify.annotations.NullMarked;
