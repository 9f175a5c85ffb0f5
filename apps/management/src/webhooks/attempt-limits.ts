/** Concurrent attempts of one process: in all, to failing webhooks, and to one webhook. */
const MAX_ATTEMPTS = 200
const MAX_FAILING_ATTEMPTS = 100
export const MAX_ATTEMPTS_OF_WEBHOOK = { working: 4, failing: 1 } as const
/** Share that an organization may hold of its own attempts and the free ones together. */
const ORGANIZATION_SHARE = 0.25

type Kind = keyof typeof MAX_ATTEMPTS_OF_WEBHOOK

export interface Attempt {
  readonly webhookId: string
  readonly organizationId: string
  /** True if the attempt before it was not accepted. */
  readonly failing: boolean
}

/** Webhooks and organizations that the limits do not admit at the moment. */
export interface Excluded {
  readonly webhookIds: readonly string[]
  /** Organizations whose working webhooks, or failing webhooks, hold their share. */
  readonly working: readonly string[]
  readonly failing: readonly string[]
}

/**
 * Limits the concurrent attempts of a process, so that no webhook and no organization delays the others. The share of an
 * organization is a part of what is free: each organization with slow receivers gets less than the one before.
 */
export class AttemptLimits {
  private readonly total = { working: 0, failing: 0 }
  private readonly organizations = { working: new Map<string, number>(), failing: new Map<string, number>() }
  private readonly webhooks = new Map<string, number>()
  private readonly fullWebhooks = new Set<string>()

  /** @param running the attempts that are running */
  constructor(running: Iterable<Attempt>) {
    for (const attempt of running) this.add(attempt)
  }

  /** Counts an attempt if the limits admit it. */
  admit(attempt: Attempt): boolean {
    const kind = kindOf(attempt)
    if (this.fullWebhooks.has(attempt.webhookId) || this.isFull(kind, attempt.organizationId)) return false
    this.add(attempt)
    return true
  }

  /** Returns true if one more attempt of a kind may start at all. */
  hasRoom(kind: Kind): boolean {
    return this.free(kind) > 0
  }

  get excluded(): Excluded {
    const full = (kind: Kind) => [...this.organizations[kind].keys()].filter((id) => this.isFull(kind, id))
    return { webhookIds: [...this.fullWebhooks], working: full('working'), failing: full('failing') }
  }

  private add(attempt: Attempt): void {
    const kind = kindOf(attempt)
    this.total[kind]++
    increment(this.organizations[kind], attempt.organizationId)
    const count = increment(this.webhooks, attempt.webhookId)
    if (count >= MAX_ATTEMPTS_OF_WEBHOOK[kind]) this.fullWebhooks.add(attempt.webhookId)
  }

  private isFull(kind: Kind, organizationId: string): boolean {
    const [free, held] = [this.free(kind), this.organizations[kind].get(organizationId) ?? 0]
    return free <= 0 || held >= (held + free) * ORGANIZATION_SHARE
  }

  private free(kind: Kind): number {
    const free = MAX_ATTEMPTS - this.total.working - this.total.failing
    return kind === 'working' ? free : Math.min(free, MAX_FAILING_ATTEMPTS - this.total.failing)
  }
}

function kindOf({ failing }: Attempt): Kind {
  return failing ? 'failing' : 'working'
}

function increment(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1
  counts.set(key, count)
  return count
}
