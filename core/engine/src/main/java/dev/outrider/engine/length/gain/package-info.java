/// Draft lengths by expected gain: measured acceptance over measured time, plain decoding included.
@NullMarked
package dev.outrider.engine.length.gain;

import org.jspecify.annotations.NullMarked;
