import type { CallOutput } from '@bearing/client/call-types'
import { verb } from '../session/verb.js'
import { confirmFlags, confirmTyped } from '../session/confirm-typed.js'
import { LIMIT } from '../ground/arguments.js'
import { count, counted, second } from '../ground/output/format.js'
import { floorText, heightFacts } from './height.js'
import { readMoment } from '../ground/times.js'

type DevicePosition = CallOutput<'showDevicePosition'>

verb('positions show', {
  about: 'show the latest position of a device',
  takes: { '<serial>': 'serial number of the device' },
  examples: ['DEVICE-0001'],
  run: async (cli, { serial: device_serial }) => {
    const { client, organization, project } = await cli.session()
    const last = await client.call('showDevicePosition', { organization, project, device_serial })
    const { lat, lon, uncertainty, confidence, resolved_at } = last
    cli.output.record(
      {
        Latitude: degrees(lat),
        Longitude: degrees(lon),
        Uncertainty: `${meters(uncertainty)} (${String(confidence)} %)`,
        ...heightFacts(last),
        By: sourceOf(last),
        'Asked for': second(resolved_at),
      },
      last,
    )
  },
})

verb('positions list', {
  about: 'list the positions of a device, newest first',
  takes: {
    ...LIMIT,
    '<serial>': 'serial number of the device',
    '--from <time>': 'start, inclusive: 2027-01-31 or 2027-01-31T09:00:00Z',
    '--to <time>': 'end, exclusive',
  },
  examples: ['DEVICE-0001 --from 2027-01-31'],
  run: async (cli, { serial: device_serial, from, to, limit }) => {
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
        ...(found.some(({ floor }) => floor) && { Floor: floorText }),
        By: sourceOf,
      },
      'No positions of this device. Locate it: bearing locate --device <serial> --ap <address>=<dBm>. Whether the project stores positions: bearing positions policy show',
    )
  },
})

verb('positions delete', {
  about: 'delete all positions of a device; this cannot be undone',
  takes: { ...confirmFlags('serial'), '<serial>': 'serial number of the device' },
  examples: ['DEVICE-0001'],
  run: async (cli, { serial: device_serial, ...flags }) => {
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
  },
})

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
