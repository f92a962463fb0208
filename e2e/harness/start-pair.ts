import { type FaultProxy, startFaultProxy } from './fault-proxy'
import { makeFolder } from './make-folder'
import { type Desk, startDesk } from './start-desk'
import { type Service, startService } from './start-service'

export type Pair = {
  desk: Desk
  service: Service
  proxy: FaultProxy
  admin: { email: string; password: string }
  /** Starts the desk again on the same address and data after it has ended. */
  restartDesk: () => Promise<void>
  close: () => Promise<void>
}

const admin = { email: 'first.admin@desk.example', password: 'correct-horse-battery' }

/** A desk that reaches a service of another process through a proxy, as it would reach a real deployment. */
export async function startPair(settings: Record<string, string> = {}): Promise<Pair> {
  const { folder, remove } = await makeFolder()
  const service = await startService(`${folder}/service-data`, { SEED_PAYMENTS: '200' })
  const proxy = await startFaultProxy(service.url)
  const given = {
    UPSTREAM_URL: proxy.url,
    UPSTREAM_TOKEN: service.token,
    DESK_ADMIN_EMAIL: admin.email,
    DESK_ADMIN_PASSWORD: admin.password,
    ...settings,
  }
  const pair: Pair = {
    desk: await startDesk(`${folder}/desk-data`, given),
    service,
    proxy,
    admin,
    restartDesk: async () => {
      const { port } = new URL(pair.desk.url)
      pair.desk = await startDesk(`${folder}/desk-data`, { ...given, PORT: port })
    },
    close: async () => {
      await pair.desk.command.stop()
      await proxy.close()
      await service.command.stop()
      await remove()
    },
  }
  return pair
}
