import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/**
 * Returns true if any of the specs that a run of Jest selects uses the shared stack: imports this package, itself or by way
 * of files of its own. Starting the stack takes seconds that a test of a pure rule need not wait for.
 *
 * @param patterns as on Jest's command line: regular expressions, any of which the path has to match
 */
export function needsStack(root: string, patterns: readonly string[]): boolean {
  const specs = globSync(
    ['packages', 'apps', 'prisma', 'deploy', 'tests'].map((folder) => `${folder}/**/dist/**/*.spec.js`),
    {
      cwd: root,
      exclude: (path) => path.endsWith('node_modules'),
    },
  ).map((path) => join(root, path))
  const selected = specs.filter(
    (spec) => patterns.length === 0 || patterns.some((text) => new RegExp(text).test(spec)),
  )
  const seen = new Set<string>()
  return selected.some((spec) => importsTesting(spec, seen))
}

function importsTesting(file: string, seen: Set<string>): boolean {
  if (seen.has(file) || !existsSync(file)) return false
  seen.add(file)
  const source = readFileSync(file, 'utf8')
  // The second is for specs of this package itself: it is where the address of the stack is read.
  if (source.includes("'@bearing/testing/") || source.includes("'./addresses.js'")) return true
  const relative = [...source.matchAll(/(?:from|import) '(\.{1,2}\/[^']+)'/g)].map(([, path = '']) => path)
  return relative.some((path) => importsTesting(resolve(dirname(file), path), seen))
}
