/// Measures what a step of a drafter costs beside a pass of the target.
@NullMarked
package dev.outrider.drafting.bench;

import org.jspecify.annotations.NullMarked;
