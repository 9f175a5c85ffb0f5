/**
 * Changes are known for this long, in milliseconds: longer than a fetch takes, together with the age of its reply.
 */
const LONGEST_FETCH_MS = 60_000

/** Records when tags changed, so that replies from before a change are recognized. Times in milliseconds since any moment. */
export class KnownChanges {
  /** Time of the last change of each tag, oldest first. */
  private readonly changedAtMs = new Map<string, number>()
  private allChangedAtMs = -Infinity

  record(tags: readonly string[], nowMs: number): void {
    for (const [tag, changedAtMs] of this.changedAtMs) {
      if (nowMs - changedAtMs < LONGEST_FETCH_MS) break
      this.changedAtMs.delete(tag)
    }
    for (const tag of tags) {
      this.changedAtMs.delete(tag)
      this.changedAtMs.set(tag, nowMs)
    }
  }

  recordAll(nowMs: number): void {
    this.allChangedAtMs = nowMs
  }

  /** Returns true if one of the tags changed at or after a time. */
  includeAny(tags: readonly string[], sinceMs: number): boolean {
    if (this.allChangedAtMs >= sinceMs) return true
    return tags.some((tag) => (this.changedAtMs.get(tag) ?? -Infinity) >= sinceMs)
  }
}
