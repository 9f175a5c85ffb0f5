import {
  createPartnerConnection,
  deletePartnerConnection,
  listPartnerConnections,
} from '@bearing/contracts/identity/sso/partner'
import { ProjectRole } from '@bearing/contracts/principal'
import { idOf, LIMIT, oneOf, required } from '../ground/arguments.js'
import { ID, operatorVerb } from '../session/verb.js'

const JOIN_ROLES = ['reader', 'member', 'manager', 'none'] as const

operatorVerb('admin partner-connections list', {
  about: 'list all',
  takes: LIMIT,
  operation: listPartnerConnections,
  input: ({ limit = 10_000 }) => ({ per_page: Math.min(limit, 10_000) }),
  after: ({ output }, { data }) => {
    output.table(
      data,
      { Name: 'name', Issuer: 'issuer', Id: 'id' },
      'No partner connections yet. Create one: bearing admin partner-connections create',
    )
  },
})

operatorVerb('admin partner-connections delete', {
  about: 'delete a connection and its sessions; organizations and members remain',
  takes: { '<id>': idOf('id of the connection', 'bearing admin partner-connections list') },
  examples: [ID],
  question: 'Delete the connection? Its sessions end.',
  operation: deletePartnerConnection,
  input: ({ id }) => ({ connection_id: id }),
  done: 'Connection deleted. Its sessions have ended.',
})

operatorVerb('admin partner-connections create', {
  about: 'connect a partner console; the client secret is read from standard input',
  takes: {
    '--name <name>': required('display name'),
    '--issuer <url>': required('issuer, exactly as in the discovery document of the provider'),
    '--client-id <id>': required('client id of Bearing at the provider'),
    '--team-id-claim <claim>': required("claim with the id of a user's team"),
    '--team-name-claim <claim>': required('claim with the name of the team'),
    '--join-role <role>': {
      ...oneOf("role in the team's project that people get when they join", JOIN_ROLES),
      initial: 'member',
    },
  },
  examples: [
    '--name Console --issuer https://id.partner.example --client-id bearing --team-id-claim team_id --team-name-claim team_name < secret.txt',
  ],
  operation: createPartnerConnection,
  input: async ({ name, issuer, clientId, teamIdClaim, teamNameClaim, joinRole }, cli) => ({
    ...{ name, issuer, client_id: clientId, client_secret: await cli.askSecret('the client secret') },
    ...{ team_id_claim: teamIdClaim, team_name_claim: teamNameClaim },
    join_role: joinRole === 'none' ? null : ProjectRole.parse(joinRole),
  }),
  done: 'Connection created. Register its redirect URI at the partner.',
  show: {
    Name: 'name',
    'Redirect URI': ({ callback_path }) => `<URL of the gateway>${callback_path}`,
    'Sign in at': ({ sign_in_path }) => `<URL of the gateway>${sign_in_path}`,
    Id: 'id',
  },
})
