import type { Cli } from '../../session/cli.js'
import { count } from '../../ground/output/format.js'
import { heightFacts } from '../height.js'
import { drawExplanation, markOf, type Explanation } from './draw-explanation.js'
import { used, type LocateOptions } from './locate-with-options.js'

type Explained = Explanation['accessPoints'][number]

/** Names of outcomes for people. */
const OUTCOMES: Readonly<Record<Explained['outcome'] | 'unusable', string>> = {
  used: 'used',
  not_needed: 'not needed',
  elsewhere: 'known to be elsewhere',
  moves: 'moves',
  not_own: 'not one of your own',
  opted_out: 'its owner opted out',
  old: 'heard long before the others, or repeated',
  duplicate: 'sent twice',
  not_an_access_point: 'not an access point',
  unreadable: 'cannot be read',
  unusable: 'incomplete',
}

/** Explains the position of one scan. */
export async function explain(
  cli: Cli,
  heard: Readonly<Record<string, unknown>>,
  { confidence }: LocateOptions,
): Promise<void> {
  const { client, organization, project } = await cli.session()
  const asked = { ...heard, organization, project, ...(confidence !== undefined && { confidence }) }
  const found = await client.call('explainLocation', asked)
  const { output } = cli
  output.record(fieldsOf(found), found)
  if (!output.forPrograms) {
    printStations(cli, found)
    for (const line of drawExplanation(found)) output.print(line)
  }
  if (!found.position) {
    cli.exitCode = 1
    output.notice(found.error?.detail ?? 'There is no position.')
  }
}

function fieldsOf({
  position,
  radii,
  sources,
  counts,
  shared,
}: Explanation): Record<string, string | undefined> {
  return {
    Latitude: position?.lat.toFixed(6) ?? '–',
    Longitude: position?.lon.toFixed(6) ?? '–',
    Radius: radii ? `${meters(radii.p68)} in 68 %, ${meters(radii.p95)} in 95 % of cases` : undefined,
    ...(position && heightFacts(position)),
    By: position ? `${position.fulfilledWith}${position.fallback ? ', by the fallback' : ''}` : undefined,
    Asked: sources.map(({ source, outcome }) => `${source} ${outcome.replaceAll('_', ' ')}`).join(' → '),
    'Access points': used(counts.accessPoints),
    Cells: used(counts.cells),
    'Of the base layer': shared
      ? `${count(shared.accessPoints.used)} access points, ${count(shared.cells.used)} cells used`
      : undefined,
  }
}

function printStations({ output }: Cli, { accessPoints, cells }: Explanation): void {
  let mark = 0
  output.table(
    accessPoints,
    {
      '': ({ own }) => (own ? markOf(mark++) : ''),
      'Access point': 'macAddress',
      Signal: {
        right: ({ signalStrength }) => (signalStrength === null ? '–' : `${String(signalStrength)} dBm`),
      },
      Result: ({ outcome }) => OUTCOMES[outcome],
      Distance: { right: ({ own }) => metersOr(own?.distance) },
      'Off by': { right: ({ own }) => metersOr(own?.residual) },
      Expected: { right: ({ own }) => metersOr(own?.expected) },
    },
    null,
  )
  output.table(
    cells,
    {
      Cell: 'cell',
      Result: ({ outcome }) => OUTCOMES[outcome],
      Distance: { right: ({ own }) => metersOr(own?.distance) },
      Range: { right: ({ own }) => metersOr(own?.range) },
    },
    null,
  )
}

function metersOr(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : meters(value)
}

function meters(value: number): string {
  return `${count(Math.round(value))} m`
}
