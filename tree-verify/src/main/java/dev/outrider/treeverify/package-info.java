/// The target `tornado`: a whole decoder on a GPU, behind the same contract as every other target.
///
/// Nothing here or below knows TornadoVM but what lies in `src/tornado`, which is compiled only where its SDK is.
/// The two sides meet in the service [dev.outrider.treeverify.DeviceCode].
@NullMarked
package dev.outrider.treeverify;

import org.jspecify.annotations.NullMarked;
