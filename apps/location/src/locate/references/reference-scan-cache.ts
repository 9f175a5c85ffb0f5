import { backoffMs } from '@bearing/contracts/durations'
import { referenceScansChanged } from '@bearing/contracts/location/access-points/learned'
import { OperationError } from '@bearing/contracts/errors'
import type { Connection } from '@bearing/nats/connection'
import { onEvent } from '@bearing/nats/events'
import { ReferenceScans } from '@bearing/positioning/references/reference-scans'
import type { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { Cache } from '@bearing/client-nats/cache'
import type { ReadPool } from '../../ground/read-pool.js'
import type { Scope } from '../../ground/scope.js'
import type { ReferenceThread } from './reference-thread.js'

/** The reference scans of a project. */
export interface OwnScans {
  readonly references: ReferenceScans | undefined
}

/** Cached projects, at up to 20 MB each. */
const MOST_PROJECTS = 64
/** Interval between checks of a cached project for changes, in milliseconds. */
const CHECK_MS = 15_000
/** Delay of the check after an event of a change, in milliseconds: learning projects send such events all the time. */
const CHECK_CHANGED_MS = 1_000
/** The same for each scan: reading and indexing one takes some 10 µs, so a process spends at most 1 % of its time on that. */
const CHECK_CHANGED_MS_A_SCAN = 1
/** Backoff after a failed read, in milliseconds; doubled after each failure. All projects share one thread. */
const RETRY = { firstMs: 1_000, maxMs: 60_000 }
/** Time that a first look-up waits for those of other projects, in milliseconds. */
const TURN_MS = 1_000

/** Time for which replaced scans are kept for look-ups under way, in milliseconds. */
const RELEASE_MS = 10_000

/** The owner of a project's reference scans, and their version. */
const READ_VERSION = {
  name: 'read-reference-version',
  text: 'SELECT organization_id, version FROM reference_sets WHERE project_id = $1',
  columns: { organization_id: 'uuid', version: 'int8' },
} as const

interface Held extends OwnScans {
  /** Null: there are no reference scans. Undefined: they could not be read. */
  readonly version: number | null | undefined
}

interface Entry {
  held: Promise<Held>
  /** Result of `held`, once it has resolved. */
  cached: Held | undefined
  checkedAtMs: number
  /** Consecutive failed reads. */
  failures: number
  /** The number of reference scans, as far as it is known. */
  scans: number
  isRenewed: boolean
}

/**
 * Caches the reference scans of projects. Changes are checked every {@link CHECK_MS},
 * or soon after an event, while look-ups use the cached scans; only the first look-up of a project waits. Scans are read and indexed
 * in a thread, one project after the other. If they cannot be read, look-ups continue without them and report wider radii.
 */
export class ReferenceScanCache {
  private readonly entries = new Cache<Entry>(MOST_PROJECTS, {
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
   * @throws OperationError `project_not_found` if the project belongs to another organization
   * @throws the driver's error if nothing is cached and the database does not answer in time
   */
  async of(scope: Scope): Promise<OwnScans> {
    return this.entryOf(scope)?.held ?? this.begin(scope)
  }

  /** Returns the same without waiting; undefined if it is not cached. */
  cached(scope: Scope): OwnScans | undefined {
    return this.entryOf(scope)?.cached
  }

  private entryOf(scope: Scope): Entry | undefined {
    const entry = this.entries.get(keyOf(scope))
    const nowMs = this.clock.nowMs()
    if (entry && nowMs - entry.checkedAtMs >= CHECK_MS && !entry.isRenewed) {
      entry.checkedAtMs = nowMs
      void this.renew(entry, scope)
    }
    return entry
  }

  /** Checks projects soon after their events. Missed events are found by the regular checks. */
  invalidateBy(connection: Connection, logger: Logger): void {
    onEvent(
      connection,
      referenceScansChanged,
      (scope) => {
        this.changed(scope)
      },
      (error) => {
        logger.warn({ err: error }, 'An event is not valid. Reference scans are checked later.')
      },
    )
  }

  /** Checks a project soon, the later the more scans it has. */
  changed(scope: Scope): void {
    const entry = this.entries.peek(keyOf(scope))
    if (!entry || entry.failures > 0) return
    const waitMs = Math.max(CHECK_CHANGED_MS, CHECK_CHANGED_MS_A_SCAN * entry.scans)
    entry.checkedAtMs = Math.min(entry.checkedAtMs, this.clock.nowMs() - CHECK_MS + waitMs)
  }

  private async begin(scope: Scope): Promise<OwnScans> {
    const entry: Entry = {
      held: this.read(scope, undefined),
      cached: undefined,
      checkedAtMs: this.clock.nowMs(),
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
      // The cached scans are used until the database answers.
      this.failed(error)
    } finally {
      entry.isRenewed = false
    }
  }

  private note(entry: Entry, held: Held): void {
    const { references, version } = held
    entry.cached = held
    entry.scans = references?.size ?? 0
    entry.failures = version === undefined ? entry.failures + 1 : 0
    if (entry.failures === 0) return
    const waitMs = backoffMs(entry.failures, RETRY)
    entry.checkedAtMs = this.clock.nowMs() - CHECK_MS + waitMs
  }

  private async read({ project_id, organization_id }: Scope, before: Held | undefined): Promise<Held> {
    const own = { project_id: project_id.toLowerCase(), organization_id: organization_id.toLowerCase() }
    const [row] = await this.pool.rows(READ_VERSION, [own.project_id])
    const version = row?.version ?? null
    if (row && row.organization_id !== own.organization_id)
      throw new OperationError('project_not_found', 'The project belongs to another organization.')
    if (before?.version === version) return before
    if (version === null) return { version, references: undefined }
    try {
      const index = await this.thread.index(own, before ? undefined : TURN_MS)
      return { version, references: new ReferenceScans(index) }
    } catch (error) {
      this.failed(error)
      return { version: undefined, references: before?.references }
    }
  }
}

/** Both ids, so that no organization uses the scans of another one's project. */
function keyOf({ organization_id, project_id }: Scope): string {
  return `${organization_id} ${project_id}`.toLowerCase()
}

function releaseLater({ references }: OwnScans): void {
  setTimeout(() => references?.release(), RELEASE_MS).unref()
}
