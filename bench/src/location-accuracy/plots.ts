import type { Outcome } from '@bearing/positioning/estimate/uncertainty'
import type { Calibration } from '@bearing/positioning/estimate/uncertainty'
import { quantile } from './flat.js'
import { held } from './judge.js'

/** A line of a plot. */
export interface Line {
  readonly name: string
  /** Both from 0 to 1, the origin at the lower left. */
  readonly points: readonly (readonly [x: number, y: number])[]
}

const SIZE = 360
const MARGIN = 40
const COLORS = ['#1f77b4', '#d62728', '#2ca02c', '#9467bd', '#ff7f0e', '#8c564b', '#7f7f7f']
const STEPS = 100

/** What share of errors is below each distance. */
export function errorLine(name: string, errors: readonly number[], mostMeters: number): Line {
  return {
    name,
    points: Array.from({ length: STEPS + 1 }, (_, step): [number, number] => [
      Math.min(1, quantile(errors, step / STEPS) / mostMeters),
      step / STEPS,
    ]),
  }
}

/** What share of truths is within the radius of each confidence, from 50 to 99 %. */
export function calibrationLine(name: string, outcomes: readonly Outcome[], calibration: Calibration): Line {
  return {
    name,
    points: Array.from({ length: 50 }, (_, index): [number, number] => [
      (50 + index) / 100,
      held(outcomes, calibration, 50 + index),
    ]),
  }
}

/** An SVG image of plots beside each other. */
export function svg(
  plots: readonly { readonly title: string; readonly x: string; readonly lines: readonly Line[] }[],
): string {
  const body = plots.map(({ title, x, lines }, index) => {
    const drawn = lines.map(({ points, name }, line) => {
      const color = COLORS[line % COLORS.length] ?? 'black'
      const path = points.map(([a, b]) => `${(a * SIZE).toFixed(1)},${((1 - b) * SIZE).toFixed(1)}`).join(' ')
      const label = `<text x="${String(SIZE - 4)}" y="${String(SIZE - 8 - 15 * line)}" fill="${color}" text-anchor="end">${name}</text>`
      return `<polyline points="${path}" fill="none" stroke="${color}"/>${label}`
    })
    const left = MARGIN + index * (SIZE + 2 * MARGIN)
    return `<g transform="translate(${String(left)} ${String(MARGIN)})"><rect width="${String(SIZE)}" height="${String(SIZE)}" fill="none" stroke="#999"/><text y="-8">${title}</text><text y="${String(SIZE + 20)}">${x}</text>${drawn.join('')}</g>`
  })
  const width = plots.length * (SIZE + 2 * MARGIN)
  const height = SIZE + 2 * MARGIN
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${String(width)}" height="${String(height)}" font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/>${body.join('')}</svg>\n`
}
