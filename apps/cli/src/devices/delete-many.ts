import { setTimeout as sleep } from 'node:timers/promises'
import type { CallOutput } from '@bearing/client/call-types'
import type { Cli } from '../cli.js'
import { count, counted, moment } from '../output/format.js'
import { startProgress } from '../output/progress.js'
import { retryTransient } from '../retry-transient.js'
import type { Session } from '../session.js'
import { UsageError } from '../usage-error.js'
import { filterOf, type FilterFlags } from './device-filters.js'

/** How often the progress is read, in milliseconds. */
const POLL_MS = 1_000

/** How devices are deleted by filter. */
export interface ManyFlags extends FilterFlags {
  readonly dryRun?: boolean
  readonly yes?: boolean | undefined
}

/** Previews the deletion of all devices that match, and deletes them with `--yes`. */
export async function deleteMany(cli: Cli, { dryRun, yes, ...flags }: ManyFlags): Promise<void> {
  const filter = filterOf(flags)
  if (Object.keys(filter).length === 0) throw new UsageError('Name a serial number, or at least one filter.')
  if ((dryRun === true) === (yes === true))
    throw new UsageError('Use --dry-run to see which devices would be deleted, and --yes to delete them.')
  const session = await cli.session()
  const { client, organization, project } = session
  const preview = await client.call('previewDeviceDeletion', { organization, project, ...filter })
  if (dryRun === true) {
    cli.output.table(
      preview.devices,
      [
        ['Serial', ({ device_serial }) => device_serial],
        ['Nickname', ({ nickname }) => nickname ?? '–'],
        ['Last seen', ({ last_seen_at }) => moment(last_seen_at)],
        ['Chunks', ({ chunk_count }) => count(chunk_count), 'right'],
      ],
      null,
      preview,
    )
    cli.output.say(`Would delete ${counted(preview.count, 'device')}.`)
    return
  }
  const begun = await client.call('deleteDevices', { organization, project, ...filter, token: preview.token })
  const ended = await follow(cli, session, begun)
  cli.output.done(`${counted(ended.deleted, 'device')} deleted.`)
  cli.output.record(
    { Id: ended.id, State: ended.state, Deleted: count(ended.deleted), Matched: count(ended.total) },
    ended,
  )
}

/** Waits for the end. The deletion continues if this command is interrupted. */
async function follow(
  cli: Cli,
  { client, organization, project }: Session,
  begun: CallOutput<'deleteDevices'>,
): Promise<CallOutput<'showDeviceDeletion'>> {
  const { signal, stderr } = cli.terminal
  const progress = startProgress(cli.output, 'Deleting', begun.total, stderr)
  try {
    for (let deletion = begun; ;) {
      if (deletion.state !== 'running') return deletion
      progress.update(deletion.deleted, `${count(deletion.deleted)} of ${counted(deletion.total, 'device')}`)
      await sleep(POLL_MS, undefined, { signal })
      deletion = await retryTransient(signal, () =>
        client.call('showDeviceDeletion', { organization, project, deletion_id: begun.id }),
      )
    }
  } finally {
    progress.stop()
  }
}
