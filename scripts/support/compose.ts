import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parse } from 'yaml'
import { asUser, type Container, deskImage, type Mount, startContainer } from './container'
import { listSteps, parseDockerfile, readCommand, readEnvironment } from './dockerfile'

/*
 * What compose.yaml says, run without an engine: each service in a container of its own (support/container.ts) with an
 * address of its own on a bridge, where the names of services are found. In place of the images of Postgres and nginx
 * this machine's programs are started as those images would start theirs. Needs root, and Linux with bridges.
 */

type ServiceDefinition = {
  image: string
  command?: string[]
  environment?: Record<string, string>
  secrets?: string[]
  volumes?: string[]
  networks?: string[] | { inside: { ipv4_address: string } }
  extra_hosts?: string[]
  read_only?: boolean
  stop_grace_period?: string
  healthcheck?: { test: string[] }
}
type Definition = { services: Record<string, ServiceDefinition>; secrets: Record<string, { file: string }> }

const [, backupStage = { base: '', name: '', steps: [] }] = parseDockerfile(
  readFileSync('docs/deploy/backup.Dockerfile', 'utf8'),
)

/**
 * As the entry point of the Postgres image: makes the database at the first start, with a server of its own that only the
 * socket reaches and that stays long enough to be taken for the real one, and serves it to the network.
 */
const servePostgres = `set -e
data=/var/lib/postgresql/data
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
mkdir -p /run/postgresql && chown postgres: /run/postgresql $data && chmod 700 $data
as_postgres() { setpriv --reuid postgres --regid postgres --clear-groups "$@"; }
if [ ! -e $data/PG_VERSION ]; then
  install -o postgres -m 600 $POSTGRES_PASSWORD_FILE /tmp/password
  as_postgres $bin/initdb -D $data -U $POSTGRES_USER -A scram-sha-256 --pwfile=/tmp/password > /dev/null
  echo 'host all all all scram-sha-256' >> $data/pg_hba.conf
  as_postgres $bin/pg_ctl -D $data -w -o '-c listen_addresses= -c unix_socket_directories=/run/postgresql' start > /dev/null
  PGPASSWORD=$(cat $POSTGRES_PASSWORD_FILE) $bin/psql -q -h /run/postgresql -U $POSTGRES_USER -d postgres -c "create database $POSTGRES_DB"
  sleep 2
  as_postgres $bin/pg_ctl -D $data -w -m fast stop > /dev/null
fi
exec setpriv --reuid postgres --regid postgres --clear-groups $bin/postgres -D $data -c listen_addresses='*' -c unix_socket_directories=/run/postgresql`

/** What a container of each image runs, by the image's name. */
const images: Record<string, { command: string[]; environment?: Record<string, string> }> = {
  postgres: { command: ['sh', '-c', servePostgres] },
  nginx: { command: ['nginx', '-g', 'daemon off;'] },
  debitdesk: deskImage,
  'debitdesk-backup': {
    command: readCommand(listSteps(backupStage, 'CMD').at(-1) ?? ''),
    environment: readEnvironment(backupStage),
  },
}

/** Values for the variables of a Compose file, as in `docker compose`: `${NAME:-default}`, `${NAME:+other}`, `${NAME:?message}`. */
function interpolate(text: string, values: Record<string, string>): string {
  return text.replaceAll(
    /\$\{(?<name>\w+):(?<kind>[-+?])(?<word>[^}]*)\}/gu,
    (_, name: string, kind: string, word: string) => {
      const value = values[name] ?? ''
      if (kind === '+') return value && word
      if (kind === '?' && !value) throw new Error(`${name} is not set: ${word}`)
      return value || word
    },
  )
}

type Running = {
  container: Container
  definition: ServiceDefinition
  environment: Record<string, string>
}

/** What the addresses of compose.yaml begin with. */
const subnet = '172.30.77'

/** The services of compose.yaml below `folder`, whose `project` stands for the folder of compose.yaml. */
export class Compose {
  readonly project: string
  readonly #folder: string
  readonly #values: Record<string, string>
  /** The folders of images of the desk, by version. */
  readonly #images: Record<string, string>
  readonly #running = new Map<string, Running>()
  readonly #addresses = new Map<string, string>()
  readonly #id = `dd${process.pid % 100_000}`
  #hosts = 127

