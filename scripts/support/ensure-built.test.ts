import { PHASE_PRODUCTION_SERVER } from 'next/constants.js'
import { afterEach, expect, it, vi } from 'vitest'
import { hashSources } from './ensure-built'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
})

it('another major version of Node builds anew, a later release of the same one does not', () => {
  expect(hashSources('24.9.1')).toBe(hashSources('24.13.0'))
  expect(hashSources('24.9.1')).not.toBe(hashSources('22.9.1'))
})

it.each([
  ['', false],
  ['no', false],
  ['yes', true],
])('next build checks types unless it is told to skip them: %j', async (told, ignored) => {
  vi.stubEnv('SKIP_TYPES', told)
  const { default: configure } = await import('../../next.config.mjs')
  const config = await configure(PHASE_PRODUCTION_SERVER)
  expect(config.typescript?.ignoreBuildErrors).toBe(ignored)
})
