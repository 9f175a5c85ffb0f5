import type { Setting } from './environment.js'

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

/** How output is presented. */
export interface Presentation {
  readonly json: boolean
  readonly verbose: boolean
  readonly noColor: boolean
}

/**
 * Reads the presentation flags before the command line is parsed, because its errors use them too.
 */
export function readPresentation(argv: readonly string[]): Presentation {
  const flags = new Set(beforeTerminator(argv))
  return { json: flags.has('--json'), verbose: flags.has('--verbose'), noColor: flags.has('--no-color') }
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
