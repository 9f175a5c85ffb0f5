/**
 * What was measured: the constants of the calculator, and the only place where they are. Where each comes from: docs/scaling.md#constants.
 * On other machines they differ; their ratios differ less.
 */
export const MEASURED = {
  /** Processor time of one request, in microseconds, by process. */
  processor: {
    /** A look-up of 20 access points that are cached. */
    cachedLookUp: { gateway: 72, location: 60, nats: 29, postgres: 0 },
    /** A look-up of 20 access points that are read from Postgres. */
    lookUp: { gateway: 111, location: 170, nats: 29, postgres: 140 },
    /** A chunk of 500 bytes: accepted, queued, stored. NATS: of each of three servers. */
    chunk: { gateway: 75, management: 110, nats: 73, postgres: 38 },
    /** A credential that a gateway has not cached. */
    introspection: { identity: 350, postgres: 100 },
  },
  /** Bytes on disk. */
  disk: {
    /** An imported access point: row, primary key, index by place. */
    accessPoint: 168,
    /** What is stored of a chunk besides its bytes, indexes included. */
    chunk: 250,
    device: 650,
    /** Of a message in a stream besides its bytes. */
    message: 200,
  },
  /** Memory of a process, in bytes. */
  memory: { gateway: 512e6, identity: 512e6, management: 512e6, location: 1e9, nats: 512e6 },
  /** Chunks a second that one stream with three replicas accepted. */
  chunksPerStream: 11_000,
  /** Access points that one Postgres was measured with. */
  accessPoints: 100_000_000,
} as const
