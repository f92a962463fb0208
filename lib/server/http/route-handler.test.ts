import { afterEach, expect, it, vi } from 'vitest'
import { withErrorHandling } from './route-handler'
import { startTrace } from '../runtime/trace'
import { runWithContext } from '../runtime/request-context'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

it('refuses, before the handler is asked, a request that came around the desk’s own server', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const handle = vi.fn<() => Promise<Response>>(async () => Response.json({}))
  const ask = () => withErrorHandling(new Request('http://desk.example/api/health'), handle)
  expect((await ask()).status).toBe(500)
  expect(handle).not.toHaveBeenCalled()
  expect((await runWithContext(startTrace(), ask)).status).toBe(200)
})
