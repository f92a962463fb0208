import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadOrCreateSecrets } from './settings'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'debitdesk-secrets-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('secrets are made once, and only their owner can read them', () => {
  const first = loadOrCreateSecrets(folder)
  expect(loadOrCreateSecrets(folder)).toEqual(first)
  expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600)
  expect(new Set(Object.values(first.demoPasswords)).size).toBe(3)
  expect(first.nextAuthSecret.length).toBeGreaterThanOrEqual(32)
})

test('a damaged file is named, not replaced', () => {
  writeFileSync(join(folder, 'secrets.json'), '{"serviceToken":')
  expect(() => loadOrCreateSecrets(folder)).toThrow(/secrets\.json cannot be read/u)
})
