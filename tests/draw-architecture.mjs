// `pnpm architecture`: draws the wings of each app into docs/architecture.md, from the lists of .dependency-cruiser.cjs,
// and the imports between them as docs/images/imports.svg. `--checkout <path> --output <file>` draws another checkout.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, posix } from 'node:path'
import { parseArgs } from 'node:util'

const ROOT = join(import.meta.dirname, '..')
const APPS = ['gateway', 'identity', 'management', 'location']
const NOT_WINGS = /^(generated|specs|testing)\/|\.spec\.ts$/
const BEGIN = '<!-- wings: written by `pnpm architecture` -->'
const END = '<!-- /wings -->'

const { values } = parseArgs({ options: { checkout: { type: 'string' }, output: { type: 'string' } } })
const checkout = values.checkout ?? ROOT
const levels = values.checkout === undefined ? levelsOf(join(ROOT, '.dependency-cruiser.cjs')) : new Map()
if (values.checkout === undefined) {
  const page = join(ROOT, 'docs', 'architecture.md')
  const text = readFileSync(page, 'utf8')
  const [before, after] = [text.split(BEGIN)[0], text.split(END)[1]]
  writeFileSync(page, `${before}${BEGIN}\n\n\`\`\`mermaid\n${wingChart()}\`\`\`\n\n${END}${after}`)
}
writeFileSync(values.output ?? join(ROOT, 'docs', 'images', 'imports.svg'), importMatrices())

/** Returns the wings of each app by level, from the comments of the rules that the lists produce. */
function levelsOf(config) {
  const { forbidden } = createRequire(import.meta.url)(config)
  const lists = forbidden.map(({ comment }) => /^Wings of (\w+), top to bottom: (.*)\.$/.exec(comment ?? ''))
  return new Map(
    lists.filter(Boolean).map(([, app, list]) => [app, list.split(' → ').map((level) => level.split(', '))]),
  )
}

function wingChart() {
  const lines = ['flowchart LR', '  caller([caller]) -- HTTP --> gateway']
  for (const app of APPS) {
    lines.push(`  subgraph ${app}`, '    direction TB')
    const names = (levels.get(app) ?? []).map((level) => level.join(' · '))
    names.forEach((name, depth) => lines.push(`    ${app}${depth}["${name}"]${depth > 0 ? '' : ''}`))
    if (names.length > 1) lines.push(`    ${names.map((_, depth) => `${app}${depth}`).join(' --> ')}`)
    lines.push('  end')
  }
  for (const app of APPS.slice(1)) lines.push(`  gateway -- NATS --> ${app}`)
  for (const app of APPS.slice(1)) lines.push(`  ${app} --> ${app}Database[(${app} schema)]`)
  return lines.map((line) => `${line}\n`).join('')
}

/** Returns how many imports lead from one folder directly under `src` of an app to another. */
function importsOf(app) {
  const src = join(checkout, 'apps', app, 'src')
  const files = globSync('**/*.ts', { cwd: src }).filter((file) => !NOT_WINGS.test(file))
  const counts = new Map()
  for (const file of files)
    for (const [, to] of readFileSync(join(src, file), 'utf8').matchAll(
      /(?:from|import) '(\.{1,2}\/[^']+)'/g,
    )) {
      const [from, target] = [file, posix.join(posix.dirname(file), to)].map((path) => path.split('/'))
      if (from.length === 1 || target.length === 1 || from[0] === target[0] || target[0] === 'generated')
        continue
      const key = `${from[0]} ${target[0]}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  const folders = new Set(files.filter((file) => file.includes('/')).map((file) => file.split('/')[0]))
  return { folders: [...folders].sort(), counts }
}

/** Returns the folders in an order in which few imports lead up: moves single folders as long as that helps. */
function ordered(folders, counts) {
  const order = [...folders]
  const upward = (list) =>
    [...counts].filter(([key]) => {
      const [from, to] = key.split(' ')
      return list.indexOf(from) > list.indexOf(to)
    }).length
  for (let least = upward(order), better = true; better;) {
    better = false
    for (const folder of folders)
      for (let at = 0; at < order.length; at++) {
        const moved = order.filter((name) => name !== folder)
        moved.splice(at, 0, folder)
        const now = upward(moved)
        if (now >= least) continue
        order.splice(0, order.length, ...moved)
        ;[least, better] = [now, true]
      }
  }
  return order
}

/** Draws a matrix for each app: a mark where the folder of the row imports the folder of the column. */
function importMatrices() {
  const cell = 11
  const label = 130
  let x = 0
  let height = 0
  const parts = APPS.map((app) => {
    const { folders, counts } = importsOf(app)
    const order = levels.get(app)?.flat() ?? ordered(folders, counts)
    const marks = []
    let up = 0
    order.forEach((from, row) => {
      const y = row * cell + 40
      marks.push(`<text x="${label - 6}" y="${y + 9}" text-anchor="end">${from}</text>`)
      marks.push(`<rect x="${label + row * cell}" y="${y}" width="${cell}" height="${cell}" fill="#ddd"/>`)
      order.forEach((to, column) => {
        const count = counts.get(`${from} ${to}`)
        if (count === undefined) return
        if (column < row) up++
        const color = column < row ? '#c62828' : '#1565c0'
        const title = `${from} → ${to}: ${count}`
        marks.push(
          `<rect x="${label + column * cell + 1}" y="${y + 1}" width="${cell - 2}" height="${cell - 2}" fill="${color}"><title>${title}</title></rect>`,
        )
      })
    })
    const head = `${app}: ${order.length} folders, ${counts.size} arrows, ${up} up`
    const size = order.length * cell
    const part = `<g transform="translate(${x},0)"><text x="6" y="20" font-weight="bold">${head}</text>
<rect x="${label}" y="40" width="${size}" height="${size}" fill="none" stroke="#bbb"/>
${marks.join('\n')}</g>`
    x += Math.max(label + size, 260) + 20
    height = Math.max(height, size + 50)
    return part
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${x}" height="${height}" viewBox="0 0 ${x} ${height}" font-family="sans-serif" font-size="10">
<rect width="100%" height="100%" fill="white"/>
${parts.join('\n')}
</svg>
`
}
