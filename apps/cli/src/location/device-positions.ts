import type { CallOutput } from '@bearing/client/call-types'
import { verb } from '../session/verb.js'
import { addConfirmFlags, confirmTyped, type ConfirmFlags } from '../session/confirm-typed.js'
import { addLimit, type LimitFlag } from '../ground/arguments.js'
import { count, counted, second } from '../ground/output/format.js'
import { readMoment } from '../ground/times.js'

type DevicePosition = CallOutput<'showDevicePosition'>

verb('positions show', { examples: ['DEVICE-0001'] }, (command, cli) =>
  command
    .description('show the latest position of a device')
    .argument('<serial>', 'serial number of the device')
    .action(async (device_serial: string) => {
      const { client, organization, project } = await cli.session()
      const last = await client.call('showDevicePosition', { organization, project, device_serial })
      const { lat, lon, uncertainty, confidence, resolved_at } = last
      cli.output.record(
        {
          Latitude: degrees(lat),
          Longitude: degrees(lon),
          Uncertainty: `${meters(uncertainty)} (${String(confidence)} %)`,
          By: sourceOf(last),
          'Asked for': second(resolved_at),
        },
        last,
      )
    }),
)

verb('positions list', { examples: ['DEVICE-0001 --from 2027-01-31'] }, (command, cli) =>
  addLimit(command)
    .description('list the positions of a device, newest first')
    .argument('<serial>', 'serial number of the device')
    .option('--from <time>', 'start, inclusive: 2027-01-31 or 2027-01-31T09:00:00Z')
    .option('--to <time>', 'end, exclusive')
    .action(
      async (device_serial: string, { from, to, limit }: LimitFlag & { from?: string; to?: string }) => {
        const between = {
          ...(from !== undefined && { from: readMoment('--from', from) }),
          ...(to !== undefined && { to: readMoment('--to', to) }),
        }
        const { client, organization, project } = await cli.session()
        const address = { organization, project, device_serial }
        const found: DevicePosition[] = await client.listAll(
          'listDevicePositions',
          { ...address, ...between },
          { limit },
        )
        cli.output.table(
          found,
          {
            'Asked for': ({ resolved_at }) => second(resolved_at),
            Latitude: { right: ({ lat }) => degrees(lat) },
            Longitude: { right: ({ lon }) => degrees(lon) },
            Uncertainty: { right: ({ uncertainty }) => meters(uncertainty) },
            Holds: { right: ({ confidence }) => `${String(confidence)} %` },
            By: sourceOf,
          },
          'No positions of this device. Locate it: bearing locate --device <serial> --ap <address>=<dBm>. Whether the project stores positions: bearing positions policy show',
        )
      },
    ),
)

verb('positions delete', { examples: ['DEVICE-0001'] }, (command, cli) =>
  addConfirmFlags(command, 'serial')
    .description('delete all positions of a device; this cannot be undone')
    .argument('<serial>', 'serial number of the device')
    .action(async (device_serial: string, flags: ConfirmFlags) => {
      await confirmTyped(cli, device_serial, `All stored positions of ${device_serial} are deleted.`, flags)
      const { client, organization, project } = await cli.session()
      const gone = await client.call('deleteDevicePositions', { organization, project, device_serial })
      cli.output.done(`${counted(gone.deleted.positions, 'position')} deleted.`)
      cli.output.record(
        {
          Serial: gone.device_serial,
          'Positions deleted': count(gone.deleted.positions),
          'Positions left': count(gone.left.positions),
        },
        gone,
      )
    }),
)

function sourceOf({ fulfilledWith, fallback }: DevicePosition): string {
  return fallback ? `${fulfilledWith}, by the fallback` : fulfilledWith
}

/** Six decimals are 0.1 m. */
function degrees(value: number): string {
  return value.toFixed(6)
}

function meters(value: number): string {
  return `${count(Math.round(value))} m`
}
