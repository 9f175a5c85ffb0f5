import type { CallOutput } from '@bearing/client/call-types'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { count, counted, moment } from '../output/format.js'
import { startProgress } from '../output/progress.js'

interface Flags {
  readonly hardwareVersion?: string
  readonly softwareType?: string
  readonly softwareVersion?: string
}

export function addRegisterDevices(devices: Command, cli: Cli): void {
  devices
    .command('register')
    .description('register devices before they send data, for projects that accept only known devices')
    .argument('<serials...>', 'serial numbers; for registered devices only the given facts change')
    .option('--hardware-version <version>', 'of each device')
    .option('--software-type <type>', 'of each device')
    .option('--software-version <version>', 'of each device')
    .action(async (serials: string[], flags: Flags) => {
      const { client, organization, project } = await cli.session()
      const { output, terminal } = cli
      const progress = startProgress(output, 'Registering', serials.length, terminal.stderr)
      const registered: CallOutput<'registerDevice'>[] = []
      try {
        for (const device_serial of serials) {
          const device = await client.call('registerDevice', {
            ...{ organization, project, device_serial },
            hardware_version: flags.hardwareVersion,
            software_type: flags.softwareType,
            software_version: flags.softwareVersion,
          })
          registered.push(device)
          progress.update(
            registered.length,
            `${count(registered.length)} of ${counted(serials.length, 'device')}`,
          )
        }
      } finally {
        progress.stop()
      }
      output.done(`${counted(registered.length, 'device')} registered.`)
      output.table(
        registered,
        [
          ['Serial', (device) => device.device_serial],
          ['Registered', (device) => moment(device.registered_at, '–')],
          ['Last seen', (device) => moment(device.last_seen_at)],
        ],
        null,
      )
    })
}
