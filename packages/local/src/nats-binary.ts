import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Log } from './child.js'
import { findOnPath, isExecutable, unpackFromDebian } from './debian-package.js'

const run = promisify(execFile)

/** The oldest version that Bearing runs on: 2.9 may lose count of its consumers when it is killed. */
const OLDEST = [2, 10] as const
/** Debian 12 and 11 have older versions. The program is static, so that the package of a newer release runs on them. */
const RELEASE = { release: 'trixie', insteadOf: ['bookworm', 'bullseye'] } as const

/**
 * Finds a `nats-server` of version 2.10 or later: on PATH; else in the cache; else unpacked from Debian's package into the
 * cache.
 *
 * @param cache where to unpack it, for example `.bearing/nats-server`
 * @throws where there is none to be had, with a message that says how to get one
 */
export async function findNatsServer(cache: string, log?: Log): Promise<string> {
  const onPath = await findOnPath('nats-server')
  if (onPath !== undefined) {
    if (await isRecent(onPath)) return onPath
    log?.(`${onPath} is older than version ${OLDEST.join('.')} and is not used`)
  }
  const cached = join(cache, 'usr', 'sbin', 'nats-server')
  if ((await isExecutable(cached)) && (await isRecent(cached))) return cached
  log?.('unpacking nats-server from its Debian package')
  try {
    await unpackFromDebian(cache, ['nats-server'], RELEASE)
    if (!(await isRecent(cached)))
      throw new Error(`the package has an older version than ${OLDEST.join('.')}`)
  } catch (cause) {
    throw new Error(
      `There is no nats-server of version ${OLDEST.join('.')} or later. Install one (https://nats.io/download, or "brew install nats-server") so that it is on PATH, or set NATS_URL to one that runs.`,
      { cause },
    )
  }
  return cached
}

/** Returns true if a program reports version 2.10 or later (`nats-server: v2.10.27`). */
async function isRecent(program: string): Promise<boolean> {
  try {
    const { stdout } = await run(program, ['--version'])
    return isSupportedNats(stdout)
  } catch {
    return false // for example of another processor
  }
}

/**
 * Returns true if Bearing runs on a version of NATS.
 *
 * @param version text that names it, for example `nats-server: v2.10.27` or `2.12.0`
 */
export function isSupportedNats(version: string): boolean {
  const [, major, minor] = /(\d+)\.(\d+)\.\d+/.exec(version) ?? []
  if (major === undefined) return false
  const difference = Number(major) - OLDEST[0] || Number(minor) - OLDEST[1]
  return difference >= 0
}
