import { findFreePort } from '@/lib/database/testing/find-free-port'
import { prepareData } from './prepare-data'
import { type RunningCommand, startCommand } from './start-command'

export type Service = { url: string; token: string; dataDir: string; command: RunningCommand }

/** Starts the direct-debit service alone, as `npm run service` does. */
export async function startService(dataDir: string, settings: Record<string, string> = {}): Promise<Service> {
  await prepareData(dataDir, ['service'])
  const port = String(await findFreePort())
  const command = await startCommand('service', { DATA_DIR: dataDir, SERVICE_PORT: port, ...settings }, 'Press Ctrl-C')
  const token = /^token {2}(\S+)$/mu.exec(command.output())?.[1]
  if (!token) throw new Error(`npm run service printed no token:\n${command.output()}`)
  return { url: `http://127.0.0.1:${port}`, token, dataDir, command }
}
