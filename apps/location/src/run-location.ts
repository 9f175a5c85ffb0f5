import { randomBytes } from 'node:crypto'
import { accessPointsChanged } from '@bearing/contracts/location/access-point-import'
import { accessPointsLearned, referenceScansChanged } from '@bearing/contracts/location/learned'
import { OBSERVATION_STREAM } from '@bearing/contracts/streams'
import { EventPublisher, onEvent } from '@bearing/nats/events'
import { MessageStore } from '@bearing/nats/message-store'
import { QueueShares } from '@bearing/nats/queue-shares'
import { auditRelay } from '@bearing/service/audit-outbox'
import { measureQueues } from '@bearing/service/measure-queues'
import { RateLimits } from '@bearing/service/rate-limits'
import { OutboxRelay, OutboxTable } from '@bearing/service/outbox-relay'
import { runService, type Runtime, type ServiceDefinition } from '@bearing/service/run-service'
import { Transactions } from '@bearing/service/transactions'
import type { Values } from '@bearing/service/settings'
import { warnSeldom } from '@bearing/service/warn-seldom'
import type { Provider } from '@nestjs/common'
import type pg from 'pg'
import { v7 } from 'uuid'
import { CommitWorker } from './import/commit-worker.js'
import { ImportLimits } from './import/import-limits.js'
import { RefitCalibrations } from './learn/calibration/refit-calibrations.js'
import { AccessPointCache } from './locate/access-points/access-point-cache.js'
import { AccessPointReader } from './locate/access-points/access-point-reader.js'
import { Clock } from '@bearing/service/clock'
import type { CONFIG } from './config.js'
import { Database, Pools, openCommitPool, openLearningPool, openPool } from './ground/database.js'
import { Randomness } from '@bearing/service/randomness'
import { SweepWorker } from './erasure/sweep-worker.js'
import { SHARED_LAYER } from './ground/layer.js'
import { beginLearning } from './learn/begin-learning.js'
import { openFallback } from './locate/fallback/open-fallback.js'
import { ForgetOld } from './learn/expired-observation-sweep.js'
import { LearnObservations } from './learn/learn-observations.js'
import { Suspects } from './learn/crash-counts.js'
import { RebuildPool } from './learn/relearn-layer.js'
import { LocationModule } from './location.module.js'
import { ObservationQuotas } from './learn/observations/observation-quotas.js'
import { PositionStore } from './positions/position-store.js'
import { SweepRejectedObservations } from './learn/dead-letters/sweep-rejected-observations.js'
import { SweepPositions } from './positions/sweep-positions.js'
import { WantedPositions } from './positions/wanted-positions.js'
import { OwnScansMemory } from './locate/references/reference-scan-cache.js'
import { ReferenceThread } from './locate/references/reference-thread.js'
import { provide } from './ground/provide.js'
import { SharingGroups } from './sharing/sharing-groups.js'
import { SharingRules } from './sharing/sharing-policy.js'
import { queuesOf } from './ground/queues.js'
import { READ_MS, ReadPool } from './ground/read-pool.js'
import { RejectedStream } from './learn/dead-letters/dead-letters.js'
import { LocatingRules } from './locate/wifi/locating-rules.js'
import { SharedMisses } from './locate/wifi/shared-misses.js'

type Config = Values<typeof CONFIG>

/** Runs the location service until SIGTERM. A thread of it hands indexes over ({@link ReferenceThread}). */
export async function runLocation(config: Config): Promise<void> {
  await runService({
    name: 'location',
    description: 'Turns Wi-Fi scans into positions, and learns where access points are',
    settings: config,
    build: (runtime) => build(config, runtime),
  })
}

type Parts = Awaited<ReturnType<ServiceDefinition['build']>>

