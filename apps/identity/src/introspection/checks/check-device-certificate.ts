import { DEVICE_PERMISSIONS } from '@bearing/access/roles'
import type { PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import type { DevicePrincipal, Principal } from '@bearing/contracts/principal'
import { Clock } from '@bearing/service/ground/clock'
import { Injectable } from '@nestjs/common'
import { Prisma } from '../../generated/prisma/client.js'
import { Database } from '../../ground/database.js'
import { readCertificate, type ReadCertificate } from '../../ground/device-certificates/read-certificate.js'
import { serialIn } from '../../ground/device-certificates/serial-in-certificate.js'
import { algorithmOf } from '../../ground/rules/device-public-key.js'
import { deletedState, type DeletedState } from '../../ground/tenant-states.js'
import { CheckProjectKey } from './check-project-key.js'
import { refuseDeleted } from './refuse-deleted.js'
import { RegisterJustInTime } from './register-just-in-time.js'
import type { Verdict } from './verdict.js'
import { VerifyDeviceCertificate } from './verify-device-certificate.js'

type Presented = Extract<PresentedCredential, { kind: 'device_certificate' }>
type ProjectKey = Extract<Principal, { kind: 'project_key' }>

interface Project {
  readonly organizationId: string
  readonly projectId: string
  readonly identity: string
  readonly mayContribute: boolean
  readonly organizationState: DeletedState
  readonly projectState: DeletedState
}

interface KeyRow extends Project {
  readonly id: string
  readonly serial: string
  readonly expiresAt: Date | null
  readonly caId: string | null
}

/** A CA that may have issued a certificate. */
export interface CaRow extends Project {
  readonly id: string
  readonly certificate: Uint8Array
  readonly serialFrom: string
  readonly serialPattern: string
  readonly justInTime: boolean
}

/** CAs that are tried for one certificate, the oldest first: several can have the same subject. */
const MAX_TRIED = 8

/** Authenticates devices by the certificates that they open TLS connections with (docs/device-identity.md). */
@Injectable()
export class CheckDeviceCertificate {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly projectKeys: CheckProjectKey,
    private readonly paths: VerifyDeviceCertificate,
    private readonly registration: RegisterJustInTime,
  ) {}

  /** A project without device identities takes the project key beside the certificate: devices may have a certificate of another service. */
  async check({ certificate, chain = [], project_key }: Presented): Promise<Verdict> {
    const beside = project_key === undefined ? undefined : await this.projectKeys.check(project_key)
    const key = typeof beside === 'object' && beside.kind === 'project_key' ? beside : undefined
    const verdict = await this.verdictOf(certificate, chain, key)
    return typeof verdict === 'string' && key && (await this.isOff(key)) ? key : verdict
  }

  private async verdictOf(
    certificate: string,
    chain: readonly string[],
    beside: ProjectKey | undefined,
  ): Promise<Verdict> {
    const leaf = read(certificate)
    if (!leaf || !algorithmOf(leaf.key)) return 'malformed'
    const now = this.clock.now()
    if (leaf.notAfter < now || leaf.notBefore > now) return 'expired'
    const [key] = await this.keys(leaf.keyHash)
    // A key that a manager registered needs no CA: the device has proven that it has the key.
    if (key?.caId === null) return this.principalOf(key, key, leaf.notAfter)
    const sent = chain.map(read)
    const others = sent.every((one) => one !== undefined) ? sent : []
    for (const ca of await this.cas([leaf, ...others], beside)) {
      const end = await this.paths.endOfPath(leaf, others, ca)
      if (end) return this.byCa(leaf, ca, key, end)
    }
    return 'unknown'
  }

  /** The path to the CA is verified. The key is registered, or registers itself now. */
  private async byCa(leaf: ReadCertificate, ca: CaRow, key: KeyRow | undefined, end: Date): Promise<Verdict> {
    const serial = serialIn(leaf, ca)
    if (serial === undefined) return 'unknown'
    const refused = refusalOf(ca)
    if (refused) return refused
    const isCurrent = key && (key.expiresAt === null || key.expiresAt > this.clock.now())
    if (isCurrent && key.caId === ca.id)
      return key.serial === serial ? this.principalOf(ca, key, end) : 'device_certificate_for_other'
    const device = {
      organizationId: ca.organizationId,
      projectId: ca.projectId,
      deviceSerial: serial,
    }
    const id = ca.justInTime ? await this.registration.execute(device, leaf.key, ca.id, end) : undefined
    if (id === undefined) return 'device_certificate_not_registered'
    return this.principalOf(ca, { id, serial, expiresAt: null }, end)
  }

  private principalOf(
    project: Project,
    { id, serial, expiresAt }: Pick<KeyRow, 'id' | 'serial' | 'expiresAt'>,
    certificateEnd: Date,
  ): Verdict {
    const refused = refusalOf(project)
    if (refused) return refused
    const endMs = Math.min(certificateEnd.getTime(), expiresAt?.getTime() ?? Infinity)
    if (endMs <= this.clock.nowMs()) return 'expired'
    const principal: DevicePrincipal = {
      ...{ kind: 'device', credential_id: id, proof: 'certificate', device_serial: serial },
      organization_id: project.organizationId,
      project_id: project.projectId,
      permissions: [
        ...DEVICE_PERMISSIONS,
        ...(project.mayContribute ? (['observation:contribute'] as const) : []),
      ],
      expires_at: new Date(endMs).toISOString(),
    }
    return principal
  }

  private keys(keyHash: Uint8Array): Promise<KeyRow[]> {
    const { columns, join } = ofProject(Prisma.sql`device_keys`)
    return this.database.$queryRaw<KeyRow[]>`
      SELECT device_keys.id, device_serial AS serial, expires_at AS "expiresAt", device_ca_id AS "caId", ${columns}
      FROM device_keys ${join} WHERE key_hash = ${keyHash}`
  }

  /** CAs with the name of an issuer. A project key beside the certificate names the project. */
  private cas(sent: readonly ReadCertificate[], beside: ProjectKey | undefined): Promise<CaRow[]> {
    const { columns, join } = ofProject(Prisma.sql`device_cas`)
    const issuers = sent.map(({ issuerHash }) => issuerHash)
    return this.database.$queryRaw<CaRow[]>`
      SELECT device_cas.id, certificate, serial_from AS "serialFrom", serial_pattern AS "serialPattern",
             just_in_time AS "justInTime", ${columns}
      FROM device_cas ${join}
      WHERE subject_hash = ANY (${issuers}::bytea[])
        AND (${beside?.project_id ?? null}::uuid IS NULL OR device_cas.project_id = ${beside?.project_id ?? null}::uuid)
      ORDER BY device_cas.id LIMIT ${MAX_TRIED}::integer`
  }

  private async isOff({ project_id: projectId }: ProjectKey): Promise<boolean> {
    const where = { projectId, deviceIdentity: 'off' }
    return (await this.database.projectKey.findFirst({ where, select: { id: true } })) !== null
  }
}

function refusalOf({ organizationState, projectState, identity }: Project) {
  const refused = refuseDeleted(organizationState, projectState)
  return refused ?? (identity === 'off' ? 'device_identity_off' : undefined)
}

function read(der: string): ReadCertificate | undefined {
  return readCertificate(Buffer.from(der, 'base64'))
}

function ofProject(table: Prisma.Sql) {
  const organization = Prisma.sql`${table}.organization_id`
  const project = Prisma.sql`${table}.project_id`
  return {
    columns: Prisma.sql`
      ${organization} AS "organizationId", ${project} AS "projectId", device_identity AS identity,
      may_contribute AS "mayContribute", ${deletedState(organization)} AS "organizationState",
      ${deletedState(organization, project)} AS "projectState"`,
    join: Prisma.sql`JOIN project_keys ON project_keys.project_id = ${project}`,
  }
}
