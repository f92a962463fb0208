import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { within } from '@/lib/database/testing/within'
import { makeConnection } from '../upstream/connection'
import { parseSettings } from '../runtime/settings'
import type { Deployment } from '../testing/deployments/deployment'
import { startAspnetDeployment } from '../testing/deployments/aspnet-deployment'
import { startEnterpriseDeployment } from '../testing/deployments/enterprise-deployment'
import { startFrontedDeployment } from '../testing/deployments/fronted-deployment'
import { startLegacyDeployment } from '../testing/deployments/legacy-deployment'
import { startMinimalDeployment } from '../testing/deployments/minimal-deployment'
import { startFaultService } from '../testing/fault-service'
import { printReport, runDiagnostics } from './diagnostics'
import type { DiagnosticsReport } from '@/lib/domain/diagnostics-report'

const token = 'sixteen-characters-of-it'

beforeEach(() => {
  globalThis.debitdeskLimits = undefined
  globalThis.debitdeskUpstreamStates = undefined
})

async function examineDeployment({ settings: given, service }: Deployment): Promise<DiagnosticsReport> {
  const settings = parseSettings(given)
  const report = await runDiagnostics(makeConnection(settings))
  expect(service.requests.every(({ method }) => method === 'GET')).toBe(true)
  expect(JSON.stringify(report)).not.toContain(given.UPSTREAM_TOKEN ?? given.UPSTREAM_CLIENT_SECRET ?? '?')
  await service.close()
  return report
}

/** The findings of one area and subject, as `result: detail`. */
function find({ findings }: DiagnosticsReport, area: string, subject: string): string[] {
  return findings
    .filter((finding) => finding.area === area && finding.subject === subject)
    .map(({ result, detail }) => `${result}: ${detail}`)
}

