/// Tests of the launcher script: a real shell runs it with fake JDKs and a fake Maven.
@NullMarked
package dev.outrider.launcher;

import org.jspecify.annotations.NullMarked;
