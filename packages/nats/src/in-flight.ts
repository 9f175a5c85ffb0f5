/**
 * What is under way, each for a short time, found again by a token that is used once.
 *
 * No map: when a map makes room for what comes, V8 leaves the former table as it is, with all that was in it and a reference to
 * the next one. Once one of them has survived two collections, all later ones do, with all that was ever under way in them,
 * until the next full collection (decision 52). Here what is over is nowhere.
 */
export class InFlight<Value extends object> {
  private readonly entries: ({ readonly token: string; readonly value: Value } | undefined)[] = []
  private readonly free: number[] = []
  private serial = 0

  /** @returns its token: letters, digits and "_" */
  add(value: Value): string {
    const slot = this.free.pop() ?? this.entries.length
    const token = `${slot.toString(RADIX)}_${(this.serial++).toString(RADIX)}`
    this.entries[slot] = { token, value }
    return token
  }

  /** @param token of {@link add}; anything else leads to nothing */
  get(token: string): Value | undefined {
    const entry = this.entries[slotOf(token)]
    return entry?.token === token ? entry.value : undefined
  }

  /** Does nothing where it was removed before. */
  remove(token: string): void {
    if (!this.get(token)) return
    const slot = slotOf(token)
    this.entries[slot] = undefined
    this.free.push(slot)
  }

  /** All that is under way now; what is removed meanwhile may still be among them. */
  values(): Value[] {
    return this.entries.flatMap((entry) => (entry ? [entry.value] : []))
  }
}

const RADIX = 36

/** What comes before the "_". */
function slotOf(token: string): number {
  return Number.parseInt(token, RADIX)
}
