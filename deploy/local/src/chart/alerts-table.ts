import { parse } from 'yaml'

interface Rule {
  readonly alert?: string
  readonly expr: string
  readonly for?: string
  readonly record?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: { readonly summary: string; readonly action: string }
}
interface Rules {
  readonly groups: readonly { readonly rules: readonly Rule[] }[]
}

const BEGIN = '<!-- alerts: written by `pnpm generate` from deploy/helm/bearing/files/rules.yaml -->'
const END = '<!-- /alerts -->'

/** Every rule of a file of Prometheus rules. */
export function rulesOf(file: string): Rule[] {
  return (parse(file) as Rules).groups.flatMap(({ rules }) => rules)
}

/** The table of all alerts, as Markdown. Their expressions are in the file. */
function alertsTable(file: string): string {
  const rows = rulesOf(file).flatMap(({ alert, annotations }) =>
    alert === undefined || annotations === undefined
      ? []
      : [`| \`${alert}\` | ${annotations.summary} | ${annotations.action} |`],
  )
  return ['| alert | it means | do |', '| --- | --- | --- |', ...rows].join('\n')
}

/**
 * Puts the table of alerts between its marks.
 *
 * @throws where the page has no marks
 */
export function withAlerts(page: string, file: string): string {
  const begin = page.indexOf(BEGIN)
  const end = page.indexOf(END)
  if (begin < 0 || end < begin) throw new Error('there is no place for the table of alerts')
  return `${page.slice(0, begin + BEGIN.length)}\n\n${alertsTable(file)}\n\n${page.slice(end)}`
}
