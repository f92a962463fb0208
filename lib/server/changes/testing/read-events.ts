import { type ChangeEvent, OVER_FRAME } from '@/lib/domain/changes'

/** Guarantee: `data` is that of one of our own events. */
function parseEvent(data: string): ChangeEvent {
  return JSON.parse(data) as ChangeEvent
}

/** Follows an event stream as a page does: what was told so far, and whether it ended. */
export class EventReader {
  readonly events: ChangeEvent[] = []
  heartbeats = 0
  hasEnded = false
  /** Whether it was told that it may no longer hear anything. */
  isOver = false
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>

  constructor(body: ReadableStream<Uint8Array> | null) {
    if (!body) throw new Error('the reply has no body')
    this.#reader = body.getReader()
    void this.#follow().catch(() => {
      this.hasEnded = true
    })
  }

  async #follow(): Promise<void> {
    const decoder = new TextDecoder()
    let rest = ''
    for (;;) {
      const { done, value } = await this.#reader.read()
      if (done) break
      const frames = (rest + decoder.decode(value, { stream: true })).split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) {
        if (frame.startsWith('data: ')) this.events.push(parseEvent(frame.slice(6)))
        else if (frame === OVER_FRAME) this.isOver = true
        else this.heartbeats += 1
      }
    }
    this.hasEnded = true
  }

  close(): Promise<void> {
    return this.#reader.cancel().catch(() => undefined)
  }
}
