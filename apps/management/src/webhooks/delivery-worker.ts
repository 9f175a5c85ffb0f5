import { setTimeout as sleep } from 'node:timers/promises'
import { OperationError } from '@bearing/contracts/errors'
import { DATA_EVENT } from '@bearing/contracts/management/webhook'
import { AUDIT_EVENT } from '@bearing/contracts/management/webhook-destination'
import { BackgroundJob } from '@bearing/service/work/background-job'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { warnSeldom } from '@bearing/service/observe/warn-seldom'
import { Inject, Injectable } from '@nestjs/common'
import { AuditDeliveries } from './audit-deliveries.js'
import { DataDeliveries } from './data-deliveries.js'
import { DueDeliveries, type DueDelivery } from './due-deliveries.js'
import { RecordAttempt } from './record-attempt.js'
import { QueueBatch } from './queue-batch.js'
import { SendAudit } from './send-audit.js'
import { SendData, type DataOutcome } from './send-data.js'
import { SendDelivery, type Outcome } from './send-delivery.js'

/** From one look for due deliveries to the next, in milliseconds: if there are none, and if there may be more. */
const IDLE_MS = 500
const BUSY_MS = 20
/** Time for running attempts at shutdown, in milliseconds; then they are repeated elsewhere. */
const SHUTDOWN_MS = 3_000

/** Sends due deliveries. Any number of processes may run it. */
@Injectable()
export class DeliveryWorker extends BackgroundJob {
  private readonly cut = new AbortController()
  private readonly running = new Map<Promise<void>, DueDelivery>()
  private readonly attemptFailed: (error: unknown) => void

  constructor(
    private readonly deliveries: DueDeliveries,
    private readonly sender: SendDelivery,
    private readonly dataSender: SendData,
    private readonly recordAttempt: RecordAttempt,
    private readonly auditSender: SendAudit,
    private readonly data: DataDeliveries,
    private readonly audit: AuditDeliveries,
    batches: QueueBatch,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      intervalMs: IDLE_MS,
      run: () => this.startDue(),
      logger,
      failure: 'due deliveries to webhooks cannot be read; retrying',
    })
    batches.onQueued = () => {
      this.kick()
    }
    this.attemptFailed = warnSeldom(
      logger,
      'an attempt to deliver to a webhook cannot be recorded; it will be repeated',
    )
  }

  /** Starts no more attempts, and gives the running ones a moment to finish. */
  override async stop(): Promise<void> {
    await super.stop()
    const last = setTimeout(() => this.cut.abort(), SHUTDOWN_MS)
    await Promise.all(this.running.keys())
    clearTimeout(last)
  }

  private async startDue(): Promise<void> {
    const due = await this.deliveries.take(this.running.values())
    for (const delivery of due) this.begin(delivery)
    await sleep(BUSY_MS)
    if (due.length > 0) this.kick()
  }

  private begin(due: DueDelivery): void {
    const attempt = this.attempt(due).finally(() => {
      this.running.delete(attempt)
      this.kick()
    })
    this.running.set(attempt, due)
  }

  private async send(due: DueDelivery): Promise<Outcome & Partial<DataOutcome>> {
    const { signal } = this.cut
    if (due.event === DATA_EVENT) return this.dataSender.send(due, await this.data.partOf(due), signal)
    if (due.event === AUDIT_EVENT) return this.auditSender.send(due, await this.audit.partOf(due), signal)
    return this.sender.send(due, { id: due.deliveryId, body: due.body }, signal)
  }

  /** Never rejects: if the outcome is not recorded, the lease expires and the delivery is attempted again. */
  private async attempt(due: DueDelivery): Promise<void> {
    try {
      const outcome = await this.send(due)
      if (!outcome.accepted && this.cut.signal.aborted) await this.deliveries.release(due)
      else await this.recordAttempt.execute(due, outcome)
      if (due.event === DATA_EVENT) this.data.kick()
      if (due.event === AUDIT_EVENT) this.audit.kick()
    } catch (error) {
      this.attemptFailed(error)
      // One of our encryption keys is missing: not the receiver's fault.
      if (error instanceof OperationError) await this.deliveries.release(due).catch(() => undefined)
    }
  }
}
