import { Batches } from '@bearing/service/work/batches'
import { Injectable } from '@nestjs/common'
import { Prisma } from '../../generated/prisma/client.js'
import { Database } from '../../ground/database.js'
import { deletedState, type DeletedState } from '../../ground/tenant-states.js'

/** A registered key of a device, with what its project says about it. */
export interface DeviceKeyRow {
  readonly id: string
  readonly thumbprint: string
  readonly keyHash: string
  readonly organizationId: string
  readonly projectId: string
  readonly serial: string
  readonly publicKey: Uint8Array
  readonly expiresAt: Date | null
  readonly identity: string
  readonly mayContribute: boolean
  readonly mayHaveNoExpiry: boolean
  readonly organizationState: DeletedState
  readonly projectState: DeletedState
}

/** The column that names a key, and the name in it, lower-case and in hexadecimal. */
interface KeyName {
  readonly column: 'id' | 'thumbprint' | 'keyHash'
  readonly name: string
}

const ORGANIZATION = Prisma.sql`device_keys.organization_id`
const PROJECT = Prisma.sql`device_keys.project_id`

/** Reads the keys of devices. */
@Injectable()
export class DeviceKeyRows {
  private readonly batches = new Batches<KeyName, DeviceKeyRow | undefined>((names) => this.find(names), {
    items: 64,
    concurrency: 2,
  })

  constructor(private readonly database: Database) {}

  /** Returns the key that a `kid` names: see {@link keyNamed}. */
  async named(kid: string): Promise<DeviceKeyRow | undefined> {
    const name = keyNamed(kid)
    return name && this.batches.add(name)
  }

  /** Returns all keys of a device. */
  ofDevice(
    { organization_id, project_id }: { readonly organization_id: string; readonly project_id: string },
    serial: string,
  ): Promise<DeviceKeyRow[]> {
    return this.read(Prisma.sql`
      device_keys.organization_id = ${organization_id}::uuid
      AND device_keys.project_id = ${project_id}::uuid AND device_keys.device_serial = ${serial}`)
  }

  private async find(names: readonly KeyName[]): Promise<(DeviceKeyRow | undefined)[]> {
    const namesIn = (wanted: KeyName['column']) =>
      names.filter(({ column }) => column === wanted).map(({ name }) => name)
    const rows = await this.read(Prisma.sql`
      (device_keys.id = ANY (${namesIn('id')}::uuid[])
        OR device_keys.thumbprint = ANY (ARRAY(SELECT decode(name, 'hex') FROM unnest(${namesIn('thumbprint')}::text[]) name))
        OR device_keys.key_hash = ANY (ARRAY(SELECT decode(name, 'hex') FROM unnest(${namesIn('keyHash')}::text[]) name)))`)
    return names.map(({ column, name }) => rows.find((row) => row[column] === name))
  }

  private read(condition: Prisma.Sql): Promise<DeviceKeyRow[]> {
    return this.database.$queryRaw<DeviceKeyRow[]>`
      SELECT device_keys.id, encode(thumbprint, 'hex') AS thumbprint, encode(device_keys.key_hash, 'hex') AS "keyHash",
             device_keys.organization_id AS "organizationId", device_keys.project_id AS "projectId",
             device_serial AS serial, public_key AS "publicKey", expires_at AS "expiresAt",
             device_identity AS identity, may_contribute AS "mayContribute",
             tokens_without_expiry AS "mayHaveNoExpiry",
             ${deletedState(ORGANIZATION)} AS "organizationState",
             ${deletedState(ORGANIZATION, PROJECT)} AS "projectState"
      FROM device_keys JOIN project_keys ON project_keys.project_id = device_keys.project_id
      WHERE ${condition}
        AND (device_ca_id IS NULL OR EXISTS (SELECT FROM device_cas WHERE id = device_ca_id))`
  }
}

/**
 * Returns which key a `kid` names: by its id, its JWK thumbprint in base64url (RFC 7638), or SHA-256 of its DER in
 * hexadecimal, as modems send it. Undefined for every other text.
 */
function keyNamed(kid: string): KeyName | undefined {
  const name = kid.toLowerCase()
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name)) return { column: 'id', name }
  if (/^[\w-]{43}$/.test(kid))
    return { column: 'thumbprint', name: Buffer.from(kid, 'base64url').toString('hex') }
  return /^[0-9a-f]{64}$/.test(name) ? { column: 'keyHash', name } : undefined
}
