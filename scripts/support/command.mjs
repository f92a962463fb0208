import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The folder that holds package.json, without a slash at its end. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/u, '')

/** Ends a command with one line for people and a non-zero exit code; never a stack trace. */
export class CommandFailure extends Error {
  /** @param {string} message one or more whole lines @param {string} [details] shown below, e.g. a tool's output */
  constructor(message, details = '') {
    super(message)
    this.name = 'CommandFailure'
    this.details = details
  }
}

/** Runs a command's main function; whatever it throws becomes a message and exit code 1. */
export async function runCommand(main) {
  try {
    await main()
  } catch (error) {
    if (error instanceof CommandFailure && error.details) console.error(error.details.trimEnd())
    console.error(
      error instanceof CommandFailure ? error.message : `Debitdesk could not go on: ${error?.message ?? error}`,
    )
    process.exit(1)
  }
}

/** The line of stderr that says most to people: the message of an uncaught error, else the last one. */
export function pickLine(text) {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return lines.findLast((line) => /^(Uncaught )?\w*Error\b.*: /u.test(line)) ?? lines.at(-1) ?? ''
}

const mostOutput = 2_000_000

/**
 * Runs a program to its end in the repository's root and answers its exit code, everything it wrote
 * (the last 2 MB) and how long it took in milliseconds. `live` shows the output as it comes, and `echo` does both.
 */
export function runTool(command, args, { env = process.env, live = false, echo = false } = {}) {
  const began = Date.now()
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, stdio: live ? 'inherit' : ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const keep = (chunk) => {
      output = (output + chunk).slice(-mostOutput)
      if (echo) process.stdout.write(chunk)
    }
    child.stdout?.setEncoding('utf8').on('data', keep)
    child.stderr?.setEncoding('utf8').on('data', keep)
    let ending = 0
    const pass = (signal) => {
      ending = signal === 'SIGINT' ? 130 : 143
      child.kill(signal)
    }
    process.on('SIGINT', pass)
    process.on('SIGTERM', pass)
    child.on('error', reject)
    child.on('close', (code) => {
      process.off('SIGINT', pass)
      process.off('SIGTERM', pass)
      if (ending) process.exit(ending)
      resolve({ code: code ?? 1, output, took: Date.now() - began })
    })
  })
}

/** The path of a package's program, started with this same Node: no shell, no npx. */
export function nodeProgram(path) {
  return `${root}/node_modules/${path}`
}
