import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The folder of package.json, without a trailing slash. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/u, '')

/** Ends a command with a message for people and a non-zero exit code, without a stack trace. */
export class CommandError extends Error {
  /**
   * @param {string} message one or more whole lines
   * @param {string} [details] shown above it, e.g. a tool's output
   */
  constructor(message, details = '') {
    super(message)
    this.name = 'CommandError'
    this.details = details
  }
}

/** @param {unknown} error */
export function readMessage(error) {
  return error instanceof Error ? error.message : String(error)
}

/**
 * Runs a command's main function; anything it throws becomes a message and exit code 1.
 * @param {() => Promise<void>} main
 */
export async function runCommand(main) {
  try {
    await main()
  } catch (error) {
    if (error instanceof CommandError && error.details) console.error(error.details.trimEnd())
    const message = readMessage(error)
    console.error(error instanceof CommandError ? message : `Debitdesk could not go on: ${message}`)
    process.exit(1)
  }
}

/**
 * The most informative line of stderr: the message of an uncaught error, else the last line.
 * @param {string} text
 */
export function pickErrorLine(text) {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return lines.findLast((line) => /^(Uncaught )?\w*Error\b.*: /u.test(line)) ?? lines.at(-1) ?? ''
}

/**
 * The code of an error of Node's, such as `ENOENT`.
 * @param {unknown} error
 */
export function readErrorCode(error) {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

const MAX_OUTPUT_LENGTH = 2_000_000

/**
 * Runs a program in the repository's root until it ends. Returns its exit code, its output (the last 2 MB) and its
 * duration in milliseconds. `live` shows the output instead of returning it; `echo` does both.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, live?: boolean, echo?: boolean }} [options]
 * @returns {Promise<{ code: number, output: string, took: number }>}
 */
export function runTool(command, args, { env = process.env, live = false, echo = false } = {}) {
  const began = Date.now()
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, stdio: live ? 'inherit' : ['ignore', 'pipe', 'pipe'] })
    let output = ''
    /** @param {string} chunk */
    const collect = (chunk) => {
      output = (output + chunk).slice(-MAX_OUTPUT_LENGTH)
      if (echo) process.stdout.write(chunk)
    }
    child.stdout?.setEncoding('utf8').on('data', collect)
    child.stderr?.setEncoding('utf8').on('data', collect)
    let ending = 0
    /** @param {NodeJS.Signals} signal */
    const forwardSignal = (signal) => {
      ending = signal === 'SIGINT' ? 130 : 143
      child.kill(signal)
    }
    process.on('SIGINT', forwardSignal)
    process.on('SIGTERM', forwardSignal)
    child.on('error', reject)
    child.on('close', (code) => {
      process.off('SIGINT', forwardSignal)
      process.off('SIGTERM', forwardSignal)
      if (ending) process.exit(ending)
      resolve({ code: code ?? 1, output, took: Date.now() - began })
    })
  })
}

/**
 * The path of a package's program, to be run with this Node, without a shell or npx.
 * @param {string} path
 */
export function nodeProgram(path) {
  return `${root}/node_modules/${path}`
}
