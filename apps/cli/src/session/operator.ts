import { randomBytes } from 'node:crypto'
import { UnreachableError } from '@bearing/client/errors'
import { issueServiceClaims } from '@bearing/contracts/identity/people/user'
import { audienceOf, type Operation, type Output, type Request } from '@bearing/contracts/operation'
import { ProcessReport } from '@bearing/contracts/counts/process-report'
import { NatsClient } from '@bearing/nats/client'
import { connectNats, type Connection, type NatsOptions } from '@bearing/nats/connection'
import { DISCOVERY, replyPrefix } from '@bearing/nats/inboxes'

/** The operator's name in claims and as a NATS connection. */
const OPERATOR = 'operator'
/** Claims are renewed this long before they expire, in milliseconds. */
const RENEW_BEFORE_MS = 15_000

/** URL of NATS, and the operator's nkey. */
export type NatsAddress = Pick<NatsOptions, 'url' | 'nkeySeed'>

/** Longest wait for the replies of processes, in milliseconds. */
const DISCOVERY_MS = 3_000

/** The report of a process, and the lead of its clock over the one here. */
export type Discovered = ProcessReport & { readonly skewMs: number }

function skewOf({ report }: ProcessReport, sentMs: number, receivedMs: number): number {
  return Date.parse(report.now) - (sentMs + receivedMs) / 2
}

/** Calls operations over NATS as the operator. NATS authenticates the operator by key. */
export class Operator {
  private readonly client: NatsClient
  /** By the service that they are for. */
  private readonly issued = new Map<string, Output<typeof issueServiceClaims>>()

  private constructor(
    readonly connection: Connection,
    private readonly now: () => number,
  ) {
    this.client = new NatsClient(connection)
  }

  /**
   * Connects to NATS.
   *
   * @param now the time, in milliseconds since 1970
   * @throws UnreachableError if NATS cannot be reached
   */
  static async connect(nats: NatsAddress, now: () => number): Promise<Operator> {
    try {
      return new Operator(await connectNats({ ...nats, name: OPERATOR, waitForServer: false }), now)
    } catch (cause) {
      const reason = cause instanceof Error ? ` (${cause.message})` : ''
      throw new UnreachableError(
        'network',
        `NATS cannot be reached${reason}. Check --nats-url and BEARING_NATS_NKEY_SEED.`,
        { cause },
      )
    }
  }

  /**
   * Calls an operation.
   *
   * @throws OperationError of the reply
   */
  async call<O extends Operation>(operation: O, request: Request<O>): Promise<Output<O>> {
    return this.client.call(operation, request, { claims: await this.claims(audienceOf(operation)) })
  }

  /** Asks all processes of services what they say of themselves. @returns when no other one has replied for a while */
  async discover(): Promise<readonly Discovered[]> {
    const { raw, name } = this.connection
    const inbox = `${replyPrefix(name, DISCOVERY)}.${randomBytes(16).toString('base64url')}`
    const found: Discovered[] = []
    const replies = raw.subscribe(inbox)
    const sentMs = this.now()
    raw.publish('$SRV.STATS', '', { reply: inbox })
    const timer = setTimeout(() => {
      replies.unsubscribe()
    }, DISCOVERY_MS)
    for await (const reply of replies) {
      const parsed = ProcessReport.safeParse(reply.json())
      // Half of the round trip is the way there.
      if (parsed.success) found.push({ ...parsed.data, skewMs: skewOf(parsed.data, sentMs, this.now()) })
    }
    clearTimeout(timer)
    return found
  }

  close(): Promise<void> {
    return this.connection.drain()
  }

  private async claims(audience: string): Promise<string> {
    const known = this.issued.get(audience)
    if (known && known.claims_expire_at * 1_000 - this.now() >= RENEW_BEFORE_MS) return known.claims
    const issued = await this.client.call(issueServiceClaims, { name: OPERATOR, audience })
    this.issued.set(audience, issued)
    return issued.claims
  }
}
