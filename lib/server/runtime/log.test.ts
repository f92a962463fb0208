import { expect, it } from 'vitest'
import { createLog } from './log'
import { startTrace } from './trace'
import { runWithContext } from './request-context'
import { parseSettings, SettingsError } from './settings'

function write(environment: Record<string, string>): Record<string, unknown>[] {
  const lines: string[] = []
  const log = createLog(parseSettings(environment), { write: (line) => lines.push(line) })
  runWithContext({ ...startTrace(), userId: 'u-1' }, () => {
    log.debug({ event: 'detail' })
    log.info({ event: 'note', peer: '203.0.113.7' })
    log.child({ stream: 'security' }).warn({ event: 'repeated', peers: { '203.0.113.7': 3 }, path: '/customers/c-1' })
  })
  return lines.map((line) => Object(JSON.parse(line)))
}

it('writes lines of the level and above, which is info by default', () => {
  const events = (environment: Record<string, string>) => write(environment).map(({ event }) => event)
  expect(events({})).toEqual(['note', 'repeated'])
  expect(events({ LOG_LEVEL: 'debug' })).toEqual(['detail', 'note', 'repeated'])
  expect(events({ LOG_LEVEL: 'warn' })).toEqual(['repeated'])
})

it('masks the fields of LOG_REDACT, also those that the request adds', () => {
  const [note, repeated] = write({ LOG_REDACT: 'peer, peers userId,path' })
  expect(note).toMatchObject({ event: 'note', peer: '…', userId: '…' })
  expect(repeated).toMatchObject({ event: 'repeated', stream: 'security', peers: '…', userId: '…', path: '…' })
  expect(write({})[0]).toMatchObject({ peer: '203.0.113.7', userId: 'u-1' })
})

it('is refused a level that would drop security events, and fields that are not personal', () => {
  const refused = (environment: Record<string, string>) => () => parseSettings(environment)
  expect(refused({ LOG_LEVEL: 'error' })).toThrow(new SettingsError(['LOG_LEVEL must be one of debug, info, warn']))
  expect(refused({ LOG_REDACT: 'peer,event' })).toThrow(
    new SettingsError(['LOG_REDACT must be some of peer, peers, userId, path']),
  )
})
