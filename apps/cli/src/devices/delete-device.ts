import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { count, counted } from '../output/format.js'
import { UsageError } from '../usage-error.js'

export function addDeleteDevice(devices: Command, cli: Cli): void {
  devices
    .command('delete')
    .description('delete a device and all its data; this cannot be undone')
    .argument('<serial>', 'serial number of the device')
    .requiredOption('--confirm <serial>', 'the serial number again, as confirmation')
    .action(async (device_serial: string, { confirm }: { confirm: string }) => {
      if (confirm !== device_serial) throw new UsageError('--confirm is not the serial number of the device.')
      await deleteOne(cli, device_serial)
    })
}

/** Deletes a device, and prints what was deleted. */
export async function deleteOne(cli: Cli, device_serial: string): Promise<void> {
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