async function build(config: Config, runtime: Runtime): Promise<Parts> {
  const { client, connection, logger } = runtime
  const { LOCATION_DATABASE_URL: url, LOCATION_READ_URL: readUrl } = config
  const clock = new Clock(Date.now)
  const randomness = new Randomness(v7, (length) => new Uint8Array(randomBytes(length)))
  const pool = openPool(url, config.DATABASE_POOL)
  const readPool = readUrl === '' ? pool : openPool(readUrl, config.DATABASE_POOL)
  const reads = new ReadPool(readPool)
  const commitPool = openCommitPool(url)
  const publisher = new EventPublisher(connection)
  const transactions = new Transactions(clock, randomness, publisher, logger)
  const database = new Database(pool, transactions)
  const limits = await RateLimits.open(config.REDIS_URL, logger, runtime.metrics)
  const fallback = openFallback(config, { clock, randomness, limits }, runtime, database)
  const shared = openShared(config, { pool, limits, clock }, runtime)
  const relay = new OutboxRelay(new OutboxTable(database.outboxEvent), publisher, logger)
  const audits = auditRelay('location', database, client, logger)
  const now = () => clock.now()
  const context = { now, newId: randomness.newId, placesAtOnce: config.LOCATION_COMMIT_ACCESS_POINTS }
  const worker = new CommitWorker(commitPool, relay, logger, context)
  const sweeper = new SweepWorker(commitPool, logger, context)
  const thread = new ReferenceThread({ databaseUrl: readUrl || url, readMs: READ_MS })
  const ownScans = openOwnScans(reads, thread, clock, runtime)
  const store = new MessageStore(connection)
  const learningPool = openLearningPool(url)
  const relearningPool = openCommitPool(url)
  const learn = new LearnObservations(learningPool, connection, clock, config.LOCATION_SHARING)
  const learning = beginLearning(connection, learn, store, new Suspects(learningPool, clock), logger)
  const background = [worker, sweeper, ...tenders(learningPool, clock, runtime)]
  const wanted = new WantedPositions(client, clock)
  measureQueues(runtime, clock, queuesOf(database, connection))
  for (const part of [relay, audits, ...background]) part.start()
  return {
    module: LocationModule.with([
      ...[provide(Clock, clock), provide(Randomness, randomness), provide(Database, database)],
      provide(CommitWorker, worker),
      provide(LearnObservations, learn),
      provide(RebuildPool, new RebuildPool(relearningPool)),
      provide(PositionStore, new PositionStore(pool, clock, randomness, wanted)),
      provide(ReadPool, reads),
      provide(Pools, new Pools(pool, commitPool, learningPool, relearningPool, readPool)),
      provide(OwnScansMemory, ownScans),
      provide(
        AccessPointReader,
        new AccessPointReader(reads, openCache(config, runtime), shared.groups, clock),
      ),
      provide(SweepWorker, sweeper),
      provide(OutboxRelay, relay),
      ...[...fallback.parts, ...shared.parts, ...contributionParts(config, limits, connection, store)],
    ]),
    checks: checksOf(pool, readPool),
    close: async () => {
      await Promise.all([learning, thread, ...background].map((part) => part.stop()))
      await Promise.all([relay.stop(), audits.stop()])
      limits.close()
      await database.$disconnect()
      const pools = new Set([pool, readPool, commitPool, learningPool, relearningPool])
      await Promise.all([...pools].map((each) => each.end()))
    },
  }
}

function checksOf(pool: pg.Pool, readPool: pg.Pool): Parts['checks'] {
  const check = (name: string, of: pg.Pool) => ({ name, check: () => of.query('SELECT 1') })
  return [check('postgres', pool), ...(readPool === pool ? [] : [check('replica', readPool)])]
}

/** What is done now and again with what is stored. */
function tenders(pool: pg.Pool, clock: Clock, { connection, logger }: Runtime) {
  return [
    new ForgetOld(pool, clock, logger),
    new RefitCalibrations(pool, connection, clock, logger),
    new SweepPositions(pool, clock, logger),
    new SweepRejectedObservations(pool, new RejectedStream(connection), clock, logger),
  ]
}

