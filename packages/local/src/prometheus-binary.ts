import { join } from 'node:path'
import type { Log } from './child.js'
import { findOnPath, isExecutable, unpackFromDebian } from './debian-package.js'

/** The server, and the tool that checks and tests rules. */
export interface PrometheusBinary {
  readonly prometheus: string
  readonly promtool: string
}

/**
 * Finds `prometheus` and `promtool`: on PATH; else in the cache; else unpacked from Debian's package into the cache.
 *
 * @param cache where to unpack it, for example `.bearing/prometheus`
 * @throws where there is none to be had, with a message that says how to get one
 */
export async function findPrometheus(cache: string, log?: Log): Promise<PrometheusBinary> {
  const [prometheus, promtool] = [await findOnPath('prometheus'), await findOnPath('promtool')]
  if (prometheus !== undefined && promtool !== undefined) return { prometheus, promtool }
  const folder = join(cache, 'usr', 'bin')
  const cached = { prometheus: join(folder, 'prometheus'), promtool: join(folder, 'promtool') }
  if ((await isExecutable(cached.prometheus)) && (await isExecutable(cached.promtool))) return cached
  log?.('unpacking prometheus from its Debian package')
  try {
    await unpackFromDebian(cache, ['prometheus'])
  } catch (cause) {
    throw new Error(
      'There is no prometheus. Install it ("apt-get install prometheus", or "brew install prometheus") so that it and promtool are on PATH.',
      { cause },
    )
  }
  return cached
}
