import type { CallOutput } from '@bearing/client/call-types'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'

export function addShowTokenPolicy(policy: Command, cli: Cli): void {
  policy
    .command('show')
    .description('show the token policy of the organization')
    .action(async () => {
      const { client, organization } = await cli.session()
      printTokenPolicy(cli, await client.call('showOrganizationTokenPolicy', { organization }))
    })
}

export function printTokenPolicy({ output }: Cli, policy: CallOutput<'showOrganizationTokenPolicy'>): void {
  const days = policy.max_lifetime_days
  output.record(
    {
      'Longest life': days === null ? 'any' : `${String(days)} d`,
      'When leaked': policy.when_leaked === 'flag' ? 'marked in the list' : 'revoked immediately',
    },
    policy,
  )
}
