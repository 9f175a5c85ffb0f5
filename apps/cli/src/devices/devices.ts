import type { CallOutput } from '@bearing/client/call-types'
import { readAttribute, ATTRIBUTE_FAULTS } from '@bearing/contracts/management/devices/attribute-text'
import type { AttributeValue } from '@bearing/contracts/management/devices/device-attribute'
import {
  exportedColumns,
  exportedRow,
  type DeclaredTypes,
} from '@bearing/contracts/management/devices/device-csv'
import { DEVICE_ORDERS } from '@bearing/contracts/management/devices/device-selection'
import { InvalidArgumentError } from 'commander'
import { wholeNumber, oneOf, parsed } from '../ground/arguments.js'
import type { Cells } from '../ground/output/cells.js'
import { count, moment, counted } from '../ground/output/format.js'
import { startProgress } from '../ground/output/progress.js'
import { UsageError } from '../ground/usage-error.js'
import type { Cli } from '../session/cli.js'
import type { Session } from '../session/session.js'
import { verb, callVerb } from '../session/verb.js'
import { exportItems, OUTPUT_FLAGS } from '../session/write-lines.js'
import { FILTERS, filterOf, readDevices } from './device-filters.js'

type Device = CallOutput<'showDevice'>

verb('devices list', {
  about: 'list the devices of a project',
  takes: {
    ...FILTERS,
    '--sort <order>': oneOf('order (default: serial)', DEVICE_ORDERS),
    '--attributes': 'with their attributes',
    '-L, --limit <devices>': parsed('maximum number of devices (default: all)', wholeNumber(1, 1_000_000)),
  },
  help: `Combine --q with --attribute name=value; and --silent-for, --seen-before, --seen-after and --never-seen with one version.
"-" before an order is descending: --sort=-last_seen.`,
  examples: ['--silent-for 7d --limit 20', '-o csv > devices.csv'],
  run: async (cli, { sort, limit, attributes, ...flags }) => {
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
  },
})

function columnsOf(found: readonly Device[]): Cells<Device> {
  const names = [...new Set(found.flatMap(({ attributes = {} }) => Object.keys(attributes)))].sort()
  return {
    Serial: 'device_serial',
    Nickname: found.some(({ nickname }) => nickname !== null) ? 'nickname' : undefined,
    ...{
      Hardware: 'hardware_version',
      Software: softwareOf,
      'Last seen': 'last_seen_at',
      Chunks: 'chunk_count',
    },
    ...Object.fromEntries(
      names.map((name) => [name, ({ attributes }: Device) => String(attributes?.[name] ?? '–')]),
    ),
  }
}

/** The software of a device, for people. */
export function softwareOf({ software_type, software_version }: Device): string {
  return [software_type, software_version].filter((part) => part !== null).join(' ') || '–'
}

const SERIAL = { '<serial>': 'serial number of the device' } as const

callVerb('devices show', {
  about: 'show a device',
  takes: SERIAL,
  examples: ['DEVICE-0001'],
  call: 'showDevice',
  input: ({ serial }) => ({ device_serial: serial }),
  after: printDevice,
})

function printDevice({ output }: Cli, device: Device): void {
  const attributes = Object.entries(device.attributes ?? {})
  output.show(device, {
    Serial: 'device_serial',
    Nickname: device.nickname === null ? undefined : 'nickname',
    ...{ Hardware: 'hardware_version', Software: softwareOf, 'First seen': 'first_seen_at' },
    ...{ 'Last seen': 'last_seen_at', Chunks: 'chunk_count', Bytes: 'chunk_bytes' },
    Registered: ({ registered_at }) => moment(registered_at, 'no'),
    Id: 'id',
    ...Object.fromEntries(attributes.map(([name, value]) => [`${name}:`, () => String(value)])),
  })
}

type Pair = readonly [name: string, value: string]

verb('devices set', {
  about: 'set the nickname and attributes of a device',
  takes: {
    ...SERIAL,
    '--nickname <name>': 'name for people; empty to remove it',
    '--attribute <name=value...>': { about: 'a declared attribute; empty value to remove it', parse: pair },
  },
  examples: ['DEVICE-0001 --nickname "Crane 7" --attribute customer=acme'],
  run: async (cli, { serial: device_serial, nickname, attribute: pairs }) => {
    if (nickname === undefined && pairs === undefined) throw new UsageError('Use --nickname or --attribute.')
    const session = await cli.session()
    const { client, organization, project } = session
    const attributes = pairs && (await valuesOf(session, pairs))
    const device = await client.call('changeDevice', {
      ...{ organization, project, device_serial },
      ...(nickname !== undefined && { nickname: nickname === '' ? null : nickname }),
      ...(attributes && { attributes }),
    })
    cli.output.done('Device changed.')
    printDevice(cli, device)
  },
})

function pair(text: string, before: readonly Pair[] = []): readonly Pair[] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('Use a name, "=" and a value.')
  return [...before, [name, value]]
}

/** Converts texts to values of the declared types. */
async function valuesOf(
  { client, organization, project }: Session,
  pairs: readonly Pair[],
): Promise<Record<string, AttributeValue | null>> {
  const declared = await client.listAll('listAttributes', { organization, project })
  const values = pairs.map(([name, text]) => {
    const type = declared.find((attribute) => attribute.name === name)?.type ?? 'string'
    const value = text === '' ? null : readAttribute(type, text)
    if (value === undefined) throw new UsageError(`The value of "${name}" ${ATTRIBUTE_FAULTS[type]}.`)
    return [name, value] as const
  })
  return Object.fromEntries(values)
}

verb('devices register', {
  about: 'register devices before they send data, for projects that accept only known devices',
  takes: {
    '<serials...>': 'serial numbers; for registered devices only the given facts change',
    '--hardware-version <version>': 'of each device',
    '--software-type <type>': 'of each device',
    '--software-version <version>': 'of each device',
  },
  examples: ['DEVICE-0001 DEVICE-0002 --hardware-version evt'],
  run: async (cli, { serials, ...flags }) => {
    const { client, organization, project } = await cli.session()
    const { output } = cli
    using progress = startProgress(output, 'Registering', serials.length)
    const registered: CallOutput<'registerDevice'>[] = []
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
    output.done(`${counted(registered.length, 'device')} registered.`)
    output.table(
      registered,
      {
        Serial: 'device_serial',
        Registered: (device) => moment(device.registered_at, '–'),
        'Last seen': (device) => moment(device.last_seen_at),
      },
      null,
    )
  },
})

verb('devices export', {
  about: 'export devices with their attributes as CSV',
  takes: { ...FILTERS, ...OUTPUT_FLAGS },
  help: `The columns are device_serial, nickname, one for each attribute ("attribute:<name>"), and what the device has sent. "bearing devices
import" reads the file; it leaves out what the device has sent. Text that a spreadsheet would run as a formula has an apostrophe in front.`,
  examples: ['--output devices.csv'],
  run: async (cli, flags) => {
    const session = await cli.session()
    const { client, organization, project } = session
    const attributes = await client.listAll('listAttributes', { organization, project })
    const declared: DeclaredTypes = new Map(attributes.map(({ name, type }) => [name, type]))
    const devices = async function* () {
      for await (const { data } of readDevices(session, { ...filterOf(flags), with: 'attributes' }))
        yield* data
    }
    await exportItems(cli, flags, 'device', devices(), {
      header: [exportedColumns(declared)],
      line: (device) => exportedRow(device, declared),
    })
  },
})
