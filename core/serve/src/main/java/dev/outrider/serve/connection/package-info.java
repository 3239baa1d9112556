/// Connections that do not wait for their clients without a limit. Helidon reads a request and blocks; here a thread of each connection reads
/// ahead, so that a client that leaves is noticed while its request is at work, and reads and writes have a time.
@NullMarked
package dev.outrider.serve.connection;

import org.jspecify.annotations.NullMarked;
