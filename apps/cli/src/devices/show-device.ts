import type { CallOutput } from '@bearing/client/call-types'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { count, moment } from '../output/format.js'
import { softwareOf } from './list-devices.js'

export function addShowDevice(devices: Command, cli: Cli): void {
  devices
    .command('show')
    .description('show a device')
    .argument('<serial>', 'serial number of the device')
    .action(async (device_serial: string) => {
      const { client, organization, project } = await cli.session()
      const device = await client.call('showDevice', { organization, project, device_serial })
      cli.output.record(deviceFields(device), device)
    })
}

/** A device, for people. */
export function deviceFields(device: CallOutput<'showDevice'>): Record<string, string> {
  return {
    Serial: device.device_serial,
    ...(device.nickname !== null && { Nickname: device.nickname }),
    Hardware: device.hardware_version ?? '–',
    Software: softwareOf(device),
    'First seen': moment(device.first_seen_at),
    'Last seen': moment(device.last_seen_at),
    Chunks: count(device.chunk_count),
    Bytes: count(device.chunk_bytes),
    Registered: moment(device.registered_at, 'no'),
    Id: device.id,
    ...Object.fromEntries(
      Object.entries(device.attributes ?? {}).map(([name, value]) => [`${name}:`, String(value)]),
    ),
  }
}
