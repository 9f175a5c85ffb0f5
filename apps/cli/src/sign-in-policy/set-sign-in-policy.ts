import { DEVICE_LOGINS, type DeviceLogins } from '@bearing/contracts/principal'
import { Option, type Command } from 'commander'
import type { Cli } from '../cli.js'
import { UsageError } from '../usage-error.js'
import { printSignInPolicy } from './show-sign-in-policy.js'

type Rule = 'required' | 'optional'

interface Options {
  readonly secondFactor?: Rule
  readonly sso?: Rule
  readonly deviceLogins?: DeviceLogins
}

export function addSetSignInPolicy(policy: Command, cli: Cli): void {
  const rule = (flag: string, description: string) =>
    new Option(`${flag} <rule>`, description).choices(['required', 'optional'])
  policy
    .command('set')
    .description('change how members must sign in; you must comply yourself')
    .addOption(rule('--second-factor', 'require a second factor'))
    .addOption(
      rule(
        '--sso',
        'require single sign-on; sign in with it in a browser first. API keys, including yours, are then rejected',
      ),
    )
    .addOption(
      new Option(
        '--device-logins <rule>',
        'accept sessions of "bearing login": all, those allowed from the same network, or none',
      ).choices(DEVICE_LOGINS),
    )
    .action(async ({ secondFactor, sso, deviceLogins }: Options) => {
      if (!secondFactor && !sso && !deviceLogins)
        throw new UsageError('Nothing to change. Give --second-factor, --sso or --device-logins.')
      const { client, organization } = await cli.session()
      const changed = await client.call('changeSignInPolicy', {
        organization,
        ...(secondFactor && { second_factor_required: secondFactor === 'required' }),
        ...(sso && { sso_required: sso === 'required' }),
        ...(deviceLogins && { device_logins: deviceLogins }),
      })
      cli.output.done('Sign-in policy changed.')
      printSignInPolicy(cli, changed)
    })
}
