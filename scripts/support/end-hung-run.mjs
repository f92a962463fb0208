import { relative } from 'node:path'
import { root } from './command.mjs'

/**
 * A reporter of vitest that ends a run in which nothing was reported for HUNG_AFTER_MS, and names what was running.
 * Vitest's own time limits need the test's thread to come back: one that never yields, or a worker that never
 * begins, would stand still for ever.
 */
export default class EndHungRun {
  #limit = Number(process.env.HUNG_AFTER_MS)
  /** The test or hook that runs in each file that does. */
  #running = new Map()
  #timer

  onTestRunStart() {
    this.#goOn()
  }

  onTestRunEnd() {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  onTestModuleQueued(module) {
    this.#running.set(module.moduleId, '')
    this.#goOn()
  }

  onTestCaseReady(test) {
    this.#running.set(test.module.moduleId, test.fullName)
    this.#goOn()
  }

  onTestCaseResult(test) {
    this.#running.set(test.module.moduleId, '')
    this.#goOn()
  }

  onHookStart({ name, entity }) {
    this.#running.set((entity.module ?? entity).moduleId, name)
    this.#goOn()
  }

  onTestModuleEnd(module) {
    this.#running.delete(module.moduleId)
    this.#goOn()
  }

  #goOn() {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#end(), this.#limit)
  }

  #end() {
    const names = [...this.#running].map(([file, name]) => `  ${relative(root, file)} ${name}`.trimEnd())
    console.error(`Nothing has happened for ${this.#limit / 1_000} s. Still running:\n${names.join('\n')}`)
    process.exit(1)
  }
}
