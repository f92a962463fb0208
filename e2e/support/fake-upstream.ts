import { startFaultService } from '@/lib/server/testing/fault-service'
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
  const service = await startFaultService(({ method, path }) => {
    const { pathname, searchParams } = new URL(path, 'http://service')
    const query = {
      after: searchParams.get('after'),
      limit: searchParams.get('limit'),
      filter: searchParams.get('filter'),
      orderby: searchParams.get('orderby'),
    }
    if (pathname === '/Payments') asked.push(query)
    const answer: Answer | null = pathname === '/Payments' ? how(query) : howElse(method, pathname, query.filter)
    const { status = 200, headers, delay, body = null, text = JSON.stringify(body) } = answer ?? { status: 404 }
    return {
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: text,
      ...(delay !== undefined && { delay }),
    }
  })
  const { folder, remove } = await makeFolder()
  const desk = await startDesk(folder, {
    UPSTREAM_URL: service.url,
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
      await service.close()
      await remove()
    },
  }
}
