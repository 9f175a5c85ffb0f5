import { openCheckpoint, type Checkpoint } from '@bearing/access/checkpoint'
import { readFile } from 'node:fs/promises'
import { unreadable, UsageError } from '../ground/usage-error.js'
import type { Session } from '../session/session.js'
import { verb } from '../session/verb.js'
import { OUTPUT_FLAGS, writeLines } from '../session/write-lines.js'

verb('audit-log checkpoint', {
  about: 'write the newest signed checkpoint of the audit log of an organization',
  takes: OUTPUT_FLAGS,
  help: `A checkpoint is a signed note (C2SP tlog-checkpoint): the length of the chain and the hash of its last row, signed with a
key that the database does not hold. Store it elsewhere, together with the output of "bearing audit-log key". Later,
"bearing audit-log verify --against <file>" proves that no row before it was changed or cut off.`,
  examples: ['--output acme-2027-01-31.checkpoint'],
  run: async (cli, { output, force }) => {
    const { data } = await newest(await cli.session())
    const [checkpoint] = data
    if (!checkpoint)
      throw new UsageError('There is no checkpoint yet. The first one is signed within a minute.')
    const lines = checkpoint.note.trimEnd().split('\n')
    const where = await writeLines(cli, { output, force }, lines)
    cli.output.done(`Checkpoint written${where}.`)
  },
})

verb('audit-log key', {
  about: 'show the keys that verify checkpoints of the audit log of an organization',
  help: 'Verifiers of signed notes read these keys too. Several: the signing keys of the installation are being rotated.',
  run: async (cli) => {
    const { verification_keys } = await newest(await cli.session())
    cli.output.record({ Keys: verification_keys.join('\n') }, { verification_keys })
  },
})

/** Returns the newest checkpoint, if there is one, and the keys. */
export function newest({ client, organization }: Session) {
  return client.call('listAuditCheckpoints', { organization, page: 1, per_page: 1 })
}

/**
 * Reads a file of checkpoints, one or several.
 *
 * @throws UsageError if one of them is signed by none of the keys
 */
export async function readCheckpoints(path: string, keys: readonly string[]): Promise<Checkpoint[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw unreadable('The file of --against', error)
  })
  const notes = text.match(/(?:[^\n—][^\n]*\n)+\n(?:— [^\n]+\n)+/g) ?? []
  if (notes.length === 0) throw new UsageError('The file of --against has no checkpoint.')
  return notes.map((note) => {
    const checkpoint = openCheckpoint(note, keys)
    if (checkpoint) return checkpoint
    throw new UsageError(
      `No key verifies the checkpoint of "${note.split('\n', 1).join('')}": it was forged or changed, or --key is another key.`,
    )
  })
}
