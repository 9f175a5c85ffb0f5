import { Connection } from '@bearing/nats/connection'
import { GuardedHttp } from '@bearing/outbound/guarded-http'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { Metrics } from '@bearing/service/observe/metrics'
import { Randomness } from '@bearing/service/ground/randomness'
import { RateLimits } from '@bearing/service/store/rate-limits'
import { LOGGER, SETTINGS } from '@bearing/service/run/runtime-module'
import { SecretBox } from '@bearing/service/store/secret-box'
import { warnSeldom } from '@bearing/service/observe/warn-seldom'
import { Module } from '@nestjs/common'
import type { Settings } from '../config.js'
import { READ_MS, ReadPool } from '../ground/read-pool.js'
import { PositionsModule } from '../positions/positions.module.js'
import { AccessPointCache } from './access-points/access-point-cache.js'
import { AccessPointReader } from './access-points/access-point-reader.js'
import { LayerChanges } from './access-points/layer-changes.js'
import { ListAccessPoints } from './access-points/places/list-access-points.js'
import { OwnPlaces } from './access-points/places/own-places.js'
import { ShowCoverage } from './access-points/places/show-coverage.js'
import { ExportAccessPoints } from './access-points/export-access-points.js'
import { ShowAccessPointStatistics } from './access-points/show-access-point-statistics.js'
import { SweepLayerChanges } from './access-points/sweep-layer-changes.js'
import { CellReader } from './cells/cell-reader.js'
import { ExportCells } from './cells/export-cells.js'
import { ResolveCellLocation } from './cells/resolve-cell-location.js'
import { ExplainLocation } from './explain/explain-location.js'
import { FastPath } from './fast-path/fast-path.js'
import { FallbackKeys } from './fallback/fallback-row.js'
import { ProviderTools } from './fallback/provider-tools.js'
import { Providers } from './fallback/providers.js'
import { SetLocationFallback } from './fallback/set-location-fallback.js'
import { ShowLocationFallback } from './fallback/show-location-fallback.js'
import { TurnOffLocationFallback } from './fallback/turn-off-location-fallback.js'
import { Geolocate } from './geolocation/geolocate.js'
import { ResolveGroundFix } from './ground-fix/resolve-ground-fix.js'
import { ReferenceScanCache } from './references/reference-scan-cache.js'
import { ReferenceThread } from './references/reference-thread.js'
import { BaseLayerSearches } from './sources/base-layer-searches.js'
import { CellSource } from './sources/cell-source.js'
import { Creators } from './sources/creators.js'
import { Locator } from './sources/locator.js'
import { ProviderSource } from './sources/provider-source.js'
import { WifiSource } from './sources/wifi/wifi-source.js'
import { ListLookupHours } from './usage/list-lookup-hours.js'
import { ListLookupUsage } from './usage/list-lookup-usage.js'
import { LookupCounts } from './usage/lookup-counts.js'
import { SweepLookupUsage } from './usage/sweep-lookup-usage.js'
import { ResolveWifiBatch } from './wifi/resolve-wifi-batch.js'
import { ResolveWifiLocation } from './wifi/resolve-wifi-location.js'
import { WifiAnswers } from './wifi/wifi-answers.js'

/** Organizations for which a process caches access points; those that ask most stay. */
const CACHED_ORGANIZATIONS = 64

/** Neighborhoods that an access point of the base layer is asked for with in a day, far from where it is: then it was carried about. */
const NEIGHBORHOODS_PER_TARGET = 10

/** The longest reply of a provider in bytes, and the longest time for any, in milliseconds. */
const PROVIDER_LIMITS = { maxBytes: 16_384, timeoutMs: 5_000 } as const

/**
 * Look-ups: operations search {@link Locator}, which searches location sources in order. Also exports of what an organization
 * knows, and the providers that are asked otherwise. It only reads stations. It imports `positions` and `ground`.
 */
