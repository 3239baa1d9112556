/// The EAGLE drafters.
@NullMarked
package dev.outrider.drafter.eagle;

import org.jspecify.annotations.NullMarked;
