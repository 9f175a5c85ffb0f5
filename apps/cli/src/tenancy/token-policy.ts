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
      'When leaked': policy.when_leaked === 'flag' ? 'marked in the list' : 'revoked immediately',
    },
    policy,
  )
}

interface Given {
  readonly maxLifetime?: string
  readonly whenLeaked?: 'revoke' | 'flag'
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
    .action(async (given: Given) => {
      if (given.maxLifetime === undefined && given.whenLeaked === undefined)
        throw new UsageError('Nothing to change. Give --max-lifetime or --when-leaked.')
      const longest = given.maxLifetime === undefined ? undefined : daysOf(given.maxLifetime)
      const { client, organization } = await cli.session()
      const changed = await client.call('changeOrganizationTokenPolicy', {
        organization,
        max_lifetime_days:
          longest === undefined
            ? (await client.call('showOrganizationTokenPolicy', { organization })).max_lifetime_days
            : longest,
        when_leaked: given.whenLeaked,
      })
      cli.output.done('Token policy changed. Existing tokens do not change.')
      printTokenPolicy(cli, changed)
    }),
)

function daysOf(text: string): number | null {
  if (text === 'none') return null
  const days = readSpan(text, '--max-lifetime') / DAY_MS
  if (!Number.isInteger(days)) throw new UsageError('--max-lifetime must be whole days, such as 90d.')
  return days
}
