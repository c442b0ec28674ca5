package jtop.demo;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Work of one kind each: allocation, large strings, computing. */
final class Workload {
    /** Heap that concurrent string builders may hold together: a quarter of the largest heap, in KB. */
    private static final int STRINGS_KB = (int) (Runtime.getRuntime().maxMemory() / 1024 / 4);
    /** KB of heap for one KB of text: two bytes a character on Java 8, the builder twice while it grows, the copy. */
    private static final int HEAP_PER_KB = 6;
    private static final Semaphore STRINGS = new Semaphore(STRINGS_KB, true);

    /** Where results go, so that the JIT cannot prove the work useless. */
    private static volatile Object sink;

    private Workload() {
    }

    /** Allocates that many KB in arrays of 8 KB, none of which stays reachable; returns the KB. */
    static int churn(int kb) {
        for (int left = kb; left > 0; left -= 8) {
            sink = new byte[Math.min(left, 8) * 1024];
        }
        sink = null;
        return kb;
    }

    /** Builds one debug string of that many KB and drops it; returns its length. */
    static int strings(int kb) throws InterruptedException {
        int heapKB = Math.min(kb * HEAP_PER_KB, STRINGS_KB);
        if (!STRINGS.tryAcquire(heapKB, 2, TimeUnit.SECONDS)) {
            throw new BadRequest(503, "too many large strings at once for this heap; try fewer users");
        }
        try {
            StringBuilder debug = new StringBuilder();
            for (int line = 0; debug.length() < kb * 1024; line++) {
                debug.append("DEBUG question=").append(line).append(" state=answered by=gateway\n");
            }
            String built = debug.toString();
            sink = built;
            return built.length();
        } finally {
            sink = null;
            STRINGS.release(heapKB);
        }
    }

    /** Computes for that many milliseconds on the calling thread. */
    static long burn(int ms) {
        long end = System.nanoTime() + ms * 1_000_000L;
        long x = 88172645463325252L;
        while (System.nanoTime() < end) {
            for (int i = 0; i < 1_000; i++) {
                x ^= x << 13;
                x ^= x >>> 7;
                x ^= x << 17;
            }
        }
        return x;
    }
}
