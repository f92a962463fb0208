import { readFile } from 'node:fs/promises'
import { findFreePort } from '@/lib/database/testing/find-free-port'
import { prepareData } from './prepare-data'
import { type RunningCommand, startCommand } from './start-command'

export type Role = 'admin' | 'support' | 'viewer'
export type SignIn = { email: string; password: string }

export type DeskFacts = {
  url: string
  dataDir: string
  /** The demo sign-ins as `npm start` printed them; none where the desk uses another service. */
  signIns: Partial<Record<Role, SignIn>>
}

export type Desk = DeskFacts & {
  command: RunningCommand
  /** SIGKILL to the desk's own process, while the command and the service live on for a moment. */
  kill: () => Promise<void>
}

function readSignIns(output: string): DeskFacts['signIns'] {
  const lines = output.matchAll(/^(admin|support|viewer) {2}(\S+) {2}(\S+)$/gmu)
  return Object.fromEntries(Array.from(lines, ([, role, email, password]) => [role, { email, password }]))
}

/** The sign-in of a role; throws where the desk printed none. */
export function signInOf({ signIns }: DeskFacts, role: Role): SignIn {
  const found = signIns[role]
  if (!found) throw new Error(`npm start printed no sign-in for ${role}`)
  return found
}

/**
 * Starts a desk with `npm start`'s own program on free ports, with its data in `dataDir`. A new folder is given empty
 * databases beforehand, unless it is to be a first start in every respect (`fromNothing`).
 */
export async function startDesk(
  dataDir: string,
  settings: Record<string, string> = {},
  { fromNothing = false } = {},
): Promise<Desk> {
  if (!fromNothing) await prepareData(dataDir, settings.UPSTREAM_URL ? ['desk'] : ['desk', 'service'])
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
    signIns: readSignIns(command.output()),
    kill: async () => {
      // The lock of the desk's store names its process.
      const lock = await readFile(`${dataDir}/desk/debitdesk.lock`, 'utf8')
      process.kill(Number.parseInt(lock, 10), 'SIGKILL')
      await command.exited
    },
  }
}
