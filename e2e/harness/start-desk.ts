import { readFile } from 'node:fs/promises'
import { findFreePort } from './find-free-port'
import { type RunningCommand, startCommand } from './start-command'

export type Role = 'admin' | 'support' | 'viewer'
export type SignIn = { email: string; password: string }

export type Desk = {
  url: string
  dataDir: string
  command: RunningCommand
  /** The demo sign-in of a role as `npm start` printed it; throws where it printed none. */
  signIn: (role: Role) => SignIn
  /** SIGKILL to the desk's own process, while the command and the service live on for a moment. */
  kill: () => Promise<void>
}

function readSignIn(output: string, role: Role): SignIn {
  const [, email, password] = new RegExp(`^${role} {2}(\\S+) {2}(\\S+)$`, 'mu').exec(output) ?? []
  if (!email || !password) throw new Error(`npm start printed no sign-in for ${role}:\n${output}`)
  return { email, password }
}

/** Starts a desk with `npm start`'s own program on free ports, with its data in `dataDir`. */
export async function startDesk(dataDir: string, settings: Record<string, string> = {}): Promise<Desk> {
  const port = settings.PORT ?? String(await findFreePort())
  const servicePort = settings.SERVICE_PORT ?? String(await findFreePort())
  const given = { DATA_DIR: dataDir, PORT: port, SERVICE_PORT: servicePort, ...settings }
  const command = await startCommand('start', given, 'Press Ctrl-C')
  const url = /^Debitdesk is ready: (\S+)$/mu.exec(command.output())?.[1]
  if (!url) throw new Error(`npm start printed no address:\n${command.output()}`)
  return {
    url,
    dataDir,
    command,
    signIn: (role) => readSignIn(command.output(), role),
    kill: async () => {
      // The lock of the desk's store names its process.
      const lock = await readFile(`${dataDir}/desk/debitdesk.lock`, 'utf8')
      process.kill(Number.parseInt(lock, 10), 'SIGKILL')
      await command.exited
    },
  }
}
