/// Heads with random numbers, also for tests of drafter modules.
@NullMarked
package dev.outrider.drafting.head;

import org.jspecify.annotations.NullMarked;
