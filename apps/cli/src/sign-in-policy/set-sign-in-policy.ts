import { Option, type Command } from 'commander'
import type { Cli } from '../cli.js'
import { UsageError } from '../usage-error.js'
import { printSignInPolicy } from './show-sign-in-policy.js'

type Rule = 'required' | 'optional'

/** `bearing organizations sign-in-policy set` */
export function addSetSignInPolicy(policy: Command, cli: Cli): void {
  const rule = (flag: string, description: string) =>
    new Option(`${flag} <rule>`, description).choices(['required', 'optional'])
  policy
    .command('set')
    .description('change how people have to sign in; you have to fulfil it yourself')
    .addOption(rule('--second-factor', 'whether only users with a second factor are let in'))
    .addOption(
      rule(
        '--sso',
        'whether only users who came by single sign-on are let in; be signed in that way in a browser. API keys, yours too, are refused from then on',
      ),
    )
    .action(async ({ secondFactor, sso }: { secondFactor?: Rule; sso?: Rule }) => {
      if (!secondFactor && !sso) throw new UsageError('Which rule? Give --second-factor, --sso or both.')
      const { client, organization } = await cli.session()
      const changed = await client.call('changeSignInPolicy', {
        organization,
        ...(secondFactor && { second_factor_required: secondFactor === 'required' }),
        ...(sso && { sso_required: sso === 'required' }),
      })
      cli.output.done('Sign-in policy changed.')
      printSignInPolicy(cli, changed)
    })
}
