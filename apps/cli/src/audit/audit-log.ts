import type { ListItem } from '@bearing/client/call-types'
import { MAX_PER_PAGE } from '@bearing/contracts/primitives'
import type { ValuesOf } from '../ground/arguments.js'
import { count, second } from '../ground/output/format.js'
import { readMoment } from '../ground/times.js'
import { UsageError } from '../ground/usage-error.js'
import type { Session } from '../session/session.js'
import { verb } from '../session/verb.js'
import { exportItems, OUTPUT_FLAGS } from '../session/write-lines.js'
import { findUserId } from '../tenancy/members.js'

/** Filters of an audit log, as options. */
const FILTERS = {
  '--action <action>': 'an action such as project_key.cycled, or all actions on a kind: project_key',
  '--actor <who>': 'email address of a member, or id of a user or credential',
  '--target <what>': 'the target, such as user:<id>',
  '--request-id <id>': 'actions of one request',
  '--from <time>': 'start, inclusive: 2027-01-31 or 2027-01-31T09:00:00Z',
  '--to <time>': 'end, exclusive',
} as const

type Entry = ListItem<'listAuditEntries'>

verb('audit-log list', {
  about: 'list the audit events of an organization, newest first',
  takes: { ...FILTERS, '-L, --limit <rows>': { about: 'maximum number of rows', initial: '100' } },
  examples: ['--action project_key --limit 20'],
  run: async (cli, { limit, ...flags }) => {
    const perPage = rowsOf(limit)
    const session = await cli.session()
    const { client, organization } = session
    const filters = await filtersOf(session, flags)
    const { data, paging } = await client.call('listAuditEntries', {
      organization,
      ...filters,
      page: 1,
      per_page: perPage,
    })
    cli.output.table(
      data,
      {
        At: ({ at }) => second(at),
        Actor: actorOf,
        Action: 'action',
        Target: 'target',
        Details: ({ details }) => detailsOf(details),
        From: ({ address }) => address ?? '',
        Request: 'request_id',
      },
      'No audit event matches. Give fewer filters, or a longer time with --from and --to.',
    )
    if (paging.total_count > data.length)
      cli.output.say(
        `${count(data.length)} of ${paging.total_is_minimum ? 'more than ' : ''}${count(paging.total_count)} rows. More: --limit, a filter, or "bearing audit-log export".`,
      )
  },
})

function rowsOf(text: string): number {
  const rows = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (rows < 1 || rows > MAX_PER_PAGE)
    throw new UsageError(`--limit must be a number from 1 to ${count(MAX_PER_PAGE)}.`)
  return rows
}

function actorOf({
  actor_kind,
  actor_email,
  actor_user_id,
  actor_credential_id,
  actor_service,
}: Entry): string {
  switch (actor_kind) {
    case 'user':
      return actor_email ?? `user ${actor_user_id ?? ''}`
    case 'service':
      return actor_service ?? 'a service'
    case 'anonymous':
      return 'anonymous'
    default:
      return `${actor_kind.replace('_', ' ')} ${actor_credential_id ?? ''}`
  }
}

function detailsOf(details: Entry['details']): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}=${Array.isArray(value) ? value.join(',') : String(value)}`)
    .join(' ')
}

verb('audit-log export', {
  about: 'write the audit log of an organization, oldest first, one JSON object on each line',
  takes: { ...FILTERS, ...OUTPUT_FLAGS },
  help: `Without a filter, the file contains the whole chain: "bearing audit-log verify <file>" proves that no row was changed or removed.`,
  examples: ['--output audit.ndjson'],
  run: async (cli, { output, force, ...flags }) => {
    const session = await cli.session()
    const rows = session.client.stream('exportAuditEntries', {
      organization: session.organization,
      ...(await filtersOf(session, flags)),
    })
    await exportItems(cli, { output, force }, 'row', rows)
  },
})

/** Converts the flags to fields of the operation. */
async function filtersOf(session: Session, flags: ValuesOf<typeof FILTERS>) {
  const { action, actor, target, requestId, from, to } = flags
  return {
    ...(action !== undefined && { action }),
    ...(actor !== undefined && { actor: await findUserId(session, actor) }),
    ...(target !== undefined && { target }),
    ...(requestId !== undefined && { request_id: requestId }),
    ...(from !== undefined && { from: readMoment('--from', from) }),
    ...(to !== undefined && { to: readMoment('--to', to) }),
  }
}
