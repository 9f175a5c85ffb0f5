import type { CallOutput } from '@bearing/client/call-types'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'

export function addShowSignInPolicy(policy: Command, cli: Cli): void {
  policy
    .command('show')
    .description('show how members must sign in')
    .action(async () => {
      const { client, organization } = await cli.session()
      printSignInPolicy(cli, await client.call('showSignInPolicy', { organization }))
    })
}

export function printSignInPolicy({ output }: Cli, policy: CallOutput<'showSignInPolicy'>): void {
  const word = (required: boolean) => (required ? 'required' : 'not required')
  output.record(
    {
      'Second factor': word(policy.second_factor_required),
      'Single sign-on': word(policy.sso_required),
      'Command-line sign-ins': policy.device_logins,
    },
    policy,
  )
}
