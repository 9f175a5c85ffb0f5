import type { CallOutput } from '@bearing/client/call-types'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { counted } from '../output/format.js'
import { addOutputFlags, writeLines, type OutputFlags } from '../output/write-lines.js'
import { writeCell } from './csv-cells.js'
import { addFilters, filterOf, type FilterFlags } from './device-filters.js'
import { readDevices } from './read-devices.js'

type Device = CallOutput<'showDevice'>

const FACTS = [
  'hardware_version',
  'software_type',
  'software_version',
  'first_seen_at',
  'last_seen_at',
  'registered_at',
] as const

export function addExportDevices(devices: Command, cli: Cli): void {
  addOutputFlags(
    addFilters(devices.command('export').description('export devices with their attributes as CSV')),
  )
    .addHelpText(
      'after',
      `
The columns are device_serial, nickname, one for each attribute ("attribute:<name>"), and what the device has sent. "bearing devices
import" reads the file; it leaves out what the device has sent. Text that a spreadsheet would run as a formula has an apostrophe in front.`,
    )
    .action(async (flags: FilterFlags & OutputFlags) => {
      const session = await cli.session()
      const { client, organization, project } = session
      const declared = await client.listAll('listAttributes', { organization, project })
      let written = 0
      const lines = async function* () {
        const names = declared.map(({ name }) => `attribute:${name}`)
        yield ['device_serial', 'nickname', ...names, ...FACTS].join()
        for await (const { data } of readDevices(session, { ...filterOf(flags), with: 'attributes' }))
          for (const device of data) {
            written++
            yield lineOf(device)
          }
      }
      const lineOf = (device: Device) =>
        [
          writeCell(device.device_serial, true),
          writeCell(device.nickname ?? '', true),
          ...declared.map(({ name, type }) =>
            writeCell(String(device.attributes?.[name] ?? ''), type === 'string'),
          ),
          ...FACTS.map((fact) => writeCell(device[fact] ?? '', true)),
        ].join()
      const where = await writeLines(cli, flags, lines())
      cli.output.done(`${counted(written, 'device')} exported${where}.`)
    })
}
