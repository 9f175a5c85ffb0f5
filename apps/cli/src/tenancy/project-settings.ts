import type { CallOutput } from '@bearing/client/call-types'
import {
  DEVICE_IDENTITIES,
  type DeviceIdentity,
} from '@bearing/contracts/identity/credentials/project-settings'
import { Option } from 'commander'
import { count, counted } from '../ground/output/format.js'
import { requireTerminal } from '../session/confirm-typed.js'
import { verb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'

interface Flags {
  readonly keyMayLocate?: 'yes' | 'no'
  readonly keyMayContribute?: 'yes' | 'no'
  readonly deviceIdentity?: DeviceIdentity
  readonly tokensWithoutExpiry?: 'yes' | 'no'
  readonly yes?: true
}

const SLUG = ['[slug]', 'slug of the project (default: --project)'] as const

verb('projects settings show', {}, (command, cli) =>
  command
    .description("show a project's settings")
    .argument(...SLUG)
    .action(async (slug: string | undefined) => {
      await show(cli, slug)
    }),
)

verb('projects settings set', { examples: ['--key-may-locate yes'] }, (command, cli) =>
  command
    .description("change a project's settings; without flags it shows them")
    .argument(...SLUG)
    .addOption(
      new Option('--key-may-locate <answer>', 'allow its project key to locate').choices(['yes', 'no']),
    )
    .addOption(
      new Option('--key-may-contribute <answer>', 'allow its project key to contribute observations').choices(
        ['yes', 'no'],
      ),
    )
    .addOption(
      new Option('--device-identity <policy>', 'whether devices prove who they are').choices(
        DEVICE_IDENTITIES,
      ),
    )
    .addOption(
      new Option('--tokens-without-expiry <answer>', 'allow tokens of devices without exp').choices([
        'yes',
        'no',
      ]),
    )
    .option(
      '-y, --yes',
      'do not ask for confirmation; without a terminal needed while devices would be refused',
    )
    .action(async (slug: string | undefined, flags: Flags) => {
      if (Object.keys(flags).length === 0) return show(cli, slug)
      const { keyMayLocate, keyMayContribute, deviceIdentity, tokensWithoutExpiry } = flags
      const session = await cli.session()
      const { client, organization } = session
      const address = { organization, project: slug ?? session.project }
      const before = await client.call('showProjectSettings', address)
      if (deviceIdentity === 'required' && before.device_identity !== 'required' && !flags.yes) {
        const counts = await client.call('showDeviceIdentity', address)
        cli.output.say(
          `Of ${counted(counts.seen, 'device')} that sent data within 30 days, ${count(counts.without_proof)} did not prove who they are. They would be refused.`,
        )
        // A device that is refused may delete what it was about to send.
        if (counts.without_proof > 0) requireTerminal(cli, '--yes')
        await cli.confirm('Require device identity?')
      }
      const changed = await client.call('changeProjectSettings', {
        ...address,
        project_key_may_locate:
          keyMayLocate === undefined ? before.project_key_may_locate : keyMayLocate === 'yes',
        // A server of the version before does not know these.
        ...(keyMayContribute !== undefined && { project_key_may_contribute: keyMayContribute === 'yes' }),
        ...(deviceIdentity !== undefined && { device_identity: deviceIdentity }),
        ...(tokensWithoutExpiry !== undefined && {
          device_tokens_without_expiry: tokensWithoutExpiry === 'yes',
        }),
      })
      cli.output.done('Project settings changed.')
      print(cli, changed)
    }),
)

async function show(cli: Cli, slug: string | undefined): Promise<void> {
  const session = await cli.session()
  const { client, organization } = session
  print(cli, await client.call('showProjectSettings', { organization, project: slug ?? session.project }))
}

function print({ output }: Cli, settings: CallOutput<'showProjectSettings'>): void {
  const answer = (may: boolean) => (may ? 'yes' : 'no')
  output.record(
    {
      'Project key may locate': answer(settings.project_key_may_locate),
      'Project key may contribute': answer(settings.project_key_may_contribute),
      'Device identity': settings.device_identity,
      'Tokens without expiry': answer(settings.device_tokens_without_expiry),
    },
    settings,
  )
}
