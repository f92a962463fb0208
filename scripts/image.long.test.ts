import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startPostgres } from '@/lib/database/testing/start-postgres'
import { buildImage, canUnshare, type Container, deskImage, startContainer } from './support/container'

const token = 'image-test-token-0123'
const [user = '', group = ''] = deskImage.user.split(':')

let folder = ''
let image = ''
let postgres: Awaited<ReturnType<typeof startPostgres>> | undefined
const children: ChildProcess[] = []

/** Starts a command as the image would, with a read-only root and its own volume. */
function start(name: string, command: readonly string[], environment: Record<string, string>): Container {
  const data = join(folder, `data-${name}`)
  mkdirSync(data, { recursive: true })
  chownSync(data, Number(user), Number(group))
  const container = startContainer({
    ...deskImage,
    command,
    environment: { ...deskImage.environment, ...environment },
    mounts: [
      { source: image, target: deskImage.workFolder, isReadOnly: true },
      { source: data, target: deskImage.volume },
    ],
    isReadOnly: true,
  })
  children.push(container.child)
  return container
}

async function findPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return String(address.port)
}

async function waitFor(url: string, run: Container): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (run.child.exitCode !== null) throw new Error(`It ended: ${run.output}`)
    const reply = await fetch(url, { redirect: 'manual' }).catch(() => null)
    if (reply && reply.status < 500) return
    await wait(200)
  }
  throw new Error(`${url} did not answer: ${run.output}`)
}

