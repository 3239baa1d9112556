@NullMarked
package dev.outrider.drafter.mtp;

import org.jspecify.annotations.NullMarked;
