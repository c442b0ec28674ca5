package jtop.demo;

import java.util.ArrayList;
import java.util.List;

/** A static list that only grows: the classic leak, stopped at a quarter of the largest heap. */
final class LeakedAnswers {
    private static final List<byte[]> KEPT = new ArrayList<>();
    private static final long LIMIT_KB = Runtime.getRuntime().maxMemory() / 1024 / 4;
    private static long keptKB;

    private LeakedAnswers() {
    }

    /** Keeps that many more KB and returns the KB kept in all. */
    static synchronized long keep(int kb) {
        if (keptKB + kb > LIMIT_KB) {
            throw new BadRequest(507, "the leak stops at " + LIMIT_KB + " KB, a quarter of the largest heap ("
                + keptKB + " KB kept now); free it with /question/leak/clear");
        }
        for (int i = 0; i < kb; i++) {
            KEPT.add(new byte[1024]);
        }
        keptKB += kb;
        return keptKB;
    }

    /** Drops everything and returns the KB that were kept. */
    static synchronized long clear() {
        long released = keptKB;
        KEPT.clear();
        keptKB = 0;
        return released;
    }
}
