import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../tools/root.js'

const SOURCE = join(ROOT, 'apps', 'dashboard', 'src', 'shell', 'pages.ts')

/** The constants that paths in the table of pages begin with. */
const PREFIXES: Readonly<Record<string, string>> = {
  PROJECT: '/o/$organization/p/$project',
  ADMIN: '/o/$organization/admin',
}

/** Returns the paths of all pages inside the shell, from the table that the dashboard derives its router of. */
export function dashboardPaths(): string[] {
  const paths = [...readFileSync(SOURCE, 'utf8').matchAll(/^ {4}path: [`'](?:\$\{(\w+)\})?([^`']*)[`'],$/gm)]
  return paths.map(([line, prefix, rest = '']) => {
    if (prefix === undefined) return rest
    const start = PREFIXES[prefix]
    if (start === undefined) throw new Error(`The walk does not know the prefix of ${line.trim()}.`)
    return start + rest
  })
}

/**
 * Returns the address of a page.
 *
 * @param values of the parameters of paths, by name
 * @throws Error if a path has a parameter without a value: add one to the walk
 */
export function addressOfPage(path: string, values: Readonly<Record<string, string>>): string {
  return `/app${path.replaceAll(/\$(\w+)/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`The walk has no value for $${name} of ${path}.`)
    return value
  })}`
}
