@NullMarked
package dev.outrider.drafter.ensemble.union;

import org.jspecify.annotations.NullMarked;
