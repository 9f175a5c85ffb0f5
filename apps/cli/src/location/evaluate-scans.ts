import { setImmediate as turn } from 'node:timers/promises'
import type { Contribution } from '@bearing/positioning/learning/contribution'
import { evaluate, type Evaluation } from '@bearing/positioning/evaluation/evaluation'
import { Option, type Command } from 'commander'
import { FORMATS, type Format } from '@bearing/files/access-points/formats'
import { openImportFile, spoolStdin } from '../access-points/import-file.js'
import type { Cli } from '../cli.js'
import { count } from '../output/format.js'
import { checkFile, toFile } from '../output/destination.js'
import { startProgress } from '../output/progress.js'
import { errorAt } from './error-at.js'
import { errorMap } from './error-map.js'
import { plot } from './plot.js'
import { readScans } from './read-scans.js'
import { UsageError } from '../usage-error.js'
import { wholeNumber } from '../whole-number.js'

interface EvaluateFlags {
  readonly format?: Format
  readonly plot?: string
  readonly map?: string
  readonly blocks: number
}

export function addEvaluateScans(location: Command, cli: Cli): void {
  location
    .command('evaluate')
    .description('evaluate scans with known positions: location errors, and how often the radius is right')
    .argument('<file>', 'geosubmit JSON lines, WiGLE CSV, or wifis.csv of NeoStumbler; "-" is standard input')
    .addOption(new Option('--format <format>', 'format of the file (default: detected)').choices(FORMATS))
    .option('--plot <file>', 'plot the errors and the calibration as SVG')
    .option('--map <file>', 'draw where each scan was taken and found, as an HTML page')
    .option('--blocks <number>', 'number of blocks for cross-validation', wholeNumber(2, 1_000), 10)
    .addHelpText(
      'after',
      `
Each scan is located from the others, on this machine: nothing is sent anywhere, and no credential is needed. Scans that
follow each other are left out together, so that none is answered by the one a second before it. Needed are two access
points in a scan. What is measured is the distance to the position in the file, which has an error of its own. Beside
Bearing stand two other estimators that know the same: that of Mozilla's ichnaea, and the mean of all positions.

The map is one file that loads nothing, and contains the places of all scans: keep it as private as the scans.`,
    )
    .action(async (path: string, flags: EvaluateFlags) => {
      const { signal } = cli.terminal
      if (flags.plot !== undefined) await checkDrawing(flags.plot, PLOT)
      if (flags.map !== undefined) await checkDrawing(flags.map, MAP)
      const file = await (path === '-'
        ? spoolStdin(cli.takeStdin('the file'), signal)
        : openImportFile(path, signal))
      try {
        const scans = await readScans(file, { signal, format: flags.format })
        const evaluation = await evaluateAll(cli, file.name, scans, flags.blocks)
        print(cli, evaluation)
        if (flags.plot !== undefined) await draw(cli, 'Plot', flags.plot, plot(file.name, evaluation))
        if (flags.map !== undefined) await draw(cli, 'Map', flags.map, errorMap(file.name, evaluation))
      } finally {
        await file.remove()
      }
    })
}

/** What a drawing is, and how its name may end. */
interface Drawing {
  readonly is: string
  readonly ending: string
  readonly others: RegExp
}

const PLOT: Drawing = { is: 'plots are SVG', ending: '.svg', others: /\.(?:png|jpe?g|pdf|html?)$/i }
const MAP: Drawing = { is: 'maps are HTML', ending: '.html', others: /\.(?:png|jpe?g|pdf|svg|geojson|kml)$/i }

/** @throws UsageError if the file cannot be written, or its name promises something else */
async function checkDrawing(path: string, { is, ending, others }: Drawing): Promise<void> {
  if (others.test(path))
    throw new UsageError(`${path} cannot be written: ${is}.`, `Use a name that ends in ${ending}.`)
  await checkFile({ path, force: true })
}

async function draw({ output }: Cli, what: string, path: string, content: string): Promise<void> {
  await toFile(path, (file) => file.writeFile(content))
  output.done(`${what} written to ${path}.`)
}

async function evaluateAll(
  { output, terminal }: Cli,
  name: string,
  scans: readonly Contribution[],
  blocks: number,
): Promise<Evaluation> {
  const progress = startProgress(output, name, blocks, terminal.stderr)
  try {
    const steps = evaluate(scans, blocks)
    for (;;) {
      const step = steps.next()
      if (step.done) return step.value
      progress.update(step.value, `${count(step.value)} of ${count(blocks)} blocks`)
      await turn()
      terminal.signal.throwIfAborted()
    }
  } finally {
    progress.stop()
  }
}

/** How well an estimator did. */
function resultOf(scans: number, errors: Float64Array) {
  const at = (share: number) => errorAt(errors, share)
  return { scans, fixed: errors.length, median_meters: at(0.5), p67_meters: at(0.67), p95_meters: at(0.95) }
}

function print(cli: Cli, { scans, errors, others, coverage }: Evaluation): void {
  const bearing = resultOf(scans, errors)
  const ichnaea = resultOf(scans, others.ichnaea)
  const centroid = resultOf(scans, others.centroid)
  const summary = {
    ...bearing,
    coverage,
    others: { ichnaea, centroid },
  }
  const rows = [
    { estimator: 'Bearing', ...bearing },
    { estimator: 'ichnaea-type', ...ichnaea },
    { estimator: 'centroid', ...centroid },
  ]
  const meters = (value: number | null) => (value === null ? '–' : `${value.toFixed(1)} m`)
  const percent = (share: number | undefined) => (share === undefined ? '–' : `${(share * 100).toFixed(1)} %`)
  cli.output.table(
    rows,
    [
      ['Estimator', (row) => row.estimator],
      ['Scans', (row) => count(row.scans), 'right'],
      ['Fixed', (row) => percent(row.scans > 0 ? row.fixed / row.scans : undefined), 'right'],
      ['Median', (row) => meters(row.median_meters), 'right'],
      ['67 %', (row) => meters(row.p67_meters), 'right'],
      ['95 %', (row) => meters(row.p95_meters), 'right'],
    ],
    null,
    summary,
  )
  if (cli.output.forPrograms) return
  cli.output.print('')
  cli.output.table(
    coverage.filter(({ confidence }) => [50, 68, 80, 90, 95, 99].includes(confidence)),
    [
      ['Radius of', ({ confidence }) => `${String(confidence)} %`, 'right'],
      ['holds', ({ held }) => percent(held), 'right'],
    ],
    null,
  )
}
