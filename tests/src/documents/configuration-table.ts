import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../tools/root.js'

interface Setting {
  readonly description: string
  readonly default?: string
  readonly secret?: true
}

const SERVICES = ['gateway', 'identity', 'management', 'location'] as const

/** The table of all settings, as Markdown, from the schemas that the services read their environment with. */
export async function configurationTable(): Promise<string> {
  const settings = new Map<string, Setting & { services: string[] }>()
  for (const service of SERVICES) {
    // By path, since the tests may look at an app but no package may import one.
    const file = pathToFileURL(join(ROOT, 'apps', service, 'dist', 'config.js')).href
    const { CONFIG } = (await import(file)) as { CONFIG: Record<string, Setting> } // every service has one
    for (const [name, setting] of Object.entries(CONFIG))
      settings.set(name, { ...setting, services: [...(settings.get(name)?.services ?? []), service] })
  }
  const rows = [...settings].map(([name, setting]) => {
    const who = setting.services.length === SERVICES.length ? 'all' : setting.services.join(', ')
    const value =
      setting.default === undefined
        ? '**required**'
        : setting.default === ''
          ? 'none'
          : `\`${setting.default}\``
    return `| \`${name}\` | ${who} | ${value} | ${setting.description}${setting.secret ? ' (secret)' : ''} |`
  })
  return ['| variable | service | default | what it is |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

const BEGIN = '<!-- configuration: written by `pnpm generate` -->'
const END = '<!-- /configuration -->'

/**
 * Puts the table between its marks.
 *
 * @throws where the text has no marks
 */
export function withTable(text: string, table: string): string {
  const begin = text.indexOf(BEGIN)
  const end = text.indexOf(END)
  if (begin < 0 || end < begin) throw new Error('there is no place for the configuration table')
  return `${text.slice(0, begin + BEGIN.length)}\n\n${table}\n\n${text.slice(end)}`
}
