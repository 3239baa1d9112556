@NullMarked
package dev.outrider.drafter.union;

import org.jspecify.annotations.NullMarked;
