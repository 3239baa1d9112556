/// The target `tornado`: a whole decoder on a GPU, with the same contract as every other target.
///
/// Only the classes in `src/tornado` use TornadoVM. They are compiled only if its SDK is installed. The other classes call them
/// through the service [dev.outrider.treeverify.DeviceCode].
@NullMarked
package dev.outrider.treeverify;

import org.jspecify.annotations.NullMarked;
