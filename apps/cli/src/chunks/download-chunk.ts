import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { idFrom } from '../id-argument.js'
import { checkDestination, saveDownload } from '../output/save-download.js'

interface Flags {
  readonly device: string
  readonly output?: string
  readonly force?: boolean
}

export function addDownloadChunk(chunk: Command, cli: Cli): void {
  chunk
    .command('download')
    .description('download a chunk as the device sent it')
    .argument('<id>', 'id of the chunk, from "bearing chunks list"', idFrom('bearing chunks list'))
    .requiredOption('-d, --device <serial>', 'serial number of the device')
    .option('--output <file>', 'output file, also -o; "-" is standard output (default: chunk-<id>)')
    .option('-f, --force', 'overwrite an existing file')
    .action(async (chunk_id: string, { device, output: path = `chunk-${chunk_id}`, force }: Flags) => {
      const { client, organization, project } = await cli.session()
      await checkDestination(cli, { path, force })
      const of = { organization, project, device_serial: device, chunk_id }
      if (!(await saveDownload(cli, { path }, client.download('readChunk', of)))) return
      cli.output.done(`${path} written.`)
      cli.output.record({ File: path }, { id: chunk_id, device_serial: device, file: path })
    })
}
