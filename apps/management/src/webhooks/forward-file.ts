import { DeviceFileKind } from '@bearing/contracts/management/data/file'
import { GuardedHttp, OutboundError } from '@bearing/outbound/guarded-http'
import { Clock } from '@bearing/service/ground/clock'
import { Metrics } from '@bearing/service/observe/metrics'
import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import { z } from 'zod'
import type { Settings } from '../config.js'
import { Database } from '../ground/database.js'
import { Storages } from '../storage/storage.js'
import type { DueDelivery } from './due-deliveries.js'
import { NOTHING_LEFT } from './forward-items.js'
import type { Outcome } from './send-delivery.js'

/** For each of the three requests of a file, in milliseconds. */
const TIMEOUT_MS = 120_000
/** Longer than all three, for files that have begun when an attempt is over. */
const LEASE_MS = 600_000
const PIECE_BYTES = 512 * 1024
const REPLY_BYTES = 65_536

const Prepared = z.object({ data: z.object({ upload_url: z.string(), token: z.string() }) })
/** The route of a file that devices have none for, such as symbols. */
const NO_ROUTE: Outcome = { ...NOTHING_LEFT, accepted: false, status: 404, error: 'status' }

/** Destination of forwarded files. */
interface ForwardTarget {
  /** Ends with `/api/v0/`. */
  readonly base: URL
  /** The header with the project key. */
  readonly key: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** Forwards committed files to the device API of another service, as devices upload them: prepare, put, commit. */
@Injectable()
export class ForwardFile {
  private readonly http: GuardedHttp

  constructor(
    private readonly database: Database,
    private readonly storages: Storages,
    private readonly clock: Clock,
    @Inject(SETTINGS) { WEBHOOK_PRIVATE_RANGES: ranges }: Settings,
    metrics: Metrics,
  ) {
    this.http = new GuardedHttp(
      { privateRanges: ranges, plainRanges: ranges, timeoutMs: TIMEOUT_MS, maxBytes: REPLY_BYTES },
      metrics.outgoing('webhook'),
    )
  }

  /** Keeps other processes from attempting a delivery with files, which takes longer than others. */
  async extendLease({ deliveryId, attempts }: Pick<DueDelivery, 'deliveryId' | 'attempts'>): Promise<void> {
    await this.database.webhookDelivery.updateMany({
      where: { id: deliveryId, attempts },
      data: { nextAttemptAt: new Date(this.clock.nowMs() + LEASE_MS) },
    })
  }

  /**
   * Forwards a file. The outcome is that of the first request that was not accepted, or of the last one.
   *
   * @throws Error if the storage does not have the file any more, or is unavailable
   */
  async execute(id: string, { base, key, signal }: ForwardTarget): Promise<Outcome> {
    const startedMs = performance.now()
    const file = await this.database.storedFile.findUnique({
      where: { id },
      select: { kind: true, attributes: true, object: true },
    })
    if (!file) return NOTHING_LEFT
    if (!DeviceFileKind.safeParse(file.kind).success) return NO_ROUTE
    const { object } = file
    const attributes = file.attributes as { readonly file?: object } // written by commits
    const size = Number(object.gzip ? object.sentSize : object.size)
    const json = { 'content-type': 'application/json', ...key }
    const send = (
      url: URL,
      method: string,
      headers: Record<string, string>,
      body: string | AsyncIterable<Uint8Array>,
    ) =>
      this.http.send(url, {
        method,
        headers: { 'user-agent': 'Bearing-Webhooks/1', ...headers },
        body,
        signal,
      })
    const steps = async () => {
      const asked = JSON.stringify({ ...attributes, kind: file.kind, size })
      const reply = await send(new URL('upload', base), 'POST', json, asked)
      if (!reply.ok) return reply
      const { upload_url, token } = Prepared.parse(await reply.json()).data
      const coding = object.gzip ? { 'content-encoding': 'gzip' } : {}
      const put = await send(
        new URL(upload_url, base),
        'PUT',
        { 'content-length': String(size), ...coding },
        this.bytesOf(object, size),
      )
      if (!put.ok) return put
      const committed = JSON.stringify({ ...attributes, file: { ...attributes.file, token } })
      return send(new URL(`upload/${file.kind}`, base), 'POST', json, committed)
    }
    const durationMs = () => Math.round(performance.now() - startedMs)
    try {
      const { ok, status } = await steps()
      return { ...NOTHING_LEFT, accepted: ok, status, error: ok ? null : 'status', durationMs: durationMs() }
    } catch (cause) {
      // Also if the preparation was answered with something else.
      if (
        !(cause instanceof OutboundError) &&
        !(cause instanceof z.ZodError) &&
        !(cause instanceof SyntaxError)
      )
        throw cause
      const error = cause instanceof OutboundError && cause.reason === 'timeout' ? 'timeout' : 'unreachable'
      return { ...NOTHING_LEFT, accepted: false, error, durationMs: durationMs() }
    }
  }

  /** Reads the bytes as they are stored, piece by piece. */
  private async *bytesOf(
    { id, storage: name, parts, gzip }: { id: string; storage: string; parts: bigint[]; gzip: boolean },
    size: number,
  ): AsyncGenerator<Uint8Array> {
    const storage = this.storages.named(name)
    for (let offset = 0; offset < size; offset += PIECE_BYTES) {
      const length = Math.min(PIECE_BYTES, size - offset)
      const bytes = gzip
        ? await storage.readRange(id, offset, length)
        : await storage.read({ id, parts, gzip, size }, offset, length)
      if (!bytes) throw new Error('the object does not exist')
      yield bytes
    }
  }
}
