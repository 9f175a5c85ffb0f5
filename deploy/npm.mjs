import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Runs npm in a folder: the one beside the running Node, else that of the path. @returns what it printed */
export function npm(args, cwd) {
  const beside = join(process.execPath, '..', 'npm')
  return execFileSync(existsSync(beside) ? beside : 'npm', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
