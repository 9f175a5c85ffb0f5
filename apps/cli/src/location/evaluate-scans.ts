import { setImmediate as turn } from 'node:timers/promises'
import type { Contribution } from '@bearing/positioning/learning/contribution'
import { evaluate, type Evaluation } from '@bearing/positioning/evaluation'
import { Option, type Command } from 'commander'
import { FORMATS, type Format } from '@bearing/client/access-point-files/formats'
import { openImportFile, spoolStdin } from '../access-points/import-file.js'
import type { Cli } from '../cli.js'
import { count } from '../output/format.js'
import { checkFile, toFile } from '../output/destination.js'
import { startProgress } from '../output/progress.js'
import { plot } from './plot.js'
import { readScans } from './read-scans.js'
import { UsageError } from '../usage-error.js'
import { wholeNumber } from '../whole-number.js'

interface EvaluateFlags {
  readonly format?: Format
  readonly plot?: string
  readonly blocks: number
}

export function addEvaluateScans(location: Command, cli: Cli): void {
  location
    .command('evaluate')
    .description('evaluate scans with known positions: location errors, and how often the radius is right')
    .argument('<file>', 'geosubmit JSON lines, WiGLE CSV, or wifis.csv of NeoStumbler; "-" is standard input')
    .addOption(new Option('--format <format>', 'format of the file (default: detected)').choices(FORMATS))
    .option('--plot <file>', 'plot the errors and the calibration as SVG')
    .option('--blocks <number>', 'number of blocks for cross-validation', wholeNumber(2, 1_000), 10)
    .addHelpText(
      'after',
      `
Each scan is located from the others, on this machine: nothing is sent anywhere, and no credential is needed. Scans that
follow each other are left out together, so that none is answered by the one a second before it. Needed are two access
points in a scan. What is measured is the distance to the position in the file, which has an error of its own.`,
    )
    .action(async (path: string, flags: EvaluateFlags) => {
      const { signal } = cli.terminal
      if (flags.plot !== undefined) await checkPlotFile(flags.plot)
      const file = await (path === '-'
        ? spoolStdin(cli.takeStdin('the file'), signal)
        : openImportFile(path, signal))
      try {
        const scans = await readScans(file, { signal, format: flags.format })
        const evaluation = await evaluateAll(cli, file.name, scans, flags.blocks)
        print(cli, evaluation)
        if (flags.plot === undefined) return
        const svg = plot(file.name, evaluation)
        await toFile(flags.plot, (output) => output.writeFile(svg))
        cli.output.done(`Plot written to ${flags.plot}.`)
      } finally {
        await file.remove()
      }
    })
}

/** @throws UsageError if the file cannot be written, or is not an SVG */
async function checkPlotFile(path: string): Promise<void> {
  if (/\.(?:png|jpe?g|pdf)$/i.test(path))
    throw new UsageError(`${path} cannot be written: plots are SVG.`, 'Use a name that ends in .svg.')
  await checkFile({ path, force: true })
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

/** Returns a quantile of the errors, in meters; null if there are none. */
export function errorAt(errors: Float64Array, share: number): number | null {
  return errors[Math.min(errors.length - 1, Math.floor(errors.length * share))] ?? null
}

function print(cli: Cli, { scans, fixed, errors, coverage }: Evaluation): void {
  const at = (share: number) => errorAt(errors, share)
  const summary = {
    ...{ scans, fixed },
    ...{ median_meters: at(0.5), p67_meters: at(0.67), p95_meters: at(0.95) },
    coverage: coverage.map(({ confidence, held, heldRefitted }) => ({
      confidence,
      held,
      held_refitted: heldRefitted ?? null,
    })),
  }
  const meters = (value: number | null) => (value === null ? '–' : `${value.toFixed(1)} m`)
  const percent = (share: number | undefined) => (share === undefined ? '–' : `${(share * 100).toFixed(1)} %`)
  cli.output.table(
    [summary],
    [
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
      ['refitted to these scans', ({ heldRefitted }) => percent(heldRefitted), 'right'],
    ],
    null,
  )
}
