import { spawn } from 'node:child_process'
import { root } from './root.mjs'

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
