import { BARS, ESTIMATE_MS, FOLLOWED, HELD_68, HELD_95, LEAST_FIXED_OF_ICHNAEA, MOVED } from './bar.js'
import type { CalibrationFigures, Held } from './calibrate.js'
import type { Figures, Judged } from './judge.js'
import type { Latency } from './latency.js'
import type { Shipped, ShippedFigures } from './shipped.js'

/** Everything that was measured of a set. */
export interface SetReport {
  readonly judged: Judged
  readonly calibration: CalibrationFigures
  /** The same with moved access points. */
  readonly spoiled: Figures
  /** The same without reference scans, and how often radii held with coefficients of other places. */
  readonly unreferenced: { readonly figures: Figures; readonly held: Held } | undefined
  /** Positions and radii as callers get them. */
  readonly shipped: ShippedFigures
}

/** A made-up town that nothing was fitted to. */
export interface UnseenReport {
  readonly name: string
  readonly shipped: ShippedFigures
}

/** An aim of a set, and the result. */
export interface Verdict {
  readonly what: string
  readonly reached: boolean
}

/** Compares a set with the bar. */
export function verdictsOf({ judged, calibration, spoiled, shipped }: SetReport): Verdict[] {
  const { bearing, others, set } = judged
  const bar = BARS[set.name] ?? { ofIchnaea: 1 }
  const ichnaea = others.get('ichnaea')
  const verdicts: Verdict[] = []
  const atMost = (what: string, value: number, most: number, unit: string) =>
    verdicts.push({ what: `${what} ${value.toFixed(2)} ≤ ${most.toFixed(2)}${unit}`, reached: value <= most })
  const between = (what: string, value: number, { least, most }: { least: number; most: number }) =>
    verdicts.push({ what: `${what} ${percent(value)}`, reached: value >= least && value <= most })
  if (bar.medianMeters !== undefined) atMost('median', bearing.medianMeters, bar.medianMeters, ' m')
  if (bar.p95Meters !== undefined) atMost('95 %', bearing.p95Meters, bar.p95Meters, ' m')
  if (ichnaea) {
    if (bar.ofIchnaea !== undefined)
      atMost('median', bearing.medianMeters, bar.ofIchnaea * ichnaea.medianMeters, ' m')
    const gained = bearing.fixed - ichnaea.fixed
    verdicts.push({ what: `fixed ${percent(bearing.fixed)}`, reached: gained >= LEAST_FIXED_OF_ICHNAEA })
  }
  const hold = (what: string, { p68, p95 }: Held) => {
    between(`${what}: 68 % radius holds`, p68, HELD_68)
    between(`${what}: 95 % radius holds`, p95, HELD_95)
  }
  hold('shipped', calibration.shipped)
  hold('shipped, imported', calibration.shippedImported)
  atMost('moved: median', spoiled.medianMeters, MOVED.factor * bearing.medianMeters, ' m')
  return [...verdicts, ...followedVerdict(shipped)]
}

/** Compares the median with previous scans with that without. */
function followedVerdict({ learned, followed }: ShippedFigures): Verdict[] {
  if (!followed) return []
  const [value, most] = [followed.medianMeters, FOLLOWED * learned.medianMeters]
  return [
    {
      what: `with previous scans: median ${value.toFixed(2)} ≤ ${most.toFixed(2)} m`,
      reached: value <= most,
    },
  ]
}

/** The report for people. */
export function printed(
  reports: readonly SetReport[],
  unseen: readonly UnseenReport[],
  latencies: readonly Latency[],
): string {
  const lines = reports.flatMap((report) => [
    '',
    `${report.judged.set.name}: ${String(report.judged.bearing.scans)} scans`,
    ...[...report.judged.others].map(([name, figures]) => line(name, figures, percent(figures.within))),
    line('Bearing', report.judged.bearing, heldText(report.calibration.leftOut)),
    line(`  ${percent(MOVED.share)} of access points moved`, report.spoiled, ''),
    ...(report.unreferenced
      ? [line('  without reference scans', report.unreferenced.figures, heldText(report.unreferenced.held))]
      : []),
    calibrationLine(report),
    ...radiusLines(report.shipped),
    ...verdictsOf(report).map(verdictLine),
  ])
  const others = unseen.flatMap(({ name, shipped }) => [
    '',
    `${name}, which nothing was fitted to`,
    ...radiusLines(shipped),
    ...followedVerdict(shipped).map(verdictLine),
  ])
  return [...lines, ...others, '', ...latencies.map(latencyLine), ''].join('\n')
}

function verdictLine({ what, reached }: Verdict): string {
  return `  ${reached ? '✓' : '✗'} ${what}`
}

function line(name: string, figures: Figures, radius: string): string {
  const { medianMeters, p67Meters, p95Meters, fixed } = figures
  const meters = [medianMeters, p67Meters, p95Meters].map((value) => value.toFixed(1).padStart(5)).join(' /')
  return `  ${name.padEnd(32)} ${meters} m   fixed ${percent(fixed).padStart(7)}   ${radius}`.trimEnd()
}

function shippedLine(name: string, { fixes, medianMeters, p95Meters, held }: Shipped): string {
  if (fixes === 0) return `  ${name.padEnd(32)} none`
  const meters = `${medianMeters.toFixed(1).padStart(5)} /       /${p95Meters.toFixed(1).padStart(6)} m`
  return `  ${name.padEnd(32)} ${meters}   ${String(fixes).padStart(6)} fixes   ${heldText(held)}`
}

function radiusLines(shipped: ShippedFigures): string[] {
  return [
    shippedLine('as shipped', shipped.learned),
    ...(shipped.followed ? [shippedLine('  with previous scans', shipped.followed)] : []),
    shippedLine('  one radio', shipped.oneRadio),
    shippedLine('  the strongest alone', shipped.strongest),
    shippedLine('imported positions alone', shipped.imported),
    shippedLine('  one radio', shipped.importedOneRadio),
    shippedLine('  the strongest alone', shipped.importedStrongest),
  ]
}

function calibrationLine({ calibration }: SetReport): string {
  const { leftOut, leftOutImported, shipped, shippedImported } = calibration
  const both = (learned: Held, imported: Held) => `${heldText(learned)} (imported ${heldText(imported)})`
  return `  radii (68 % / 95 %): other places ${both(leftOut, leftOutImported)}, shipped ${both(shipped, shippedImported)}`
}

function latencyLine({ size, p50Ms, p95Ms, p99Ms, longestMs }: Latency): string {
  const mark = size !== ESTIMATE_MS.size ? ' ' : p50Ms <= ESTIMATE_MS.p50 ? '✓' : '✗'
  return `${mark} ${String(size)} access points: p50 ${p50Ms.toFixed(3)} ms, p95 ${p95Ms.toFixed(3)} ms, p99 ${p99Ms.toFixed(3)} ms, longest ${longestMs.toFixed(2)} ms`
}

function heldText({ p68, p95 }: Held): string {
  return `${percent(p68)} / ${percent(p95)}`
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
