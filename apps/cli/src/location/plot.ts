import type { Evaluation } from '@bearing/positioning/evaluation/evaluation'
import { escaped, niceStep, one, shortened } from './svg.js'

const WIDTH = 1_040
const HEIGHT = 480
/** Side of a plot, and where the two begin. */
const SIDE = { width: 400, height: 320 }
const LEFT = [76, 576] as const
const TOP = 112
const BLUE = '#2563eb'
const INK = '#0f172a'
const FAINT = '#64748b'
const GRID = '#e2e8f0'

type Point = readonly [x: number, y: number]

/** Draws an evaluation as SVG: the distribution of errors, and how often radii held the truth. */
export function plot(name: string, evaluation: Evaluation): string {
  const { scans, fixed } = evaluation
  const share = scans > 0 ? `, ${((fixed / scans) * 100).toFixed(1)} % of them located` : ''
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(WIDTH)} ${String(HEIGHT)}" width="${String(WIDTH)}" height="${String(HEIGHT)}" font-family="Inter, 'Helvetica Neue', Arial, sans-serif" font-size="12" fill="${FAINT}">`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    words(LEFT[0], 40, `How well the scans of ${shortened(name)} locate each other`, 'title'),
    words(LEFT[0], 62, `${scans.toLocaleString('en-US')} scans${share}`),
    errorPlot(evaluation),
    calibrationPlot(evaluation),
    '</svg>\n',
  ].join('\n')
}

/** The distribution of errors, up to one that 98 % stay below. */
function errorPlot({ errors }: Evaluation): string {
  const most = niceCeiling(errors[Math.floor((errors.length - 1) * 0.98)] ?? 1)
  const x = (meters: number) => LEFT[0] + (Math.min(meters, most) / most) * SIDE.width
  const y = (share: number) => TOP + (1 - share) * SIDE.height
  const steps = Array.from({ length: 201 }, (_, step): Point => {
    const meters = (step / 200) * most
    return [x(meters), y(shareBelow(errors, meters))]
  })
  const marks = [0.5, 0.67, 0.95].flatMap((share) => {
    const meters = errors[Math.min(errors.length - 1, Math.floor(errors.length * share))]
    if (meters === undefined || meters > most) return []
    const [at, from] = [x(meters), y(share)]
    // Where the curve is steep there is room to its right, and below it at its end.
    const isRight = at < LEFT[0] + SIDE.width * 0.7
    return [
      line([LEFT[0], from], [at, from], BLUE, '2 3'),
      line([at, from], [at, y(0)], BLUE, '2 3'),
      `<circle cx="${one(at)}" cy="${one(from)}" r="4" fill="#ffffff" stroke="${BLUE}" stroke-width="2"/>`,
      words(
        isRight ? at + 10 : at - 8,
        from + (isRight ? 14 : 22),
        `${(share * 100).toFixed(0)} %: ${meters.toFixed(1)} m`,
        isRight ? 'mark' : 'mark-left',
      ),
    ]
  })
  return [
    heading(LEFT[0], 'Error', 'share of located scans that are off by at most …'),
    ...frame(
      LEFT[0],
      ticks(most).map((meters) => [x(meters), `${String(meters)} m`]),
      percentTicks(0, 25).map((percent) => [y(percent / 100), `${String(percent)} %`]),
    ),
    ...(errors.length === 0
      ? [words(LEFT[0] + SIDE.width / 2, TOP + SIDE.height / 2, 'no scan was located', 'middle')]
      : [
          `<path d="M${one(x(0))},${one(y(0))}L${path(steps)}L${one(x(most))},${one(y(0))}Z" fill="${BLUE}" fill-opacity="0.09"/>`,
          curve(steps, BLUE),
          ...marks,
        ]),
  ].join('\n')
}

