import { FORMATS } from '@bearing/files/access-points/formats'
import { evaluate, type Evaluation } from '@bearing/positioning/evaluation/evaluation'
import type { Contribution } from '@bearing/positioning/learning/evidence/contribution'
import { setImmediate as turn } from 'node:timers/promises'
import { wholeNumber, oneOf, parsed } from '../ground/arguments.js'
import { checkFile, toFile } from '../ground/output/destination.js'
import { count } from '../ground/output/format.js'
import { startProgress } from '../ground/output/progress.js'
import type { Cli } from '../session/cli.js'
import { verb } from '../session/verb.js'
import { openImportFile } from './access-points/import-file.js'
import { readScans } from './read-scans.js'

verb('location evaluate', {
  about: 'evaluate scans with known positions: location errors, and how often the radius is right',
  takes: {
    '<file>': 'geosubmit JSON lines, WiGLE CSV, or wifis.csv of NeoStumbler; "-" is standard input',
    '--format <format>': oneOf('format of the file (default: detected)', FORMATS),
    '--geojson <file>': 'write where each scan was taken and found, as GeoJSON',
    '--blocks <number>': {
      ...parsed('number of blocks for cross-validation', wholeNumber(2, 1_000)),
      initial: 10,
    },
  },
  help: `Each scan is located from the others, on this machine, by the rules of look-ups: nothing is sent anywhere, and no credential is
needed. Scans that follow each other are left out together, so that none is answered by the one a second before it. What is
measured is the distance to the position in the file, which has an error of its own.

The GeoJSON file contains the places of all scans: keep it as private as the scans.`,
  examples: ['scans.jsonl --geojson errors.geojson'],
  run: async (cli, { file: path, ...flags }) => {
    const { signal } = cli.terminal
    const { geojson } = flags
    if (geojson !== undefined) await checkFile({ path: geojson, force: true })
    const file = await openImportFile(cli, path)
    try {
      const scans = await readScans(file, { signal, format: flags.format })
      const evaluation = await evaluateAll(cli, file.name, scans, flags.blocks)
      print(cli, evaluation)
      if (geojson === undefined) return
      await toFile(geojson, (target) => target.writeFile(`${JSON.stringify(featuresOf(evaluation))}\n`))
      cli.output.done(`GeoJSON written to ${geojson}.`)
    } finally {
      await file.remove()
    }
  },
})

/** Returns a line from where each scan was taken to where it was found; a point if it was not. */
function featuresOf({ evaluated }: Evaluation) {
  const features = evaluated.map(({ lat, lon, found }) => ({
    type: 'Feature',
    properties: found ? { error_meters: found.errorMeters, radius_meters: found.radiusMeters } : {},
    geometry: found
      ? {
          type: 'LineString',
          coordinates: [
            [lon, lat],
            [found.lon, found.lat],
          ],
        }
      : { type: 'Point', coordinates: [lon, lat] },
  }))
  return { type: 'FeatureCollection', features }
}

async function evaluateAll(
  { output, terminal }: Cli,
  name: string,
  scans: readonly Contribution[],
  blocks: number,
): Promise<Evaluation> {
  using progress = startProgress(output, name, blocks)
  const steps = evaluate(scans, blocks)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    progress.update(step.value, `${count(step.value)} of ${count(blocks)} blocks`)
    await turn()
    terminal.signal.throwIfAborted()
  }
}

function print(cli: Cli, { errors, evaluated, coverage }: Evaluation): void {
  const at = (share: number) => errors[Math.min(errors.length - 1, Math.floor(errors.length * share))] ?? null
  const result = {
    ...{ scans: evaluated.length, fixed: errors.length },
    ...{ median_meters: at(0.5), p67_meters: at(0.67), p95_meters: at(0.95) },
  }
  const meters = (value: number | null) => (value === null ? '–' : `${value.toFixed(1)} m`)
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  cli.output.table(
    [result],
    {
      Scans: 'scans',
      Fixed: { right: (row) => percent(row.fixed / row.scans) },
      Median: { right: (row) => meters(row.median_meters) },
      '67 %': { right: (row) => meters(row.p67_meters) },
      '95 %': { right: (row) => meters(row.p95_meters) },
    },
    null,
    { ...result, coverage },
  )
  if (cli.output.forPrograms) return
  cli.output.print('')
  cli.output.table(
    coverage.filter(({ confidence }) => [50, 68, 80, 90, 95, 99].includes(confidence)),
    {
      'Radius of': { right: ({ confidence }) => `${String(confidence)} %` },
      holds: { right: ({ held }) => percent(held) },
    },
    null,
  )
}
