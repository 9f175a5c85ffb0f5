import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../tools/root.js'

/** Imports a compiled file of an app: tests may look at an app, but no package may import one. */
export async function importOf(app: string, path: string): Promise<unknown> {
  return import(pathToFileURL(join(ROOT, 'apps', app, 'dist', `${path}.js`)).href)
}