/** How often a radius held the truth, against how often it should: on the diagonal in the best case. */
function calibrationPlot({ coverage }: Evaluation): string {
  const least = Math.floor(Math.min(50, ...coverage.map(({ held }) => 100 * held)) / 10) * 10
  const x = (percent: number) => LEFT[1] + ((percent - 50) / 50) * SIDE.width
  const y = (percent: number) => TOP + (1 - (percent - least) / (100 - least)) * SIDE.height
  const points = coverage.map(({ confidence, held }): Point => [x(confidence), y(held * 100)])
  const curves = points.length > 0 ? [{ name: 'as Bearing comes', color: BLUE, points }] : []
  const legend = curves.flatMap(({ name, color }, index) => {
    const at = TOP + SIDE.height - 34 - 18 * index
    const from = LEFT[1] + SIDE.width - 200
    return [line([from, at - 4], [from + 22, at - 4], color), words(from + 30, at, name)]
  })
  return [
    heading(LEFT[1], 'Radius', 'share of truths within a radius that should hold …'),
    ...frame(
      LEFT[1],
      percentTicks(50, 10).map((percent) => [x(percent), `${String(percent)} %`]),
      percentTicks(least, 10).map((percent) => [y(percent), `${String(percent)} %`]),
    ),
    line([x(50), y(50)], [x(100), y(100)], FAINT, '5 4'),
    ...curves.map(({ points, color }) => curve(points, color)),
    ...legend,
    line(
      [LEFT[1] + SIDE.width - 200, TOP + SIDE.height - 20],
      [LEFT[1] + SIDE.width - 178, TOP + SIDE.height - 20],
      FAINT,
      '5 4',
    ),
    words(LEFT[1] + SIDE.width - 170, TOP + SIDE.height - 16, 'exactly as often as it says'),
  ].join('\n')
}

type Tick = readonly [at: number, label: string]

function frame(left: number, across: readonly Tick[], up: readonly Tick[]): string[] {
  const bottom = TOP + SIDE.height
  return [
    ...up.flatMap(([at, label]) => [
      line([left, at], [left + SIDE.width, at], GRID),
      words(left - 10, at + 4, label, 'left'),
    ]),
    ...across.flatMap(([at, label]) => [
      line([at, TOP], [at, bottom], GRID),
      words(at, bottom + 20, label, 'middle'),
    ]),
    line([left, bottom], [left + SIDE.width, bottom], '#94a3b8'),
  ]
}

function heading(left: number, title: string, what: string): string {
  return `${words(left, TOP - 18, title, 'heading')}${words(left + 62, TOP - 18, what)}`
}

function curve(points: readonly Point[], color: string): string {
  return `<path d="M${path(points)}" fill="none" stroke="${color}" stroke-width="2.25" stroke-linejoin="round"/>`
}

function path(points: readonly Point[]): string {
  return points.map(([x, y]) => `${one(x)},${one(y)}`).join('L')
}

function line([x1, y1]: Point, [x2, y2]: Point, color: string, dashes = ''): string {
  const dashed = dashes === '' ? '' : ` stroke-dasharray="${dashes}"`
  const width = color === GRID ? 1 : 1.25
  return `<line x1="${one(x1)}" y1="${one(y1)}" x2="${one(x2)}" y2="${one(y2)}" stroke="${color}" stroke-width="${String(width)}"${dashed}/>`
}

const STYLES = {
  plain: '',
  title: ` font-size="20" font-weight="600" fill="${INK}"`,
  heading: ` font-size="14" font-weight="600" fill="${INK}"`,
  mark: ` font-weight="600" fill="${BLUE}"`,
  'mark-left': ` font-weight="600" fill="${BLUE}" text-anchor="end"`,
  left: ' text-anchor="end"',
  middle: ' text-anchor="middle"',
} as const

function words(x: number, y: number, text: string, style: keyof typeof STYLES = 'plain'): string {
  return `<text x="${one(x)}" y="${one(y)}"${STYLES[style]}>${escaped(text)}</text>`
}

function shareBelow(errors: Float64Array, meters: number): number {
  const above = errors.findIndex((error) => error > meters)
  return above < 0 ? 1 : above / errors.length
}

function percentTicks(from: number, step: number): number[] {
  return Array.from({ length: Math.floor((100 - from) / step) + 1 }, (_, index) => from + index * step)
}

function niceCeiling(value: number): number {
  const step = niceStep(Math.max(1, value))
  return Math.ceil(Math.max(1, value) / step) * step
}

function ticks(most: number): number[] {
  const step = niceStep(most)
  return Array.from({ length: Math.round(most / step) + 1 }, (_, index) => Number((index * step).toFixed(2)))
}
