import type { CallOutput } from '@bearing/client/call-types'
import { DAY_MS } from '@bearing/contracts/durations'
import { Option } from 'commander'
import { verb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { readSpan } from '../ground/times.js'
import { UsageError } from '../ground/usage-error.js'

verb('org-tokens policy show', {}, (command, cli) =>
  command.description('show the token policy of the organization').action(async () => {
    const { client, organization } = await cli.session()
    printTokenPolicy(cli, await client.call('showOrganizationTokenPolicy', { organization }))
  }),
)

function printTokenPolicy({ output }: Cli, policy: CallOutput<'showOrganizationTokenPolicy'>): void {
  const days = policy.max_lifetime_days
  output.record(
    {
      'Longest life': days === null ? 'any' : `${String(days)} d`,
      Administration:
        policy.administration === 'forbid'
          ? 'forbidden'
          : `allowed, for at most ${String(policy.administration_max_lifetime_days)} d`,
      'When leaked': policy.when_leaked === 'flag' ? 'marked in the list' : 'revoked immediately',
    },
    policy,
  )
}

interface Given {
  readonly maxLifetime?: string
  readonly whenLeaked?: 'revoke' | 'flag'
  readonly administration?: 'allow' | 'forbid'
  readonly administrationMaxLifetime?: string
}

verb('org-tokens policy set', { examples: ['--max-lifetime 52w --when-leaked revoke'] }, (command, cli) =>
  command
    .description('change the token policy of the organization')
    .option(
      '--max-lifetime <span>',
      'maximum lifetime of new tokens, such as 90d or 52w; "none" for unlimited',
    )
    .addOption(
      new Option('--when-leaked <what>', 'action for a token that is reported as leaked').choices([
        'revoke',
        'flag',
      ]),
    )
    .addOption(
      new Option(
        '--administration <rule>',
        'whether tokens may administer; "forbid" takes it from existing tokens immediately',
      ).choices(['allow', 'forbid']),
    )
    .option(
      '--administration-max-lifetime <span>',
      'maximum lifetime of new tokens that administer, 1d to 365d',
    )
    .action(async (given: Given) => {
      if (Object.values(given).every((value) => value === undefined))
        throw new UsageError(
          'Nothing to change. Give --max-lifetime, --when-leaked, --administration or --administration-max-lifetime.',
        )
      const longest = given.maxLifetime === undefined ? undefined : lifetimeOf(given.maxLifetime)
      const { client, organization } = await cli.session()
      const changed = await client.call('changeOrganizationTokenPolicy', {
        organization,
        max_lifetime_days:
          longest === undefined
            ? (await client.call('showOrganizationTokenPolicy', { organization })).max_lifetime_days
            : longest,
        when_leaked: given.whenLeaked,
        administration: given.administration,
        administration_max_lifetime_days:
          given.administrationMaxLifetime === undefined
            ? undefined
            : daysOf(given.administrationMaxLifetime, '--administration-max-lifetime'),
      })
      cli.output.done('Token policy changed. Existing tokens do not change.')
      printTokenPolicy(cli, changed)
    }),
)

function lifetimeOf(text: string): number | null {
  return text === 'none' ? null : daysOf(text, '--max-lifetime')
}

function daysOf(text: string, flag: string): number {
  const days = readSpan(text, flag) / DAY_MS
  if (!Number.isInteger(days)) throw new UsageError(`${flag} must be whole days, such as 90d.`)
  return days
}
