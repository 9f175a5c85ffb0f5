import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { CHAIN_START, followChain, type ChainEnd, type ChainedRow } from '@bearing/access/audit-chain'
import type { AuditFault } from '@bearing/contracts/identity/audit/audit-log'
import { z } from 'zod'
import { verb } from '../session/verb.js'
import { counted, count } from '../ground/output/format.js'
import { UsageError } from '../ground/usage-error.js'

/** The fields that verification uses; all other fields are part of the hash. */
const Row = z.looseObject({
  id: z.string(),
  sequence: z.int().nullable(),
  previous_hash: z.string().nullable(),
  hash: z.string().nullable(),
})

/** The result of a file. */
interface Verified extends ChainEnd {
  /** Rows before the chain. */
  readonly unchained: number
  readonly fault: AuditFault | null
}

verb('audit-log verify', {
  about: 'verify the chain of an exported audit log, offline',
  takes: { '<file>': 'output of "bearing audit-log export" without filters' },
  help: `It cannot detect missing rows at the end: compare length and hash with those of another export, or with what
"bearing admin doctor" prints.`,
  examples: ['audit.ndjson'],
  run: async (cli, { file: path }) => {
    const verified = await verify(path)
    const { length, hash, unchained, fault } = verified
    cli.output.record(
      {
        Verified: counted(length, 'row'),
        Hash: hash ?? 'none',
        'Before the chain': unchained === 0 ? undefined : counted(unchained, 'row'),
        Broken: fault ? describeFault(fault) : undefined,
      },
      verified,
    )
    if (fault) cli.exitCode = 1
    else cli.output.done('The chain is intact.')
  },
})

/** Rows whose hashes are computed at the same time. */
const BATCH_ROWS = 500

async function verify(path: string): Promise<Verified> {
  let end: ChainEnd = CHAIN_START
  let unchained = 0
  let batch: ChainedRow[] = []
  const follow = async () => {
    const followed = await followChain(end, batch)
    end = followed.end
    batch = []
    return followed.fault
  }
  for await (const row of rowsOf(path)) {
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
  const fault = await follow()
  return { ...end, unchained, fault }
}

async function* rowsOf(path: string): AsyncGenerator<ChainedRow, void, undefined> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity })
  let number = 0
  try {
    for await (const line of lines) {
      number++
      yield Row.parse(JSON.parse(line))
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
    case 'beyond':
      return `${row} is after the end of the chain`
  }
}
