import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Log } from './child.js'
import { findOnPath, isExecutable, unpackFromDebian } from './debian-package.js'

const run = promisify(execFile)

/**
 * Finds a `nats-server`: on PATH; else in the cache; else unpacked from Debian's package into the cache.
 *
 * @param cache where to unpack it, for example `.bearing/nats-server`
 * @throws where there is none to be had, with a message that says how to get one
 */
export async function findNatsServer(cache: string, log?: Log): Promise<string> {
  const onPath = await findOnPath('nats-server')
  if (onPath !== undefined) return onPath
  const cached = join(cache, 'usr', 'sbin', 'nats-server')
  if (await isExecutable(cached)) return cached
  log?.('unpacking nats-server from its Debian package')
  try {
    await unpackFromDebian(cache, ['nats-server'])
    await run(cached, ['--version'])
  } catch (cause) {
    throw new Error(
      'There is no nats-server. Install one (https://nats.io/download, or "apt-get install nats-server", or "brew install nats-server") so that it is on PATH, or set NATS_URL to one that runs.',
      { cause },
    )
  }
  return cached
}
