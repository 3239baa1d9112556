/// The common parts of the training of heads on a frozen target. A head adds its settings, its parameters, a program with its
/// forward pass and its loss, and the configuration file of the result ([dev.outrider.training.head.TrainedHead]).
@NullMarked
package dev.outrider.training.head;

import org.jspecify.annotations.NullMarked;
