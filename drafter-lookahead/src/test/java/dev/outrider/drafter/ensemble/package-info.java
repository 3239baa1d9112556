@NullMarked
package dev.outrider.drafter.ensemble;

import org.jspecify.annotations.NullMarked;
