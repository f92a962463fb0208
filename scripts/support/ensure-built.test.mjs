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
  const { default: config } = await import('../../next.config.mjs')
  expect(config.typescript.ignoreBuildErrors).toBe(ignored)
})
