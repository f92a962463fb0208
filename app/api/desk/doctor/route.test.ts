import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DiagnosticsLine } from '@/lib/domain/diagnostics-report'
import type { Role } from '@/lib/api-contract/permission'
import type { OpenDatabase } from '@/lib/database/database'
import { defaultConnectionId } from '@/lib/server/store/schema'
import { AuthClient, testOrigin } from '@/lib/server/testing/auth-fixture'
import type { Deployment } from '@/lib/server/testing/deployments/deployment'
import { startMinimalDeployment } from '@/lib/server/testing/deployments/minimal-deployment'
import { setMemoryStore } from '@/lib/server/testing/store-fixture'
import { createUser } from '@/lib/server/auth/users'
import { POST } from './route'

const password = 'moss-covered lantern'
let store: OpenDatabase
let deployment: Deployment
const cookies = new Map<Role, string>()

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  deployment = await startMinimalDeployment()
  Object.assign(process.env, deployment.settings, {
    NEXTAUTH_SECRET: 'a secret for tests that is long enough',
    NEXTAUTH_URL: testOrigin,
  })
  store = await setMemoryStore()
  for (const role of ['admin', 'support'] as const) {
    const email = `${role}@example.com`
    await createUser(store.db, { email, password, role, connectionId: defaultConnectionId })
    const visitor = new AuthClient()
    await visitor.signIn(email, password)
    cookies.set(role, visitor.cookieHeader)
  }
})
beforeEach(() => {
  deployment.service.requests.length = 0
})
afterAll(async () => {
  await deployment.service.close()
  await store.close()
})

function ask(role: Role, headers: Record<string, string> = { 'x-debitdesk': '1' }) {
  const request = new Request(`${testOrigin}/api/desk/doctor`, {
    method: 'POST',
    body: '{}',
    headers: { origin: testOrigin, 'content-type': 'application/json', cookie: cookies.get(role) ?? '', ...headers },
  })
  return POST(request, { params: Promise.resolve(undefined) })
}

function readLines(text: string): DiagnosticsLine[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

describe('an examination', () => {
  it('tells each finding as it is made, and the report last; it only reads', async () => {
    const response = await ask('admin')
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    const reader = response.body?.getReader()
    const first = new TextDecoder().decode((await reader?.read())?.value)
    expect(readLines(first)[0]).toMatchObject({ finding: { area: 'access', subject: 'reached', result: 'ok' } })
    const seen = deployment.service.requests.length
    let rest = first
    for (;;) {
      const part = await reader?.read()
      if (!part || part.done) break
      rest += new TextDecoder().decode(part.value)
    }
    expect(deployment.service.requests.length).toBeGreaterThan(seen)
    const lines = readLines(rest)
    const findings = lines.flatMap((line) => ('finding' in line ? [line.finding] : []))
    expect(lines.at(-1)).toMatchObject({ report: { result: 'ok', findings } })
    expect(new Set(deployment.service.requests.map(({ method }) => method))).toEqual(new Set(['GET']))
  })

  it('is an admin’s alone, from a page of the desk, and one at a time', async () => {
    expect((await ask('support')).status).toBe(403)
    expect((await ask('admin', {})).status).toBe(403)
    expect(deployment.service.requests).toEqual([])
    const first = await ask('admin')
    expect((await ask('admin')).status).toBe(409)
    await first.text()
    const next = await ask('admin')
    expect(next.status).toBe(200)
    await next.text()
  })

  it('ends when nobody listens any more', async () => {
    const { body } = await ask('admin')
    await body?.cancel()
    await vi.waitFor(() => expect(globalThis.debitdeskExaminations?.size).toBe(0), { timeout: 10_000 })
  })
})
