import pino from 'pino'

/**
 * The desk's log: JSON lines on standard output. What goes in is chosen field by field where it is
 * written; never a body, a cookie, a credential or an exception's message (see describeError).
 */
export const log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, process.stdout)
