import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { DataItem } from '@bearing/contracts/management/data/data-item'
import { DATA_EVENT, TEST_EVENT } from '@bearing/contracts/management/webhook'
import { Clock } from '@bearing/service/ground/clock'
import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import type { Settings } from '../config.js'
import { readPlace } from '../feed/data-reader.js'
import { hourOf } from '../ground/project-hours.js'
import type { DataOfDelivery } from './data-deliveries.js'
import type { DueDelivery } from './due-deliveries.js'
import { deliveryBody } from './enqueue-deliveries.js'
import { ForwardFile } from './forward-file.js'
import { forwardItems, NOTHING_LEFT } from './forward-items.js'
import { lockHeaders, putUrl, type ObjectLock } from './put-url.js'
import type { DataEnd } from './queue-batch.js'
import { syslogFrame } from './rules/syslog.js'
import { SendDelivery, type Outcome } from './send-delivery.js'
import { WebhookSecrets, type WebhookOptions } from './webhook-secrets.js'

const compress = promisify(gzip)
/** Headers of compressed lines of JSON. */
export const LINES = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' }
/** Digits of every position in the names of objects, so that they are sorted. */
const DIGITS = 19

/** Items of one hour, by what became of them. */
interface HourOfItems {
  readonly hour: string
  items: number
  refused: number
}

/** The outcome of an attempt to deliver data: if it was accepted, up to where, and what became of it. */
export interface DataOutcome extends Outcome {
  readonly end: DataEnd
  readonly hours: readonly HourOfItems[]
}

type Destination = Pick<DueDelivery, 'url' | 'kind' | 'kindOption' | 'options'> &
  Parameters<SendDelivery['send']>[0]

/** Sends what devices have sent to destinations of each kind, once. */
@Injectable()
export class SendData {
  constructor(
    private readonly sender: SendDelivery,
    private readonly secrets: WebhookSecrets,
    private readonly files: ForwardFile,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * @param signal aborts the attempt
   * @throws OperationError `service_unavailable` if one of our encryption keys is missing
   */
  async send(due: DueDelivery, part: DataOfDelivery, signal: AbortSignal): Promise<DataOutcome> {
    const { items, end, after, organization_id, project_id } = part
    if (due.kind === 'device_api') return this.forward(due, part, signal)
    const id = due.deliveryId
    const all = { end, hours: countHours(items) }
    if (due.kind === 'webhook') {
      const body = deliveryBody(DATA_EVENT, this.clock.now(), { organization_id, project_id, items })
      return { ...all, ...(await this.sender.send(due, { id, body }, signal)) }
    }
    if (items.length === 0) return { ...all, ...NOTHING_LEFT }
    const body = await compress(items.map((item) => `${JSON.stringify(item)}\n`).join(''))
    if (due.kind === 'ndjson')
      return { ...all, ...(await this.sender.send(due, { id, body, headers: LINES }, signal)) }
    return { ...all, ...(await this.put(due, objectName(after, end), body, { signal })) }
  }

  /** Sends a test, as far as the kind of the destination has one. */
  async test(
    webhook: Destination,
    delivery: { readonly id: string; readonly body: string },
  ): Promise<Outcome> {
    if (webhook.kind === 's3')
      return this.put(webhook, 'bearing-test.ndjson.gz', await compress(`${delivery.body}\n`))
    if (webhook.kind === 'ndjson') {
      const body = await compress(`${delivery.body}\n`)
      return this.sender.send(webhook, { id: delivery.id, body, headers: LINES })
    }
    if (webhook.kind === 'syslog') {
      const { ca_certificate: ca } = (webhook.options ?? {}) as WebhookOptions // no other value is written
      const frame = syslogFrame(this.clock.now().toISOString(), TEST_EVENT, delivery.body)
      return this.sender.pour(new URL(webhook.url), frame, { ca })
    }
    if (webhook.kind !== 'device_api') return this.sender.send(webhook, delivery)
    // A chunk would stay with the other service. Any reply says that it is there.
    const outcome = await this.sender.request(new URL(webhook.url), { method: 'GET', headers: {} })
    const accepted = outcome.status !== null && outcome.status < 500
    return { ...outcome, accepted, error: accepted ? null : outcome.error }
  }

  /** Puts an object into the bucket of a destination. @param how with `lock`, it cannot be deleted for a time */
  async put(
    webhook: Destination,
    name: string,
    body: Uint8Array,
    { signal, lock }: { readonly signal?: AbortSignal; readonly lock?: ObjectLock | undefined } = {},
  ): Promise<Outcome> {
    const url = await putUrl(webhook.url, webhook.kindOption ?? '', this.credentials(webhook), name, lock)
    const headers = { 'content-type': 'application/gzip', ...lockHeaders(lock) }
    return this.sender.request(url, { method: 'PUT', headers, body, signal })
  }

  /** Forwards chunks and files for as long as a request may take. If the first one fails, so does the attempt. */
  private async forward(due: DueDelivery, part: DataOfDelivery, signal: AbortSignal): Promise<DataOutcome> {
    const key = { [due.kindOption ?? '']: this.credentials(due) }
    const base = new URL(due.url)
    base.search = ''
    base.pathname = base.pathname.replace(/\/*$/, '/api/v0/')
    if (part.items.some(({ kind }) => kind === 'file')) await this.files.extendLease(due)
    const startedMs = performance.now()
    const { done, refused, failure } = await forwardItems(
      part.items,
      (item) => {
        if (item.kind === 'file') return this.files.execute(item.id, { base, key, signal })
        if (item.data === null) return Promise.resolve(NOTHING_LEFT)
        return this.sender.request(new URL(`chunks/${encodeURIComponent(item.device_serial)}`, base), {
          method: 'POST',
          headers: { 'content-type': 'application/octet-stream', ...key },
          body: Buffer.from(item.data, 'base64'),
          signal,
        })
      },
      () => signal.aborted || performance.now() - startedMs > this.settings.WEBHOOK_TIMEOUT_MS,
    )
    const last = done.at(-1)
    const place = last && done.length < part.items.length ? readPlace(last.cursor) : undefined
    const end = place ? { position: place.position, at: new Date(place.atMs) } : part.end
    const hours = countHours(done, refused)
    if (!last && part.items.length > 0) return { ...NOTHING_LEFT, ...failure, accepted: false, end, hours }
    const durationMs = Math.round(performance.now() - startedMs)
    return { ...NOTHING_LEFT, durationMs, end, hours }
  }

  private credentials(webhook: Destination): string {
    const [secret = new Uint8Array()] = this.secrets.open(webhook, this.clock.now())
    return Buffer.from(secret).toString()
  }
}

/** Returns the name of an object: by the hour of its last item, and the range of its positions. */
export function objectName(after: bigint, end: DataEnd): string {
  const hour = hourOf(end.at)
  const range = [after + 1n, end.position].map((position) => String(position).padStart(DIGITS, '0'))
  return `dt=${hour.slice(0, 10)}/hour=${hour.slice(11, 13)}/${range.join('-')}.ndjson.gz`
}

/** Returns how many items each hour has, in the order of the hours. */
export function countHours(
  items: readonly Pick<DataItem, 'id' | 'at'>[],
  refused: ReadonlySet<string> = new Set(),
): HourOfItems[] {
  const hours = new Map<string, HourOfItems>()
  for (const { id, at } of items) {
    const hour = hourOf(new Date(at))
    const counts = hours.get(hour) ?? { hour, items: 0, refused: 0 }
    counts[refused.has(id) ? 'refused' : 'items']++
    hours.set(hour, counts)
  }
  return [...hours.values()]
}
