import type { CallOutput } from '@bearing/client/call-types'
import { DEVICE_LOGINS, type DeviceLogins } from '@bearing/contracts/principal'
import { Option } from 'commander'
import { verb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { UsageError } from '../ground/usage-error.js'

verb('organizations sign-in-policy show', {}, (command, cli) =>
  command.description('show how members must sign in').action(async () => {
    const { client, organization } = await cli.session()
    printSignInPolicy(cli, await client.call('showSignInPolicy', { organization }))
  }),
)

function printSignInPolicy({ output }: Cli, policy: CallOutput<'showSignInPolicy'>): void {
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

type Rule = 'required' | 'optional'

interface Options {
  readonly secondFactor?: Rule
  readonly sso?: Rule
  readonly deviceLogins?: DeviceLogins
}

const rule = (flag: string, description: string) =>
  new Option(`${flag} <rule>`, description).choices(['required', 'optional'])

verb('organizations sign-in-policy set', { examples: ['--second-factor required'] }, (command, cli) =>
  command
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
    }),
)
