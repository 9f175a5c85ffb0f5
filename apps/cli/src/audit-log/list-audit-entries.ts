import type { ListItem } from '@bearing/client/call-types'
import { MAX_PER_PAGE } from '@bearing/contracts/primitives'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { count, second } from '../output/format.js'
import { UsageError } from '../usage-error.js'
import { addFilters, filtersOf, type FilterFlags } from './filters.js'

type Entry = ListItem<'listAuditEntries'>

export function addListAuditEntries(auditLog: Command, cli: Cli): void {
  addFilters(auditLog.command('list').description('list the audit events of an organization, newest first'))
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
        [
          ['At', ({ at }) => second(at)],
          ['Actor', actorOf],
          ['Action', ({ action }) => action],
          ['Target', ({ target }) => target],
          ['Details', ({ details }) => detailsOf(details)],
          ['From', ({ address }) => address ?? ''],
          ['Request', ({ request_id }) => request_id],
        ],
        'No audit event matches. Give fewer filters, or a longer time with --from and --to.',
      )
      if (paging.total_count > data.length)
        cli.output.say(
          `${count(data.length)} of ${paging.total_is_minimum ? 'more than ' : ''}${count(paging.total_count)} rows. More: --limit, a filter, or "bearing audit-log export".`,
        )
    })
}

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