describe('the doctor', () => {
  it('finds a service of few words fit to work with, and says what it does not tell', async () => {
    const report = await examineDeployment(await startMinimalDeployment())
    expect(report.result).toBe('ok')
    expect(find(report, 'payments', 'paging')).toEqual(['ok: 37 rows in 1 page, to the end.'])
    expect(find(report, 'payments', 'fields')).toEqual([
      'note: Missing: scheduleDate, handle, description, test, settlementDate, modifiedAt, customer, mandate.',
      expect.stringContaining('paymentDate ("2026-11-25T00:00:00" in 37 of 37)'),
    ])
    expect(find(report, 'payments', 'filter and order')[0]).toMatch(/^note: Not supported; .*eq:status/u)
    expect(find(report, 'payments', 'states')[0]).toBe('ok: Found: pending (25), settled (12).')
    expect(find(report, 'mandates', 'one by handle')).toEqual(['skipped: No handle available.'])
  })

  it('reads what an older ASP.NET wraps and spells in its own way, and says so', async () => {
    const report = await examineDeployment(await startAspnetDeployment())
    expect(report.result).toBe('warning')
    expect(find(report, 'payments', 'fields')[0]).toMatch(/^note: In another letter case, .*Id, PaymentDate/u)
    expect(find(report, 'customers', 'one by id')).toEqual([
      'ok: 200, a record with 3 fields (application/json); the record is wrapped.',
    ])
    expect(find(report, 'agreements', 'one by id')).toEqual([expect.stringMatching(/^ok: 200/u)])
    expect(find(report, 'payments', 'filter and order')[0]).toMatch(/^note: Not supported/u)
  })

  it('finds its way through a gateway that turns every so manieth read away', async () => {
    const report = await examineDeployment(await startFrontedDeployment())
    expect(report.result).toBe('warning')
    expect(find(report, 'payments', 'paging')).toEqual(['ok: 90 rows in 5 pages, to the end.'])
    expect(find(report, 'customers', 'one by id')).toEqual([expect.stringMatching(/^ok: 200, a list of 1/u)])
  })

  it('tells of an old one that nobody can know where its lists end', async () => {
    const report = await examineDeployment(await startLegacyDeployment())
    expect(report.result).toBe('warning')
    expect(find(report, 'payments', 'paging')).toEqual([
      expect.stringMatching(/^warning: 240 rows in 1 page; hasMore is/u),
    ])
    expect(find(report, 'payments', 'rows')).toEqual(['warning: A page has 240 rows where 100 were requested.'])
    expect(find(report, 'mandates', 'rows')).toContain('warning: Entries that aren’t records: 1.')
    expect(find(report, 'access', 'what is missing')).toEqual(['ok: Answered with 404 and no JSON object (no type).'])
    expect(find(report, 'payments', 'fields')).toContain('note: Not documented: sequence.')
  })

  it('tells of a large house that its pages are smaller, its filters mute and its states numbers', async () => {
    const deployment = await startEnterpriseDeployment()
    const report = await examineDeployment(deployment)
    await deployment.tokens.close()
    expect(report.result).toBe('ok')
    expect(find(report, 'payments', 'page size')).toEqual(['note: 50 rows a page where 100 were requested.'])
    expect(find(report, 'payments', 'states')).toEqual(['ok: Found: 0 (80), 8 (40).'])
    expect(find(report, 'payments', 'fields').join()).toContain('amount ("100.00" in 120 of 120)')
  })

  it.each([
    ['refuses the credential', { status: 401 }, 'credential', 'failure: The credentials aren’t accepted (401).'],
    [
      'answers with a page of words',
      { headers: { 'content-type': 'text/html' }, body: '<p>hi</p>' },
      'reached',
      'warning: GET /: ',
    ],
    ['breaks every connection', { resetBefore: true }, 'reached', 'failure: GET /: It can’t be reached.'],
  ])('finds one that %s not fit', async (_, script, subject, words) => {
    const service = await startFaultService(() => script)
    const settings = parseSettings({ UPSTREAM_URL: service.url, UPSTREAM_TOKEN: token })
    const report = await runDiagnostics(makeConnection(settings))
    await service.close()
    expect(report.result).toBe('failure')
    expect(find(report, 'access', subject)[0]).toContain(words)
  })

  it('speaks of one row, one page and one field as of one', async () => {
    const list = { body: JSON.stringify({ results: [{ id: 'a' }], hasMore: false, nextOffset: null }) }
    const service = await startFaultService(({ path }) =>
      /^\/(?:Customers|Payments|Mandates)(?:\?|$)/u.test(path) ? list : { body: JSON.stringify({ id: 'a' }) },
    )
    const settings = parseSettings({ UPSTREAM_URL: service.url, UPSTREAM_AUTH: 'none' })
    const report = await runDiagnostics(makeConnection(settings))
    await service.close()
    expect(find(report, 'payments', 'paging')).toEqual(['ok: 1 row in 1 page, to the end.'])
    expect(find(report, 'customers', 'one by id')).toEqual([expect.stringContaining('a record with 1 field (')])
    expect(JSON.stringify(report)).not.toMatch(/\b1 (?:rows|pages|fields|reads)\b/u)
  })

  it('ends on a list that goes round in circles', async () => {
    const body = JSON.stringify({ results: [{ id: 'a' }], hasMore: true, nextOffset: 'again' })
    const service = await startFaultService(() => ({ body }))
    const settings = parseSettings({ UPSTREAM_URL: service.url, UPSTREAM_AUTH: 'none' })
    const report = await runDiagnostics(makeConnection(settings))
    await service.close()
    expect(find(report, 'payments', 'paging')[0]).toMatch(
      /^warning: 2 rows in 2 pages; then a nextOffset was repeated/u,
    )
    expect(find(report, 'payments', 'rows')).toContain('warning: Repeated ids: 1.')
    expect(find(report, 'access', 'without it')).toEqual(['warning: It answers without credentials too.'])
  })

  it('ends on an offset that is too long to be sent', async () => {
    const body = JSON.stringify({ results: [{ id: 'a' }], hasMore: true, nextOffset: 'x'.repeat(4097) })
    const service = await startFaultService(() => ({ body }))
    const settings = parseSettings({ UPSTREAM_URL: service.url, UPSTREAM_AUTH: 'none' })
    const report = await runDiagnostics(makeConnection(settings))
    await service.close()
    expect(find(report, 'payments', 'paging')[0]).toContain('longer than 4,096 characters')
  })

  it('prints each check on lines that fit, and the verdict last', async () => {
    const finding = {
      area: 'payments',
      subject: 'paging',
      result: 'warning',
      detail: 'word '.repeat(40).trim(),
    } as const
    const report: DiagnosticsReport = {
      url: 'http://x/',
      startedAt: '',
      milliseconds: 1234,
      reads: 7,
      result: 'warning',
      findings: [finding],
    }
    const lines = printReport(report, 80).trimEnd().split('\n')
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80)
    expect(lines.at(-1)).toBe('Debitdesk works with this provider. See the warnings.')
  })
})

