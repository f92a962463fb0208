import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listSteps, parseDockerfile, readCommand, readEnvironment } from './dockerfile'

/*
 * What a container engine does with our Dockerfile, for tests on machines without one: its stages are run in a fresh folder,
 * and its programs in a mount namespace whose root is read-only, as its user. What is not tried: the base images.
 */

const nothing = { base: '', name: '', steps: [] }
const [buildStage = nothing, finalStage = nothing] = parseDockerfile(readFileSync('Dockerfile', 'utf8'))
const readLast = (name: string) => listSteps(finalStage, name).at(-1) ?? ''

/** What the final stage of the Dockerfile says of its containers. */
export const deskImage = {
  user: readLast('USER'),
  workFolder: readLast('WORKDIR'),
  volume: readLast('VOLUME'),
  environment: readEnvironment(finalStage),
  command: readCommand(readLast('CMD')),
  healthCheck: readCommand(readLast('HEALTHCHECK')),
  stopSignal: readLast('STOPSIGNAL'),
}

/** Whether mount namespaces can be made: needs root. */
export function canUnshare(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The files that .dockerignore lets through, of those that are in the repository or new. */
export function listContext(): string[] {
  const lines = readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .filter((line) => line && line !== '*' && !line.startsWith('#'))
  const tops = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  const ends = lines.filter((line) => line.startsWith('**/*')).map((line) => line.slice(4))
  const folders = lines.filter((line) => /^[\w/-]+$/u.test(line))
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' }).trim().split('\n')
  return files.filter(
    (path) =>
      existsSync(path) &&
      tops.includes(path.split('/')[0] ?? '') &&
      !ends.some((end) => path.endsWith(end)) &&
      !folders.some((folder) => path.startsWith(`${folder}/`)),
  )
}

function copyContext(to: string): void {
  for (const path of listContext()) {
    mkdirSync(dirname(join(to, path)), { recursive: true })
    cpSync(path, join(to, path))
  }
}

/** Runs the stages of the Dockerfile below `folder`; returns the folder of what the image has in its work folder. */
export function buildImage(folder: string): string {
  const context = join(folder, 'context')
  copyContext(context)
  const inStage = (path: string) => join(folder, 'build-stage', path)
  const [work = ''] = listSteps(buildStage, 'WORKDIR')
  mkdirSync(inStage(work), { recursive: true })
  for (const { instruction, argument } of buildStage.steps) {
    if (instruction === 'COPY') {
      const [to = '', ...from] = argument.split(/\s+/u).toReversed()
      for (const path of from) {
        const isFolder = path === '.'
        cpSync(join(context, path), join(inStage(work), to, isFolder ? '' : path), { recursive: true })
      }
    } else if (instruction === 'RUN') {
      execFileSync('sh', ['-c', argument], { cwd: inStage(work), stdio: ['ignore', 'ignore', 'pipe'] })
    }
  }
  const image = join(folder, 'image')
  for (const argument of listSteps(finalStage, 'COPY')) {
    const [, from = '', to = ''] = /^--from=build\s+(\S+)\s+(\S+)$/u.exec(argument) ?? []
    cpSync(inStage(from), join(image, to), { recursive: true, verbatimSymlinks: true })
  }
  return image
}

/** A folder or file of this machine, seen in a container at `target`. */
export type Mount = { source: string; target: string; isReadOnly?: boolean }

export type Container = { child: ChildProcess; output: string; ended: Promise<unknown[]> }

const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

function mount({ source, target, isReadOnly }: Mount): string {
  const [from, to] = [quote(source), `$R${quote(target)}`]
  const place = `mkdir -p "$(dirname ${to})"; if [ -d ${from} ]; then mkdir -p ${to}; else touch ${to}; fi`
  return `${place}; mount --bind ${from} ${to}${isReadOnly ? `; mount -o remount,bind,ro ${to}` : ''}`
}

/** The programs and libraries are this machine's; /etc is a copy, and everything else is empty. */
const makeRoot = `set -e
R=/mnt
mount -t tmpfs tmpfs $R
for name in usr bin sbin lib lib64 dev proc; do
  if [ -L /$name ]; then cp -P /$name $R/$name
  elif [ -d /$name ]; then mkdir $R/$name; mount --rbind /$name $R/$name
  fi
done
cp -a /etc $R/etc
mkdir -p $R/run $R/tmp $R/var
ln -s ../run $R/var/run
mount -t tmpfs -o mode=1777 tmpfs $R/tmp
# A pipe, as an engine gives, and no socket as Node does: nginx opens /dev/stdout.
mkfifo $R/run/output
cat $R/run/output &`

/** The beginning of a command that runs the rest of it as `user` (UID:GID), who may become nobody else. */
export function asUser(user: string): string[] {
  const [uid = '', gid = ''] = user.split(':')
  return ['setpriv', '--reuid', uid, '--regid', gid, '--clear-groups', '--no-new-privs', '--inh-caps=-all']
}

/** Starts a command in a root of its own. `network` is a network namespace of `ip netns`. Ended with the test's process by its caller. */
export function startContainer({
  command,
  environment,
  mounts,
  user,
  workFolder,
  isReadOnly,
  network,
}: {
  command: readonly string[]
  environment: Record<string, string>
  mounts: readonly Mount[]
  /** UID:GID; absent: root. */
  user?: string
  workFolder: string
  isReadOnly: boolean
  network?: string
}): Container {
  const script = [
    makeRoot,
    ...mounts.map(mount),
    ...(isReadOnly ? ['mount -o remount,ro $R'] : []),
    `exec chroot $R ${user === undefined ? '' : asUser(user).join(' ')} sh -c ${quote(`cd ${workFolder} && exec "$@"`)} sh "$@" > $R/run/output 2>&1`,
  ].join('\n')
  const inNetwork = network === undefined ? [] : ['ip', 'netns', 'exec', network]
  const [program = '', ...args] = [...inNetwork, 'unshare', '--mount', 'sh', '-c', script, 'sh', ...command]
  const child = spawn(program, args, {
    env: { NODE_ENV: 'production', PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const container: Container = { child, output: '', ended: once(child, 'close') }
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (container.output += chunk.toString()))
  return container
}
