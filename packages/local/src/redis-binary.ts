import { execFile } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Log } from './child.js'
import { findOnPath, isExecutable, unpackFromDebian } from './debian-package.js'

const run = promisify(execFile)

/** Debian has the program in the tools, under a name by which it checks files; the rest are libraries that it loads. */
const PACKAGES = ['redis-tools', 'libjemalloc2', 'liblzf1', 'libatomic1']
const PROGRAM_OF_TOOLS = 'redis-check-rdb'

/** A program, and what it needs in its environment. */
export interface RedisBinary {
  readonly command: string
  readonly env: Readonly<Record<string, string>>
}

/**
 * Finds a `valkey-server` or `redis-server`: on PATH; else in the cache; else unpacked from Debian's packages into the
 * cache.
 *
 * @param cache where to unpack it, for example `.bearing/redis-server`
 * @throws where there is none to be had, with a message that says how to get one
 */
export async function findRedisServer(cache: string, log?: Log): Promise<RedisBinary> {
  const onPath = (await findOnPath('valkey-server')) ?? (await findOnPath('redis-server'))
  if (onPath !== undefined) return { command: onPath, env: {} }
  const cached = { command: join(cache, 'redis-server'), env: { LD_LIBRARY_PATH: libraries(cache) } }
  if (await isExecutable(cached.command)) return cached
  log?.('unpacking redis-server from its Debian packages')
  try {
    await unpackFromDebian(cache, PACKAGES)
    // The program chooses its role by the name that it is called by.
    await symlink(join('usr', 'bin', PROGRAM_OF_TOOLS), cached.command)
    await run(cached.command, ['--version'], { env: cached.env })
  } catch (cause) {
    throw new Error(
      'There is no redis-server. Install one ("apt-get install redis-server", or "brew install valkey") so that it is on PATH.',
      { cause },
    )
  }
  return cached
}

/** The folder in which Debian keeps libraries. */
function libraries(cache: string): string {
  const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
  return join(cache, 'usr', 'lib', `${machine}-linux-gnu`)
}
