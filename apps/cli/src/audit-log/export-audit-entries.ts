import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { counted } from '../output/format.js'
import { addOutputFlags, writeLines, type OutputFlags } from '../output/write-lines.js'
import { addFilters, filtersOf, type FilterFlags } from './filters.js'

export function addExportAuditEntries(auditLog: Command, cli: Cli): void {
  addOutputFlags(
    addFilters(
      auditLog
        .command('export')
        .description('write the audit log of an organization, oldest first, one JSON object on each line'),
    ),
  )
    .addHelpText(
      'after',
      `
Without a filter, the file contains the whole chain: "bearing audit-log verify <file>" proves that no row was changed or removed.`,
    )
    .action(async ({ output, force, ...flags }: FilterFlags & OutputFlags) => {
      const session = await cli.session()
      const rows = session.client.stream('exportAuditEntries', {
        organization: session.organization,
        ...(await filtersOf(session, flags)),
      })
      let written = 0
      const lines = async function* () {
        for await (const row of rows) {
          written++
          yield JSON.stringify(row)
        }
      }
      const given = { ...(output !== undefined && { output }), ...(force !== undefined && { force }) }
      const where = await writeLines(cli, given, lines())
      cli.output.done(`${counted(written, 'row')} exported${where}.`)
    })
}
