// `node apps/docs/build.mjs [--force]` writes the pages of docs/ into `dist/pages`: each as HTML and as Markdown, assets in a folder
// whose name is a hash of what is in it, the index of the search, and `files.json`, the list of what the gateway serves.
// Does nothing if no input has changed.
import { createHash } from 'node:crypto'
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import MiniSearch from 'minisearch'
import { commandList } from '../cli/dist/program/reference/command-list.js'
import { CONFIG as gateway } from '../gateway/dist/config.js'
import { buildOpenApi } from '../gateway/dist/reference/build-openapi.js'
import { tagOf, TAGS } from '../gateway/dist/reference/describe-route.js'
import { CONFIG as identity } from '../identity/dist/config.js'
import { CONFIG as location } from '../location/dist/config.js'
import { CONFIG as management } from '../management/dist/config.js'
import { resourceList } from '../terraform-provider/dist/reference/resource-list.js'
import { compress, digest, isStale, moveIntoPlace } from '../../deploy/built-pages.mjs'
import { thirdPartyNotices } from '../../deploy/third-party-notices.mjs'
import { apiPages } from './api-pages.mjs'
import { listsOf, withList } from './dist/lists.js'
import { nameOf, readNavigation, urlOf } from './navigation.mjs'
import { pageOf } from './page.mjs'
import { readPage } from './read-page.mjs'
import { OPTIONS } from './searched.js'

const HERE = import.meta.dirname
const ROOT = join(HERE, '..', '..')
const DOCS = join(ROOT, 'docs')
const STYLES = join(ROOT, 'apps', 'dashboard', 'src', 'parts', 'styles')
/** Stylesheets that pages share with those of the dashboard. */
const SHARED_STYLES = ['tokens.css', 'skip.css']
const PAGES = join(HERE, 'dist', 'pages')
const NEXT = join(HERE, 'dist', 'pages.next')
const NOTICES = 'third-party-notices.txt'
const TYPES = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  webp: 'image/webp',
}
/** Folders with many pages: one entry of the navigation each, and a group of their own in search. */
const SERIES = { api: 'API', decisions: 'Decisions', errors: 'Errors' }
/** Characters of a section that a search result shows. */
const START_CHARACTERS = 110

const MISSING = {
  title: 'There is no such page',
  description: 'This address leads to no page of the documentation.',
  html: '<p>This address leads to no page of the documentation. Search, or start at <a href="/docs">the index</a>.</p>\n',
  url: '',
  headings: [],
}

const files = globSync('**/*.md', { cwd: DOCS }).toSorted()
/** Lists that follow from the code, by the page that has a place for each. */
const lists = (await listsOf({ TAGS, tagOf }, { gateway, identity, management, location }))
  .set('command-line-reference.md', await commandList())
  .set('terraform.md', resourceList())
const api = apiPages(buildOpenApi('https://bearing.example.com'))
const pictures = globSync('{images,pictures}/*.*', { cwd: DOCS }).toSorted()
const inputs = `${digest([
  ...globSync('*.{mjs,js,css,json}', { cwd: HERE }).map((path) => join(HERE, path)),
  ...[...files, ...pictures].map((path) => join(DOCS, path)),
  ...[...SHARED_STYLES, 'bearing.svg'].map((path) => join(STYLES, path)),
  ...globSync('{pnpm-lock.yaml,deploy/{built-pages,third-party-notices}.mjs,deploy/licenses/*}', {
    cwd: ROOT,
  }).map((path) => join(ROOT, path)),
])}-${createHash('sha256')
  .update(JSON.stringify([...api, ...lists]))
  .digest('hex')}`
if (process.argv.includes('--force') || isStale(PAGES, inputs)) build()

function build() {
  rmSync(NEXT, { recursive: true, force: true })
  const navigation = readNavigation(readFileSync(join(DOCS, 'README.md'), 'utf8'))
  const pages = readPages(navigation)
  const index = indexOf(pages)
  const assets = writeAssets(index)
  const served = assets.names.map((name) => ({
    path: `${assets.url}/${name}`,
    file: `assets/${name}`,
    isHashed: true,
  }))
  const add = (path, file, text) => {
    write(file, text)
    served.push({ path, file })
  }
  for (const page of pages) {
    const name = page.name || 'index'
    const html = pageOf(page, navigation, aroundOf(page, pages), assets.url)
    write(`${name}.html`, html)
    write(`${name}.md`, page.markdown)
  }
  for (const name of pictures) {
    mkdirSync(dirname(join(NEXT, name)), { recursive: true })
    copyFileSync(join(DOCS, name), join(NEXT, name))
    served.push({ path: `/docs/${name}`, file: name })
  }
  write('404.html', pageOf(MISSING, navigation, {}, assets.url))
  add(`/docs/${NOTICES}`, NOTICES, thirdPartyNotices([minisearch()]))
  for (const name of globSync('**/*.{html,md,css,js,json,svg,txt}', { cwd: NEXT })) compress(join(NEXT, name))
  writeFileSync(
    join(NEXT, 'files.json'),
    JSON.stringify({
      pages: pages.map(({ name, url }) => ({ path: url, file: name || 'index' })),
      files: served.map((one) => ({ ...one, type: TYPES[one.file.split('.').at(-1)] })),
    }),
  )
  moveIntoPlace(NEXT, PAGES, inputs)
}

