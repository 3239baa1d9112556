/// The launcher script, run by a real shell against pretended JDKs and a pretended Maven.
@NullMarked
package dev.outrider.launcher;

import org.jspecify.annotations.NullMarked;
