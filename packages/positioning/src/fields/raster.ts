import { fastExp } from '../numbers/fast-exp.js'

/** Numbers of a kernel, in this order: x, y, factor, height, variance (σ²). */
export const KERNEL_FIELDS = 5
/** Kernels end here, in standard deviations: what is left out is less than 0.3 % of their height. */
const REACH = 3.5

/**
 * A square of nodes on the plane of a query. Values are in rows from the west, the southernmost first.
 *
 * It is used again and again, one query at a time: what it gives lasts until it is laid elsewhere. To set aside and collect
 * thirty small arrays for each query would take as long as a fifth of it.
 */
export class Raster {
  step = 0
  readonly xs: Float64Array
  readonly ys: Float64Array
  private readonly line: Float64Array
  private readonly decay: Float64Array
  private readonly given: Float64Array[] = []
  private inUse = 0

  /** @param side nodes on each side */
  constructor(readonly side: number) {
    this.xs = new Float64Array(side)
    this.ys = new Float64Array(side)
    this.line = new Float64Array(side)
    this.decay = new Float64Array(side)
  }

  /**
   * Lays it over another place. The values that it has given are no longer anybody's.
   *
   * @param x its center, in meters
   * @param y its center, in meters
   * @param half half of its side, in meters
   */
  layOver(x: number, y: number, half: number): void {
    this.inUse = 0
    this.step = (2 * half) / (this.side - 1)
    for (let node = 0; node < this.side; node++) {
      this.xs[node] = x - half + node * this.step
      this.ys[node] = y - half + node * this.step
    }
  }

  /** Returns a value for each node. */
  values(fill = 0): Float64Array {
    const values = (this.given[this.inUse] ??= new Float64Array(this.side ** 2))
    this.inUse++
    return values.fill(fill)
  }

  /**
   * Adds height · exp(−d² / 2σ²) of each kernel to sums, and that times its factor to others.
   *
   * @param kernels {@link KERNEL_FIELDS} numbers of each: there are thousands in a query, so that objects would be too much
   */
  addKernels(kernels: Float64Array, sums: Float64Array, products: Float64Array): void {
    const { step, side, xs, ys } = this
    const first = xs[0] ?? 0
    const lowest = ys[0] ?? 0
    const perStep = 1 / step
    let [known, half, shrink, reach] = [NaN, 0, 1, 0]
    for (let at = 0; at < kernels.length; at += KERNEL_FIELDS) {
      const x = kernels[at] ?? 0
      const y = kernels[at + 1] ?? 0
      const variance = kernels[at + 4] ?? 0
      // Nearly all have the same.
      if (variance !== known) {
        known = variance
        half = 0.5 / variance
        reach = REACH * Math.sqrt(variance)
        shrink = Math.exp(-2 * half * step * step)
      }
      const west = Math.max(0, Math.ceil((x - reach - first) * perStep))
      const east = Math.min(side - 1, Math.floor((x + reach - first) * perStep))
      const south = Math.max(0, Math.ceil((y - reach - lowest) * perStep))
      const north = Math.min(side - 1, Math.floor((y + reach - lowest) * perStep))
      if (west > east || south > north) continue
      const factor = kernels[at + 2] ?? 0
      const dx = (xs[west] ?? 0) - x
      const dy = (ys[south] ?? 0) - y
      const corner = (kernels[at + 3] ?? 0) * fastExp(-half * (dx * dx + dy * dy))
      this.across(west, east, dx, half, shrink)
      let share = corner
      let growth = south < north ? fastExp(-half * step * (2 * dy + step)) : 1
      const { line } = this
      for (let row = south; row <= north; row++) {
        for (let node = row * side + west, column = west; column <= east; column++, node++) {
          const value = share * (line[column] ?? 0)
          sums[node] = (sums[node] ?? 0) + value
          products[node] = (products[node] ?? 0) + value * factor
        }
        share *= growth
        growth *= shrink
      }
    }
  }

  /**
   * exp(−d² / 2σ²) at the nodes of a row, of which the first has 1: each is the one before times a factor that itself shrinks by a
   * constant one.
   *
   * @param half 1 / 2σ²
   * @param shrink exp(−step² / σ²)
   */
  private across(west: number, east: number, distance: number, half: number, shrink: number): void {
    const { line, step } = this
    line[west] = 1
    if (west === east) return
    let value = 1
    let factor = fastExp(-half * step * (2 * distance + step))
    for (let node = west + 1; node <= east; node++) {
      value *= factor
      factor *= shrink
      line[node] = value
    }
  }

  /**
   * Marks the node nearest to a place. A place outside marks the edge, by exp(−d² / 2σ²) of what it is away from there.
   *
   * @param marks values of 0 to 1, of which the largest stays
   */
  mark(marks: Float64Array, x: number, y: number, variance: number): void {
    const { side } = this
    const perStep = 1 / this.step
    const column = Math.floor((x - (this.xs[0] ?? 0)) * perStep + 0.5)
    const row = Math.floor((y - (this.ys[0] ?? 0)) * perStep + 0.5)
    const nearColumn = Math.min(side - 1, Math.max(0, column))
    const nearRow = Math.min(side - 1, Math.max(0, row))
    const node = nearRow * side + nearColumn
    if (marks[node] === 1) return
    const squared = ((column - nearColumn) ** 2 + (row - nearRow) ** 2) * this.step ** 2
    const value = squared === 0 ? 1 : fastExp(-squared / (2 * variance))
    if (value > (marks[node] ?? 0)) marks[node] = value
  }

  /** For each node the largest of all marks times exp(−d² / 2σ²): along rows first, then along columns. */
  spread(marks: Float64Array, variance: number): Float64Array {
    const { decay, side } = this
    for (let nodes = 0; nodes < side; nodes++)
      decay[nodes] = Math.exp(-((nodes * this.step) ** 2) / (2 * variance))
    const rows = this.values()
    const both = this.values()
    for (let line = 0; line < side; line++)
      for (let from = 0; from < side; from++) {
        const value = marks[line * side + from] ?? 0
        if (value > 0) raise(rows, line * side, 1, from, value, decay)
      }
    for (let line = 0; line < side; line++)
      for (let from = 0; from < side; from++)
        raise(both, line, side, from, rows[from * side + line] ?? 0, decay)
    return both
  }

  /** Mean and standard deviation on an axis of a distribution of which logarithms are given. */
  moments(logs: Float64Array): { readonly x: number; readonly y: number; readonly deviation: number } {
    let best = -Infinity
    for (const log of logs) best = Math.max(best, log)
    let [total, x, y, squares] = [0, 0, 0, 0]
    for (let node = 0; node < logs.length; node++) {
      const weight = Math.exp((logs[node] ?? 0) - best)
      const east = this.xs[node % this.side] ?? 0
      const north = this.ys[Math.floor(node / this.side)] ?? 0
      total += weight
      x += weight * east
      y += weight * north
      squares += weight * (east * east + north * north)
    }
    x /= total
    y /= total
    return { x, y, deviation: Math.sqrt(Math.max(0, squares / total - x * x - y * y) / 2) }
  }
}

/** Raises a line of nodes to what one of them gives the others. */
function raise(
  values: Float64Array,
  start: number,
  stride: number,
  from: number,
  value: number,
  decay: Float64Array,
): void {
  for (let to = 0; to < decay.length; to++) {
    const node = start + to * stride
    const raised = value * (decay[Math.abs(to - from)] ?? 0)
    if (raised > (values[node] ?? 0)) values[node] = raised
  }
}