function sourceOf(file) {
  const source = readFileSync(join(DOCS, file), 'utf8')
  return lists.has(file) ? withList(source, lists.get(file)) : source
}

/** Returns all pages in the order of the navigation; those of a series follow their index. */
function readPages(navigation) {
  const sources = new Map([...files.map((file) => [file, sourceOf(file)]), ...api])
  const served = new Set([...[...sources.keys()].map(nameOf), ...pictures])
  const places = navigation.flatMap(({ title, pages }) => pages.map((page) => ({ ...page, group: title })))
  const order = ['', ...places.map(({ name }) => name)]
  const pages = [...sources].map(([file, source]) => {
    const name = nameOf(file)
    const series = name.includes('/') ? name.split('/')[0] : undefined
    const place = places.find((one) => one.name === (series ?? name))
    if (place === undefined && name !== '') throw new Error(`docs/README.md does not list ${file}`)
    return {
      ...readPage(file, source, served),
      name,
      url: urlOf(name),
      group: SERIES[series] ?? place?.group,
      parent: series && urlOf(series),
      listedAs: series === undefined ? place?.title : undefined,
      order: order.indexOf(series ?? name),
    }
  })
  // The name of the index of a series is the start of the names of its pages.
  return pages.toSorted((one, other) => one.order - other.order || (one.name < other.name ? -1 : 1))
}

/** The pages before and after a page. Those of a series lead to each other. */
function aroundOf(page, pages) {
  const beside = pages.filter(({ parent }) => parent === page.parent)
  const at = beside.indexOf(page)
  return { previous: beside[at - 1], next: beside[at + 1] }
}

/** Returns what search finds: each section of a page and each operation, but each decision and each error as a whole. */
function indexOf(pages) {
  const index = new MiniSearch(OPTIONS)
  for (const { name, url, title, listedAs, group, sections, parent } of pages) {
    if (name === '') continue
    const found =
      parent === undefined || group === SERIES.api
        ? sections.map((section) => (group === SERIES.api ? withoutTables(section) : section))
        : [{ id: '', text: sections.map(({ text }) => text).join(' ') }]
    for (const { id, heading, text } of found)
      index.add({
        id: `${name}#${id}`,
        url: id === '' ? url : `${url}#${id}`,
        // A page is found by its title before its sections are.
        ...(id === '' ? { title: `${title} ${listedAs ?? ''}`, page: '' } : { title: heading, page: title }),
        shown: id === '' ? title : heading,
        isPage: id === '',
        text,
        group: SERIES[name] ?? group,
        start: text.slice(0, START_CHARACTERS).replaceAll(/\s+/g, ' ').replace(/ \S*$/, ''),
      })
  }
  return index
}

/** Fields and samples of operations are too much alike to search them. */
function withoutTables({ text, ...section }) {
  return { ...section, text: text.split('Operation ')[0] }
}

/** Writes what pages load. Modules name each other relatively: together they are in one folder. */
function writeAssets(index) {
  const site = readFileSync(join(HERE, 'site.js'), 'utf8').replace("'minisearch'", "'./minisearch.js'")
  const contents = {
    'site.js': site,
    'searched.js': readFileSync(join(HERE, 'searched.js')),
    'minisearch.js': readFileSync(minisearch(), 'utf8').replace(/\/\/# sourceMappingURL=.*\n?/, ''),
    'search.json': JSON.stringify(index),
    'site.css': [...SHARED_STYLES.map((name) => join(STYLES, name)), join(HERE, 'site.css')]
      .map((path) => readFileSync(path, 'utf8'))
      .join(''),
    'bearing.svg': readFileSync(join(STYLES, 'bearing.svg')),
  }
  const hash = createHash('sha256')
  for (const [name, content] of Object.entries(contents)) {
    write(`assets/${name}`, content)
    hash.update(name).update(content)
  }
  return { url: `/docs/assets/${hash.digest('hex').slice(0, 12)}`, names: Object.keys(contents) }
}

function minisearch() {
  const require = createRequire(import.meta.url)
  return join(dirname(require.resolve('minisearch')), '..', 'es', 'index.js')
}

function write(file, content) {
  const path = join(NEXT, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}
