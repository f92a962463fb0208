import type { BrowserContext, ConsoleMessage, Page } from '@playwright/test'

export type Watch = {
  /** Descriptions of the faults so far. */
  faults: string[]
  /** Ignores the browser's console messages about failed requests with these statuses. */
  allowStatus: (...statuses: number[]) => void
}

/** The browser logs each 4xx and 5xx reply as an error, even where the test expects it. */
const failedRequest = /^Failed to load resource: the server responded with a status of (\d{3})/u

/**
 * Watches every page of a context. Faults are console errors and warnings (including violations of the content security
 * policy), uncaught exceptions and requests to any other origin.
 */
export function watchContext(context: BrowserContext, origin: string): Watch {
  const faults: string[] = []
  const allowed = new Set<string>()
  const onConsole = (message: ConsoleMessage) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    const status = failedRequest.exec(message.text())?.[1]
    if (status && allowed.has(status)) return
    faults.push(`console ${message.type()}: ${message.text()} (${message.location().url})`)
  }
  const watch = (page: Page) => {
    page.on('console', onConsole)
    page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`))
  }
  context.pages().forEach(watch)
  context.on('page', watch)
  context.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol.startsWith('http') && url.origin !== origin)
      faults.push(`request to another origin: ${request.url()}`)
  })
  return { faults, allowStatus: (...statuses) => statuses.forEach((status) => allowed.add(String(status))) }
}
