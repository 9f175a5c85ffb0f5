import { execFile } from 'node:child_process'
import { access, constants, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** apt would download as a user of its own, which cannot write into a folder of root; and fail immediately while another apt runs. */
const AS_CALLER = ['-qq', '-o', 'APT::Sandbox::User=root', '-o', 'DPkg::Lock::Timeout=600']
/** Files in which Debian lists its own package sources: in images of Debian 12 and later, and in older installations. */
const SOURCES = ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list']

/** The path of a program on PATH, if it is there. */
export async function findOnPath(program: string): Promise<string | undefined> {
  // The one place where the environment is read: PATH is how a machine says what is installed.
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const onPath = join(folder, program)
    if (folder !== '' && (await isExecutable(onPath))) return onPath
  }
  return undefined
}

/** Returns true if a file is executable. */
export async function isExecutable(path: string): Promise<boolean> {
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

/** A release of Debian whose packages are unpacked on an older one. Only for static binaries: others miss its libraries. */
export interface NewerRelease {
  /** Codename of the release that has the package, for example `trixie`. */
  readonly release: string
  /** Codenames of the older releases that take it from there. On others the machine's own package is unpacked. */
  readonly insteadOf: readonly string[]
}

/**
 * Unpacks Debian packages into a folder, all or none. The system's own packages and, with `newer`, its package lists stay
 * untouched; only a machine without package lists needs root, to update them.
 *
 * @throws where one cannot be downloaded
 */
export async function unpackFromDebian(
  cache: string,
  packages: readonly string[],
  newer?: NewerRelease,
): Promise<void> {
  await unpack(cache, packages.length, (part) => download(part, packages, newer))
}

/** @param fetch writes at least so many packages into a folder */
async function unpack(cache: string, count: number, fetch: (folder: string) => Promise<void>): Promise<void> {
  await mkdir(cache, { recursive: true })
  const part = await mkdtemp(`${cache}.`)
  try {
    await fetch(part)
    const archives = (await readdir(part)).filter((name) => name.endsWith('.deb'))
    if (archives.length < count) throw new Error('apt-get did not download everything')
    const content = join(part, 'content')
    for (const archive of archives) await run('dpkg', ['-x', join(part, archive), content])
    await rm(cache, { recursive: true, force: true })
    await rename(content, cache)
  } finally {
    await rm(part, { recursive: true, force: true })
  }
}

/**
 * Unpacks Debian packages and everything that they need and this machine has not, all or none. Installs nothing. Needs root, as
 * apt does to find out what is needed.
 *
 * @throws where one cannot be downloaded
 */
export async function unpackWithDependencies(cache: string, packages: readonly string[]): Promise<void> {
  const command = ['install', '--yes', '--download-only', '--no-install-recommends', '--reinstall']
  await unpack(cache, packages.length, async (part) => {
    await mkdir(join(part, 'partial'))
    const install = () =>
      run('apt-get', [...AS_CALLER, '-o', `Dir::Cache::archives=${part}`, ...command, ...packages])
    await install().catch(async () => {
      await run('apt-get', [...AS_CALLER, 'update'])
      await install()
    })
  })
}

/** Lists where this machine gets packages of another release of Debian from, in the format and under the name that apt wants. */
export async function sourcesOfRelease(
  release: string,
): Promise<{ readonly name: string; readonly text: string }> {
  const sources = await firstSources()
  const codename = (await releaseOfMachine()) ?? release
  return { ...sources, text: sources.text.replaceAll(new RegExp(String.raw`\b${codename}\b`, 'g'), release) }
}

async function download(folder: string, packages: readonly string[], newer?: NewerRelease): Promise<void> {
  const codename = newer && (await releaseOfMachine())
  if (newer && codename !== undefined && newer.insteadOf.includes(codename)) {
    const state = await stateOf(join(folder, 'apt'), newer.release)
    await run('apt-get', [...AS_CALLER, ...state, 'update'])
    await run('apt-get', [...AS_CALLER, ...state, 'download', ...packages], { cwd: folder })
    return
  }
  const command = [...AS_CALLER, 'download', ...packages]
  try {
    await run('apt-get', command, { cwd: folder })
  } catch (error) {
    if (process.getuid?.() !== 0) throw error
    await run('apt-get', [...AS_CALLER, 'update'])
    await run('apt-get', command, { cwd: folder })
  }
}

/** The codename of this machine's release, for example `bookworm`. Undefined where it has none. */
async function releaseOfMachine(): Promise<string | undefined> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '')
  return /^VERSION_CODENAME=(\w+)$/m.exec(text)?.[1]
}

/**
 * Options that give apt package lists of its own: the machine's mirrors with another release.
 *
 * @param folder where they are kept; made
 */
async function stateOf(folder: string, release: string): Promise<string[]> {
  await mkdir(join(folder, 'lists', 'partial'), { recursive: true })
  await mkdir(join(folder, 'cache', 'archives', 'partial'), { recursive: true })
  const sources = await sourcesOfRelease(release)
  const file = join(folder, sources.name)
  await writeFile(file, sources.text)
  const options = {
    'Dir::Etc::sourcelist': file,
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::State::lists': join(folder, 'lists'),
    'Dir::Cache': join(folder, 'cache'),
    'Acquire::Languages': 'none',
  }
  return Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])
}

/** The machine's list of Debian's package sources; apt takes its format from the ending of the name. */
async function firstSources(): Promise<{ readonly name: string; readonly text: string }> {
  for (const path of SOURCES) {
    const text = await readFile(path, 'utf8').catch(() => '')
    if (/\bdebian\b/.test(text)) return { name: `bearing${path.slice(path.lastIndexOf('.'))}`, text }
  }
  throw new Error(`none of ${SOURCES.join(', ')} lists package sources of Debian`)
}
