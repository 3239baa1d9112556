/// Shared code of drafters that use other drafters.
@NullMarked
package dev.outrider.drafter.ensemble;

import org.jspecify.annotations.NullMarked;
