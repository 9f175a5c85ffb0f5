import { inspect } from 'node:util'
import { withoutLineEnd } from '@bearing/contracts/text/without-line-end'
import type { z } from 'zod'

/** One setting: an environment variable, what it may be, and what it is for. */
export interface Setting<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema
  /** One sentence for the list of the page docs/configuration.md. */
  readonly description: string
  /** The default that the table shows; left out if the setting is required. */
  readonly default?: string
  /** Kept apart from the rest, and never printed. */
  readonly secret?: true
}

/** The settings of a service, by the name of their environment variable. */
export type Settings = Readonly<Record<string, Setting>>

/** The values of settings; secrets can be read but neither logged, printed nor serialized. */
export type Values<S extends Settings> = { readonly [Name in keyof S]: z.output<S[Name]['schema']> }

/** Numbers of a service that nobody has to change, by name; tests change them with TEST_CONSTANTS. */
export type Constants = Readonly<Record<string, number | readonly number[]>>

/** Lists all mistakes in the environment. Contains names and rules, never values. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

/**
 * Reads settings from the environment. An empty variable counts as not set; a line break at the end is not a part of the value.
 *
 * @param constants returned with the settings. Where `NODE_ENV` is `test`, the variable `TEST_CONSTANTS` replaces some of them,
 *   as `{"UPLOAD_KEPT_MS":1000}`; anywhere else this variable is a mistake
 * @throws SettingsError with every mistake
 */
export function readSettings<const S extends Settings, C extends Constants = Constants>(
  settings: S,
  environment: Readonly<Record<string, string | undefined>>,
  constants?: C,
): Values<S> & C {
  const values: Record<string, unknown> = {}
  const mistakes: string[] = []
  for (const [name, setting] of Object.entries(settings)) {
    const text = withoutLineEnd(environment[name] ?? '') || setting.default
    const result = setting.schema.safeParse(text)
    if (result.success) hold(values, name, result.data, setting.secret === true)
    else mistakes.push(`  ${name}: ${reason(text, result.error.issues)} (${setting.description})`)
  }
  try {
    Object.assign(values, constants, testConstants(constants ?? {}, environment))
  } catch (error) {
    mistakes.push(`  TEST_CONSTANTS: ${(error as Error).message}`)
  }
  if (mistakes.length > 0) throw new SettingsError(`The settings have mistakes:\n${mistakes.join('\n')}`)
  Object.defineProperty(values, inspect.custom, { value: () => '[settings]', enumerable: false })
  return values as Values<S> & C // every name was filled just above
}

/** @throws where they are given outside of a test, or are not those of the service */
function testConstants(
  constants: Constants,
  environment: Readonly<Record<string, string | undefined>>,
): Constants {
  const text = environment['TEST_CONSTANTS']
  if (!text) return {}
  if (environment['NODE_ENV'] !== 'test') throw new Error('is only for tests, with NODE_ENV=test')
  const given = JSON.parse(text) as Constants // checked below, name by name
  for (const [name, value] of Object.entries(given)) {
    const constant = Object.hasOwn(constants, name) ? constants[name] : undefined
    const isAlike = typeof constant === typeof value && Array.isArray(constant) === Array.isArray(value)
    if (!isAlike) throw new Error(`${name} is no constant of this service, or has another type`)
  }
  return given
}

function hold(values: Record<string, unknown>, name: string, value: unknown, secret: boolean): void {
  // JSON, spreading and loggers leave out properties that are not enumerable.
  Object.defineProperty(values, name, { value, enumerable: !secret })
}

function reason(text: string | undefined, issues: readonly { message: string }[]): string {
  if (text === undefined) return 'is missing'
  return issues.map((issue) => issue.message).join('; ')
}
