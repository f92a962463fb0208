import { relative } from 'node:path'
import type { ReportedHookContext, Reporter, TestCase, TestModule } from 'vitest/node'
import { root } from './command.mjs'

/**
 * A vitest reporter that ends a run after HUNG_AFTER_MS without progress, and names what was running. Vitest's own
 * timeouts need the test's thread to yield: a test that never does, or a worker that never starts, would hang forever.
 */
export default class EndHungRun implements Reporter {
  #limit = Number(process.env.HUNG_AFTER_MS)
  /** The running test or hook by file. */
  #running = new Map<string, string>()
  #timer: NodeJS.Timeout | undefined

  onTestRunStart() {
    this.#restartTimer()
  }

  onTestRunEnd() {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  onTestModuleQueued(module: TestModule) {
    this.#running.set(module.moduleId, '')
    this.#restartTimer()
  }

  onTestCaseReady(test: TestCase) {
    this.#running.set(test.module.moduleId, test.fullName)
    this.#restartTimer()
  }

  onTestCaseResult(test: TestCase) {
    this.#running.set(test.module.moduleId, '')
    this.#restartTimer()
  }

  onHookStart({ name, entity }: ReportedHookContext) {
    const { moduleId } = entity.type === 'module' ? entity : entity.module
    this.#running.set(moduleId, name)
    this.#restartTimer()
  }

  onTestModuleEnd(module: TestModule) {
    this.#running.delete(module.moduleId)
    this.#restartTimer()
  }

  #restartTimer() {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#end(), this.#limit)
  }

  #end() {
    const names = [...this.#running].map(([file, name]) => `  ${relative(root, file)} ${name}`.trimEnd())
    console.error(`Nothing has happened for ${this.#limit / 1_000} s. Still running:\n${names.join('\n')}`)
    process.exit(1)
  }
}
