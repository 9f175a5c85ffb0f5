import { existsSync, readFileSync } from 'node:fs'
import { readStaticFile, type StaticFile } from '../ground/static-files.js'

/** Output of `apps/dashboard/build.mjs`: below `pages/`, beside the list of its files. */
const FOLDER = new URL('../../../dashboard/dist/pages/', import.meta.url)

/** Media types of the files, by extension. A file with another extension stops the gateway at startup. */
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
}

/** The page and the files that it loads. */
export interface DashboardFiles {
  readonly page: StaticFile
  /** By path, such as `/assets/main-x1.js`. */
  readonly assets: ReadonlyMap<string, StaticFile>
  /** Licenses of the packages that the files contain. */
  readonly notices: StaticFile
}

/**
 * Reads all files of the dashboard into memory, about 2 MB. No path of a request ever reaches the disk.
 *
 * @throws Error if the dashboard was not built, or a file is missing
 */
export function readDashboardFiles(): DashboardFiles {
  const list = new URL('files.json', FOLDER)
  if (!existsSync(list))
    throw new Error('The dashboard was not built: run "pnpm build", or set DASHBOARD=no to run without it.')
  const names = JSON.parse(readFileSync(list, 'utf8')) as string[] // written by the build
  return {
    page: readStaticFile(FOLDER, 'index.html', 'text/html; charset=utf-8'),
    assets: new Map(names.map((name) => [`/${name}`, readStaticFile(FOLDER, name, typeOf(name))])),
    notices: readStaticFile(FOLDER, 'THIRD-PARTY-NOTICES.txt', 'text/plain; charset=utf-8'),
  }
}

function typeOf(name: string): string {
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)]
  if (type === undefined) throw new Error(`The dashboard has a file of an unknown type: ${name}`)
  return type
}
