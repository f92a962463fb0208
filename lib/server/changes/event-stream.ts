import { type ChangeEvent, type ChangeKind, changeKinds, MAX_CHANGED_IDS } from '@/lib/domain/changes'
import { hasPermission } from '@/lib/api-contract/permission'
import type { Session } from '../auth/session'
import type { ChangeMessage } from './announce-changes'

/** Unread chunks after which a reader is too slow: it reads everything again once it reconnects. */
const MAX_UNREAD_CHUNKS = 50

const encoder = new TextEncoder()

/** One open reply to `GET /api/desk/events`: a Server-Sent Events stream of a session. */
export class EventStream {
  readonly body: ReadableStream<Uint8Array>
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null

  /** `onEnd` is called once, whoever ends the stream. */
  constructor(
    readonly session: Session,
    readonly onEnd: (stream: EventStream) => void,
  ) {
    this.body = new ReadableStream({
      start: (controller) => {
        this.#controller = controller
      },
      cancel: () => this.#forget(),
    })
    // A comment, so that the head is sent at once.
    this.write(': open\n\n')
  }

  #forget(): void {
    if (!this.#controller) return
    this.#controller = null
    this.onEnd(this)
  }

  /** Whether a change may be told to this session. */
  mayHear({ connectionId, kind, userId }: ChangeMessage): boolean {
    const { scope, role, userId: own } = this.session
    if (kind === 'access' || connectionId !== scope.connectionId) return false
    return hasPermission(role, changeKinds[kind]) && (userId === null || userId === own)
  }

  write(text: string): void {
    this.#controller?.enqueue(encoder.encode(text))
    if ((this.#controller?.desiredSize ?? 0) < -MAX_UNREAD_CHUNKS) this.end()
  }

  end(): void {
    this.#controller?.close()
    this.#forget()
  }
}

/** Merges messages into one event, in the format of Server-Sent Events. */
export function writeEvent(messages: readonly ChangeMessage[]): string {
  const event: { [Kind in ChangeKind]?: Set<string> | null } = {}
  for (const { kind, ids } of messages) {
    if (kind === 'access') continue
    const known = event[kind]
    event[kind] = ids === null || known === null ? null : new Set([...(known ?? []), ...ids])
  }
  const merged: ChangeEvent = Object.fromEntries(
    Object.entries(event).map(([kind, ids]) => [kind, ids === null || ids.size > MAX_CHANGED_IDS ? null : [...ids]]),
  )
  return `data: ${JSON.stringify(merged)}\n\n`
}
