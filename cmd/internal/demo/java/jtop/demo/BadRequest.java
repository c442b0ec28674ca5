package jtop.demo;

/** A request that is refused, with the HTTP status to answer and a sentence for the caller. */
final class BadRequest extends RuntimeException {
    private static final long serialVersionUID = 1L;

    final int status;

    BadRequest(int status, String message) {
        super(message, null, false, false); // no stack trace: it is an answer, not a fault
        this.status = status;
    }
}
