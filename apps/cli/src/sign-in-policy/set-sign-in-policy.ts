import { Option, type Command } from 'commander'
import type { Cli } from '../cli.js'
import { printSignInPolicy } from './show-sign-in-policy.js'

/** `bearing organizations sign-in-policy set` */
export function addSetSignInPolicy(policy: Command, cli: Cli): void {
  policy
    .command('set')
    .description('change how people have to sign in; you have to fulfil it yourself')
    .addOption(
      new Option('--second-factor <rule>', 'whether only users with a second factor are let in')
        .choices(['required', 'optional'])
        .makeOptionMandatory(),
    )
    .action(async ({ secondFactor }: { secondFactor: 'required' | 'optional' }) => {
      const { client, organization } = await cli.session()
      const changed = await client.call('changeSignInPolicy', {
        organization,
        second_factor_required: secondFactor === 'required',
      })
      cli.output.done('Sign-in policy changed.')
      printSignInPolicy(cli, changed)
    })
}
