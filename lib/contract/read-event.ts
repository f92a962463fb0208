/** What a delivery speaks of, as far as it can be read; shown to people and used to find what to read again, never believed. */
export type EventFacts = {
  objectType: string | null
  eventType: string | null
  timeStamp: string | null
  id: string | null
}

function readText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** Reads objectType, eventType, timeStamp and data.id: the payload of one public deployment; each null where it is not so. */
export function readEvent(value: unknown): EventFacts {
  const nothing: EventFacts = { objectType: null, eventType: null, timeStamp: null, id: null }
  if (typeof value !== 'object' || value === null) return nothing
  const event: { objectType?: unknown; eventType?: unknown; timeStamp?: unknown; data?: unknown } = value
  const { data } = event
  const subject: { id?: unknown } = typeof data === 'object' && data !== null ? data : {}
  return {
    objectType: readText(event.objectType),
    eventType: readText(event.eventType),
    timeStamp: readText(event.timeStamp),
    id: readText(subject.id),
  }
}
