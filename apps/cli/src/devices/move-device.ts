import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { spinning } from '../output/progress.js'
import { deviceFields } from './show-device.js'

/** `bearing devices move` */
export function addMoveDevice(devices: Command, cli: Cli): void {
  devices
    .command('move')
    .description('move a device with all its data to another project of the organization')
    .argument('<serial>', 'serial number of the device')
    .requiredOption('--to <project>', 'slug of the other project')
    .addHelpText(
      'after',
      `
Give the device the key of the other project first: data that it sends with the key of this project creates it here again.`,
    )
    .action(async (device_serial: string, { to: to_project }: { to: string }) => {
      const { client, organization, project } = await cli.session()
      const moved = await spinning(cli.output, `Moving ${device_serial}`, () =>
        client.call('moveDevice', { organization, project, device_serial, to_project }),
      )
      cli.output.done(
        moved.positions_moved ? 'Device moved.' : 'Device moved; its positions follow within a minute.',
      )
      cli.output.record(deviceFields(moved), moved)
    })
}
