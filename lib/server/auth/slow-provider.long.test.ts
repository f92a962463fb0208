import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type FaultService, startFaultService } from '../testing/fault-service'
import { keepSession, makeSession, setMemoryStore } from '../testing/store-fixture'
import { findProviderTokens, keepProviderTokens, renewTokens } from './provider-tokens'

/** Milliseconds, just within the limit of one token request. */
const slow = 7_700

/** A provider that answers both requests of a renewal late: it refuses HTTP Basic and accepts the other authentication. */
async function startSlowProvider(): Promise<FaultService> {
  const provider: FaultService = await startFaultService(({ path, headers }) => {
    const { url } = provider
    if (path.endsWith('openid-configuration'))
      return { body: JSON.stringify({ issuer: url, token_endpoint: `${url}/token` }) }
    if (headers.authorization !== undefined) return { status: 401, delay: slow }
    return { body: JSON.stringify({ access_token: 'renewed', refresh_token: 'next', expires_in: 3_600 }), delay: slow }
  })
  return provider
}

test('a desk that waits for a slow renewal of another does not renew beside it', { timeout: 120_000 }, async () => {
  const provider = await startSlowProvider()
  const { db, close } = await setMemoryStore()
  Object.assign(process.env, {
    UPSTREAM_URL: provider.url,
    UPSTREAM_AUTH: 'session',
    NEXTAUTH_SECRET: 'a secret for tests that is long enough',
    NEXTAUTH_URL: 'http://localhost:3000',
    OIDC_ISSUER: provider.url,
    OIDC_CLIENT_ID: 'desk',
    OIDC_CLIENT_SECRET: 'a client secret',
  })
  const { sessionId, ...session } = makeSession('admin')
  await keepSession(db, { sessionId, ...session })
  await keepProviderTokens(db, sessionId, { access: 'old', refresh: 'once', expiresAt: new Date() }, new Date())
  const held = await findProviderTokens(db, { sessionId }, new Date())
  if (!held) throw new Error('no tokens were kept')
  const first = renewTokens(db, held)
  await wait(500)
  globalThis.debitdeskRenewals = undefined
  const renewed = await Promise.all([first, renewTokens(db, held)])
  expect(renewed).toMatchObject([{ access: 'renewed' }, { access: 'renewed' }])
  // One renewal: refused by HTTP Basic, then granted.
  expect(provider.requests.filter(({ path }) => path === '/token')).toHaveLength(2)
  await provider.close()
  await close()
})
