import { closeSync, existsSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { readErrorCode } from './command.mjs'

/** Marks a line as one of the desk's security events (lib/server/runtime/security-log.ts). */
const securityMark = '"stream":"security"'
const MAX_LINE_LENGTH = 65_536

/** An append-only file that is rotated by renaming: `desk.log` becomes `desk.1.log`. */
class RotatingFile {
  readonly #path: string
  readonly #files: number
  readonly #maxBytes: number
  #descriptor: number
  #size: number

  constructor(path: string, { files, maxBytes }: { files: number; maxBytes: number }) {
    this.#path = path
    this.#files = files
    this.#maxBytes = maxBytes
    this.#descriptor = openSync(path, 'a', 0o600)
    this.#size = fstatSync(this.#descriptor).size
  }

  #name(age: number): string {
    return age === 0 ? this.#path : this.#path.replace(/\.log$/u, `.${age}.log`)
  }

  #rotate() {
    // Without the newest, an earlier try got no further than here: another would only lose the oldest.
    if (existsSync(this.#path)) this.#shift()
    const descriptor = openSync(this.#path, 'a', 0o600)
    closeSync(this.#descriptor)
    this.#descriptor = descriptor
    this.#size = fstatSync(descriptor).size
  }

  #shift() {
    rmSync(this.#name(this.#files - 1), { force: true })
    for (let age = this.#files - 2; age >= 0; age -= 1) {
      try {
        renameSync(this.#name(age), this.#name(age + 1))
      } catch (error) {
        if (readErrorCode(error) !== 'ENOENT') throw error
      }
    }
  }

  write(chunk: Uint8Array): void {
    if (this.#size > this.#maxBytes) this.#rotate()
    this.#size += writeSync(this.#descriptor, chunk)
  }
}

/**
 * The log of a child under DATA_DIR/logs, kept over restarts: up to 20 MB in two files. Its security events are also
 * written to `security.log`, up to five files of 10 MB, so that other lines cannot push them out.
 */
export class LogFile {
  readonly path: string
  readonly #file: RotatingFile
  #security: RotatingFile | undefined
  readonly #securityPath: string
  readonly #maxBytes: number
  #decoder = new StringDecoder()
  #rest = ''

  constructor(dataDir: string, name: string, maxBytes = 10_000_000) {
    mkdirSync(`${dataDir}/logs`, { recursive: true, mode: 0o700 })
    this.path = `${dataDir}/logs/${name}.log`
    this.#securityPath = `${dataDir}/logs/security.log`
    this.#maxBytes = maxBytes
    this.#file = new RotatingFile(this.path, { files: 2, maxBytes })
  }

  /** Writes output of the child; `isLog` for standard output, which has its own log lines. */
  write(chunk: Buffer, { isLog = false } = {}): void {
    dropIfFailing(() => this.#file.write(chunk))
    if (!isLog) return
    // Chunks can end within a line.
    const lines = (this.#rest + this.#decoder.write(chunk)).split('\n')
    this.#rest = (lines.pop() ?? '').slice(0, MAX_LINE_LENGTH)
    const events = lines.filter(isSecurityEvent)
    if (events.length > 0) dropIfFailing(() => this.#openSecurity().write(Buffer.from(`${events.join('\n')}\n`)))
  }

  #openSecurity(): RotatingFile {
    this.#security ??= new RotatingFile(this.#securityPath, { files: 5, maxBytes: this.#maxBytes })
    return this.#security
  }
}

/** A line that cannot be written, on a full disk say, must not end what the log is of. */
function dropIfFailing(write: () => void): void {
  try {
    write()
  } catch {
    // Where would it be said?
  }
}

function isSecurityEvent(line: string): boolean {
  if (!line.includes(securityMark)) return false
  try {
    return JSON.parse(line).stream === 'security'
  } catch {
    return false
  }
}
