// `node apps/dashboard/build.mjs [--force]` bundles the pages into `dist/pages`: index.html, `assets/` with names that contain a
// hash, each file compressed too, and `files.json`, the list of what the gateway serves. Does nothing if no input has changed.
import { createHash } from 'node:crypto'
import { globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const HERE = import.meta.dirname
const ROOT = join(HERE, '..', '..')
const PAGES = join(HERE, 'dist', 'pages')
/** Bundled here, and moved into place when everything is written: a build that was killed leaves no half of one. */
const NEXT = join(HERE, 'dist', 'pages.next')
const STAMP = 'inputs.sha256'

const inputs = digest([
  ...globSync('{src/**/*,index.html,build.mjs,package.json}', { cwd: HERE }).map((path) => join(HERE, path)),
  ...globSync('packages/{access,client,contracts}/dist/**/*.js', { cwd: ROOT }).map((path) =>
    join(ROOT, path),
  ),
  join(ROOT, 'pnpm-lock.yaml'),
])
if (process.argv.includes('--force') || inputs !== stampOf(PAGES)) await build()

async function build() {
  const [{ build: bundle }, { default: react }] = await Promise.all([
    import('vite'),
    import('@vitejs/plugin-react'),
  ])
  await bundle({
    root: HERE,
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    build: {
      outDir: NEXT,
      emptyOutDir: true,
      target: 'es2024',
      // An inline asset would need a wider content security policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1024,
      manifest: 'manifest.json',
    },
  })
  preloadStart()
  const files = globSync('assets/**/*.*', { cwd: NEXT }).toSorted()
  for (const name of [...files, 'index.html']) compress(join(NEXT, name))
  writeFileSync(join(NEXT, 'files.json'), JSON.stringify(files))
  writeFileSync(join(NEXT, STAMP), inputs)
  rmSync(PAGES, { recursive: true, force: true })
  renameSync(NEXT, PAGES)
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
  add('src/start.tsx')
  const page = join(NEXT, 'index.html')
  const links = [...found].map((file) => `<link rel="modulepreload" href="/${file}" />`).join('')
  writeFileSync(page, readFileSync(page, 'utf8').replace('</head>', `${links}</head>`))
}

function compress(path) {
  const bytes = readFileSync(path)
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
}

function stampOf(folder) {
  try {
    return readFileSync(join(folder, STAMP), 'utf8')
  } catch {
    return undefined
  }
}

function digest(paths) {
  const hash = createHash('sha256')
  for (const path of paths.toSorted()) {
    let bytes
    try {
      bytes = readFileSync(path)
    } catch (error) {
      if (error.code === 'EISDIR') continue
      throw error
    }
    hash.update(`${relative(ROOT, path)}\0${bytes.length}\0`).update(bytes)
  }
  return hash.digest('hex')
}
