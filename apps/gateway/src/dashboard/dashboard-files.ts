import { existsSync, readFileSync } from 'node:fs'

/** What `apps/dashboard/build.mjs` writes: below `pages/`, beside the list of its files. */
const FOLDER = new URL('../../../dashboard/dist/pages/', import.meta.url)

/** Media types of the files, by extension. A file with another extension stops the gateway at startup. */
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
}

/** A file of the dashboard in each encoding that is served. */
export interface DashboardFile {
  readonly type: string
  readonly bodies: Readonly<Record<Encoding, Buffer>>
}

/** Content codings, best first. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** The page and the files that it loads. */
export interface DashboardFiles {
  readonly page: DashboardFile
  /** By path, such as `/assets/main-x1.js`. */
  readonly assets: ReadonlyMap<string, DashboardFile>
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
    page: readDashboardFile('index.html', 'text/html; charset=utf-8'),
    assets: new Map(names.map((name) => [`/${name}`, readDashboardFile(name, typeOf(name))])),
  }
}

function readDashboardFile(name: string, type: string): DashboardFile {
  const read = (suffix: string) => readFileSync(new URL(`${name}${suffix}`, FOLDER))
  return { type, bodies: { identity: read(''), gzip: read('.gz'), br: read('.br') } }
}

function typeOf(name: string): string {
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)]
  if (type === undefined) throw new Error(`The dashboard has a file of an unknown type: ${name}`)
  return type
}
