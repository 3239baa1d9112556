package dev.outrider.serve.connection;

import dev.outrider.serve.connection.ClientConnection.Times;
import io.helidon.common.buffers.BufferData;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.util.Set;

/// Puts a [ClientConnection] between a protocol and each socket.
///
/// @param protocol protocol of the connections
/// @param times    limits of time
public record ClientConnections(ServerConnectionSelector protocol, Times times)
        implements ServerConnectionSelector {
    @Override
    public int bytesToIdentifyConnection() {
        return protocol.bytesToIdentifyConnection();
    }

    @Override
    public Support supports(BufferData data) {
        return protocol.supports(data);
    }

    @Override
    public Set<String> supportedApplicationProtocols() {
        return protocol.supportedApplicationProtocols();
    }

    @Override
    public ServerConnection connection(ConnectionContext context) {
        return new ClientConnection(context, protocol, times);
    }
}