describe.skipIf(!canUnshare())('an image made by the steps of the Dockerfile', () => {
  let desk: Container
  let settings: Record<string, string>
  let origin: string
  let service: Container

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'debitdesk-image-'))
    execFileSync('chmod', ['0755', folder])
    image = buildImage(folder)
    postgres = await startPostgres()
    const [port, servicePort] = [await findPort(), await findPort()]
    origin = `http://127.0.0.1:${port}`
    service = start('service', ['node', 'programs/service.mjs'], {
      SERVICE_HOST: '0.0.0.0',
      SERVICE_PORT: servicePort,
      SERVICE_TOKEN: token,
      SEED_PAYMENTS: '50',
    })
    await waitFor(`http://127.0.0.1:${servicePort}/`, service)
    settings = {
      PORT: port,
      NEXTAUTH_URL: 'https://desk.example',
      NEXTAUTH_SECRET: 'mZr2-vq8L_0tXy5-wKp1-Hd7c-Bn4s-Ga9e',
      TRUSTED_PROXIES: '1',
      DATABASE_URL: postgres.url,
      UPSTREAM_URL: `http://127.0.0.1:${servicePort}`,
      UPSTREAM_TOKEN: token,
      DESK_ADMIN_EMAIL: 'ann@example.com',
      DESK_ADMIN_PASSWORD: 'moss-covered lantern',
    }
  }, 1_800_000)
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL')
    await postgres?.stop()
    if (folder) rmSync(folder, { recursive: true, force: true })
  }, 600_000)

  test('contains no settings, tests, sources or tools of the build, and less than 320 MB', () => {
    const files = execFileSync('find', ['.', '-type', 'f'], { cwd: image, encoding: 'utf8', maxBuffer: 100_000_000 })
    expect(files).not.toMatch(
      /\/\.env|\.test\.(?:m?js|tsx?)$|^\.\/(?:app|components)\/|node_modules\/(?:esbuild|typescript|vitest)\//mu,
    )
    for (const needed of ['argon2', 'pglite.wasm', 'lib/server/store/migrations/meta/_journal.json', '.next/static/'])
      expect(files).toContain(needed)
    const bytes = Number(execFileSync('du', ['-sb', image], { encoding: 'utf8' }).split('\t')[0])
    console.log(`The image's folder has ${(bytes / 1_000_000).toFixed(0)} MB.`)
    expect(bytes).toBeLessThan(320_000_000)
  })

  test('migrates a Postgres, and says so', async () => {
    const migrate = async (...options: string[]) => {
      const run = start('migrate', ['node', 'programs/migrate.mjs', ...options], {
        DATABASE_URL: settings.DATABASE_URL ?? '',
      })
      return [...(await run.ended), run.output]
    }
    expect(await migrate()).toEqual([0, null, 'The schema is up to date.\n'])
    expect(await migrate('--role', 'nobody')).toEqual([1, null, 'There is no role nobody.\n'])
    expect(await migrate('--role', 'pg_monitor')).toEqual([
      0,
      null,
      'The schema is up to date, and pg_monitor may work with it.\n',
    ])
  })

  test('refuses to start open without what it needs, in one line each', async () => {
    const run = start('refused', deskImage.command, {})
    expect((await run.ended)[0]).toBe(1)
    expect(
      run.output
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[1]),
    ).toEqual(['NEXTAUTH_SECRET', 'NEXTAUTH_URL', 'UPSTREAM_URL'])
  })

  test('starts as an ordinary user, and its health check, pages and files answer', async () => {
    desk = start('desk', deskImage.command, settings)
    await waitFor(`${origin}/api/health`, desk)
    const status = readFileSync(`/proc/${desk.child.pid}/status`, 'utf8')
    expect(status).toMatch(new RegExp(`^Uid:\\t${user}\\t${user}\\t${user}\\t${user}$`, 'mu'))
    // As often as an engine tries before it gives a container up.
    const codes = []
    for (let tries = 0; tries < 3 && codes.at(-1) !== 0; tries += 1) {
      const check = start('desk', deskImage.healthCheck, settings)
      codes.push((await check.ended)[0])
    }
    expect(codes.at(-1)).toBe(0)
    const dead = start('desk', deskImage.healthCheck, { ...settings, PORT: '1' })
    expect((await dead.ended)[0]).toBe(1)
    expect((await fetch(`${origin}/api/ready`)).status).toBe(200)
    const page = await fetch(`${origin}/sign-in`)
    expect(page.status).toBe(200)
    const [, script = ''] = /src="(\/_next\/static\/[^"]+\.js)"/u.exec(await page.text()) ?? []
    const file = await fetch(`${origin}${script}`)
    expect(file.status).toBe(200)
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })

  test('lets people sign in, with the native argon2', async () => {
    const csrf = await fetch(`${origin}/api/auth/csrf`)
    const { csrfToken } = await csrf.json()
    const cookie = csrf.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    const signIn = (password: string) =>
      fetch(`${origin}/api/auth/callback/credentials`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie, 'content-type': 'application/x-www-form-urlencoded', origin: 'https://desk.example' },
        body: new URLSearchParams({ csrfToken, email: 'ann@example.com', password, json: 'true' }),
      })
    const names = (reply: Response) => reply.headers.getSetCookie().map((one) => one.split('=')[0])
    expect(names(await signIn('a wrong one'))).not.toContain('__Host-next-auth.session-token')
    expect(names(await signIn('moss-covered lantern'))).toContain('__Host-next-auth.session-token')
  })

  test('can write to its data alone', async () => {
    const write = (path: string) => start('desk', ['sh', '-c', `echo x > ${path}`], {}).ended.then(([code]) => code)
    expect(await write(`${deskImage.volume}/x`)).toBe(0)
    expect(await write('/tmp/x')).toBe(0)
    for (const path of [`${deskImage.workFolder}/x`, '/x', `${deskImage.workFolder}/.next/x`])
      expect(await write(path)).not.toBe(0)
  })

  test('drains on SIGTERM and exits with 0', async () => {
    const began = Date.now()
    expect(deskImage.stopSignal).toBe('SIGTERM')
    desk.child.kill('SIGTERM')
    expect(await desk.ended).toEqual([0, null])
    expect(Date.now() - began).toBeLessThan(25_000)
    service.child.kill('SIGTERM')
    expect(await service.ended).toEqual([0, null])
  })
})
