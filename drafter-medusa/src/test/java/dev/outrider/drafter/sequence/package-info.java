@NullMarked
package dev.outrider.drafter.sequence;

import org.jspecify.annotations.NullMarked;
