import { existsSync, readFileSync } from 'node:fs'
import { ERROR_CODES } from '@bearing/contracts/errors'
import { readStaticFile, type StaticFile } from '../ground/static-files.js'

/** Output of `apps/docs/build.mjs`: below `pages/`, beside the list of its files. */
const FOLDER = new URL('../../../docs/dist/pages/', import.meta.url)

/** `files.json`, as the build writes it. */
interface List {
  /** Each is there as HTML and as Markdown. */
  readonly pages: readonly { readonly path: string; readonly file: string }[]
  readonly files: readonly {
    readonly path: string
    readonly file: string
    readonly type: string
    /** True if the path contains a hash of the file's content. */
    readonly isHashed?: boolean
  }[]
}

/** Reads a file on the first request and then keeps it in memory: most pages are seldom read. */
type Read = () => StaticFile

/** Everything that is served below `/docs`, except the API reference, by path. No path of a request ever reaches the disk. */
export interface DocumentationFiles {
  readonly pages: ReadonlyMap<string, { readonly html: Read; readonly markdown: Read }>
  readonly files: ReadonlyMap<string, { readonly read: Read; readonly isHashed: boolean }>
  /** For browsers that ask for a page that is not there. */
  readonly missing: Read
}

/**
 * Returns what the build of the documentation has written.
 *
 * @throws Error if it was not built, or an error code has no page
 */
export function documentationFiles(): DocumentationFiles {
  const list = new URL('files.json', FOLDER)
  if (!existsSync(list)) throw new Error('The documentation was not built: run "pnpm build".')
  const { pages, files } = JSON.parse(readFileSync(list, 'utf8')) as List // written by the build
  const html = (name: string) => once(`${name}.html`, 'text/html; charset=utf-8')
  const found = {
    pages: new Map(
      pages.map(({ path, file }) => [
        path,
        { html: html(file), markdown: once(`${file}.md`, 'text/markdown; charset=utf-8') },
      ]),
    ),
    files: new Map(
      files.map(({ path, file, type, isHashed = false }) => [path, { read: once(file, type), isHashed }]),
    ),
    missing: html('404'),
  }
  const missing = ERROR_CODES.filter((code) => !found.pages.has(`/docs/errors/${code}`))
  if (missing.length > 0) throw new Error(`Without a page in docs/errors: ${missing.join(', ')}`)
  return found
}

function once(name: string, type: string): Read {
  let file: StaticFile | undefined
  return () => (file ??= readStaticFile(FOLDER, name, type))
}
