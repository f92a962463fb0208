import type { Step } from '../../cancellations/ledger'

/** How a process dies: by SIGKILL the so-many-th time that it comes to this step. */
export type Death = { step: Step; time: number }

/** A `step` of the ledger's parts that has its process die so. Of one that dies, no step returns. */
export function dieAt(death: Death | undefined): (name: Step) => Promise<void> {
  let times = 0
  return async (name) => {
    if (name !== death?.step) return
    times += 1
    if (times < death.time) return
    process.kill(process.pid, 'SIGKILL')
    await new Promise(() => undefined)
  }
}
