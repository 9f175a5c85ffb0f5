import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findOnPath, unpackWithDependencies } from '@bearing/local/debian-package'

const run = promisify(execFile)
const LONGEST_MS = 30 * 60_000
/** Programs of Debian packages of the same name. */
const PROGRAMS = ['buildah', 'podman', 'runc', 'conmon', 'catatonit', 'mmdebstrap', 'iptables']
/** Starts networks of containers. It is not on PATH. */
const NETAVARK = 'usr/lib/podman/netavark'
const PACKAGES = [...PROGRAMS, 'netavark', 'aardvark-dns']
/** Starts a copy of itself with an empty environment, so that it has to contain where its libraries are. */
const FORGETFUL = 'usr/bin/buildah'
const FOLDERS = ['usr/bin', 'usr/sbin', 'usr/libexec/podman', dirname(NETAVARK)]

/** Programs that build and run images. They have a storage of their own. */
export interface ContainerTools {
  /** Runs buildah. @returns what it printed @throws Error with what it printed */
  readonly buildah: (...args: readonly string[]) => Promise<string>
  /** Runs podman in a network namespace. @returns what it printed */
  readonly podman: (network: string, ...args: readonly string[]) => Promise<string>
  /** Runs a command that calls podman, in a network namespace. @returns what it printed */
  readonly inNetwork: (network: string, ...command: readonly string[]) => Promise<string>
  /** Runs mmdebstrap, which makes a root file system of Debian. */
  readonly mmdebstrap: (
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
  ) => Promise<void>
}

/** @returns why this machine cannot build and run images; undefined if it can */
export function whyNoContainers(): string | undefined {
  if (process.platform !== 'linux') return 'images are for Linux'
  if (process.getuid?.() !== 0) return 'only root can make containers'
  if (!existsSync('/etc/debian_version')) return 'the programs that build images are packages of Debian'
  return undefined
}

/**
 * Finds buildah, podman and what they need: on PATH, else in packages of the machine's Debian release, which are unpacked and not
 * installed.
 *
 * @param cache where packages and images are kept
 */
export async function findContainerTools(cache: string): Promise<ContainerTools> {
  const unpacked = join(cache, 'programs')
  const onPath = await Promise.all(PROGRAMS.map(findOnPath))
  const missing = onPath.includes(undefined) || !existsSync(join('/', NETAVARK))
  if (missing) await unpackTools(unpacked)
  const folders = missing ? FOLDERS.map((folder) => join(unpacked, folder)) : []
  const environment = {
    ...process.env,
    PATH: [...folders, process.env['PATH'], '/usr/sbin', '/sbin'].join(delimiter),
    LD_LIBRARY_PATH: missing ? globSync(join(unpacked, 'usr/lib/*-linux-gnu')).join(delimiter) : '',
    ...(missing && { XTABLES_LIBDIR: globSync(join(unpacked, 'usr/lib/*-linux-gnu/xtables'))[0] }),
    // Without systemd there is no timer that could check health.
    DISABLE_HC_SYSTEMD: 'true',
    ...(await configure(cache, folders)),
  }
  const options = { env: environment, maxBuffer: 1 << 28, timeout: LONGEST_MS, encoding: 'utf8' } as const
  const print = async (command: string, args: readonly string[], more = {}) =>
    (await run(command, args, { ...options, env: { ...environment, ...more } })).stdout.trim()
  const inNetwork = (network: string, ...command: readonly string[]) =>
    print('nsenter', [`--net=/run/netns/${network}`, ...command])
  return {
    buildah: (...args) =>
      // One build at a time: the next then finds the stages that both have.
      ['build', 'rmi'].includes(args[0] ?? '')
        ? print('flock', [join(cache, 'lock'), 'buildah', ...args])
        : print('buildah', args),
    podman: (network, ...args) => inNetwork(network, 'podman', ...args),
    inNetwork,
    mmdebstrap: async (args, more) => {
      // Programs of Debian's base system need its own libraries.
      await print('mmdebstrap', args, { ...more, LD_LIBRARY_PATH: '' })
    },
  }
}

