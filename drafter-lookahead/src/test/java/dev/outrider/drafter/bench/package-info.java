/// What a round costs a drafter without a model. Benchmarks, not tests.
@NullMarked
package dev.outrider.drafter.bench;

import org.jspecify.annotations.NullMarked;
