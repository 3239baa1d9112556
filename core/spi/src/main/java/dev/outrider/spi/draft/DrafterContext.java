package dev.outrider.spi.draft;

import dev.outrider.spi.target.TargetModel;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// The objects that a drafter may use while it is loaded.
@API(status = Status.STABLE, since = "2")
public interface DrafterContext {
    /// {@return the target the drafter will draft for}
    TargetModel target();
}
