@NullMarked
package dev.outrider.embedding;

import org.jspecify.annotations.NullMarked;
