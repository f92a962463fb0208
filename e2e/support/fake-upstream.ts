import { createServer } from 'node:http'
import { makeFolder, startDesk } from './desk'

/** `text` is sent as is, instead of `body` as JSON. */
export type Answer = {
  status?: number
  headers?: Record<string, string>
  delay?: number
  body?: unknown
  text?: string
}

/** The query of a list request. */
export type ListRequest = { after: string | null; limit: string | null; filter: string | null; orderby: string | null }

export type FakeUpstream = {
  url: string
  admin: { email: string; password: string }
  /** Sets the reply to GET /Payments. */
  answer: (how: (asked: ListRequest) => Answer) => void
  /** Sets the reply to all other requests; null is a 404. */
  answerElse: (how: (method: string, path: string, filter: string | null) => Answer | null) => void
  /** The requests for payments since the last `answer`. */
  asked: ListRequest[]
  close: () => Promise<void>
}

const admin = { email: 'first.admin@desk.example', password: 'correct-horse-battery' }

/** Starts a desk at a fake service, which lists payments as the test sets, and answers 404 to all else unless set. */
export async function startFakeUpstream(settings: Record<string, string> = {}): Promise<FakeUpstream> {
  let how: (asked: ListRequest) => Answer = () => ({ body: { results: [], hasMore: false } })
  let howElse: (method: string, path: string, filter: string | null) => Answer | null = () => null
  const asked: ListRequest[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://service')
    const query = {
      after: searchParams.get('after'),
      limit: searchParams.get('limit'),
      filter: searchParams.get('filter'),
      orderby: searchParams.get('orderby'),
    }
    if (pathname === '/Payments') asked.push(query)
    const {
      status = 200,
      headers = {},
      delay = 0,
      body = null,
      text = JSON.stringify(body),
    }: Answer = pathname === '/Payments'
      ? how(query)
      : (howElse(request.method ?? 'GET', pathname, query.filter) ?? { status: 404 })
    setTimeout(() => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
    }, delay)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const { folder, remove } = await makeFolder()
  const desk = await startDesk(folder, {
    UPSTREAM_URL: `http://127.0.0.1:${port}`,
    UPSTREAM_AUTH: 'none',
    DESK_ADMIN_EMAIL: admin.email,
    DESK_ADMIN_PASSWORD: admin.password,
    ...settings,
  })
  return {
    url: desk.url,
    admin,
    asked,
    answer: (next) => {
      how = next
      asked.length = 0
    },
    answerElse: (next) => {
      howElse = next
    },
    close: async () => {
      await desk.command.stop()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
      await remove()
    },
  }
}
