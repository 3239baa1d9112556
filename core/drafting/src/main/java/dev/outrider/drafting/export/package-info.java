/// Heads written in the layouts that other programs load.
@NullMarked
package dev.outrider.drafting.export;

import org.jspecify.annotations.NullMarked;
