@NullMarked
package dev.outrider.drafter.medusa;

import org.jspecify.annotations.NullMarked;
