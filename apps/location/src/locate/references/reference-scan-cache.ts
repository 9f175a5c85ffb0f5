import { OperationError } from '@bearing/contracts/errors'
import type { Calibration } from '@bearing/positioning/uncertainty'
import { ReferenceScans } from '@bearing/positioning/reference-scans'
import { Clock } from '@bearing/service/clock'
import { Injectable } from '@nestjs/common'
import { LRUCache } from 'lru-cache'
import { ReadPool } from '../../ground/read-pool.js'
import type { Scope } from '../../ground/scope.js'
import type { ReferenceThread } from './reference-thread.js'

/** What a project's own contributions say beside its access points. */
export interface OwnScans {
  readonly references: ReferenceScans | undefined
  readonly calibration: Calibration | undefined
}

/** Projects that are remembered, at up to 20 MB each. */
const MOST_PROJECTS = 64
/** How long a project is remembered without looking whether anything has changed, in milliseconds. */
const CHECK_MS = 15_000
/** How long after it was told that something has changed, in milliseconds: devices that learn all the time tell it all the time. */
const CHECK_CHANGED_MS = 1_000
/** The same for each scan: reading and indexing one takes some 10 µs, so a process spends no more than a hundredth of its time on it. */
const CHECK_CHANGED_MS_A_SCAN = 1
/** How long after they could not be read, in milliseconds; twice as long after each failure. All projects share one thread. */
const RETRY_MS = { least: 1_000, most: 60_000 }
/** How long a first look-up waits for those of other projects, in milliseconds. */
const TURN_MS = 1_000

/** How long what was replaced is kept for who has asked for it, in milliseconds: longer than any look-up waits. */
const RELEASE_MS = 10_000

/** The version of a project's reference scans, and the calibration of its organization. */
const READ_VERSION = `
  SELECT sets.organization_id, sets.version, p68, p95 FROM (SELECT) AS one
  LEFT JOIN reference_sets AS sets ON sets.project_id = $1 LEFT JOIN calibrations ON calibrations.organization_id = $2`

type VersionRow = [owner: string | null, version: number | null, p68: number[] | null, p95: number[] | null]

interface Held extends OwnScans {
  /** Null where there are no reference scans; undefined where they could not be read. */
  readonly version: number | null | undefined
}

interface Entry {
  held: Promise<Held>
  checkedAtMs: number
  /** How often in a row reference scans could not be read. */
  failures: number
  /** Reference scans, as far as that is known. */
  scans: number
  isRenewed: boolean
}

/**
 * Remembers the reference scans of projects and the calibrations of their organizations. Whether they have changed is
 * looked at every {@link CHECK_MS}, or soon after it was told ({@link changed}), beside the requests: only the first one of
 * a project waits. They are read and indexed in a thread, one project after the other; what was there before is used until
 * then, and nothing where there was nothing and they cannot be read: a position without reference scans has a radius that says
 * so, and is better than none.
 */
@Injectable()
export class OwnScansMemory {
  private readonly entries = new LRUCache<string, Entry>({
    max: MOST_PROJECTS,
    dispose: ({ held }) => {
      held.then(releaseLater, () => undefined)
    },
  })

  constructor(
    private readonly pool: ReadPool,
    private readonly thread: ReferenceThread,
    private readonly clock: Clock,
    private readonly failed: (error: unknown) => void,
  ) {}

  /**
   * @throws OperationError `project_not_found` if the project is known to belong to another organization
   * @throws the driver's error where nothing is remembered and the database does not say in time what radii depend on
   */
  async of(scope: Scope): Promise<OwnScans> {
    const nowMs = this.clock.nowMs()
    const entry = this.entries.get(keyOf(scope))
    if (!entry) return this.begin(scope, nowMs)
    if (nowMs - entry.checkedAtMs >= CHECK_MS && !entry.isRenewed) {
      entry.checkedAtMs = nowMs
      void this.renew(entry, scope)
    }
    return entry.held
  }

  /** The reference scans of a project are others: they are looked at soon, the later the more there are. */
  changed(scope: Scope): void {
    const entry = this.entries.peek(keyOf(scope))
    if (!entry || entry.failures > 0) return
    const waitMs = Math.max(CHECK_CHANGED_MS, CHECK_CHANGED_MS_A_SCAN * entry.scans)
    entry.checkedAtMs = Math.min(entry.checkedAtMs, this.clock.nowMs() - CHECK_MS + waitMs)
  }

  private async begin(scope: Scope, nowMs: number): Promise<OwnScans> {
    const entry: Entry = {
      held: this.read(scope, undefined),
      checkedAtMs: nowMs,
      failures: 0,
      scans: 0,
      isRenewed: false,
    }
    const key = keyOf(scope)
    this.entries.set(key, entry)
    try {
      const held = await entry.held
      this.note(entry, held)
      return held
    } catch (error) {
      if (this.entries.get(key) === entry) this.entries.delete(key)
      throw error
    }
  }

  private async renew(entry: Entry, scope: Scope): Promise<void> {
    entry.isRenewed = true
    try {
      const before = await entry.held
      const held = await this.read(scope, before)
      entry.held = Promise.resolve(held)
      if (held.references !== before.references) releaseLater(before)
      this.note(entry, held)
    } catch (error) {
      // What is remembered goes on until the database answers.
      this.failed(error)
    } finally {
      entry.isRenewed = false
    }
  }

  private note(entry: Entry, { references, version }: Held): void {
    entry.scans = references?.size ?? 0
    entry.failures = version === undefined ? entry.failures + 1 : 0
    if (entry.failures === 0) return
    const waitMs = Math.min(RETRY_MS.least * 2 ** (entry.failures - 1), RETRY_MS.most)
    entry.checkedAtMs = this.clock.nowMs() - CHECK_MS + waitMs
  }

  private async read({ project_id, organization_id }: Scope, before: Held | undefined): Promise<Held> {
    const ids = [project_id.toLowerCase(), organization_id.toLowerCase()] as const
    const [row] = await this.pool.tuples<VersionRow>('read-reference-version', READ_VERSION, ids)
    const [owner = null, version = null, p68 = null, p95 = null] = row ?? []
    if (owner !== null && owner !== ids[1])
      throw new OperationError('project_not_found', 'The project belongs to another organization.')
    const calibration = p68 && p95 ? { p68, p95 } : undefined
    if (before?.version === version) return { ...before, calibration }
    if (version === null) return { version, calibration, references: undefined }
    const own = { project_id: ids[0], organization_id: ids[1] }
    try {
      const index = await this.thread.index(own, before ? undefined : TURN_MS)
      return { version, calibration, references: new ReferenceScans(index) }
    } catch (error) {
      this.failed(error)
      return { version: undefined, calibration, references: before?.references }
    }
  }
}

/** Both ids: what is cached for one organization is never used for another one that names its project. */
function keyOf({ organization_id, project_id }: Scope): string {
  return `${organization_id} ${project_id}`.toLowerCase()
}

function releaseLater({ references }: OwnScans): void {
  setTimeout(() => references?.release(), RELEASE_MS).unref()
}
