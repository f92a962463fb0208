import { closeSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'

/** What is written by the desk as one of its security events (lib/server/runtime/security-log.ts). */
const securityMark = '"stream":"security"'
const longestLine = 65_536

/** A file that goes on where an earlier start left it, and makes room by renaming: `desk.log` becomes `desk.1.log`. */
class RotatingFile {
  #descriptor
  #size

  constructor(path, { files, mostBytes }) {
    this.path = path
    this.files = files
    this.mostBytes = mostBytes
    this.#open()
  }

  #open() {
    this.#descriptor = openSync(this.path, 'a', 0o600)
    this.#size = fstatSync(this.#descriptor).size
  }

  #name(age) {
    return age === 0 ? this.path : this.path.replace(/\.log$/u, `.${age}.log`)
  }

  #rotate() {
    closeSync(this.#descriptor)
    rmSync(this.#name(this.files - 1), { force: true })
    for (let age = this.files - 2; age >= 0; age -= 1) {
      try {
        renameSync(this.#name(age), this.#name(age + 1))
      } catch (error) {
        if (error.code !== 'ENOENT') throw error
      }
    }
    this.#open()
  }

  write(chunk) {
    if (this.#size > this.mostBytes) this.#rotate()
    this.#size += writeSync(this.#descriptor, chunk)
  }
}

/**
 * The log of one child under DATA_DIR/logs: kept over restarts, below 20 MB in two files. Its security events are kept a
 * second time in `security.log`, in five files of at most 10 MB, so that nothing else that is logged pushes them out.
 */
export class LogFile {
  #file
  #security
  #securityPath
  #mostBytes
  #decoder = new StringDecoder()
  #rest = ''

  constructor(dataDir, name, mostBytes = 10_000_000) {
    mkdirSync(`${dataDir}/logs`, { recursive: true, mode: 0o700 })
    this.path = `${dataDir}/logs/${name}.log`
    this.#securityPath = `${dataDir}/logs/security.log`
    this.#mostBytes = mostBytes
    this.#file = new RotatingFile(this.path, { files: 2, mostBytes })
  }

  /** Writes what came on standard error or, with `isLog`, on standard output, where the child's own log lines are. */
  write(chunk, { isLog = false } = {}) {
    this.#file.write(chunk)
    if (!isLog) return
    // Chunks end anywhere.
    const lines = (this.#rest + this.#decoder.write(chunk)).split('\n')
    this.#rest = lines.pop().slice(0, longestLine)
    const kept = lines.filter(isSecurityEvent)
    if (kept.length === 0) return
    this.#security ??= new RotatingFile(this.#securityPath, { files: 5, mostBytes: this.#mostBytes })
    this.#security.write(`${kept.join('\n')}\n`)
  }
}

function isSecurityEvent(line) {
  if (!line.includes(securityMark)) return false
  try {
    return JSON.parse(line).stream === 'security'
  } catch {
    return false
  }
}
