import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { parseServiceSettings } from './settings'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'settings-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it('hosts for callbacks are compared as addresses spell them', () => {
  const settings = { SERVICE_TOKEN: 'a-token-of-16-and-more', SERVICE_CALLBACKS: 'Receiver.Internal:9000, FD00::1:80' }
  expect(parseServiceSettings(settings).SERVICE_CALLBACKS).toEqual(['receiver.internal:9000', 'fd00::1:80'])
})

it('a secret may be in a file, which is named once and never shown', async () => {
  const path = join(folder, 'token')
  await writeFile(path, 'a-token-from-a-file\n')
  expect(parseServiceSettings({ SERVICE_TOKEN_FILE: path }).SERVICE_TOKEN).toBe('a-token-from-a-file')
  expect(() => parseServiceSettings({ SERVICE_TOKEN_FILE: path, SERVICE_TOKEN: 'another-token-of-16' })).toThrow(
    'SERVICE_TOKEN_FILE and SERVICE_TOKEN are both set: unset one',
  )
  expect(() => parseServiceSettings({ SERVICE_TOKEN_FILE: folder })).toThrow(
    'SERVICE_TOKEN_FILE names a file that cannot be read (EISDIR)',
  )
  await writeFile(path, 'short\n')
  expect(() => parseServiceSettings({ SERVICE_TOKEN_FILE: path })).toThrow(
    'SERVICE_TOKEN must have at least 16 characters',
  )
})
