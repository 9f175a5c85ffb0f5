import { createHash } from 'node:crypto'
import { DAY_MS } from '@bearing/contracts/durations'
import { OperationError } from '@bearing/contracts/errors'
import type { Input, Operation, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Injectable } from '@nestjs/common'
import { Clock } from '../ground/clock.js'
import { SecretBox, UnknownKeyError } from './secret-box.js'
import type { OldRows } from './sweep-old-rows.js'

const PURPOSE = 'idempotent call'

/** Replies are kept for 24 hours. */
export const OLD_CALLS = {
  table: 'idempotent_calls',
  key: ['key'],
  where: 'created_at <= $1::timestamptz',
  keptMs: DAY_MS,
} as const satisfies OldRows

/** A transaction of Prisma. */
interface Transaction {
  $executeRawUnsafe(statement: string, ...values: unknown[]): PromiseLike<unknown>
  $queryRawUnsafe<Rows>(statement: string, ...values: unknown[]): PromiseLike<Rows>
}

/** A row of `idempotent_calls`. */
interface StoredReply {
  readonly box: Uint8Array
  readonly keyId: string
}

/** Runs each call with an `Idempotency-Key` once, and repeats its reply. For operations whose reply shows a secret once. */
@Injectable()
export class IdempotentCalls {
  constructor(
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs the work of a call, or returns the reply of the same call before. It takes an advisory lock, which comes before every
   * other lock of the transaction: of two calls at the same moment, the second waits for the reply of the first.
   *
   * @param work returns undefined if the call is refused and its transaction committed: the key stays unused
   * @throws OperationError `idempotency_conflict`
   */
  async once<O extends Operation, Reply extends Output<O> | undefined>(
    transaction: Transaction,
    { subject }: O,
    { idempotency_key: name, ...input }: Input<O> & { readonly idempotency_key?: string | null | undefined },
    by: Principal,
    work: () => Promise<Reply>,
  ): Promise<Reply> {
    if (typeof name !== 'string') return work()
    const key = hash([callerOf(by), subject, name])
    await transaction.$executeRawUnsafe(
      'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
      `idempotent-call:${key.toString('hex')}`,
    )
    const [stored] = await transaction.$queryRawUnsafe<StoredReply[]>(
      'SELECT reply_box AS box, key_id AS "keyId" FROM idempotent_calls WHERE key = $1',
      key,
    )
    const fingerprint = hash(input).toString('hex')
    if (stored) return this.open(key, stored, fingerprint) as Reply // stored below
    const reply = await work()
    if (reply !== undefined) await this.store(transaction, key, { fingerprint, reply })
    return reply
  }

  private async store(transaction: Transaction, key: Buffer, content: object): Promise<void> {
    const { box, keyId } = this.box.seal(PURPOSE, key.toString('hex'), Buffer.from(JSON.stringify(content)))
    await transaction.$executeRawUnsafe(
      'INSERT INTO idempotent_calls (key, reply_box, key_id, created_at) VALUES ($1, $2, $3, $4)',
      ...[key, box, keyId, this.clock.now()],
    )
  }

  private open(key: Buffer, stored: StoredReply, expected: string): unknown {
    const { fingerprint, reply } = this.read(key, stored)
    if (fingerprint === expected) return reply
    throw new OperationError(
      'idempotency_conflict',
      'Another request was sent with this Idempotency-Key. Send each request with a key of its own.',
      { reason: 'other_input' },
    )
  }

  private read(key: Buffer, stored: StoredReply): { readonly fingerprint: string; readonly reply: unknown } {
    try {
      const content = this.box.open(PURPOSE, key.toString('hex'), stored)
      return JSON.parse(Buffer.from(content).toString()) as ReturnType<typeof this.read> // of `store`
    } catch (cause) {
      if (!(cause instanceof UnknownKeyError)) throw cause
      throw new OperationError(
        'idempotency_conflict',
        'A request with this Idempotency-Key succeeded, but its reply cannot be read anymore. List what it created, replace that, and send the next request with another key.',
        { reason: 'reply_lost' },
        { cause },
      )
    }
  }
}

/** Returns the name of a caller. Another credential of the same user is another caller. */
function callerOf(by: Principal): readonly string[] {
  return by.kind === 'service' ? [by.kind, by.name] : [by.kind, by.credential_id]
}

/** Inputs were validated, so the order of their fields is that of the contract. */
function hash(value: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(value)).digest()
}
