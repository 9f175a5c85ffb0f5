import type { CallOutput } from '@bearing/client/call-types'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { count, counted } from '../output/format.js'
import { addDataPolicy } from './data-policy.js'
import { addRegisterDevices } from './register-devices.js'
import { addSampling } from './sampling.js'
import { UsageError } from '../usage-error.js'

/** `bearing devices list`, `show`, `register`, `delete`, `policy` and `sampling` */
export function addDevices(program: Command, cli: Cli): void {
  const devices = program.command('devices').description('the devices of a project')
  devices
    .command('list')
    .description('list the devices of a project')
    .action(async () => {
      const { client, organization, project } = await cli.session()
      const found = await client.listAll('listDevices', { organization, project })
      cli.output.table(found, [
        ['Serial', ({ device_serial }) => device_serial],
        ['Hardware', ({ hardware_version }) => hardware_version ?? '–'],
        ['Software', softwareOf],
        ['Last seen', ({ last_seen_at }) => last_seen_at ?? 'never'],
        ['Chunks', ({ chunk_count }) => count(chunk_count), 'right'],
      ])
    })
  devices
    .command('show')
    .description('show a device')
    .argument('<serial>', 'serial number of the device')
    .action(async (device_serial: string) => {
      const { client, organization, project } = await cli.session()
      const device = await client.call('showDevice', { organization, project, device_serial })
      cli.output.record(deviceFields(device), device)
    })
  addRegisterDevices(devices, cli)
  addDelete(devices, cli)
  addDataPolicy(devices, cli)
  addSampling(devices, cli)
}

function addDelete(devices: Command, cli: Cli): void {
  devices
    .command('delete')
    .description('delete a device and all its data; this cannot be undone')
    .argument('<serial>', 'serial number of the device')
    .requiredOption('--confirm <serial>', 'the serial number again, as confirmation')
    .action(async (device_serial: string, { confirm }: { confirm: string }) => {
      if (confirm !== device_serial) throw new UsageError('--confirm is not the serial number of the device.')
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
    })
}

function deviceFields(device: CallOutput<'showDevice'>): Record<string, string> {
  return {
    Serial: device.device_serial,
    Hardware: device.hardware_version ?? '–',
    Software: softwareOf(device),
    'First seen': device.first_seen_at ?? 'never',
    'Last seen': device.last_seen_at ?? 'never',
    Chunks: count(device.chunk_count),
    Bytes: count(device.chunk_bytes),
    Registered: device.registered_at ?? 'no',
    Id: device.id,
  }
}

function softwareOf({ software_type, software_version }: CallOutput<'showDevice'>): string {
  return [software_type, software_version].filter((part) => part !== null).join(' ') || '–'
}
