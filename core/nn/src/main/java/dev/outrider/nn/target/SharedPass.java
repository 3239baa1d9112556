package dev.outrider.nn.target;

import dev.outrider.nn.network.PassResult;

/// One pass's result in the hands of several sessions; released with the last of them. Confined to one thread.
final class SharedPass {
    private final PassResult result;
    private int holders;

    SharedPass(PassResult result, int holders) {
        this.result = result;
        this.holders = holders;
    }

    PassResult result() {
        return result;
    }

    void release() {
        holders--;
        if (holders == 0) {
            result.close();
        }
    }
}
