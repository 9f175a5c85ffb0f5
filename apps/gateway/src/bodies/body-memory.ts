/** Who sends a body. */
export interface Sender {
  /** The organization or user of the credential: an organization can have many tokens. All anonymous callers are one owner. */
  readonly owner: string
  /** The credential and the client network. A fleet shares its project key: one device must not use up the memory of all. */
  readonly source: string
}

/** The memory that one body takes. */
export interface BodyShare {
  /**
   * Takes more memory.
   *
   * @returns false if there is none for this sender; nothing is taken then
   */
  take(bytes: number): boolean
  /** Returns everything that was taken. */
  release(): void
}

/**
 * Bounds the memory of all request bodies of a process, and shares it fairly. A source may hold as much as is still free, less
 * what its owner holds. So one source gets at most a third of the memory and all sources of an owner less than half of it.
 * Whoever holds most is refused first, and something is left for others.
 */
export class BodyMemory {
  private total = 0
  /** Bytes by owner, and by owner and source. */
  private readonly held = new Map<string, number>()

  constructor(private readonly maxBytes: number) {}

  /** Bytes that all bodies take. */
  get used(): number {
    return this.total
  }

  /** Begins a body, which takes nothing yet. */
  open({ owner, source }: Sender): BodyShare {
    const ofOwner = `${owner}|${source}`
    let taken = 0
    const add = (bytes: number) => {
      taken += bytes
      this.total += bytes
      this.count(owner, bytes)
      this.count(ofOwner, bytes)
    }
    return {
      take: (bytes) => {
        const free = this.maxBytes - this.total - bytes
        if (this.of(ofOwner) + bytes > free - this.of(owner) - bytes) return false
        add(bytes)
        return true
      },
      release: () => {
        add(-taken)
      },
    }
  }

  private of(key: string): number {
    return this.held.get(key) ?? 0
  }

  private count(key: string, bytes: number): void {
    const held = this.of(key) + bytes
    if (held === 0) this.held.delete(key)
    else this.held.set(key, held)
  }
}
