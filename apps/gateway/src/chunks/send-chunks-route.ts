import { otherDevice } from '@bearing/access/named-devices'
import { OperationError } from '@bearing/contracts/errors'
import { sendChunks } from '@bearing/contracts/management/data/chunk'
import { isOfDevice, type Principal } from '@bearing/contracts/principal'
import { ROUTES } from '@bearing/contracts/routes'
import { MessageStore } from '@bearing/nats/message-store'
import { validate } from '@bearing/nats/validate'
import { Controller, Req, Res } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { v7 } from 'uuid'
import { KeyUses } from '../authenticate/key-uses.js'
import { ChunkQueue } from './chunk-queue.js'
import { DataPolicies } from './policies/data-policies.js'
import { randomFromPool } from '../ground/random-pool.js'
import { authorizedOf } from '../authorize/authorization.js'
import { render } from '../forward/forward.js'
import { HandleRoute } from '../forward/handle-route.js'
import { PassThrough } from '../pass-through/pass-through.js'
import { messageOf } from './message-of.js'
import { readChunks } from './read-chunks.js'

const MAX_IDEMPOTENCY_KEY = 256

/** `POST /api/v0/chunks/:device_serial`: responds after JetStream has stored the chunks. */
@Controller()
export class SendChunksRoute {
  constructor(
    private readonly store: MessageStore,
    private readonly queue: ChunkQueue,
    private readonly policies: DataPolicies,
    private readonly keyUses: KeyUses,
    private readonly passThrough: PassThrough,
  ) {}

  @HandleRoute('sendChunks')
  async handle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const key = senderOf(request)
    const { device_serial: serial } = request.params as { device_serial: string } // as the path of the route says
    const input = validate(sendChunks.input, { ...(request.query as object), device_serial: serial })
    requireLength(request)
    if (key.kind === 'project_key') this.keyUses.noteDevice(key.credential_id, input.device_serial)
    else if (key.device_serial !== input.device_serial) throw otherDevice(key)
    const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0) // the only content type parser keeps the bytes
    const accepted = {
      projectId: key.project_id,
      serial: input.device_serial,
      address: request.ip,
      bytes: body.length,
    }
    // Before the body is split, because quotas bound that work too.
    await this.policies.admit(accepted)
    let stored = 0
    try {
      const chunks = readChunks(request.headers, body)
      this.requireRoom(chunks.reduce((sum, { length }) => sum + length, 0))
      const partition = await this.queue.partitionOf(key.project_id)
      const message = messageOf(
        {
          organizationId: key.organization_id,
          projectId: key.project_id,
          serial: input.device_serial,
          chunks,
          hardwareVersion: input.hardware_version,
          softwareType: input.software_type,
          softwareVersion: input.software_version,
          credentialId: key.credential_id,
          idempotencyKey: idempotencyKeyOf(request),
        },
        partition,
        () => v7({ random: randomFromPool(16) }),
      )
      const traced = { ...message, traceparent: request.traceparent }
      await this.queue.add(partition, key.organization_id, traced)
      stored = message.body.length
      if ((await this.passThrough.copied(request, reply)) !== 'answered')
        render(reply, ROUTES.sendChunks, { chunks: chunks.length })
    } finally {
      // Counts only stored chunks, without the multipart lines around them.
      this.policies.notStored({ ...accepted, bytes: accepted.bytes - stored })
    }
  }

  private requireRoom(bytes: number): void {
    if (bytes > this.store.maxBytes)
      throw new OperationError(
        'payload_too_large',
        `The chunks have ${String(bytes)} bytes; send at most ${String(this.store.maxBytes)} in one request.`,
      )
  }
}

type Sender = Extract<Principal, { kind: 'project_key' | 'device' }>

function senderOf(request: FastifyRequest): Sender {
  const principal = authorizedOf(request, sendChunks.permission).caller?.principal
  if (!isOfDevice(principal)) throw new Error('only devices are authorized for this route')
  return principal
}

function requireLength({ headers }: FastifyRequest): void {
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)
    throw new OperationError('length_required', 'Send a Content-Length.')
}

function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined || key === '') return undefined
  if (typeof key === 'string' && key.length <= MAX_IDEMPOTENCY_KEY) return key
  throw new OperationError(
    'invalid_input',
    `The Idempotency-Key is longer than ${String(MAX_IDEMPOTENCY_KEY)} characters, or there are several.`,
  )
}
