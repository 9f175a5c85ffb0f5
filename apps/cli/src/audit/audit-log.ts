import type { ListItem } from '@bearing/client/call-types'
import { MAX_PER_PAGE } from '@bearing/contracts/primitives'
import type { Command } from 'commander'
import { verb } from '../session/verb.js'
import { count, second, counted } from '../ground/output/format.js'
import { UsageError } from '../ground/usage-error.js'
import { addOutputFlags, writeLines, type OutputFlags } from '../session/write-lines.js'
import { findUserId } from '../tenancy/members.js'
import { readMoment } from '../ground/times.js'
import type { Session } from '../session/session.js'

type Entry = ListItem<'listAuditEntries'>

verb('audit-log list', { examples: ['--action project_key --limit 20'] }, (command, cli) =>
  addFilters(command.description('list the audit events of an organization, newest first'))
    .option('-L, --limit <rows>', 'maximum number of rows', '100')
    .action(async ({ limit, ...flags }: FilterFlags & { readonly limit: string }) => {
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
    }),
)

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

verb('audit-log export', { examples: ['--output audit.ndjson'] }, (command, cli) =>
  addOutputFlags(
    addFilters(
      command.description(
        'write the audit log of an organization, oldest first, one JSON object on each line',
      ),
    ),
  )
    .addHelpText(
      'after',
      `
Without a filter, the file contains the whole chain: "bearing audit-log verify <file>" proves that no row was changed or removed.`,
    )
    .action(async ({ output, force, ...flags }: FilterFlags & OutputFlags) => {
      const session = await cli.session()
      const rows = session.client.stream('exportAuditEntries', {
        organization: session.organization,
        ...(await filtersOf(session, flags)),
      })
      let written = 0
      const lines = async function* () {
        for await (const row of rows) {
          written++
          yield JSON.stringify(row)
        }
      }
      const given = { ...(output !== undefined && { output }), ...(force !== undefined && { force }) }
      const where = await writeLines(cli, given, lines())
      cli.output.done(`${counted(written, 'row')} exported${where}.`)
    }),
)

/** Filters of an audit log, as flags. */
interface FilterFlags {
  readonly action?: string
  readonly actor?: string
  readonly target?: string
  readonly requestId?: string
  readonly from?: string
  readonly to?: string
}

function addFilters(command: Command): Command {
  return command
    .option(
      '--action <action>',
      'an action such as project_key.cycled, or all actions on a kind: project_key',
    )
    .option('--actor <who>', 'email address of a member, or id of a user or credential')
    .option('--target <what>', 'the target, such as user:<id>')
    .option('--request-id <id>', 'actions of one request')
    .option('--from <time>', 'start, inclusive: 2027-01-31 or 2027-01-31T09:00:00Z')
    .option('--to <time>', 'end, exclusive')
}

/** Converts the flags to fields of the operation. */
async function filtersOf(session: Session, flags: FilterFlags) {
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
