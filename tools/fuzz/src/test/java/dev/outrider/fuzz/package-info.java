@NullMarked
package dev.outrider.fuzz;

import org.jspecify.annotations.NullMarked;
