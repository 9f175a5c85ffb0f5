import { inspect } from 'node:util'
import type { z } from 'zod'

/** One setting: an environment variable, what it may be, and what it is for. */
export interface Setting<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema
  /** One sentence for the table in docs/configuration.md. */
  readonly description: string
  /** What the table shows as default; left out where the setting has to be given. */
  readonly default?: string
  /** Kept apart from the rest, and never printed. */
  readonly secret?: true
}

/** The settings of a service, by the name of their environment variable. */
export type Settings = Readonly<Record<string, Setting>>

/** The values of settings; secrets can be read but neither logged, printed nor serialized. */
export type Values<S extends Settings> = { readonly [Name in keyof S]: z.output<S[Name]['schema']> }

/** Lists all mistakes in the environment. Contains names and rules, never values. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

/**
 * Reads settings from the environment. An empty variable counts as not set.
 *
 * @throws SettingsError with every mistake
 */
export function readSettings<const S extends Settings>(
  settings: S,
  environment: Readonly<Record<string, string | undefined>>,
): Values<S> {
  const values: Record<string, unknown> = {}
  const mistakes: string[] = []
  for (const [name, setting] of Object.entries(settings)) {
    const given = environment[name] === '' ? undefined : environment[name]
    const text = given ?? setting.default
    const result = setting.schema.safeParse(text)
    if (result.success) hold(values, name, result.data, setting.secret === true)
    else mistakes.push(`  ${name}: ${reason(text, result.error.issues)} (${setting.description})`)
  }
  if (mistakes.length > 0) throw new SettingsError(`The settings have mistakes:\n${mistakes.join('\n')}`)
  Object.defineProperty(values, inspect.custom, { value: () => '[settings]', enumerable: false })
  return values as Values<S> // every name was filled from its own schema just above
}

function hold(values: Record<string, unknown>, name: string, value: unknown, secret: boolean): void {
  // What is not enumerable is left out by JSON, by spreading and by loggers.
  Object.defineProperty(values, name, { value, enumerable: !secret })
}

function reason(text: string | undefined, issues: readonly { message: string }[]): string {
  if (text === undefined) return 'is missing'
  return issues.map((issue) => issue.message).join('; ')
}
