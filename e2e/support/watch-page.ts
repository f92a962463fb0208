import type { BrowserContext, ConsoleMessage, Page } from '@playwright/test'

export type Watch = {
  /** Everything that went wrong so far, in words. */
  faults: string[]
  /** Lets the browser's own line about a failed request pass for these statuses. */
  allowStatus: (...statuses: number[]) => void
}

/** The browser itself reports each reply of 4xx and 5xx as an error, also where that reply is what is tested. */
const failedRequest = /^Failed to load resource: the server responded with a status of (\d{3})/u

/**
 * Watches every page of a context: errors and warnings of the console (violations of the content
 * security policy among them), uncaught exceptions and requests to any other origin are faults.
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
