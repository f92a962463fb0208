import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TokenDesk } from '../testing/token-desk'
import { deskReplies } from './documented-replies'

/* The commands of docs/automation.md and its example, run as they stand there. */

const run = promisify(execFile)
const document = await readFile('docs/automation.md', 'utf8')
const commands = [...document.matchAll(/```sh\n(.*?)```/gsu)].map(([, command = '']) => command)

let desk: TokenDesk
let folder = ''
let variables: Record<string, string> = {}

beforeAll(async () => {
  desk = await TokenDesk.start()
  const address = await desk.listen()
  const { cookie } = await desk.addPerson('scripting', 'support')
  const { token } = await desk.makeToken(cookie, 'support')
  folder = await mkdtemp(join(tmpdir(), 'automation-'))
  variables = { DESK: address, TOKEN: token, KEY: randomUUID() }
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await desk.stop()
})

/** Runs the one command that holds all these words, and returns what it prints. */
async function shell(...words: string[]): Promise<string> {
  const [command = '', ...others] = commands.filter((one) => words.every((word) => one.includes(word)))
  expect([words, others]).toEqual([words, []])
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', command], {
    cwd: folder,
    env: { ...process.env, ...variables },
  })
  return stdout.trim()
}

async function waitFor(path: string, state: string): Promise<void> {
  await expect
    .poll(async () => (await desk.ask('GET', path, { token: variables.TOKEN })).body.state, { timeout: 20_000 })
    .toBe(state)
}

describe('the commands of docs/automation.md', () => {
  it('are ten, each run below', () => {
    expect(commands).toHaveLength(10)
  })

  it('cancel a payment once per key, and say what became of it', async () => {
    const { id } = desk.service.add()
    variables.PAYMENT = await shell('limit=1 ')
    expect(variables.PAYMENT).toBe(id)
    variables.CANCELLATION = await shell('-X DELETE')
    expect(await shell('-X DELETE')).toBe(variables.CANCELLATION)
    expect(desk.service.deletes).toHaveLength(1)
    expect(await shell('/api/desk/cancellations/')).toMatch(/^(?:requested|cancelled)$/u)
  })

  it('make a bulk, start it and fetch its outcomes', async () => {
    variables.PAYMENT = desk.service.add().id
    variables.BULK = await shell('{\\"kind\\"')
    await waitFor(`/api/desk/bulk/${variables.BULK}`, 'ready')
    expect(await shell('/start"')).toMatch(/^(?:starting|running)$/u)
    await waitFor(`/api/desk/bulk/${variables.BULK}`, 'finished')
    expect(await shell('/result')).toContain(variables.PAYMENT)
  })

  it('export a whole list without asking anybody again', async () => {
    await desk.db.execute("update sessions set proven_at = now() - interval '1 hour'")
    variables.EXPORT = await shell('exportId')
    await waitFor(`/api/desk/exports/${variables.EXPORT}`, 'complete')
    await shell('/file"')
    expect(await readFile(join(folder, 'payments.csv'), 'utf8')).toContain(variables.PAYMENT)
  })

  it('walk the pages of a list', async () => {
    const added = Array.from({ length: 120 }, () => desk.service.add().id)
    const ids = (await shell('AFTER=')).split('\n')
    expect(ids).toEqual(expect.arrayContaining(added))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('fetch the description', async () => {
    await shell('openapi/scripts')
    expect(JSON.parse(await readFile(join(folder, 'openapi.json'), 'utf8'))).toMatchObject({ openapi: '3.1.0' })
  })

  it('are answered as the description says, and with nothing that it leaves out', async () => {
    const replies: [path: string, schema: keyof typeof deskReplies][] = [
      [`/cancellations/${variables.CANCELLATION}`, 'Cancellation'],
      [`/cancellations?paymentId=${variables.PAYMENT}`, 'CancellationList'],
      [`/bulk/${variables.BULK}`, 'Bulk'],
      [`/bulk/${variables.BULK}/rows`, 'BulkRows'],
      ['/bulk', 'BulkList'],
      [`/exports/${variables.EXPORT}`, 'Export'],
      ['/exports', 'ExportList'],
      ['/team', 'Problem'],
    ]
    for (const [path, schema] of replies) {
      const { body } = await desk.ask('GET', `/api/desk${path}`, { token: variables.TOKEN })
      expect(deskReplies[schema].parse(body)).toEqual(body)
    }
  })

  it('say why they fail', async () => {
    const valid = variables.TOKEN
    variables.TOKEN = `${valid}x`
    await expect(shell('limit=1 ')).rejects.toMatchObject({ stderr: expect.stringContaining('401') })
    variables.TOKEN = valid ?? ''
  })
})

it('the example cancels by references and prints what became of each', async () => {
  const [first, second] = [desk.service.add({ reference: 'INV-1001' }), desk.service.add({ reference: 'INV-1002' })]
  desk.service.change(second.id, { status: 'Settled' })
  const example = join('docs', 'examples', 'cancel-duplicates.ts')
  const { stdout } = await run('npx', ['tsx', example, 'Ordered twice', first.id, second.id], {
    env: { ...process.env, ...variables },
  })
  expect(stdout).toMatch(new RegExp(`^${first.id} (?:requested|cancelled)\n${second.id} not sent: too-late\n$`, 'u'))
})
