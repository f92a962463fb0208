import { networkInterfaces } from 'node:os'
import { afterEach, expect, it, vi } from 'vitest'
import { type MailServer, startMailServer } from '../testing/mail-server'

const outgoing = {
  id: 'a',
  to: 'anna@example.com',
  subject: 'Hello\r\nBcc: b@example.com',
  text: 'a',
  html: '<p>a</p>',
}
const password = 'a pass-phrase'
/** An address of this machine that isn't a loopback one, as of a mail server elsewhere. */
const address = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === 'IPv4' && !one.internal)?.address

let server: MailServer | undefined

/** The transport with the settings of a server; settings are read only once. */
async function load(url: string) {
  vi.resetModules()
  globalThis.debitdeskSettings = undefined
  process.env.SMTP_URL = url
  process.env.MAIL_FROM = 'Debitdesk <desk@example.com>'
  return import('./transport')
}

afterEach(() => server?.close())

it.skipIf(address === undefined)('sends no password over a network in clear', async () => {
  server = await startMailServer({ password, host: address ?? '' })
  const { sendMail, checkMailServer, describeMailFailure } = await load(server.url)
  const failure = await sendMail(outgoing).catch((error: unknown) => describeMailFailure(error))
  expect(failure).toEqual({ problem: expect.stringMatching(/^E/u), isFinal: false, isServerDown: true })
  await expect(checkMailServer()).rejects.toMatchObject({ code: expect.any(String) })
  expect([server.signIns, server.received]).toEqual([[], []])
})

it('writes one line per header, whatever is given', async () => {
  server = await startMailServer({ password })
  const { sendMail, checkMailServer } = await load(server.url)
  await checkMailServer()
  await sendMail(outgoing)
  expect(server.received[0]?.read).toMatchObject({ subject: 'Hello Bcc: b@example.com', messageId: '<a@example.com>' })
  expect(server.received[0]?.to).toEqual(['anna@example.com'])
})

it('tells a refused sign-in and a server that isn’t there, without their texts', async () => {
  server = await startMailServer({ password })
  const { describeMailFailure, sendMail } = await load(server.url.replace(encodeURIComponent(password), 'wrong'))
  const refused = await sendMail(outgoing).catch((error: unknown) => describeMailFailure(error))
  expect(refused).toEqual({ problem: 'EAUTH 535', isFinal: false, isServerDown: true })
  const away = await load('smtp://127.0.0.1:9')
  const failure = await away.sendMail(outgoing).catch((error: unknown) => away.describeMailFailure(error))
  expect(failure).toMatchObject({ isFinal: false, isServerDown: true })
})
