/// Heads with random numbers, for tests of drafter modules too.
@NullMarked
package dev.outrider.drafting.head;

import org.jspecify.annotations.NullMarked;
