import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

// Each file begins on a page that was just loaded: the project's modules anew and nothing replaced. React and other
// packages stay.
vi.resetModules()
vi.unstubAllGlobals()
vi.restoreAllMocks()
vi.useRealTimers()
afterEach(cleanup)

// Code loaded on demand takes a busy machine longer than the default second.
configure({ asyncUtilTimeout: 15_000 })
