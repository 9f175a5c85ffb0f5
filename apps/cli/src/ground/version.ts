import { readFileSync } from 'node:fs'

/** Set by pack.mjs in the bundle, which has no package.json beside it. */
declare const PACKED_VERSION: string | undefined

/** The version of the command line. */
export function version(): string {
  if (typeof PACKED_VERSION === 'string') return PACKED_VERSION
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string // our own package.json
  }
  return manifest.version
}
