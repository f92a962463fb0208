import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type APIRequestContext, request } from '@playwright/test'
import { findFreePort } from '@/lib/database/testing/find-free-port'
import { startPostgres } from '@/lib/database/testing/start-postgres'
import { within } from '@/lib/database/testing/within'
import { callApi } from './api'
import { type RunningCommand, type Service, type SignIn, startCommand, startService } from './desk'
import { startNginx } from './nginx'
import { signInByCall } from './session'

const METRICS_TOKEN = 'a-token-for-the-metrics-of-tests-7Kq2'

const START_TIMEOUT_MS = 100_000

type Member = { port: number; settings: Record<string, string>; command: RunningCommand }

/** Several desks on one Postgres behind nginx, as docs/deploy/nginx.conf sets it up: any desk answers any request. */
export type DeskGroup = {
  /** The public address. */
  url: string
  admin: SignIn
  service: Service
  /** The ports of the desks. */
  ports: number[]
  /** Signs in through nginx; dispose of the context. */
  signIn: (who?: SignIn) => Promise<APIRequestContext>
  /** Adds a member of the team. */
  addMember: (admin: APIRequestContext, role: string) => Promise<SignIn>
  /** The address of the Postgres that they share. */
  databaseUrl: string
  /** The metrics of each desk, as Prometheus reads them. */
  readMetrics: () => Promise<string[]>
  /** Requests that each desk has answered. */
  countRequests: () => Promise<number[]>
  /** Sends SIGTERM to one desk and resolves with its exit code. */
  stop: (index: number) => Promise<number | null>
  start: (index: number) => Promise<void>
  close: () => Promise<void>
}

async function startMember(settings: Record<string, string>): Promise<Member> {
  const command = await startCommand('start', settings, 'Press Ctrl-C')
  return { port: Number(settings.PORT), settings, command }
}

async function readMetrics(port: number): Promise<string> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  return (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text()
}

async function countRequests(port: number): Promise<number> {
  const text = await readMetrics(port)
  const lines = text.matchAll(/^debitdesk_http_requests_total\{.*\} (\d+)$/gmu)
  return Array.from(lines, ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0)
}

export async function startDeskGroup(
  count: number,
  more: Record<string, string> = {},
  payments = 2_000,
): Promise<DeskGroup> {
  const folder = await mkdtemp(join(tmpdir(), 'debitdesk-group-'))
  const [https, http] = [await findFreePort(), await findFreePort()]
  const url = `https://localhost:${https}`
  const admin: SignIn = { email: 'admin@shop.example', password: randomUUID() }
  const postgres = await startPostgres()
  const provider = startService(join(folder, 'provider'), { SEED_PAYMENTS: String(payments) })
  const service = await within(START_TIMEOUT_MS, 'the service to start', provider)
  const list = await Promise.all(
    Array.from({ length: count }, async (_, index) => ({
      PORT: String(await findFreePort()),
      DATA_DIR: join(folder, `desk-${index}`),
      DATABASE_URL: postgres.url,
      UPSTREAM_URL: service.url,
      UPSTREAM_TOKEN: service.token,
      NEXTAUTH_URL: url,
      NEXTAUTH_SECRET: 'mZr2-vq8L_0tXy5-wKp1-Hd7c-Bn4s-Ga9e',
      TRUSTED_PROXIES: '1',
      METRICS_TOKEN,
      DESK_ADMIN_EMAIL: admin.email,
      DESK_ADMIN_PASSWORD: admin.password,
      ...more,
    })),
  )
  // All at once, on an empty database.
  const members = await within(START_TIMEOUT_MS, 'the desks to start', Promise.all(list.map(startMember)))
  const ports = members.map(({ port }) => port)
  const nginx = await within(START_TIMEOUT_MS, 'nginx to start', startNginx({ desks: ports, https, http }))
  const signIn = async (who = admin) => {
    const context = await request.newContext({ ignoreHTTPSErrors: true })
    await signInByCall(context, url, who)
    return context
  }
  return {
    url,
    admin,
    service,
    ports,
    signIn,
    addMember: async (context, role) => {
      const email = `${role}-${randomUUID().slice(0, 8)}@shop.example`
      const invited = await callApi(context, `${url}/api/desk/team`, { method: 'POST', body: { email, role } })
      if (!invited.ok()) throw new Error(`no invitation: ${invited.status()} ${await invited.text()}`)
      const secret = String((await invited.json()).link.address)
        .split(/[#/]/u)
        .at(-1)
      const password = randomUUID()
      const set = await callApi(context, `${url}/api/password-link`, { method: 'PUT', body: { secret, password } })
      if (!set.ok()) throw new Error(`no password: ${set.status()} ${await set.text()}`)
      return { email, password }
    },
    databaseUrl: postgres.url,
    readMetrics: () => Promise.all(ports.map(readMetrics)),
    countRequests: () => Promise.all(ports.map(countRequests)),
    stop: async (index) => (await members[index]?.command.stop()) ?? null,
    start: async (index) => {
      const settings = members[index]?.settings
      if (settings) members[index] = await startMember(settings)
    },
    close: async () => {
      await nginx.close()
      await Promise.all(members.map(({ command }) => command.stop()))
      await service.command.stop()
      await postgres.stop()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
