import { MEASURED } from './measured.js'

/** What a fleet does. */
export interface Fleet {
  readonly devices: number
  /** Requests for a position a second, with 20 access points each. */
  readonly lookUps: number
  /** Share of look-ups whose access points are cached, 0 to 1. */
  readonly cached: number
  /** Chunks a second. */
  readonly chunks: number
  readonly chunkBytes: number
  /** Days for which chunks are stored. */
  readonly retentionDays: number
  /** Credentials in use: one for each project if devices send project keys. */
  readonly credentials: number
  readonly accessPoints: number
}

/** What a part needs. Memory and disk in bytes. */
export interface Need {
  readonly part: string
  /** How many processes, or servers. */
  readonly processes: number
  /** Processor cores of all of them, without reserve. */
  readonly cores: number
  readonly memory: number
  readonly disk: number
}

/** What a deployment needs. */
export interface Capacity {
  readonly needs: readonly Need[]
  /** Connections to Postgres at most, one more process of each service during a rollout included. */
  readonly connections: number
  /** Limits of one stream or one server that the fleet reaches, in words. */
  readonly outgrown: readonly string[]
}

/** A process of Node uses one core; this share of it is planned, so that the loss of one of two processes is not noticed. */
const PLANNED_SHARE = 0.5
/** At least two of each, on different hosts. */
const LEAST_PROCESSES = 2
const NATS_SERVERS = 3
const POSTGRES_SERVERS = 3
/** A gateway caches a credential for at most so long, in seconds. */
const CACHED_S = 25
/** Queues hold this many seconds of chunks while management or Postgres is away. */
const QUEUED_S = 6 * 3_600
/** Free space for VACUUM, REINDEX and the log. */
const DISK_RESERVE = 1.5
const DAY_S = 86_400
const MOST_PARTITIONS = 8
/** Connections of a process (DATABASE_POOL, and what location opens besides). */
export const CONNECTIONS = { identity: 10, management: 10, location: 20 }
/** Of a Postgres without the pages that it caches. */
const POSTGRES_MEMORY = 1e9

/** Computes what a fleet needs. */
export function capacityOf(fleet: Fleet): Capacity {
  const { processor, memory, disk } = MEASURED
  const { lookUps, chunks, cached } = fleet
  const perLookUp = (part: 'gateway' | 'location' | 'nats' | 'postgres') =>
    cached * processor.cachedLookUp[part] + (1 - cached) * processor.lookUp[part]
  const cores = (microseconds: number) => microseconds / 1e6
  const gateway = processes(cores(lookUps * perLookUp('gateway') + chunks * processor.chunk.gateway))
  const introspections = (fleet.credentials * gateway.processes) / CACHED_S
  const identity = processes(cores(introspections * processor.introspection.identity))
  const management = processes(cores(chunks * processor.chunk.management))
  const location = processes(cores(lookUps * perLookUp('location')))
  const natsCores = cores(lookUps * perLookUp('nats') + chunks * processor.chunk.nats)
  const postgresCores = cores(
    lookUps * perLookUp('postgres') +
      chunks * processor.chunk.postgres +
      introspections * processor.introspection.postgres,
  )
  const accessPointBytes = fleet.accessPoints * disk.accessPoint
  const storedChunks = chunks * DAY_S * fleet.retentionDays
  const stored =
    accessPointBytes + fleet.devices * disk.device + storedChunks * (fleet.chunkBytes + disk.chunk)
  const queued = chunks * QUEUED_S * (fleet.chunkBytes + disk.message)
  const of = (part: keyof typeof memory, some: ReturnType<typeof processes>): Need => ({
    part,
    ...some,
    memory: some.processes * memory[part],
    disk: 0,
  })
  return {
    needs: [
      of('gateway', gateway),
      of('identity', identity),
      of('management', management),
      of('location', location),
      {
        part: 'nats',
        processes: NATS_SERVERS,
        cores: NATS_SERVERS * natsCores,
        memory: NATS_SERVERS * memory.nats,
        disk: NATS_SERVERS * queued * DISK_RESERVE,
      },
      {
        part: 'postgres',
        processes: POSTGRES_SERVERS,
        cores: POSTGRES_SERVERS * postgresCores,
        memory: POSTGRES_SERVERS * (POSTGRES_MEMORY + accessPointBytes / 3),
        disk: POSTGRES_SERVERS * stored * DISK_RESERVE,
      },
    ],
    connections:
      (identity.processes + 1) * CONNECTIONS.identity +
      (management.processes + 1) * CONNECTIONS.management +
      (location.processes + 1) * CONNECTIONS.location,
    outgrown: outgrown(fleet),
  }
}

function processes(cores: number): { readonly processes: number; readonly cores: number } {
  return { processes: Math.max(LEAST_PROCESSES, Math.ceil(cores / PLANNED_SHARE)), cores }
}

function outgrown({ chunks, accessPoints }: Fleet): string[] {
  const { chunksPerStream, accessPoints: measured } = MEASURED
  const found: string[] = []
  if (chunks > chunksPerStream * PLANNED_SHARE)
    found.push(
      `one stream of chunks: set CHUNK_PARTITIONS to ${String(Math.min(MOST_PARTITIONS, Math.ceil(chunks / (chunksPerStream * PLANNED_SHARE))))}`,
    )
  if (accessPoints > measured)
    found.push(
      `access points: more than the ${measured.toLocaleString('en')} that were measured in one Postgres`,
    )
  return found
}
