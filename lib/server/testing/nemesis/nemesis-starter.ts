import { spawn } from 'node:child_process'

/*
 * Starts a desk of the nemesis as the product's command starts the product: it holds the desk's standard input, so that a
 * desk whose starter is killed notices, finishes its work and exits.
 */

const desk = spawn(process.execPath, process.argv.slice(2), { stdio: ['pipe', 'inherit', 'inherit'] })
desk.stdin.on('error', () => undefined)
process.stdin.pipe(desk.stdin)
desk.once('exit', (code, signal) => {
  if (signal) process.kill(process.pid, signal)
  else process.exit(code ?? 1)
})
