import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { counted } from '../output/format.js'
import { writeLines } from '../output/write-lines.js'
import { addFilters, filtersOf, type FilterFlags } from './filters.js'

/** `bearing audit-log export` */
export function addExportAuditEntries(auditLog: Command, cli: Cli): void {
  addFilters(
    auditLog
      .command('export')
      .description('write the audit log of an organization, oldest first, one JSON object on each line'),
  )
    .option('--output <file>', 'a file, instead of standard output; it appears once all of it is there')
    .addHelpText(
      'after',
      `
Without a filter it is the whole chain: "bearing audit-log verify <file>" proves that no row was changed or taken away.`,
    )
    .action(async ({ output, ...flags }: FilterFlags & { readonly output?: string }) => {
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
      await writeLines(cli, output, lines())
      cli.output.done(`${counted(written, 'row')} exported${output === undefined ? '' : ` to ${output}`}.`)
    })
}