async function unpackTools(folder: string): Promise<void> {
  const done = join(folder, 'unpacked-in')
  const state = [folder, ...PACKAGES].join('\n')
  if (existsSync(done) && readFileSync(done, 'utf8') === state) return
  await unpackWithDependencies(folder, [...PACKAGES, 'patchelf'])
  const libraries = globSync(join(folder, 'usr/lib/*-linux-gnu')).join(delimiter)
  const set = ['--force-rpath', '--set-rpath', libraries, join(folder, FORGETFUL)]
  await run(join(folder, 'usr/bin/patchelf'), set)
  // An installation would choose between two kinds of iptables.
  for (const name of ['iptables', 'ip6tables'])
    await symlink('xtables-nft-multi', join(folder, 'usr/sbin', name))
  await writeFile(done, state)
}

/** Writes the settings of the tools. @returns variables that name the files */
async function configure(cache: string, folders: readonly string[]): Promise<Record<string, string>> {
  const settings = join(cache, 'settings')
  const temporary = join(cache, 'tmp')
  await mkdir(join(settings, '.config', 'containers'), { recursive: true })
  await mkdir(temporary, { recursive: true })
  const text = JSON.stringify
  const driver = await driverFor(cache)
  const files = {
    'storage.conf': [
      '[storage]',
      `driver = "${driver}"`,
      `graphroot = ${text(join(cache, `storage-${driver}`))}`,
      `runroot = ${text(join(cache, 'run'))}`,
    ],
    'containers.conf': [
      '[containers]',
      // The defaults of podman fail if root may not raise limits.
      `default_ulimits = [${limitOf('nofile', 'open files')}, ${limitOf('nproc', 'processes')}]`,
      'log_driver = "k8s-file"',
      '[engine]',
      'runtime = "runc"',
      'cgroup_manager = "cgroupfs"',
      'events_logger = "file"',
      `tmp_dir = ${text(join(cache, 'run', 'libpod'))}`,
      ...(folders.length === 0
        ? []
        : [
            `helper_binaries_dir = ${text(folders)}`,
            `conmon_path = ${text(folders.map((folder) => join(folder, 'conmon')))}`,
            '[engine.runtimes]',
            `runc = ${text(folders.map((folder) => join(folder, 'runc')))}`,
          ]),
      '[network]',
      'network_backend = "netavark"',
      `network_config_dir = ${text(join(settings, 'networks'))}`,
    ],
    // Images are built here; none is pulled from an address that a short name could mean.
    'registries.conf': ['unqualified-search-registries = []'],
    '.config/containers/policy.json': ['{ "default": [{ "type": "insecureAcceptAnything" }] }'],
  }
  for (const [name, lines] of Object.entries(files))
    await writeFile(join(settings, name), `${lines.join('\n')}\n`)
  return {
    // The policy is looked for there.
    HOME: settings,
    CONTAINERS_STORAGE_CONF: join(settings, 'storage.conf'),
    CONTAINERS_CONF: join(settings, 'containers.conf'),
    CONTAINERS_REGISTRIES_CONF: join(settings, 'registries.conf'),
    // Cache mounts of builds are kept below it.
    TMPDIR: temporary,
  }
}

/** Limits of containers: far above what a service needs, and below what podman itself is started with. */
const MOST = { 'open files': 20_000, processes: 4_096 } as const

/** A limit that this process may hand on, as containers.conf has it. */
function limitOf(name: string, title: keyof typeof MOST): string {
  const limits = readFileSync('/proc/self/limits', 'utf8')
  const [, own] = new RegExp(`^Max ${title} +\\S+ +(\\d+)`, 'm').exec(limits) ?? []
  const limit = String(Math.min(Number(own ?? MOST[title]), MOST[title]))
  return `"${name}=${limit}:${limit}"`
}

/** `overlay` where the kernel can put layers on top of each other here; `vfs`, which copies them, in a container. */
async function driverFor(cache: string): Promise<'overlay' | 'vfs'> {
  const trial = join(cache, 'trial')
  const [lower, upper, work, merged] = ['lower', 'upper', 'work', 'merged'].map((name) => join(trial, name))
  for (const folder of [lower, upper, work, merged]) await mkdir(folder ?? '', { recursive: true })
  const options = `lowerdir=${lower ?? ''},upperdir=${upper ?? ''},workdir=${work ?? ''}`
  try {
    await run('mount', ['-t', 'overlay', 'overlay', '-o', options, merged ?? ''])
    await run('umount', [merged ?? ''])
    return 'overlay'
  } catch {
    return 'vfs'
  }
}
