import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addLimit, type LimitFlag } from '../limit.js'
import { count, second } from '../output/format.js'

export function addListChunks(chunk: Command, cli: Cli): void {
  addLimit(chunk.command('list'))
    .description('list the chunks of a device, in the order in which it sent them')
    .argument('<serial>', 'serial number of the device')
    .action(async (device_serial: string, { limit }: LimitFlag) => {
      const { client, organization, project } = await cli.session()
      const sent = await client.listAll('listChunks', { organization, project, device_serial }, { limit })
      cli.output.table(
        sent,
        [
          ['Received', ({ received_at }) => second(received_at)],
          ['Bytes', ({ size }) => count(size), 'right'],
          ['Id', ({ id }) => id],
        ],
        'No chunks of this device. Send some: bearing chunks upload <file> --device <serial>',
      )
    })
}
