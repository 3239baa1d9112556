/// Connections with a limit of the time that they wait for clients. Helidon reads a request and blocks; here a thread of each
/// connection reads ahead, so that the end of a client's connection is noticed while its request runs, and reads and writes have a
/// time limit.
@NullMarked
package dev.outrider.serve.connection;

import org.jspecify.annotations.NullMarked;
