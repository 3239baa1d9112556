package dev.outrider.serving;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Predicate;

/// Requests that wait. Clients take turns; the requests of one client are in order. Guarded by the engine's lock.
final class RequestQueue {
    private final SequencedMap<String, ArrayDeque<Job>> clients = new LinkedHashMap<>();
    private int size;

    int size() {
        return size;
    }

    void add(Job job) {
        clients.computeIfAbsent(job.request().client(), _ -> new ArrayDeque<>()).addLast(job);
        size++;
    }

    /// The request whose turn it is: the oldest of the client that has waited longest for a turn.
    Optional<Job> peek() {
        return Optional.ofNullable(clients.firstEntry()).map(first -> first.getValue().getFirst());
    }

    /// Takes the request that [#peek] shows; it is the next client's turn then.
    void remove() {
        var first = clients.pollFirstEntry();
        first.getValue().removeFirst();
        size--;
        if (!first.getValue().isEmpty()) {
            clients.putLast(first.getKey(), first.getValue());
        }
    }

    /// Takes all requests of some kind. Each is asked about once: the answer may change meanwhile.
    List<Job> removeIf(Predicate<Job> unwanted) {
        var removed = new ArrayList<Job>();
        clients.values()
                .forEach(jobs -> jobs.removeIf(job -> unwanted.test(job) && removed.add(job)));
        clients.values().removeIf(ArrayDeque::isEmpty);
        size -= removed.size();
        return removed;
    }
}
