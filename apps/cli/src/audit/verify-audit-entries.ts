import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { CHAIN_START, followChain, type ChainEnd, type ChainedRow } from '@bearing/access/audit-chain'
import type { Checkpoint } from '@bearing/access/checkpoint'
import type { AuditFault as ChainFault } from '@bearing/contracts/identity/audit/audit-log'
import { z } from 'zod'
import { repeated } from '../ground/arguments.js'
import type { Session } from '../session/session.js'
import { verb } from '../session/verb.js'
import { counted, count } from '../ground/output/format.js'
import { UsageError } from '../ground/usage-error.js'
import { newest, readCheckpoints } from './checkpoints.js'

/** The fields that verification uses; all other fields are part of the hash. */
const Row = z.looseObject({
  id: z.string(),
  sequence: z.int().nullable(),
  previous_hash: z.string().nullable(),
  hash: z.string().nullable(),
})

/** A defect: of the chain, or against a signed checkpoint. */
type AuditFault = Omit<ChainFault, 'fault'> & { readonly fault: ChainFault['fault'] | 'unsigned' }

/** The result of a file. */
interface Verified extends ChainEnd {
  /** Rows before the chain. */
  readonly unchained: number
  readonly fault: AuditFault | null
}

verb('audit-log verify', {
  about: 'verify the chain of an audit log, and that it continues a signed checkpoint',
  takes: {
    '[file]': 'output of "bearing audit-log export" without filters (default: the present log)',
    '--against <file>': 'file of a checkpoint: output of "bearing audit-log checkpoint"',
    '--key <key>': repeated('key that verifies it, as you kept it (default: the present ones)', String),
  },
  help: `With --against, rows that were changed, removed or cut off before the checkpoint are found even if the whole chain was
computed again. Without it, missing rows at the end are not. With a file and --key nothing is asked.`,
  examples: ['audit.ndjson', '--against acme-2027-01-31.checkpoint --key "$KEY"'],
  run: async (cli, { file, against, key }) => {
    const asks = file === undefined || (against !== undefined && key === undefined)
    const session = asks ? await cli.session() : undefined
    const keys = key ?? (session && against !== undefined ? (await newest(session)).verification_keys : [])
    const checkpoints = against === undefined ? [] : await readCheckpoints(against, keys)
    const rows = file === undefined ? session && exported(session) : rowsOf(file)
    const verified = await verify(rows ?? [], checkpoints)
    const { length, hash, unchained, fault } = verified
    cli.output.record(
      {
        Verified: counted(length, 'row'),
        Hash: hash ?? 'none',
        'Before the chain': unchained === 0 ? undefined : counted(unchained, 'row'),
        Checkpoints: checkpoints.length === 0 ? undefined : String(checkpoints.length),
        Broken: fault ? describeFault(fault) : undefined,
      },
      { ...verified, checkpoints: checkpoints.length },
    )
    if (fault) cli.exitCode = 1
    else cli.output.done('The chain is intact.')
  },
})

function exported({ client, organization }: Session): AsyncIterable<ChainedRow> {
  return client.stream('exportAuditEntries', { organization })
}

/** Rows whose hashes are computed at the same time. */
const BATCH_ROWS = 500

async function verify(
  rows: AsyncIterable<ChainedRow> | Iterable<ChainedRow>,
  checkpoints: readonly Checkpoint[],
): Promise<Verified> {
  let end: ChainEnd = CHAIN_START
  let unchained = 0
  let batch: ChainedRow[] = []
  const follow = async (): Promise<AuditFault | null> => {
    const { length } = end
    const followed = await followChain(end, batch)
    end = followed.end
    const known = batch.slice(0, end.length - length)
    batch = []
    return mismatch(known, checkpoints) ?? followed.fault
  }
  for await (const row of rows) {
    // Unchained rows are valid only before the first row of the chain.
    if (row.sequence === null && row.hash === null && end.length + batch.length === 0) {
      unchained++
      continue
    }
    batch.push(row)
    if (batch.length < BATCH_ROWS) continue
    const fault = await follow()
    if (fault) return { ...end, unchained, fault }
  }
  const fault = (await follow()) ?? cutOff(end, checkpoints)
  return { ...end, unchained, fault }
}

/** Returns the first row that is not the one of its checkpoint. */
function mismatch(rows: readonly ChainedRow[], checkpoints: readonly Checkpoint[]): AuditFault | undefined {
  const row = rows.find((one) =>
    checkpoints.some((signed) => signed.size === one.sequence && !isAt(signed, one)),
  )
  return row && { sequence: row.sequence ?? 1, id: row.id, fault: 'unsigned' }
}

/** Returns whether a checkpoint is that of a row: of the same organization, with the same hash. */
function isAt({ origin, hash }: Checkpoint, row: ChainedRow): boolean {
  const { organization_id } = row as ChainedRow & { readonly organization_id?: string | null }
  return row.hash === hash && origin.endsWith(`/${organization_id ?? ''}`)
}

function cutOff({ length }: ChainEnd, checkpoints: readonly Checkpoint[]): AuditFault | null {
  const isCut = checkpoints.some(({ size }) => size > length)
  return isCut ? { sequence: length + 1, id: null, fault: 'missing' } : null
}

async function* rowsOf(path: string): AsyncGenerator<ChainedRow, void, undefined> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity })
  let number = 0
  try {
    for await (const line of lines) {
      number++
      const read: unknown = JSON.parse(line)
      // Sinks end with their newest checkpoint. Skipping one hides no row: the next would not follow.
      if (typeof read === 'object' && read !== null && 'checkpoint' in read) continue
      yield Row.parse(read)
    }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError)
      throw new UsageError(`Line ${String(number)} is not a row of an audit log.`)
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new UsageError('The file does not exist. Check its path.')
    throw error
  }
}

/** Describes the defect of a chain. */
export function describeFault({ sequence, id, fault }: AuditFault): string {
  const row = `row ${count(sequence)}${id === null ? '' : ` (${id})`}`
  switch (fault) {
    case 'missing':
      return `${row} is missing`
    case 'changed':
      return `${row} was changed`
    case 'unlinked':
      return `${row} does not follow the row before it, which was changed together with its hash`
    case 'unsigned':
      return `${row} is not the one of the signed checkpoint: it, or a row before it, was changed and the chain computed again`
    case 'beyond':
      return `${row} is after the end of the chain`
  }
}
