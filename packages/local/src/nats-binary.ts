import { execFile } from 'node:child_process'
import { access, constants, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { Log } from './child.js'

const run = promisify(execFile)

/**
 * Finds a `nats-server`: on PATH; else in the cache; else unpacked from Debian's package into the cache.
 *
 * @param cache where to unpack it, for example `.bearing/nats-server`
 * @throws where there is none to be had, with a message that says how to get one
 */
export async function findNatsServer(cache: string, log?: Log): Promise<string> {
  // The one place where the environment is read: PATH is how a machine says what is installed.
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const onPath = join(folder, 'nats-server')
    if (folder !== '' && (await isExecutable(onPath))) return onPath
  }
  const cached = join(cache, 'usr', 'sbin', 'nats-server')
  if (await isExecutable(cached)) return cached
  log?.('unpacking nats-server from its Debian package')
  try {
    await unpackFromDebian(cache)
    await run(cached, ['--version'])
  } catch (cause) {
    throw new Error(
      'There is no nats-server. Install one (https://nats.io/download, or "apt-get install nats-server", or "brew install nats-server") so that it is on PATH, or set NATS_URL to one that runs.',
      { cause },
    )
  }
  return cached
}

async function isExecutable(path: string): Promise<boolean> {
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

async function unpackFromDebian(cache: string): Promise<void> {
  await mkdir(cache, { recursive: true })
  const part = await mkdtemp(`${cache}.`)
  try {
    await download(part)
    const archive = (await readdir(part)).find((name) => name.endsWith('.deb'))
    if (archive === undefined) throw new Error('apt-get downloaded nothing')
    const content = join(part, 'content')
    await run('dpkg', ['-x', join(part, archive), content])
    await rm(cache, { recursive: true, force: true })
    await rename(content, cache)
  } finally {
    await rm(part, { recursive: true, force: true })
  }
}

async function download(folder: string): Promise<void> {
  // apt would fetch as a user of its own, which cannot write into a folder of root.
  const command = ['-qq', '-o', 'APT::Sandbox::User=root', 'download', 'nats-server']
  try {
    await run('apt-get', command, { cwd: folder })
  } catch (error) {
    if (process.getuid?.() !== 0) throw error
    await run('apt-get', ['-qq', 'update'])
    await run('apt-get', command, { cwd: folder })
  }
}
