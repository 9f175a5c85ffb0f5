import { execFile } from 'node:child_process'
import { access, constants, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The path of a program on PATH, if it is there. */
export async function findOnPath(program: string): Promise<string | undefined> {
  // The one place where the environment is read: PATH is how a machine says what is installed.
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const onPath = join(folder, program)
    if (folder !== '' && (await isExecutable(onPath))) return onPath
  }
  return undefined
}

/** Whether a file may be run. */
export async function isExecutable(path: string): Promise<boolean> {
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

/**
 * Unpacks Debian packages into a folder, all at once or not at all. Needs no root but for the package lists.
 *
 * @throws where one cannot be downloaded
 */
export async function unpackFromDebian(cache: string, packages: readonly string[]): Promise<void> {
  await mkdir(cache, { recursive: true })
  const part = await mkdtemp(`${cache}.`)
  try {
    await download(part, packages)
    const archives = (await readdir(part)).filter((name) => name.endsWith('.deb'))
    if (archives.length < packages.length) throw new Error('apt-get did not download everything')
    const content = join(part, 'content')
    for (const archive of archives) await run('dpkg', ['-x', join(part, archive), content])
    await rm(cache, { recursive: true, force: true })
    await rename(content, cache)
  } finally {
    await rm(part, { recursive: true, force: true })
  }
}

async function download(folder: string, packages: readonly string[]): Promise<void> {
  // apt would fetch as a user of its own, which cannot write into a folder of root.
  const command = ['-qq', '-o', 'APT::Sandbox::User=root', 'download', ...packages]
  try {
    await run('apt-get', command, { cwd: folder })
  } catch (error) {
    if (process.getuid?.() !== 0) throw error
    await run('apt-get', ['-qq', 'update'])
    await run('apt-get', command, { cwd: folder })
  }
}