  constructor(folder: string, values: Record<string, string>, images: Record<string, string>) {
    this.#folder = folder
    this.#values = values
    this.#images = images
    this.project = join(folder, 'project')
    for (const path of ['docs/deploy/secrets', 'docs/deploy/certificates'])
      mkdirSync(join(this.project, path), { recursive: true })
    cpSync('docs/deploy/nginx.conf', join(this.project, 'docs/deploy/nginx.conf'))
    writeFileSync(join(folder, 'hosts'), '127.0.0.1 localhost\n')
    const [id, up] = [this.#id, `${this.#id}-up`]
    this.#ip('netns add', id)
    this.#ip('-n', id, 'link add bridge type bridge')
    this.#ip('-n', id, 'link set bridge up')
    this.#ip('link add', up, 'type veth peer name uplink netns', id)
    this.#ip('-n', id, 'link set uplink master bridge up')
    this.#ip('addr add', `${subnet}.254/24`, 'dev', up)
    this.#ip('link set', up, 'up')
  }

  #ip(...words: string[]): void {
    execFileSync(
      'ip',
      words.flatMap((part) => part.split(' ')),
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
  }

  /** Secrets are files of `project`, readable by the desk's user alone. */
  writeSecret(name: string, value: string): void {
    const path = join(this.project, 'docs/deploy/secrets', name)
    writeFileSync(path, `${value}\n`, { mode: 0o400 })
    this.#chown(path)
  }

  /** Makes a folder of `project` that the desk's user may write to. */
  makeFolder(name: string): void {
    mkdirSync(join(this.project, name), { recursive: true })
    this.#chown(join(this.project, name))
  }

  #chown(path: string): void {
    const [uid, gid] = deskImage.user.split(':').map(Number)
    chownSync(path, uid ?? 0, gid ?? 0)
  }

  setVersion(version: string): void {
    this.#values.VERSION = version
  }

