import { matchCancellationWorkers } from '../cancellations/worker'
import { describeError } from '../describe-error'
import { log } from '../log'
import { inBackground } from '../request-facts'

/** Tells the workers at once that a merchant was added, changed or removed; they would find out by themselves. */
export function wakeWorkers(): void {
  void inBackground(matchCancellationWorkers).catch((error: unknown) =>
    log.warn({ event: 'workers-not-matched', error: describeError(error) }),
  )
}
