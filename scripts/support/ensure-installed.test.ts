import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isInstalled } from './ensure-installed.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'debitdesk-install-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

type Packages = Record<string, { version: string; optional?: boolean }>

function write(locked: Packages, installed: Packages | null) {
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...locked } }))
  if (!installed) return
  mkdirSync(join(folder, 'node_modules'))
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }))
}

const one = { 'node_modules/one': { version: '1.0.0' } }

test('a fresh clone is not installed', () => {
  write(one, null)
  expect(isInstalled(folder)).toBe(false)
})

test('what the lock names is installed', () => {
  write(one, one)
  expect(isInstalled(folder)).toBe(true)
})

test("another platform's optional package may be missing", () => {
  write({ ...one, 'node_modules/two': { version: '2.0.0', optional: true } }, one)
  expect(isInstalled(folder)).toBe(true)
})

test('another version, or a package that came later, is not installed', () => {
  write({ 'node_modules/one': { version: '1.0.1' } }, one)
  expect(isInstalled(folder)).toBe(false)
  write({ ...one, 'node_modules/two': { version: '2.0.0' } }, null)
  expect(isInstalled(folder)).toBe(false)
})
