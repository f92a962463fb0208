import { afterAll, beforeAll, expect } from 'vitest'
import { endpoints } from '@/lib/api-contract/endpoints'
import { makeConnection } from '../../upstream/connection'
import { parseSettings } from '../../runtime/settings'
import { callUpstream } from '../../upstream/call-upstream'
import { startTokenService, type TokenService } from '../deployments/token-service'
import { type FaultService, startFaultService } from '../fault-service'
import { gapOf, json, nothing, page } from './gap'

let service: FaultService
let tokens: TokenService
let mayPass: (headers: Record<string, unknown>) => boolean = () => false

beforeAll(async () => {
  tokens = await startTokenService()
  service = await startFaultService(({ headers }) =>
    mayPass(headers) ? page([]) : json({ title: 'Who are you' }, 401),
  )
})
afterAll(async () => {
  await service.close()
  await tokens.close()
})

/** Whether a service that requires this accepts a desk with these settings. */
async function isLetIn(settings: Record<string, string>, rule: typeof mayPass): Promise<boolean> {
  mayPass = rule
  const connection = makeConnection(parseSettings({ UPSTREAM_URL: service.url, ...settings }))
  return (await callUpstream(connection, endpoints.listPayments)).status === 200
}

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`
gapOf('authentication scheme', [
  [
    'Basic with the token as user name',
    async () =>
      expect(await isLetIn({ UPSTREAM_TOKEN: 't0' }, ({ authorization }) => authorization === basic('t0:'))).toBe(true),
  ],
  [
    'Basic with user and password',
    async () =>
      expect(await isLetIn({ UPSTREAM_TOKEN: 'u:p:q' }, ({ authorization }) => authorization === basic('u:p:q'))).toBe(
        true,
      ),
  ],
  [
    'Bearer',
    async () =>
      expect(
        await isLetIn(
          { UPSTREAM_AUTH: 'bearer', UPSTREAM_TOKEN: 't0' },
          ({ authorization }) => authorization === 'Bearer t0',
        ),
      ).toBe(true),
  ],
  [
    'none',
    async () =>
      expect(await isLetIn({ UPSTREAM_AUTH: 'none' }, ({ authorization }) => authorization === undefined)).toBe(true),
  ],
])
gapOf('where the credential stands, and its header', [
  [
    'a header of the usual name',
    async () =>
      expect(
        await isLetIn({ UPSTREAM_AUTH: 'header', UPSTREAM_TOKEN: 'k' }, (headers) => headers['x-api-key'] === 'k'),
      ).toBe(true),
  ],
  [
    'a header of another name',
    async () => {
      const settings = { UPSTREAM_AUTH: 'header', UPSTREAM_TOKEN: 'k', UPSTREAM_HEADER: 'Ocp-Apim-Subscription-Key' }
      expect(await isLetIn(settings, (headers) => headers['ocp-apim-subscription-key'] === 'k')).toBe(true)
    },
  ],
  [
    'Authorization, under a scheme of its own',
    async () => {
      const settings = { UPSTREAM_AUTH: 'header', UPSTREAM_TOKEN: 'ApiKey k', UPSTREAM_HEADER: 'Authorization' }
      expect(await isLetIn(settings, ({ authorization }) => authorization === 'ApiKey k')).toBe(true)
    },
  ],
])
const client = () => ({
  UPSTREAM_AUTH: 'client-credentials',
  UPSTREAM_TOKEN_URL: tokens.url,
  UPSTREAM_CLIENT_ID: tokens.clientId,
  UPSTREAM_CLIENT_SECRET: tokens.clientSecret,
})
const isLive = ({ authorization }: Record<string, unknown>) => tokens.isLive(String(authorization))
gapOf('how a token is acquired', [
  ['by client credentials, proven by Basic', async () => expect(await isLetIn(client(), isLive)).toBe(true)],
  [
    'by client credentials in the body, for a time that is not said',
    async () => {
      Object.assign(tokens, { takesBasic: false, expiresIn: null })
      expect(await isLetIn(client(), isLive)).toBe(true)
      Object.assign(tokens, { takesBasic: true, expiresIn: 3_600 })
    },
  ],
  [
    'not at all: that is told as it is',
    async () => {
      tokens.answer = nothing(400)
      await expect(isLetIn(client(), isLive)).rejects.toMatchObject({ code: 'upstream-credential' })
      tokens.answer = undefined
    },
  ],
])