@Module({
  imports: [PositionsModule],
  controllers: [
    ExplainLocation,
    ExportAccessPoints,
    ExportCells,
    Geolocate,
    ListAccessPoints,
    ListLookupHours,
    ListLookupUsage,
    ResolveCellLocation,
    ResolveGroundFix,
    ResolveWifiBatch,
    ResolveWifiLocation,
    SetLocationFallback,
    ShowAccessPointStatistics,
    ShowCoverage,
    ShowLocationFallback,
    TurnOffLocationFallback,
  ],
  providers: [
    {
      // The order of the sources is the order in which they are searched.
      provide: Locator,
      useFactory: (
        wifi: WifiSource,
        cell: CellSource,
        provider: ProviderSource,
        fastPath: FastPath,
        searches: BaseLayerSearches,
        counts: LookupCounts,
      ) => new Locator([wifi, cell, provider], fastPath, searches, counts),
      inject: [WifiSource, CellSource, ProviderSource, FastPath, BaseLayerSearches, LookupCounts],
    },
    ...[FastPath, LookupCounts, OwnPlaces, SweepLayerChanges, SweepLookupUsage, WifiAnswers, WifiSource],
    ...[AccessPointReader, CellReader, CellSource, Creators, ProviderSource, ProviderTools, Providers],
    {
      provide: BaseLayerSearches,
      useFactory: (settings: Settings, limits: RateLimits, creators: Creators, clock: Clock) => {
        const neighborhoodsPerMinute = settings.LOCATION_SEARCHES_PER_MINUTE
        const budget = { neighborhoodsPerMinute, neighborhoodsPerTarget: NEIGHBORHOODS_PER_TARGET }
        return new BaseLayerSearches(limits, budget, creators, clock)
      },
      inject: [SETTINGS, RateLimits, Creators, Clock],
    },
    {
      provide: AccessPointCache,
      useFactory: (settings: Settings, connection: Connection, metrics: Metrics, logger: Logger) => {
        const cache = new AccessPointCache({
          organizations: CACHED_ORGANIZATIONS,
          accessPoints: settings.LOCATION_CACHE_ACCESS_POINTS,
          ttlMs: settings.LOCATION_CACHE_TTL_MS,
          checkedTtlMs: settings.LOCATION_CACHE_CHECKED_TTL_MS,
        })
        cache.invalidateBy(connection, logger)
        metrics.cache('access-points', () => cache.figures)
        return cache
      },
      inject: [SETTINGS, Connection, Metrics, LOGGER],
    },
    {
      provide: LayerChanges,
      // Replicas may be several that are not equally far behind: then access points are cached for a minute.
      useFactory: (
        settings: Settings,
        reads: ReadPool,
        cache: AccessPointCache,
        clock: Clock,
        logger: Logger,
      ) => (settings.LOCATION_READ_URL === '' ? new LayerChanges(reads, cache, clock, logger) : undefined),
      inject: [SETTINGS, ReadPool, AccessPointCache, Clock, LOGGER],
    },
    {
      provide: ReferenceThread,
      useFactory: (settings: Settings) =>
        new ReferenceThread({
          databaseUrl: settings.LOCATION_READ_URL || settings.LOCATION_DATABASE_URL,
          readMs: READ_MS,
        }),
      inject: [SETTINGS],
    },
    {
      provide: ReferenceScanCache,
      useFactory: (
        reads: ReadPool,
        thread: ReferenceThread,
        clock: Clock,
        metrics: Metrics,
        connection: Connection,
        logger: Logger,
      ) => {
        const failures = metrics.counter(
          'bearing_location_reference_failures_total',
          'Failed reads of the reference scans of a project. If none are cached, positions are found without them.',
        )
        const warn = warnSeldom(
          logger,
          'Reference scans cannot be read. Positions without them have wider radii. Retrying.',
        )
        const cache = new ReferenceScanCache(reads, thread, clock, (error) => {
          failures.inc()
          warn(error)
        })
        cache.invalidateBy(connection, logger)
        return cache
      },
      inject: [ReadPool, ReferenceThread, Clock, Metrics, Connection, LOGGER],
    },
    {
      provide: GuardedHttp,
      useFactory: (settings: Settings, metrics: Metrics) => {
        const ranges = settings.LOCATION_FALLBACK_PRIVATE_RANGES
        const limits = { privateRanges: ranges, plainRanges: ranges, ...PROVIDER_LIMITS }
        return new GuardedHttp(limits, metrics.outgoing('location_provider'))
      },
      inject: [SETTINGS, Metrics],
    },
    {
      provide: FallbackKeys,
      useFactory: (settings: Settings, randomness: Randomness) =>
        new FallbackKeys(new SecretBox(settings.LOCATION_SECRET_KEYS, randomness.bytes)),
      inject: [SETTINGS, Randomness],
    },
  ],
})
export class LocateModule {}
