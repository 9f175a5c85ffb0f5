import {
  DEVICE_CLAIM_POLICIES,
  DEVICE_IDENTITIES,
} from '@bearing/contracts/identity/credentials/project-settings'
import { answer, oneOf } from '../ground/arguments.js'
import { count, counted } from '../ground/output/format.js'
import { requireTerminal } from '../session/confirm-typed.js'
import { callVerb, verb } from '../session/verb.js'

const SLUG = { '[slug]': 'slug of the project (default: --project)' } as const
const FIELDS = {
  'Project key may locate': 'project_key_may_locate',
  'Project key may contribute': 'project_key_may_contribute',
  'Device identity': 'device_identity',
  'Tokens without expiry': 'device_tokens_without_expiry',
  'Device claims': 'device_claims',
} as const

callVerb('projects settings show', {
  about: "show a project's settings",
  takes: SLUG,
  call: 'showProjectSettings',
  input: ({ slug }) => ({ project: slug }),
  show: FIELDS,
})

verb('projects settings set', {
  about: "change a project's settings; without flags it shows them",
  takes: {
    ...SLUG,
    '--key-may-locate <answer>': answer('allow its project key to locate'),
    '--key-may-contribute <answer>': answer('allow its project key to contribute observations'),
    '--device-identity <policy>': oneOf('whether devices prove who they are', DEVICE_IDENTITIES),
    '--tokens-without-expiry <answer>': answer('allow tokens of devices without exp'),
    '--device-claims <policy>': oneOf(
      'whether devices register keys with the project key',
      DEVICE_CLAIM_POLICIES,
    ),
    '-y, --yes': 'do not ask for confirmation; without a terminal needed while devices would be refused',
  },
  examples: ['--key-may-locate yes'],
  run: async (cli, { slug, ...flags }) => {
    const session = await cli.session()
    const { client, organization } = session
    const address = { organization, project: slug ?? session.project }
    const before = await client.call('showProjectSettings', address)
    if (Object.keys(flags).length === 0) {
      cli.output.show(before, FIELDS)
      return
    }
    const { keyMayLocate, keyMayContribute, deviceIdentity, tokensWithoutExpiry, deviceClaims } = flags
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
      project_key_may_locate: keyMayLocate ?? before.project_key_may_locate,
      // A server of the version before does not know these.
      project_key_may_contribute: keyMayContribute,
      device_identity: deviceIdentity,
      device_tokens_without_expiry: tokensWithoutExpiry,
      device_claims: deviceClaims,
    })
    cli.output.done('Project settings changed.')
    cli.output.show(changed, FIELDS)
  },
})
