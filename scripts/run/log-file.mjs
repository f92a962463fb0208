import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'

const mostBytes = 10_000_000

/**
 * The log of one child under DATA_DIR/logs: begun anew at each start, and kept below 20 MB in two
 * files (`desk.log` and, once that is full, `desk.1.log` with what came before).
 */
export class LogFile {
  #descriptor
  #size = 0

  constructor(dataDir, name) {
    mkdirSync(`${dataDir}/logs`, { recursive: true })
    this.path = `${dataDir}/logs/${name}.log`
    rmSync(this.#older, { force: true })
    this.#descriptor = openSync(this.path, 'w', 0o600)
  }

  get #older() {
    return this.path.replace(/\.log$/u, '.1.log')
  }

  write(chunk) {
    if (this.#size > mostBytes) {
      closeSync(this.#descriptor)
      renameSync(this.path, this.#older)
      this.#descriptor = openSync(this.path, 'w', 0o600)
      this.#size = 0
    }
    this.#size += writeSync(this.#descriptor, chunk)
  }
}