  #read(): Definition {
    return parse(interpolate(readFileSync('compose.yaml', 'utf8'), this.#values), { merge: true })
  }

  address(name: string): string {
    return this.#addresses.get(name) ?? ''
  }

  /** Gives a service a namespace and its address, else one that none had before, and tells the name to all. */
  #join(name: string, { networks }: ServiceDefinition): string {
    this.#hosts += 1
    const isFixed = networks !== undefined && !Array.isArray(networks)
    const address = isFixed ? networks.inside.ipv4_address : `${subnet}.${this.#hosts}`
    const [namespace, link] = [`${this.#id}-${name}`, `${this.#id}v${this.#hosts}`]
    this.#ip('netns add', namespace)
    this.#ip('-n', this.#id, 'link add', link, 'type veth peer name eth0 netns', namespace)
    this.#ip('-n', this.#id, 'link set', link, 'master bridge up')
    this.#ip('-n', namespace, 'addr add', `${address}/24`, 'dev eth0')
    this.#ip('-n', namespace, 'link set eth0 up')
    this.#ip('-n', namespace, 'link set lo up')
    this.#addresses.set(name, address)
    const lines = [...this.#addresses].map(([host, at]) => `${at} ${host}\n`)
    writeFileSync(join(this.#folder, 'hosts'), `127.0.0.1 localhost\n${lines.join('')}`)
    return namespace
  }

  /** The names of all, or what the service itself is told. */
  #hostsFile({ extra_hosts: own }: ServiceDefinition): string {
    if (!own) return join(this.#folder, 'hosts')
    const lines = own.map((entry) => entry.split(':')).map(([host, at]) => `${at} ${host}\n`)
    writeFileSync(join(this.#folder, 'own-hosts'), `127.0.0.1 localhost\n${lines.join('')}`)
    return join(this.#folder, 'own-hosts')
  }

  #leave(name: string): void {
    this.#addresses.delete(name)
    this.#ip('netns del', `${this.#id}-${name}`)
  }

  #volume(text: string, isDesk: boolean): Mount {
    const [from = '', target = '', mode] = text.split(':')
    if (from.startsWith('./')) return { source: join(this.project, from), target, isReadOnly: mode === 'ro' }
    const source = join(this.#folder, 'volumes', from)
    mkdirSync(source, { recursive: true, mode: 0o700 })
    // A new volume belongs to whom the folder in the image belongs to.
    if (isDesk) this.#chown(source)
    return { source, target }
  }

  #start(name: string, command?: readonly string[]): Running {
    const { services, secrets } = this.#read()
    const definition = services[name]
    if (!definition) throw new Error(`There is no service ${name}`)
    const [, kind = '', version = ''] = /^(?<kind>[\w-]+):(?<version>[\w.-]+)$/u.exec(definition.image) ?? []
    const isDesk = kind.startsWith('debitdesk')
    const image = this.#images[version]
    if (isDesk && image === undefined) throw new Error(`There is no image ${definition.image}`)
    const { command: standard, environment: ofImage } = images[kind] ?? {}
    const environment = { ...ofImage, ...definition.environment }
    const network = this.#join(name, definition)
    const container = startContainer({
      command: command ?? definition.command ?? standard ?? [],
      environment,
      mounts: [
        { source: this.#hostsFile(definition), target: '/etc/hosts' },
        ...(isDesk && image ? [{ source: image, target: deskImage.workFolder, isReadOnly: true }] : []),
        ...(definition.volumes ?? []).map((text) => this.#volume(text, isDesk)),
        ...(definition.secrets ?? []).map((secret) => ({
          source: join(this.project, secrets[secret]?.file ?? ''),
          target: `/run/secrets/${secret}`,
          isReadOnly: true,
        })),
        ...(kind === 'nginx'
          ? ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((part) =>
              this.#volume(`nginx-${part}:/var/lib/nginx/${part}`, false),
            )
          : []),
      ],
      ...(isDesk && { user: deskImage.user }),
      workFolder: isDesk ? deskImage.workFolder : '/',
      isReadOnly: definition.read_only ?? false,
      network,
    })
    return { container, definition, environment }
  }

  /** Runs a command in the container of a service, as its user; throws if it fails. */
  async #exec(name: string, command: readonly string[]): Promise<void> {
    const running = this.#running.get(name)
    if (!running) throw new Error(`${name} does not run`)
    const isDesk = running.definition.image.startsWith('debitdesk')
    const inside = ['--target', String(running.container.child.pid), '--mount', '--net', '--root', '--wd', '--']
    const child = spawn('nsenter', [...inside, ...(isDesk ? asUser(deskImage.user) : []), ...command], {
      env: { NODE_ENV: 'production', PATH: process.env.PATH, ...running.environment },
      stdio: 'ignore',
    })
    await once(child, 'exit')
    if (child.exitCode !== 0) throw new Error(`${command.join(' ')} ended with ${child.exitCode} in ${name}`)
  }

  async #waitUntilHealthy(name: string): Promise<void> {
    const { container, definition } = this.#running.get(name) ?? {}
    const [kind, ...test] = definition?.healthcheck?.test ?? [
      'CMD',
      ...(definition?.image.startsWith('debitdesk:') ? deskImage.healthCheck : ['true']),
    ]
    const command = kind === 'CMD-SHELL' ? ['sh', '-c', ...test] : test
    for (let tries = 0; ; tries += 1) {
      if (container?.child.exitCode !== null) throw new Error(`${name} ended: ${container?.output}`)
      const isHealthy = await this.#exec(name, command).then(
        () => true,
        () => false,
      )
      if (isHealthy) return
      if (tries === 120) throw new Error(`${name} is not healthy: ${container.output}`)
      await wait(500)
    }
  }

  /** `docker compose up -d --no-deps --wait`: stops the service if it runs, and starts it as compose.yaml now says. */
  async up(...names: string[]): Promise<void> {
    for (const name of names) {
      if (this.#running.has(name)) await this.stop(name)
      this.#running.set(name, this.#start(name))
      await this.#waitUntilHealthy(name)
    }
  }

  /** `docker compose run --rm`: returns the exit code and what was written. */
  async run(name: string, command?: readonly string[]): Promise<{ code: unknown; output: string }> {
    const { container } = this.#start(name, command)
    const [code] = await container.ended
    this.#leave(name)
    return { code, output: container.output }
  }

  /** `docker compose stop`: SIGTERM, and an error if the service isn't gone when an engine would kill it. */
  async stop(...names: string[]): Promise<void> {
    await Promise.all(
      names.map(async (name) => {
        const { container, definition } = this.#running.get(name) ?? {}
        if (!container) return
        container.child.kill('SIGTERM')
        const grace = Number.parseInt(definition?.stop_grace_period ?? '10', 10) * 1_000
        const isGone = await Promise.race([container.ended.then(() => true), wait(grace, false, { ref: false })])
        if (!isGone) container.child.kill('SIGKILL')
        await container.ended
        this.#running.delete(name)
        this.#leave(name)
        if (!isGone) throw new Error(`${name} did not stop within ${grace / 1_000} s: ${container.output}`)
      }),
    )
  }

  /** Ends everything and removes the networks. */
  async close(): Promise<void> {
    for (const name of this.#addresses.keys()) {
      // With what a service started in turn, such as the workers of nginx.
      const pids = execFileSync('ip', ['netns', 'pids', `${this.#id}-${name}`], { encoding: 'utf8' }).split('\n')
      for (const pid of pids.filter(Boolean)) process.kill(Number(pid), 'SIGKILL')
      await this.#running.get(name)?.container.ended
      this.#leave(name)
    }
    this.#ip('netns del', this.#id)
  }
}
