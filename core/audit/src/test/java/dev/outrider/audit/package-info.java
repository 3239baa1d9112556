@NullMarked
package dev.outrider.audit;

import org.jspecify.annotations.NullMarked;
