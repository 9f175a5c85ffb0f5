import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { ProblemError } from '@bearing/client/errors'
import { verb } from '../../session/verb.js'
import type { Cli } from '../../session/cli.js'
import { count, counted } from '../../ground/output/format.js'
import { ExportFolder } from './export-folder.js'
import { ExportParts, type Part } from './export-parts.js'
import { required } from '../../ground/arguments.js'

/** Between two lines about a long file, in milliseconds. */
const PROGRESS_MS = 5_000

verb('organizations export', {
  about: 'write the configuration and the data lists of an organization to a folder',
  takes: {
    '[slug]': 'slug of the organization (default: --org)',
    '--output <folder>': required('new folder, or that of an interrupted export, which continues'),
  },
  help: `Secrets are left out, and of the URLs of webhooks everything but the host. Contents of files, chunks, the audit log and observations
have their own commands. "manifest.json" has the number of items and the SHA-256 of each file; only you can read the files.`,
  examples: ['acme --output acme-export'],
  run: async (cli, { slug, output }) => {
    const session = await cli.session()
    const organization = slug ?? session.organization
    const { id } = await session.client.call('showOrganization', { organization })
    const folder = await ExportFolder.open(output, id, new Date(cli.terminal.now()))
    const parts = new ExportParts(session, organization, cli.terminal.signal)
    await exportParts(cli, folder, parts.ofOrganization())
    for await (const project of projectsOf(folder))
      await exportParts(cli, folder, parts.ofProject(project, folder))
    const manifest = await folder.end(new Date(cli.terminal.now()))
    cli.output.document(manifest)
    if (manifest.completed_at === null) {
      cli.exitCode = 1
      cli.output.notice(
        `${counted(manifest.left_out.length, 'file')} left out, because the credential may not read them. Run the command again as an admin of the organization.`,
      )
    } else cli.output.done(`${counted(manifest.files.length, 'file')} exported to ${output}.`)
  },
})

async function exportParts(cli: Cli, folder: ExportFolder, parts: readonly Part[]): Promise<void> {
  for (const part of parts) {
    if (await folder.has(part.path)) continue
    try {
      const { items, path } = await writePart(cli, folder, part)
      cli.output.say(`${path}: ${count(items)}`)
    } catch (error) {
      if (!(error instanceof ProblemError && error.status === 403)) throw error
      await folder.leaveOut(part.path, error.code)
    }
  }
}

async function writePart(cli: Cli, folder: ExportFolder, part: Part) {
  if ('rows' in part) return folder.write(part.path, lines(cli, part.path, part.rows()))
  const text = JSON.stringify(await part.object(), null, 2)
  async function* one() {
    yield await Promise.resolve(text)
  }
  return folder.write(part.path, one(), 1)
}

async function* lines(cli: Cli, path: string, rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  let written = 0
  let saidMs = performance.now()
  for await (const row of rows) {
    yield JSON.stringify(row)
    written++
    if (performance.now() - saidMs < PROGRESS_MS) continue
    saidMs = performance.now()
    cli.output.say(`${path}: ${count(written)} so far`)
  }
}

/** Reads the slugs of the projects from their file: an interrupted export continues with the same ones. */
async function* projectsOf(folder: ExportFolder): AsyncGenerator<string> {
  if (!(await folder.has('projects.ndjson'))) return
  for await (const line of createInterface({ input: createReadStream(folder.pathOf('projects.ndjson')) }))
    yield (JSON.parse(line) as { slug: string }).slug // a line that this command wrote
}
