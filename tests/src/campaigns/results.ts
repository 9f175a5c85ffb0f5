import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Something that a campaign did, and its outcome. Fields that a campaign does not count are left out. */
export interface Row {
  readonly what: string
  /** Number of times. */
  readonly times: number
  /** Writes that were acknowledged to clients. */
  readonly acknowledged?: number
  /** Number of these that are not stored, and number that are stored more than once. */
  readonly lost?: number
  readonly doubled?: number
  /** Requests that were not served. */
  readonly refused?: number | string
  readonly seen: string
  /** The condition that must hold, beside that nothing is lost or doubled. */
  readonly bar: string
  readonly held: boolean
}

/** The output of `pnpm campaign <name> --json <file>`. The files of tests/campaigns are those of the newest release. */
export interface Results {
  readonly command: string
  /** Such as 2026-11-26. */
  readonly date: string
  readonly commit: string
  /** Load of the machine at the start, in processes that want to run, and its cores. */
  readonly load: number
  readonly cores: number
  readonly rows: readonly Row[]
}

const HEAD = [
  'what was done',
  'how often',
  'acknowledged',
  'lost',
  'doubled',
  'refused',
  'seen',
  'bar',
  'held',
]
const [BEGIN, END] = ['<!-- results: written by `pnpm generate` -->\n', '<!-- /results -->']

/** A row as a line of a table. */
export function lineOf(row: Row): string {
  const { what, times, acknowledged, lost, doubled, refused, seen, bar, held } = row
  const number = (value: number | string | undefined) =>
    typeof value === 'number' ? value.toLocaleString('en') : (value ?? '–')
  const counts = [times, acknowledged, lost, doubled, refused].map(number)
  return `| ${[what, ...counts, seen, bar, held ? 'yes' : '**no**'].join(' | ')} |`
}

/** Writes the results in the folder into the page, a table for each campaign. */
export function withResults(page: string, folder: string): string {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const tables = files
    .toSorted()
    .map((name) => tableOf(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Results))
  const [before = '', rest = ''] = page.split(BEGIN)
  const [, after = ''] = rest.split(END)
  return `${before}${BEGIN}\n${tables.join('\n')}\n${END}${after}`
}

function tableOf({ command, date, commit, load, cores, rows }: Results): string {
  const machine = `${date}, ${commit}, ${String(cores)} cores, load ${load.toFixed(1)} at the start`
  const lines = [HEAD, HEAD.map(() => '-')].map((cells) => `| ${cells.join(' | ')} |`)
  return [`\`${command}\` (${machine}):`, '', ...lines, ...rows.map(lineOf), ''].join('\n')
}
