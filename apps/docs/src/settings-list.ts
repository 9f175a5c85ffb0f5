import { code, table } from './markdown.js'

interface Setting {
  readonly description: string
  readonly default?: string
  readonly secret?: true
}
/** The schemas that the services read their environment with, by service. */
export type Settings = Readonly<Record<string, Readonly<Record<string, Setting>>>>

/** Returns every setting of every service. */
export function settingsList(services: Settings): string {
  const settings = new Map<string, Setting & { services: string[] }>()
  for (const [service, config] of Object.entries(services))
    for (const [name, setting] of Object.entries(config))
      settings.set(name, { ...setting, services: [...(settings.get(name)?.services ?? []), service] })
  const rows = [...settings].map(([name, setting]) => [
    code(name),
    setting.services.length === Object.keys(services).length ? 'all' : setting.services.join(', '),
    setting.default === undefined ? '**required**' : setting.default === '' ? 'none' : code(setting.default),
    `${setting.description}${setting.secret ? ' (secret)' : ''}`,
  ])
  return table(['variable', 'service', 'default', 'what it is'], rows)
}