/** The rules for using the shared layer: who contributes to it, who of them has people in common, how often it may be searched. */
function openShared(
  config: Config,
  { pool, limits, clock }: { readonly pool: pg.Pool; readonly limits: RateLimits; readonly clock: Clock },
  { client, logger, metrics }: Runtime,
): { readonly groups: SharingGroups; readonly parts: readonly Provider[] } {
  const rules = new SharingRules(config.LOCATION_SHARING)
  const failures = metrics.counter(
    'bearing_location_independence_failures_total',
    'Times that location could not find out which contributors to the shared layer are independent. What they contributed is not used after ten minutes.',
  )
  const warn = warnSeldom(
    logger,
    'identity does not say which organizations are independent; after ten minutes what they contributed to the shared layer is not used',
  )
  const groups = new SharingGroups(pool, client, rules, clock, (error) => {
    failures.inc()
    warn(error)
  })
  const parts = [
    provide(SharingRules, rules),
    provide(SharingGroups, groups),
    provide(SharedMisses, new SharedMisses(limits, config.LOCATION_SHARED_MISSES_PER_MINUTE, clock)),
    provide(LocatingRules, new LocatingRules(config.MIN_ACCESS_POINTS)),
  ]
  return { groups, parts }
}

/** What contributed data is stored with: imports and observations. */
function contributionParts(
  config: Config,
  limits: RateLimits,
  connection: Runtime['connection'],
  store: MessageStore,
): readonly Provider[] {
  const { PROJECT_OBSERVATION_BYTES_PER_DAY: project, ORGANIZATION_OBSERVATION_BYTES_PER_DAY: organization } =
    config
  return [
    provide(
      ImportLimits,
      new ImportLimits(config.IMPORTS_PER_ORGANIZATION, config.IMPORT_BYTES_PER_ORGANIZATION),
    ),
    provide(ObservationQuotas, new ObservationQuotas(limits, { project, organization })),
    provide(QueueShares, new QueueShares(connection, store, OBSERVATION_STREAM)),
    provide(RejectedStream, new RejectedStream(connection)),
  ]
}

/** The cache, emptied when access points change. */
function openCache(config: Config, { connection, logger }: Runtime): AccessPointCache {
  const cache = new AccessPointCache({
    organizations: config.LOCATION_CACHE_ORGANIZATIONS,
    accessPoints: config.LOCATION_CACHE_ACCESS_POINTS,
    ttlMs: config.LOCATION_CACHE_TTL_MS,
  })
  const forgetAll = (error: unknown) => {
    logger.warn({ err: error }, 'an event could not be read; forgetting all access points')
    cache.clear()
  }
  const forget = ({ organization_id }: { organization_id: string | null }) => {
    cache.forget(organization_id ?? SHARED_LAYER)
  }
  const clear = () => {
    cache.clear()
  }
  onEvent(connection, accessPointsChanged, forget, forgetAll, clear)
  onEvent(
    connection,
    accessPointsLearned,
    ({ organization_id, bssids }) => {
      cache.forgetSome(organization_id ?? SHARED_LAYER, bssids)
    },
    forgetAll,
    clear,
  )
  return cache
}

/** The memory of reference scans, told when they change. What it misses it sees by itself. */
function openOwnScans(
  reads: ReadPool,
  thread: ReferenceThread,
  clock: Clock,
  { connection, logger, metrics }: Runtime,
): OwnScansMemory {
  const failures = metrics.counter(
    'bearing_location_reference_failures_total',
    'Times that the reference scans of a project could not be read; where none are remembered it is located without them.',
  )
  const warn = warnSeldom(
    logger,
    'reference scans cannot be read; what is located without them has wider radii. Trying again',
  )
  const memory = new OwnScansMemory(reads, thread, clock, (error) => {
    failures.inc()
    warn(error)
  })
  onEvent(
    connection,
    referenceScansChanged,
    (scope) => {
      memory.changed(scope)
    },
    (error) => {
      logger.warn({ err: error }, 'an event could not be read; reference scans are looked at later')
    },
  )
  return memory
}
