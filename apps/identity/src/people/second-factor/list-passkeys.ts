import { Buffer } from 'node:buffer'
import { listPasskeys, type Passkey } from '@bearing/contracts/identity/people/passkey'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { callingUser } from '../users/calling-user.js'

/** The columns of a passkey that its user sees. */
export const SHOWN = { id: true, credentialId: true, name: true, createdAt: true, lastUsedAt: true } as const

interface Row {
  readonly id: string
  readonly credentialId: Uint8Array
  readonly name: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

@Controller()
export class ListPasskeys {
  constructor(private readonly database: Database) {}

  @Handle(listPasskeys)
  async execute(input: Input<typeof listPasskeys>, by: Principal): Promise<Output<typeof listPasskeys>> {
    const where = { userId: callingUser(by).userId }
    const [count, rows] = await Promise.all([
      this.database.passkey.count({ where }),
      this.database.passkey.findMany({
        where,
        select: SHOWN,
        orderBy: { id: 'asc' },
        skip: (input.page - 1) * input.per_page,
        take: input.per_page,
      }),
    ])
    return page(rows.map(toPasskey), count, input)
  }
}

export function toPasskey({ id, credentialId, name, createdAt, lastUsedAt }: Row): Passkey {
  return {
    ...{ id, name },
    credential_id: Buffer.from(credentialId).toString('base64url'),
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
  }
}
