package dev.outrider.cli;

import com.google.common.base.Suppliers;
import dev.outrider.hub.Hub;
import dev.outrider.hub.HubPaths;
import dev.outrider.hub.HubSettings;
import java.nio.file.Path;
import java.util.Map;

/// Where models are that have names.
final class HubPlace {
    private HubPlace() {}

    /// As the process' environment says. It is read when a name comes up, so that a variable without sense stops nobody else.
    static HubPaths ofProcess() {
        return of(System.getenv());
    }

    /// As variables say.
    static HubPaths of(Map<String, String> environment) {
        var home = Path.of(System.getProperty("user.home", "."));
        return new HubPaths(
                Suppliers.memoize(() -> new Hub(HubSettings.of(environment, home)))::get);
    }
}
