import { Cache } from './cache.js'

/** `lru-cache` counts in integers. */
const WEIGHT_UNIT = 1_000

/** A cached value. Times in milliseconds since any moment. */
export interface Entry<Value> {
  readonly value: Value
  readonly fetchedAtMs: number
  freshUntilMs: number
  /** From when on a use fetches it again in the background. */
  renewAtMs: number
  retryAtMs: number
  isInvalid: boolean
}

/** Limits of the entries, and the tags that invalidate them. */
export interface TaggedEntriesOptions<Value> {
  readonly maxEntries: number
  /** The tags that invalidate a value (default: its key). */
  readonly tagsOf?: (value: Value) => readonly string[]
  /** Share of `maxEntries` that a value takes (default: 1; at least 1). */
  readonly weightOf?: (value: Value) => number
  /** Values that are kept apart, so that a flood of them evicts no other, and how many. They have no tag but their key. */
  readonly negative?: { readonly is: (value: Value) => boolean; readonly maxEntries: number }
}

/** Cached values by key, and the keys by tag. The least recently used ones are evicted. */
export class TaggedEntries<Value> {
  private readonly positive: Cache<Entry<Value>>
  private readonly negative: Cache<Entry<Value>> | undefined
  private readonly keysByTag = new Map<string, Set<string>>()

  constructor(private readonly options: TaggedEntriesOptions<Value>) {
    const { maxEntries, weightOf, tagsOf, negative } = options
    this.positive = new Cache(maxEntries * WEIGHT_UNIT, {
      sizeCalculation: ({ value }) => Math.ceil(Math.max(1, weightOf?.(value) ?? 1) * WEIGHT_UNIT),
      ...(tagsOf && {
        dispose: ({ value }: Entry<Value>, key: string) => {
          this.untag(key, tagsOf(value))
        },
      }),
    })
    this.negative = negative && new Cache(negative.maxEntries)
  }

  get size(): number {
    return this.positive.size + (this.negative?.size ?? 0)
  }

  /** Keys of all but negative values. */
  keys(): readonly string[] {
    return [...this.positive.keys()]
  }

  /** Keys of the values that a tag invalidates. */
  keysOf(tag: string): readonly string[] {
    return this.options.tagsOf ? [...(this.keysByTag.get(tag) ?? [])] : [tag]
  }

  /** The tags of a value; none if it is not known but would have its own. */
  tagsOf(key: string, value: Value | undefined): readonly string[] {
    const { tagsOf } = this.options
    return tagsOf ? (value === undefined ? [] : tagsOf(value)) : [key]
  }

  use(key: string): Entry<Value> | undefined {
    return this.positive.get(key) ?? this.negative?.get(key)
  }

  /** Returns an entry, without using it. */
  peek(key: string): Entry<Value> | undefined {
    return this.peekPositive(key) ?? this.negative?.peek(key)
  }

  /** Returns an entry that is not negative, without using it. */
  peekPositive(key: string): Entry<Value> | undefined {
    return this.positive.peek(key)
  }

  set(key: string, entry: Entry<Value>): void {
    const { negative, tagsOf } = this.options
    if (negative?.is(entry.value) === true) {
      this.negative?.set(key, entry)
      return
    }
    this.negative?.delete(key)
    this.positive.set(key, entry)
    // The cache refuses an entry that is larger than all of it.
    if (!tagsOf || !this.positive.has(key)) return
    for (const tag of tagsOf(entry.value)) {
      const keys = this.keysByTag.get(tag) ?? new Set()
      keys.add(key)
      this.keysByTag.set(tag, keys)
    }
  }

  delete(key: string): void {
    this.positive.delete(key)
    this.deleteNegative(key)
  }

  deleteNegative(key: string): void {
    this.negative?.delete(key)
  }

  clearNegative(): void {
    this.negative?.clear()
  }

  private untag(key: string, tags: readonly string[]): void {
    for (const tag of tags) {
      const keys = this.keysByTag.get(tag)
      keys?.delete(key)
      if (keys?.size === 0) this.keysByTag.delete(tag)
    }
  }
}
