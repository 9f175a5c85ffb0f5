import type { EvaluatedScan, Evaluation } from '@bearing/positioning/evaluation/evaluation'
import { errorAt } from './error-at.js'
import { escaped, niceStep, one, shortened } from './svg.js'

/** Meters of a degree of latitude. */
const DEGREE_METERS = 111_195
/** Scans further from each other than this have maps of their own, in meters. */
const APART_METERS = 2_000
/** Maps of a page, those with most scans first, and scans of one of them. */
const MOST_MAPS = 12
const MOST_SCANS = 5_000
/** The longer side of a map in pixels, and its margin. */
const SIDE = 1_000
const MARGIN = 24
/** Errors that a map shows beyond its scans, as a share of its side at most: the rest of such a line is cut off. */
const BEYOND = 0.25

const COLORS = { below: '#2563eb', above: '#d97706', worst: '#dc2626', lost: '#64748b' } as const

const STYLE = `
body { font: 14px/1.5 Inter, 'Helvetica Neue', Arial, sans-serif; color: #0f172a; margin: 2rem; max-width: 66rem }
table { border-collapse: collapse } th, td { padding: .2rem .9rem .2rem 0; text-align: right } th:first-child, td:first-child { text-align: left }
svg { width: 100%; height: auto; background: #f8fafc; border: 1px solid #e2e8f0 }
i { display: inline-block; width: 1.5em; height: .3em; margin: 0 .4em .2em 1em }`

/**
 * Draws where scans were taken and where Bearing found them, as one HTML page that needs nothing else: a line from each true place to the
 * position, in a color by its error, and a cross for each scan that was not located. Places far from each other have a map each.
 */
