import { ID, callVerb, listVerb } from '../session/verb.js'
import { idOf } from '../ground/arguments.js'
import { findProjectIds } from './find-project-ids.js'

const FROM_LIST = 'bearing sso partner-links list'
const REQUEST = { '<id>': idOf(`id of the request, from "${FROM_LIST}"`, FROM_LIST) } as const

listVerb('sso partner-links list', {
  about: 'list the requests of partner teams to be linked with an organization; for admins',
  list: 'listPartnerLinks',
  columns: {
    Team: 'team_name',
    Partner: 'partner',
    'Asked by': 'requested_by',
    'Asked at': 'requested_at',
    Id: 'id',
  },
  empty: 'No team asks to be linked.',
})

callVerb('sso partner-links confirm', {
  about:
    'link a team with an organization: its users become members when they sign in, the requester first, and with --project members of that project too',
  takes: REQUEST,
  examples: [ID],
  call: 'confirmPartnerLink',
  input: async ({ id }, session, cli) => {
    const [join_project_id] = await findProjectIds(session, cli.projectFlags.slice(0, 1))
    return { partner_link_id: id, join_project_id }
  },
  done: 'Team linked. Its users become members when they sign in.',
  show: {},
})

callVerb('sso partner-links refuse', {
  about: 'reject the request of a team',
  takes: REQUEST,
  examples: [ID],
  call: 'refusePartnerLink',
  input: ({ id: partner_link_id }) => ({ partner_link_id }),
  done: 'Request rejected.',
  show: {},
})
