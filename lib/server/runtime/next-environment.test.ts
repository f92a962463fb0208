import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

/** What `next()` loads .env and its relatives with, before it loads the desk's modules. */
const next: { loadEnvConfig: (folder: string, isDevelopment: boolean) => unknown } = createRequire(
  createRequire(import.meta.url).resolve('next'),
)('@next/env')

const names = ['DESK_ADMIN_EMAIL', 'DESK_ADMIN_PASSWORD', 'NEXTAUTH_SECRET', 'NEXTAUTH_SECRET_FILE', 'PORT']
const secret = 'canary secret for tests, long enough'
const environment = { ...process.env }
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'debitdesk-environment-'))
})
afterEach(() => {
  for (const name of names) delete process.env[name]
  Object.assign(process.env, environment)
  rmSync(folder, { recursive: true, force: true })
})

it('what a process has read stays as it is when Next loads .env again', async () => {
  writeFileSync(join(folder, 'secret'), secret)
  const lines = [
    `NEXTAUTH_SECRET_FILE=${join(folder, 'secret')}`,
    'DESK_ADMIN_EMAIL=ann@shop.example',
    "DESK_ADMIN_PASSWORD='pa$word of moss'",
  ]
  writeFileSync(join(folder, '.env'), `${lines.join('\n')}\n`)
  writeFileSync(join(folder, '.env.test'), 'PORT=3999\n')
  process.loadEnvFile(join(folder, '.env'))
  const first = await import('./settings')
  const settings = first.getSettings()
  first.inlineSettings(process.env)

  next.loadEnvConfig(folder, false)
  vi.resetModules()
  const again = await import('./settings')
  expect(again).not.toBe(first)
  expect(settings).toMatchObject({ NEXTAUTH_SECRET: secret, DESK_ADMIN_PASSWORD: 'pa$word of moss', PORT: 3000 })
  expect(again.getSettings()).toEqual(settings)
})
