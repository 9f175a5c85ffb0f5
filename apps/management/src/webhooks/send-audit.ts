import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { DAY_MS } from '@bearing/contracts/durations'
import type { AuditEntry } from '@bearing/contracts/identity/audit/audit-log'
import { Clock } from '@bearing/service/ground/clock'
import { Injectable } from '@nestjs/common'
import type { AuditOfDelivery } from './audit-deliveries.js'
import type { DueDelivery } from './due-deliveries.js'
import { toOcsf } from './rules/ocsf.js'
import { syslogFrame } from './rules/syslog.js'
import { LINES, SendData, countHours, objectName, type DataOutcome } from './send-data.js'
import { SendDelivery, type Outcome } from './send-delivery.js'
import type { WebhookOptions } from './webhook-secrets.js'

const compress = promisify(gzip)

/** Sends rows of the audit log to destinations of each kind, with the newest signed checkpoint at the end. */
@Injectable()
export class SendAudit {
  constructor(
    private readonly sender: SendDelivery,
    private readonly data: SendData,
    private readonly clock: Clock,
  ) {}

  /** @throws OperationError `service_unavailable` if one of our encryption keys is missing */
  async send(due: DueDelivery, part: AuditOfDelivery, signal: AbortSignal): Promise<DataOutcome> {
    return { ...(await this.deliver(due, part, signal)), end: part.end, hours: countHours(part.rows) }
  }

  private async deliver(due: DueDelivery, part: AuditOfDelivery, signal: AbortSignal): Promise<Outcome> {
    const { rows, checkpoints, after, end } = part
    const { format, object_lock_days: lockDays, ca_certificate: ca } = optionsOf(due)
    const textOf = (row: AuditEntry) => JSON.stringify(format === 'ocsf' ? toOcsf(row) : row)
    const note = checkpoints.map((checkpoint) => JSON.stringify({ checkpoint }))
    if (due.kind === 'syslog') {
      const at = this.clock.now().toISOString()
      const frames = [
        ...rows.map((row) => syslogFrame(row.at, row.action, textOf(row))),
        ...note.map((text) => syslogFrame(at, 'checkpoint', text)),
      ]
      return this.sender.pour(new URL(due.url), Buffer.concat(frames), { ca, signal })
    }
    const body = await compress([...rows.map(textOf), ...note].map((line) => `${line}\n`).join(''))
    if (due.kind === 'ndjson')
      return this.sender.send(due, { id: due.deliveryId, body, headers: LINES }, signal)
    const until = lockDays === undefined ? undefined : new Date(this.clock.nowMs() + lockDays * DAY_MS)
    const lock = until && { until, md5: createHash('md5').update(body).digest('base64') }
    return this.data.put(due, objectName(after, end), body, { signal, lock })
  }
}

function optionsOf({ options }: DueDelivery): WebhookOptions {
  return options ?? {} // no other value is written
}
