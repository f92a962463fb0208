import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

// Each file begins on a page that was just loaded: the project's modules anew, nothing replaced and nothing stored. React
// and other packages stay.
vi.resetModules()
vi.unstubAllGlobals()
vi.restoreAllMocks()
vi.useRealTimers()
for (const name of document.documentElement.getAttributeNames()) document.documentElement.removeAttribute(name)
document.body.replaceChildren()
localStorage.clear()
sessionStorage.clear()
history.replaceState(null, '', '/')
afterEach(cleanup)

// Code loaded on demand takes a busy machine longer than the default second.
configure({ asyncUtilTimeout: 15_000 })
