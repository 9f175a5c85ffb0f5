import type { CallOutput } from '@bearing/client/call-types'
import { DEVICE_ORDERS, type DeviceOrder } from '@bearing/contracts/management/devices/device-selection'
import { Option, type Command } from 'commander'
import type { Cli } from '../cli.js'
import { count, moment } from '../output/format.js'
import type { Column } from '../output/output.js'
import { wholeNumber } from '../whole-number.js'
import { addFilters, filterOf, type FilterFlags } from './device-filters.js'
import { readDevices } from './read-devices.js'

type Device = CallOutput<'showDevice'>

interface Flags extends FilterFlags {
  readonly sort?: DeviceOrder
  readonly limit?: number
  readonly attributes?: boolean
}

export function addListDevices(devices: Command, cli: Cli): void {
  addFilters(devices.command('list').description('list the devices of a project'))
    .addOption(new Option('--sort <order>', 'order (default: serial)').choices(DEVICE_ORDERS))
    .option('--attributes', 'with their attributes')
    .option('-L, --limit <devices>', 'maximum number of devices (default: all)', wholeNumber(1, 1_000_000))
    .addHelpText(
      'after',
      `
Combine --q with --attribute name=value; and --silent-for, --seen-before, --seen-after and --never-seen with one version.
"-" before an order is descending: --sort=-last_seen.`,
    )
    .action(async ({ sort, limit, attributes, ...flags }: Flags) => {
      const session = await cli.session()
      const query = {
        ...filterOf(flags),
        ...(sort !== undefined && { sort }),
        ...(attributes === true && { with: 'attributes' as const }),
      }
      const found: Device[] = []
      let paging: CallOutput<'listDevices'>['paging'] | undefined
      for await (const page of readDevices(session, query, limit)) {
        paging ??= page.paging
        found.push(...page.data)
      }
      cli.output.table(
        found,
        columnsOf(found),
        Object.keys(filterOf(flags)).length > 0
          ? 'No device matches. Give fewer filters.'
          : 'No devices yet. They appear when they send data; or: bearing devices register <serial>',
      )
      if (paging && paging.total_count > found.length)
        cli.output.say(
          `${count(found.length)} of ${paging.total_is_minimum ? 'more than ' : ''}${count(paging.total_count)} devices.`,
        )
    })
}

function columnsOf(found: readonly Device[]): Column<Device>[] {
  const isNamed = found.some(({ nickname }) => nickname !== null)
  const names = [...new Set(found.flatMap(({ attributes = {} }) => Object.keys(attributes)))].sort()
  return [
    ['Serial', ({ device_serial }) => device_serial],
    ...(isNamed ? [['Nickname', ({ nickname }) => nickname ?? '–'] satisfies Column<Device>] : []),
    ['Hardware', ({ hardware_version }) => hardware_version ?? '–'],
    ['Software', softwareOf],
    ['Last seen', ({ last_seen_at }) => moment(last_seen_at)],
    ['Chunks', ({ chunk_count }) => count(chunk_count), 'right'],
    ...names.map((name): Column<Device> => [name, ({ attributes }) => String(attributes?.[name] ?? '–')]),
  ]
}

/** The software of a device, for people. */
export function softwareOf({ software_type, software_version }: Device): string {
  return [software_type, software_version].filter((part) => part !== null).join(' ') || '–'
}
