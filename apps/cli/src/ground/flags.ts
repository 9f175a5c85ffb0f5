import type { Setting } from './environment.js'
import { formatOf, type Format } from './output/documents.js'

/** A setting that has a flag: arguments can be read by everybody on the machine, so a seed has none. */
type FlagSetting = Exclude<Setting, 'natsNkeySeed'>

/** The flags of settings, for messages. */
export const FLAGS = {
  orgToken: '--org-token',
  email: '--email',
  password: '--password',
  projectKey: '--project-key',
  org: '--org',
  project: '--project',
  context: '--context',
  url: '--url',
  locationUrl: '--location-url',
  natsUrl: '--nats-url',
  json: '--json',
  verbose: '--verbose',
} as const satisfies Record<FlagSetting, string>

/** Global flags that take a value, as commander gives them. */
export type GlobalFlags = Readonly<
  Partial<Record<Exclude<FlagSetting, 'natsUrl' | 'json' | 'verbose'>, string>>
>

export interface Presentation {
  readonly format: Format
  readonly verbose: boolean
  readonly noColor: boolean
  /** True if tables may be wider than the terminal. */
  readonly wide?: boolean
}

/**
 * Reads the presentation flags before the command line is parsed, because its errors use them too. A format that does not
 * exist is an error later.
 *
 * @param isJson whether the environment asks for JSON
 */
export function readPresentation(argv: readonly string[], isJson: boolean): Presentation {
  const given = beforeTerminator(argv)
  const has = (...names: readonly string[]) => names.some((name) => given.includes(name))
  return {
    format: formatIn(given) ?? (isJson || has('--json') || given.some(isJq) ? 'json' : 'table'),
    verbose: has('--verbose', '-v'),
    noColor: has('--no-color'),
    wide: has('--wide'),
  }
}

function isJq(argument: string): boolean {
  return argument === '--jq' || argument.startsWith('--jq=')
}

/** Returns the last format that is given, in each way in which commander accepts it. */
function formatIn(given: readonly string[]): Format | undefined {
  const formats = given.flatMap((argument, index) => {
    const [flag, name] = /^(?:-[vy]*o|--output-format=)(.*)$/.exec(argument) ?? []
    const isApart = argument === '--output-format' || (flag !== undefined && name === '')
    return formatOf(isApart ? given[index + 1] : name) ?? []
  })
  return formats.at(-1)
}

/** Returns the secrets in the arguments, even if the command line is invalid. */
export function secretsIn(argv: readonly string[]): string[] {
  const secrets: string[] = []
  argv.forEach((argument, index) => {
    for (const flag of [FLAGS.orgToken, FLAGS.password]) {
      if (argument === flag) secrets.push(argv[index + 1] ?? '')
      if (argument.startsWith(`${flag}=`)) secrets.push(argument.slice(flag.length + 1))
    }
  })
  return secrets
}

function beforeTerminator(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--')
  return end < 0 ? argv : argv.slice(0, end)
}
