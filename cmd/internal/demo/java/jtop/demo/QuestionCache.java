package jtop.demo;

/** A cache with one lock around everything, so that threads queue for it. */
final class QuestionCache {
    private long refreshes;

    /** Holds the cache's monitor for the given milliseconds. */
    synchronized void refresh(int ms) throws InterruptedException {
        Thread.sleep(ms); // the mistake on show: waiting while holding a lock
        refreshes++;
    }

    /** How often it was refreshed. */
    synchronized long refreshes() {
        return refreshes;
    }
}
