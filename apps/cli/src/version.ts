import { readFileSync } from 'node:fs'

/** The version of the command line. */
export function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string // our own package.json
  }
  return manifest.version
}
