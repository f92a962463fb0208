import { PHASE_PRODUCTION_SERVER } from 'next/constants.js'
import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
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