export function errorMap(name: string, evaluation: Evaluation): string {
  const { evaluated, errors } = evaluation
  const bounds = { median: errorAt(errors, 0.5) ?? 0, p95: errorAt(errors, 0.95) ?? 0 }
  const sites = sitesOf(evaluated)
  const left = sites.slice(MOST_MAPS).reduce((sum, site) => sum + site.length, 0)
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>Errors of ${escaped(shortened(name))}</title><style>${STYLE}</style></head><body>`,
    `<h1>How well the scans of ${escaped(shortened(name))} locate each other</h1>`,
    figures(evaluation),
    `<p>A line leads from where a scan was taken (dot) to where it was found.`,
    key(COLORS.below, `at most ${meters(bounds.median)} off, the median`),
    key(COLORS.above, `up to ${meters(bounds.p95)}`),
    key(COLORS.worst, 'the worst 5 %'),
    `${key(COLORS.lost, 'cross: not located')}</p>`,
    ...sites.slice(0, MOST_MAPS).map((site) => mapOf(site, bounds)),
    ...(left > 0 ? [`<p>${left.toLocaleString('en-US')} scans at other places are not shown.</p>`] : []),
    '</body></html>\n',
  ].join('\n')
}

function figures({ scans, errors, others, coverage }: Evaluation): string {
  const row = (title: string, of: Float64Array) =>
    `<tr><td>${title}</td><td>${scans > 0 ? percent(of.length / scans) : '–'}</td>${[0.5, 0.67, 0.95]
      .map((share) => `<td>${meters(errorAt(of, share))}</td>`)
      .join('')}</tr>`
  const held = [68, 95].flatMap((confidence) => coverage.find((each) => each.confidence === confidence) ?? [])
  return [
    `<p>${scans.toLocaleString('en-US')} scans.`,
    ...held.map(
      (each) => `The ${String(each.confidence)} % radius holds ${percent(each.held)} of the true places.`,
    ),
    '</p><table><tr><th></th><th>located</th><th>median</th><th>67 %</th><th>95 %</th></tr>',
    row('Bearing', errors),
    row('ichnaea-type', others.ichnaea),
    row('centroid', others.centroid),
    '</table>',
  ].join('\n')
}

function key(color: string, text: string): string {
  return `<i style="background:${color}"></i>${text}`
}

/** Groups scans by places that are near each other, the largest group first. */
function sitesOf(scans: readonly EvaluatedScan[]): EvaluatedScan[][] {
  const cellOf = ({ lat, lon }: EvaluatedScan) => {
    const column = Math.floor((lon * DEGREE_METERS * cosine(lat)) / APART_METERS)
    return [column, Math.floor((lat * DEGREE_METERS) / APART_METERS)] as const
  }
  const cells = Map.groupBy(scans, (scan) => cellOf(scan).join())
  const sites: EvaluatedScan[][] = []
  for (const start of [...cells.keys()]) {
    const site: EvaluatedScan[] = []
    const open = [start]
    for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
      const members = cells.get(cell)
      if (!members) continue
      cells.delete(cell)
      for (const member of members) site.push(member)
      const [column = 0, row = 0] = cell.split(',').map(Number)
      for (const east of [-1, 0, 1])
        for (const north of [-1, 0, 1]) open.push(`${String(column + east)},${String(row + north)}`)
    }
    if (site.length > 0) sites.push(site)
  }
  return sites.sort((a, b) => b.length - a.length)
}

interface Bounds {
  readonly median: number
  readonly p95: number
}

function mapOf(site: readonly EvaluatedScan[], bounds: Bounds): string {
  const every = Math.ceil(site.length / MOST_SCANS)
  const shown = site.filter((_, index) => index % every === 0)
  const [lats, lons] = [site.map(({ lat }) => lat), site.map(({ lon }) => lon)]
  const [south, north, west, east] = [least(lats), most(lats), least(lons), most(lons)]
  const perLon = DEGREE_METERS * cosine((south + north) / 2)
  const [wide, high] = [(east - west) * perLon, (north - south) * DEGREE_METERS]
  const beyond = Math.max(5, Math.min(bounds.p95, BEYOND * Math.max(wide, high)))
  const scale = (SIDE - 2 * MARGIN) / (Math.max(wide, high) + 2 * beyond)
  const x = (lon: number) => one(MARGIN + ((lon - west) * perLon + beyond) * scale)
  const y = (lat: number) => one(MARGIN + ((north - lat) * DEGREE_METERS + beyond) * scale)
  const width = 2 * MARGIN + (wide + 2 * beyond) * scale
  const height = 2 * MARGIN + (high + 2 * beyond) * scale
  const marks = shown.map(({ lat, lon, found }) => {
    if (!found) {
      const [at, from] = [Number(x(lon)), Number(y(lat))]
      return `<path d="M${one(at - 3)},${one(from - 3)}l6,6m0,-6l-6,6" stroke="${COLORS.lost}"><title>not located</title></path>`
    }
    const { errorMeters, radiusMeters } = found
    const color =
      errorMeters <= bounds.median ? COLORS.below : errorMeters <= bounds.p95 ? COLORS.above : COLORS.worst
    return `<g stroke="${color}" fill="${color}"><title>${meters(errorMeters)} off, radius ${meters(radiusMeters)}</title><path d="M${x(lon)},${y(lat)}L${x(found.lon)},${y(found.lat)}"/><circle cx="${x(lon)}" cy="${y(lat)}" r="2"/></g>`
  })
  const bar = niceStep((width - 2 * MARGIN) / scale)
  const [from, to, at] = [MARGIN, MARGIN + bar * scale, height - MARGIN / 2]
  return [
    `<h2>${String(site.length)} scan${site.length === 1 ? '' : 's'} around ${((south + north) / 2).toFixed(4)}, ${((west + east) / 2).toFixed(4)}${every > 1 ? `, of which 1 in ${String(every)} is shown` : ''}</h2>`,
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${one(width)} ${one(height)}" font-size="12">`,
    ...marks,
    `<path d="M${one(from)},${one(at)}H${one(to)}" stroke="#0f172a" stroke-width="2"/><text x="${one(to + 6)}" y="${one(at + 4)}">${String(bar)} m</text>`,
    '</svg>',
  ].join('\n')
}

function cosine(lat: number): number {
  return Math.cos((lat * Math.PI) / 180)
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Infinity)
}

function most(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), -Infinity)
}

function meters(value: number | null): string {
  return value === null ? '–' : `${one(value)} m`
}

function percent(share: number): string {
  return `${one(share * 100)} %`
}
