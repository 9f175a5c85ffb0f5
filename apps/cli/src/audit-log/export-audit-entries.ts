import { open, rename, rm } from 'node:fs/promises'
import { once } from 'node:events'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { counted } from '../output/format.js'
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
      const written = await (output === undefined ? toStdout(cli, rows) : toFile(output, rows))
      cli.output.done(`${counted(written, 'row')} exported${output === undefined ? '' : ` to ${output}`}.`)
    })
}

/** What is cut off by an error must not be taken for the whole. */
async function toFile(path: string, rows: AsyncIterable<unknown>): Promise<number> {
  const part = `${path}.part`
  // Of nobody else: it says who did what from where.
  const file = await open(part, 'w', 0o600)
  try {
    const written = await writeRows(rows, (line) => file.appendFile(line))
    await file.sync()
    await file.close()
    await rename(part, path)
    return written
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(part, { force: true })
    throw error
  }
}

function toStdout({ terminal: { stdout } }: Cli, rows: AsyncIterable<unknown>): Promise<number> {
  return writeRows(rows, async (line) => {
    if (!stdout.write(line)) await once(stdout, 'drain')
  })
}

/** Rows that are written at once. */
const WRITTEN_AT_ONCE = 500

async function writeRows(
  rows: AsyncIterable<unknown>,
  write: (text: string) => Promise<void>,
): Promise<number> {
  let written = 0
  let lines: string[] = []
  for await (const row of rows) {
    lines.push(`${JSON.stringify(row)}\n`)
    written++
    if (lines.length < WRITTEN_AT_ONCE) continue
    await write(lines.join(''))
    lines = []
  }
  await write(lines.join(''))
  return written
}
