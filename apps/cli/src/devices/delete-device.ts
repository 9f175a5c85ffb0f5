import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addConfirmFlags, confirmTyped, type ConfirmFlags } from '../confirm-typed.js'
import { count, counted } from '../output/format.js'
import { UsageError } from '../usage-error.js'
import { deleteMany, type ManyFlags } from './delete-many.js'
import { addFilters } from './device-filters.js'

type Flags = ManyFlags & ConfirmFlags

export function addDeleteDevice(devices: Command, cli: Cli): void {
  addFilters(addConfirmFlags(devices.command('delete'), 'serial'))
    .description('delete a device, or all devices that match filters, with all data; this cannot be undone')
    .argument('[serial]', 'serial number of the device')
    .option('--dry-run', 'with filters: print which devices would be deleted')
    .action(async (device_serial: string | undefined, { confirm, yes, ...flags }: Flags) => {
      if (device_serial === undefined) {
        if (confirm !== undefined)
          throw new UsageError('--confirm is for one device: name its serial number.')
        await deleteMany(cli, { ...flags, yes })
        return
      }
      if (Object.keys(flags).length > 0)
        throw new UsageError('Use either a serial number, or filters with --dry-run or --yes.')
      await confirmTyped(cli, device_serial, `All data of ${device_serial} is deleted.`, { confirm, yes })
      await deleteOne(cli, device_serial)
    })
}

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
