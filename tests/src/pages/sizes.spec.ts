import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { ROOT } from '../tools/root.js'

const PAGES = join(ROOT, 'apps', 'dashboard', 'dist', 'pages')

/** Limits in bytes. */
const SIGN_IN_BROTLI = 190_000
const PAGE_GZIP = 290_000
const MAP_GZIP = 450_000
/** Coast, borders and places, which every map loads beside its code. */
const BASE_MAP_BROTLI = 400_000
/** The fonts of Latin text: one for all weights, one for code. */
const FONTS = 90_000
const CSS_GZIP = 15_000
/** The most files of a page: with its calls of the API a page has at most 30 requests. */
const PAGE_FILES = 10

/** A module of Vite's manifest. */
interface Chunk {
  readonly file: string
  readonly src?: string
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
  readonly isDynamicEntry?: boolean
}

const manifest = JSON.parse(readFileSync(join(PAGES, 'manifest.json'), 'utf8')) as Record<string, Chunk>

/** Returns the files that are loaded before modules can run. Their dynamic imports are loaded later. */
function filesOf(...sources: readonly string[]): ReadonlySet<string> {
  const files = new Set<string>()
  const add = (key: string) => {
    const chunk = manifest[key]
    if (!chunk) throw new Error(`The manifest has no ${key}.`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    chunk.imports?.forEach(add)
  }
  sources.forEach(add)
  return files
}

function bytesOf(files: ReadonlySet<string>, suffix: '.gz' | '.br'): number {
  return [...files].reduce((sum, file) => sum + statSync(join(PAGES, `${file}${suffix}`)).size, 0)
}

const START = ['index.html', ...(manifest['index.html']?.dynamicImports ?? [])]
const SHELL = [...START, 'src/shell/shell.tsx']

/** Every page inside the shell, and what is loaded over pages. */
const inside = Object.keys(manifest).filter((key) =>
  /^src\/(?!sign-in|invitation|password|partner).*(?:-page|palette|keys-dialog)\.tsx$/.test(key),
)

describe('the size of scripts', () => {
  it(`of the sign-in page is at most ${String(SIGN_IN_BROTLI / 1_000)} kB in Brotli`, () => {
    expect(bytesOf(filesOf(...START), '.br')).toBeLessThanOrEqual(SIGN_IN_BROTLI)
  })

  it(`of each page without its map is at most ${String(PAGE_GZIP / 1_000)} kB in gzip`, () => {
    expect(inside.length).toBeGreaterThan(10)
    const sizes = inside.map((key) => [key, bytesOf(filesOf(...SHELL, key), '.gz')] as const)
    expect(sizes.filter(([, bytes]) => bytes > PAGE_GZIP)).toEqual([])
  })

  it(`of each page without its map and chart is in at most ${String(PAGE_FILES)} files`, () => {
    const files = inside.map((key) => [key, filesOf(...SHELL, key).size] as const)
    expect(files.filter(([, count]) => count > PAGE_FILES)).toEqual([])
  })

  it(`of the fonts that Latin text needs is at most ${String(FONTS / 1_000)} kB`, () => {
    const fonts = globSync('assets/{inter,jetbrains-mono}-latin-wght-normal-*.woff2', { cwd: PAGES })
    expect(fonts).toHaveLength(2)
    expect(fonts.reduce((sum, file) => sum + statSync(join(PAGES, file)).size, 0)).toBeLessThanOrEqual(FONTS)
  })

  it(`that a map adds is at most ${String(MAP_GZIP / 1_000)} kB in gzip, and only pages with a map load it`, () => {
    const page = filesOf(...SHELL, 'src/positions/location-page.tsx')
    const worker = globSync('assets/maplibre-gl-worker-*.js', { cwd: PAGES })
    expect(worker).toHaveLength(1)
    const loaded = [...filesOf('src/parts/map/gl-map.tsx'), ...worker]
    const map = new Set(loaded.filter((file) => !page.has(file)))
    expect(bytesOf(map, '.gz')).toBeLessThanOrEqual(MAP_GZIP)
    const base = filesOf('src/parts/map/base-data.ts')
    expect(bytesOf(base, '.br')).toBeLessThanOrEqual(BASE_MAP_BROTLI)
    for (const file of base) map.add(file)
    for (const key of inside) expect([...filesOf(key)].filter((file) => map.has(file))).toEqual([])
  })
})

it(`the stylesheet of the pages is at most ${String(CSS_GZIP / 1_000)} kB in gzip`, () => {
  const page = readFileSync(join(PAGES, 'index.html'), 'utf8')
  const sheets = [...page.matchAll(/href="\/(assets\/[^"]+\.css)"/g)].map(([, file = '']) => file)
  expect(sheets).toHaveLength(1)
  expect(bytesOf(new Set(sheets), '.gz')).toBeLessThanOrEqual(CSS_GZIP)
})
