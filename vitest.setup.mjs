import { afterEach, vi } from 'vitest'

// The test files of a process run one after another, and packages stay loaded: to load them for each file took a quarter of
// the time. Each file begins as a process that was just started, on a page that was just loaded.
vi.resetModules()
vi.unstubAllGlobals()
vi.restoreAllMocks()
vi.useRealTimers()
for (const name of Object.keys(globalThis)) if (name.startsWith('debitdesk')) Reflect.deleteProperty(globalThis, name)

/** The environment before the first file. */
const environment = (globalThis.environmentOfTests ??= { ...process.env })
for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
Object.assign(process.env, environment)

if (typeof document !== 'undefined') {
  const { cleanup, configure } = await import('@testing-library/react')
  const { documentElement: html, body } = document
  for (const name of html.getAttributeNames()) html.removeAttribute(name)
  body.replaceChildren()
  // What tests have put in the place of what jsdom has or lacks.
  for (const object of [navigator, document])
    for (const name of Object.getOwnPropertyNames(object)) Reflect.deleteProperty(object, name)
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
  afterEach(cleanup)
  // Code loaded on demand takes a busy machine longer than the default second.
  configure({ asyncUtilTimeout: 15_000 })
}
