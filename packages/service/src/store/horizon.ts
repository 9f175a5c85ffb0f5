/** Maximum age of an answer, in milliseconds: so often one process asks Postgres, however many read. */
const FRESH_MS = 100

/** The part of Prisma's client that a horizon uses. */
interface Asked {
  $queryRaw<Row>(query: TemplateStringsArray, ...values: unknown[]): PromiseLike<Row>
}

/** The end of the sequence of positions, and a transaction that began after it was read. */
interface Mark {
  readonly position: bigint
  readonly transaction: string
}

/**
 * Knows up to which position nothing more can come. Positions come from a sequence before their transactions commit, so a
 * higher one may be visible before a lower one. Every transaction that has taken a position of a {@link Mark} is older than the
 * transaction of the mark: when all older ones have ended, everything up to the position is visible or will never be.
 */
export class Horizon {
  private safe = 0n
  private mark: Mark | undefined
  private askedAt = -Infinity
  private asking: Promise<bigint> | undefined

  /** @param sequence the name of the sequence of positions */
  constructor(
    private readonly database: Asked,
    private readonly sequence: string,
  ) {}

  /** Returns the highest position up to which everything is visible, of at most 100 ms ago. */
  read(): Promise<bigint> {
    if (performance.now() - this.askedAt < FRESH_MS) return Promise.resolve(this.safe)
    this.asking ??= this.ask().finally(() => (this.asking = undefined))
    return this.asking
  }

  private async ask(): Promise<bigint> {
    const startedAt = performance.now()
    const wasMarked = this.mark !== undefined
    if ((await this.advance()) && wasMarked) await this.advance()
    this.askedAt = startedAt
    return this.safe
  }

  /** Returns whether everything up to the mark has ended. */
  private async advance(): Promise<boolean> {
    this.mark ??= await this.take()
    if (!this.mark || !(await this.haveEnded(this.mark))) return false
    this.safe = this.mark.position
    this.mark = undefined
    return true
  }

  /** Marks the end of the sequence; undefined if it is where it was. The statements must be two: a snapshot is older than its statement. */
  private async take(): Promise<Mark | undefined> {
    const [end] = await this.database.$queryRaw<{ position: bigint }[]>`
      SELECT coalesce(pg_sequence_last_value(${this.sequence}::text::regclass), 0) AS position`
    if (!end || end.position === this.safe) return undefined
    const [own] = await this.database.$queryRaw<{ transaction: string }[]>`
      SELECT pg_current_xact_id()::text AS transaction`
    return own && { position: end.position, transaction: own.transaction }
  }

  private async haveEnded({ transaction }: Mark): Promise<boolean> {
    const [row] = await this.database.$queryRaw<{ ended: boolean }[]>`
      SELECT pg_snapshot_xmin(pg_current_snapshot()) >= ${transaction}::xid8 AS ended`
    return row?.ended ?? false
  }
}
