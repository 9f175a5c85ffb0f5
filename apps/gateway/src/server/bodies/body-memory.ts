/**
 * The groups that the sender of a body belongs to, widest first. The first is its owner: the organization or user of the
 * credential, or all anonymous callers. The last is its source: the credential and the client network. A fleet shares its project
 * key, and one device must not use up the memory for all.
 */
export type Sender = readonly string[]

/** The memory that is reserved for one body. */
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
 * Bounds the memory for all request bodies of a process, and shares it fairly. A source may hold as much as is still free, less
 * what each of its wider groups holds. So with two groups one source gets at most a third of the memory, and all sources of an owner
 * less than half of it.
 * The source that holds most is refused first, so memory remains for others.
 */
export class BodyMemory {
  private total = 0
  /** Bytes by group, with the groups that contain it. */
  private readonly held = new Map<string, number>()

  constructor(private readonly maxBytes: number) {}

  /** Bytes that all bodies take. */
  get used(): number {
    return this.total
  }

  /** Begins a body, which takes nothing yet. */
  open(sender: Sender): BodyShare {
    const groups = sender.map((_, index) => sender.slice(0, index + 1).join('|'))
    const [source = '', ...wider] = groups.toReversed()
    let taken = 0
    const add = (bytes: number) => {
      taken += bytes
      this.total += bytes
      for (const group of groups) this.count(group, bytes)
    }
    return {
      take: (bytes) => {
        const free = this.maxBytes - this.total - bytes
        const ofWider = wider.reduce((sum, group) => sum + this.of(group) + bytes, 0)
        if (this.of(source) + bytes > free - ofWider) return false
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
