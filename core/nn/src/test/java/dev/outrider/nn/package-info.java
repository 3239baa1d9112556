/// Helpers of this module's tests.
@NullMarked
package dev.outrider.nn;

import org.jspecify.annotations.NullMarked;
