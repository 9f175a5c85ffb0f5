import { DAY_MS } from '@bearing/contracts/durations'
import { idOf, required } from '../ground/arguments.js'
import { readSpan } from '../ground/times.js'
import { ID, callVerb, listVerb, verb } from '../session/verb.js'

const FROM_LIST = 'bearing onboarding-tokens list'

listVerb('onboarding-tokens list', {
  about: 'list the onboarding tokens of a project',
  list: 'listOnboardingTokens',
  columns: {
    ...{ Id: 'id', Name: 'name' },
    Uses: { right: ({ uses, max_uses }) => `${String(uses)} of ${String(max_uses)}` },
    ...{ Created: 'created_at', Expires: 'expires_at' },
  },
  empty: 'No onboarding tokens yet. Create one: bearing onboarding-tokens create',
})

verb('onboarding-tokens create', {
  about: 'create a token with which devices of a production line claim their serial numbers',
  takes: {
    '--name <text>': required('name, such as that of the production line'),
    '--uses <count>': 'how many devices can use it (default: 1)',
    '--expires-in <span>': 'lifetime, such as 12h or 30d, at most 366d (default: 1d)',
  },
  examples: ['--name "Line 3" --uses 5000 --expires-in 30d'],
  run: async (cli, { name, uses, expiresIn }) => {
    const { client, organization, project } = await cli.session()
    const lifetimeMs = expiresIn === undefined ? DAY_MS : readSpan(expiresIn, '--expires-in')
    const created = await client.call('createOnboardingToken', {
      ...{ organization, project, name },
      ...(uses !== undefined && { max_uses: Number(uses) }),
      expires_at: new Date(Date.now() + lifetimeMs).toISOString(),
    })
    cli.output.done('Onboarding token created.')
    const { token, id, max_uses, expires_at } = created
    cli.output.record({ Token: token, Id: id, Uses: String(max_uses), Expires: expires_at }, created)
    cli.output.notice('The token is shown only once.')
  },
})

callVerb('onboarding-tokens delete', {
  about: 'delete an onboarding token; keys that were registered with it continue to work',
  takes: { '<id>': idOf(`id of the token, from "${FROM_LIST}"`, FROM_LIST) },
  examples: [ID],
  question: 'Delete the onboarding token? Devices cannot use it anymore.',
  call: 'deleteOnboardingToken',
  input: ({ id: onboarding_token_id }) => ({ onboarding_token_id }),
  done: 'Onboarding token deleted.',
})
