// `pnpm architecture`: draws the wings of each app as docs/images/architecture.svg, from the lists of .dependency-cruiser.cjs,
// and the imports between them as docs/images/imports.svg. `--checkout <path> --output <file>` draws another checkout.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, posix } from 'node:path'
import { parseArgs } from 'node:util'

const ROOT = join(import.meta.dirname, '..')
const APPS = ['gateway', 'identity', 'management', 'location']
const NOT_WINGS = /^(generated|testing)\/|\.spec\.ts$/

const { values } = parseArgs({ options: { checkout: { type: 'string' }, output: { type: 'string' } } })
const checkout = values.checkout ?? ROOT
const levels = values.checkout === undefined ? levelsOf(join(ROOT, '.dependency-cruiser.cjs')) : new Map()

/** Returns the wings of each app by level, from the comments of the rules that the lists produce. */
function levelsOf(config) {
  const { forbidden } = createRequire(import.meta.url)(config)
  const lists = forbidden.map(({ comment }) => /^Wings of (\w+), top to bottom: (.*)\.$/.exec(comment ?? ''))
  return new Map(
    lists.filter(Boolean).map(([, app, list]) => [app, list.split(' → ').map((level) => level.split(', '))]),
  )
}

/** Colors for light and dark, as the documentation has them. */
const STYLE = `<style>
.app{fill:#e1f2f0;stroke:#0b6b66}.wing{fill:#fff;stroke:#c3ccd2}.data{fill:#f6f7f8;stroke:#8a949c}
.name{fill:#14191c;font-weight:600}.text{fill:#14191c}.note{fill:#4a555d;font-size:12px}
.arrow{fill:none;stroke:#4a555d;stroke-width:1.5}.head{fill:#4a555d}
@media (prefers-color-scheme:dark){
.app{fill:#12302f;stroke:#5fd0c6}.wing{fill:#171d20;stroke:#3b474d}.data{fill:#1e2529;stroke:#6f7c84}
.name,.text{fill:#e8edef}.note{fill:#a9b5bc}.arrow{stroke:#a9b5bc}.head{fill:#a9b5bc}}
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="head" d="M0 0.5 8 4 0 7.5z"/></marker></defs>`
const WIDTH = 250
const [LEFT, MIDDLE, RIGHT] = [110, 450, 760]
/** Characters of wing names that fit into a row. */
const ROW_CHARACTERS = 34

/** Draws the wings of each app, top to bottom, with what calls it and where its data is. */
function wingPicture() {
  const [gateway, ...services] = APPS.map(appOf)
  const parts = []
  let y = 10
  for (const app of services) {
    const center = y + app.height / 2
    parts.push(app.draw(MIDDLE, y), arrow(LEFT + WIDTH, center, MIDDLE))
    parts.push(text('note', (LEFT + WIDTH + MIDDLE) / 2, center - 8, 'NATS'))
    parts.push(arrow(MIDDLE + WIDTH, center, RIGHT))
    parts.push(
      box('data', RIGHT, center - 20, 142, 40),
      text('text', RIGHT + 71, center + 5, `${app.name} schema`),
    )
    y += app.height + 20
  }
  const height = y - 10
  const gatewayHeight = height - 20
  parts.push(gateway.draw(LEFT, 10, gatewayHeight), arrow(80, height / 2, LEFT))
  parts.push(box('data', 8, height / 2 - 20, 72, 40), text('text', 44, height / 2 + 5, 'caller'))
  parts.push(text('note', 44, height / 2 - 28, 'HTTP'))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="910" height="${height}" viewBox="0 0 910 ${height}" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif" font-size="13">
${STYLE}
${parts.join('\n')}
</svg>
`
}

function appOf(name) {
  const rows = (levels.get(name) ?? []).map(linesOf)
  const height = 40 + rows.reduce((sum, lines) => sum + lines.length * 17 + 17, 0)
  return {
    name,
    height,
    draw(x, top, total = height) {
      const gap = (total - height) / Math.max(1, rows.length - 1)
      const parts = [box('app', x, top, WIDTH, total), text('name', x + WIDTH / 2, top + 21, name)]
      let y = top + 32
      rows.forEach((lines, index) => {
        const rowHeight = lines.length * 17 + 9
        parts.push(box('wing', x + 10, y, WIDTH - 20, rowHeight))
        lines.forEach((line, at) => parts.push(text('text', x + WIDTH / 2, y + 18 + at * 17, line)))
        y += rowHeight + 8
        if (gap > 12 && index < rows.length - 1) {
          const middle = x + WIDTH / 2
          parts.push(`<path class="arrow" d="M${middle} ${y - 8}V${y + gap - 2}" marker-end="url(#head)"/>`)
        }
        y += gap
      })
      return parts.join('\n')
    },
  }
}

/** Breaks the wings of a level into lines. */
function linesOf(wings) {
  const lines = ['']
  for (const wing of wings) {
    const longer = lines.at(-1) === '' ? wing : `${lines.at(-1)} · ${wing}`
    if (longer.length > ROW_CHARACTERS) lines.push(wing)
    else lines.splice(-1, 1, longer)
  }
  return lines
}

const box = (kind, x, y, width, height) =>
  `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}" rx="7"/>`
const text = (kind, x, y, content) =>
  `<text class="${kind}" x="${x}" y="${y}" text-anchor="middle">${content}</text>`
const arrow = (from, y, to) => `<path class="arrow" d="M${from} ${y}H${to - 1}" marker-end="url(#head)"/>`

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

if (values.checkout === undefined)
  writeFileSync(join(ROOT, 'docs', 'images', 'architecture.svg'), wingPicture())
writeFileSync(values.output ?? join(ROOT, 'docs', 'images', 'imports.svg'), importMatrices())
