@NullMarked
package dev.outrider.drafter.medusa.sequence;

import org.jspecify.annotations.NullMarked;