describe('npm run doctor', () => {
  let service: ChildProcess
  let url: string
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'doctor-'))
    const env = {
      ...process.env,
      SERVICE_PORT: String(await findPort()),
      DATA_DIR: folder,
      SERVICE_TOKEN: token,
      SEED_PAYMENTS: '150',
    }
    service = spawn(process.execPath, ['scripts/run-program.mjs', 'service/serve.ts'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    url = await new Promise<string>((resolve, reject) => {
      if (service.stdout)
        createInterface(service.stdout).on('line', (line) => resolve(/http:\S+/u.exec(line)?.[0] ?? ''))
      service.once('exit', () => reject(new Error('the service did not start')))
    })
  })
  afterAll(async () => {
    const gone = new Promise((resolve) => service.once('exit', resolve))
    service.kill('SIGTERM')
    await within(60_000, 'the service to end', gone)
    await rm(folder, { recursive: true, force: true })
  })

  async function findPort(): Promise<number> {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    await new Promise((resolve) => server.close(resolve))
    return typeof address === 'object' && address ? address.port : 0
  }

  async function run(
    args: string[],
    settings: Record<string, string>,
  ): Promise<{ code: number | null; output: string }> {
    const env: NodeJS.ProcessEnv = { ...process.env, ...settings }
    for (const name of Object.keys(env)) if (name.startsWith('UPSTREAM_') && !(name in settings)) delete env[name]
    const child = spawn(
      process.execPath,
      ['scripts/run-program.mjs', 'lib/server/diagnostics/run-diagnostics.ts', ...args],
      {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
    const code = await within(90_000, 'the doctor to end', closed).finally(() => child.kill('SIGKILL'))
    return { code, output }
  }

  it('finds the embedded service as documented, and ends with 0', async () => {
    const { code, output } = await run(['--url', url, '--json'], { UPSTREAM_TOKEN: token })
    const report: DiagnosticsReport = JSON.parse(output)
    expect([code, report.result]).toEqual([0, 'ok'])
    expect(report.findings.filter(({ result }) => !['ok', 'skipped'].includes(result))).toMatchObject([
      { area: 'payments', subject: 'states', result: 'note' },
    ])
  })

  it('ends with 1 where the desk could not work, and with 2 where it was not told enough', async () => {
    const refused = await run(['--url', url], { UPSTREAM_TOKEN: 'another-token-altogether' })
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringContaining('The credentials aren’t accepted (401).'),
    ])
    const mute = await run(['--url', url], {})
    expect([mute.code, mute.output]).toEqual([2, expect.stringContaining('UPSTREAM_TOKEN is needed')])
    expect((await run(['--wrong'], {})).code).toBe(2)
  })

  it('says how it is called, and names --url where that is wrong', async () => {
    const help = await run(['--help'], {})
    expect(help).toEqual({ code: 0, output: expect.stringMatching(/^Usage: npm run doctor -- \[--url URL\]/u) })
    const wrong = await run(['--url', 'ftp://x'], { UPSTREAM_TOKEN: token })
    expect([wrong.code, wrong.output]).toEqual([2, expect.stringMatching(/^--url must be an http or https address\./u)])
    const held = await run(['--url', 'https://me:canary@service.example'], { UPSTREAM_TOKEN: token })
    expect(held).toEqual({ code: 2, output: '--url must not hold a credential: use UPSTREAM_TOKEN.\n' })
    const lines = await run(['--url', url], { UPSTREAM_AUTH: 'bearer', UPSTREAM_TOKEN: 'canary\r\nx' })
    expect(lines).toEqual({ code: 2, output: 'Setting UPSTREAM_TOKEN must be one line of plain characters.\n' })
    const setting = await run([], { UPSTREAM_TOKEN: token, UPSTREAM_URL: 'ftp://x' })
    expect(setting.output).toMatch(/^Setting UPSTREAM_URL must be/u)
  })
})
