import {
  exportedColumns,
  exportedRow,
  type DeclaredTypes,
} from '@bearing/contracts/management/devices/device-csv'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { counted } from '../output/format.js'
import { addOutputFlags, writeLines, type OutputFlags } from '../output/write-lines.js'
import { addFilters, filterOf, type FilterFlags } from './device-filters.js'
import { readDevices } from './read-devices.js'

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
      const attributes = await client.listAll('listAttributes', { organization, project })
      const declared: DeclaredTypes = new Map(attributes.map(({ name, type }) => [name, type]))
      let written = 0
      const lines = async function* () {
        yield exportedColumns(declared)
        for await (const { data } of readDevices(session, { ...filterOf(flags), with: 'attributes' }))
          for (const device of data) {
            written++
            yield exportedRow(device, declared)
          }
      }
      const where = await writeLines(cli, flags, lines())
      cli.output.done(`${counted(written, 'device')} exported${where}.`)
    })
}
