import { setTimeout as sleep } from 'node:timers/promises'
import type { CallOutput } from '@bearing/client/call-types'
import { ID, verb, callVerb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { confirmFlags, confirmTyped } from '../session/confirm-typed.js'
import { count, counted } from '../ground/output/format.js'
import { UsageError } from '../ground/usage-error.js'
import { FILTERS, filterOf, type FilterFlags } from './device-filters.js'
import { startProgress } from '../ground/output/progress.js'
import { retryTransient } from '@bearing/client/retry-transient'
import type { Session } from '../session/session.js'
import { idOf } from '../ground/arguments.js'

verb('devices delete', {
  about: 'delete a device, or all devices that match filters, with all data; this cannot be undone',
  takes: {
    ...confirmFlags('serial'),
    ...FILTERS,
    '[serial]': 'serial number of the device',
    '--dry-run': 'with filters: print which devices would be deleted',
  },
  examples: ['DEVICE-0001', '--silent-for 365d --dry-run'],
  run: async (cli, { serial: device_serial, confirm, yes, ...flags }) => {
    if (device_serial === undefined) {
      if (confirm !== undefined) throw new UsageError('--confirm is for one device: name its serial number.')
      await deleteMany(cli, { ...flags, yes })
      return
    }
    if (Object.keys(flags).length > 0)
      throw new UsageError('Use either a serial number, or filters with --dry-run or --yes.')
    await confirmTyped(cli, device_serial, `All data of ${device_serial} is deleted.`, { confirm, yes })
    await deleteOne(cli, device_serial)
  },
})

/** Deletes a device, and prints what was deleted. */
async function deleteOne(cli: Cli, device_serial: string): Promise<void> {
  const { client, organization, project } = await cli.session()
  const gone = await client.call('deleteDevice', { organization, project, device_serial })
  const { chunks, bytes } = gone.deleted
  cli.output.done(`Device deleted, with ${counted(chunks, 'chunk')}.`)
  cli.output.record(
    {
      Serial: gone.device_serial,
      'Chunks deleted': count(chunks),
      'Bytes deleted': count(bytes),
      'Files deleted': count(gone.deleted.files),
      'Positions deleted': count(gone.deleted.positions),
      'Chunks left': count(gone.left.chunks),
      'Files left': count(gone.left.files),
      'Positions left': count(gone.left.positions),
    },
    gone,
  )
}

/** Interval between reads of the progress, in milliseconds. */
const POLL_MS = 1_000

/** Flags of a deletion by filter. */
interface ManyFlags extends FilterFlags {
  readonly dryRun?: boolean | undefined
  readonly yes?: boolean | undefined
}

/** Previews the deletion of all devices that match, and deletes them with `--yes`. */
async function deleteMany(cli: Cli, { dryRun, yes, ...flags }: ManyFlags): Promise<void> {
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
      { Serial: 'device_serial', Nickname: 'nickname', 'Last seen': 'last_seen_at', Chunks: 'chunk_count' },
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
  const { signal } = cli.terminal
  using progress = startProgress(cli.output, 'Deleting', begun.total)
  for (let deletion = begun; ;) {
    if (deletion.state !== 'running') return deletion
    progress.update(deletion.deleted, `${count(deletion.deleted)} of ${counted(deletion.total, 'device')}`)
    await sleep(POLL_MS, undefined, { signal })
    deletion = await retryTransient(signal, () =>
      client.call('showDeviceDeletion', { organization, project, deletion_id: begun.id }),
    )
  }
}

callVerb('devices deletions show', {
  about: 'show the progress of a deletion',
  takes: { '<id>': idOf('id of the deletion', 'bearing devices delete') },
  examples: [ID],
  call: 'showDeviceDeletion',
  input: ({ id: deletion_id }) => ({ deletion_id }),
  after: print,
})

callVerb('devices deletions stop', {
  about: 'stop a deletion; devices that were deleted stay deleted',
  takes: { '<id>': idOf('id of the deletion', 'bearing devices delete') },
  examples: [ID],
  call: 'stopDeviceDeletion',
  input: ({ id: deletion_id }) => ({ deletion_id }),
  done: 'Deletion stopped.',
  after: print,
})

function print({ output }: Cli, shown: CallOutput<'showDeviceDeletion'>): void {
  output.record(
    { Id: shown.id, State: shown.state, Deleted: count(shown.deleted), Matched: count(shown.total) },
    shown,
  )
}
