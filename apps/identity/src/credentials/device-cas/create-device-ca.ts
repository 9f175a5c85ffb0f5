import { invalidInput, OperationError } from '@bearing/contracts/errors'
import { createDeviceCa, deviceCaCode, MAX_DEVICE_CAS } from '@bearing/contracts/identity/devices/device-ca'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { refuseBeyond } from '@bearing/contracts/counts/quota'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { readCertificate, type ReadCertificate } from '../../ground/device-certificates/read-certificate.js'
import { subjectNames } from '../../ground/device-certificates/serial-in-certificate.js'
import { isCa, isIssuedBy } from '../../ground/device-certificates/verify-path.js'
import { refuseForeignProject } from '../../organizations/project-members/project-scope.js'
import { requireManager } from '../../organizations/project-members/require-manager.js'
import { toDeviceCa } from './device-ca-row.js'

const QUOTA = {
  ...{ resource: 'device_cas', limit: MAX_DEVICE_CAS, raised_by: 'nobody' as const },
  has: 'The project has too many CA certificates',
  remedy: 'Delete one first',
}

@Controller()
export class CreateDeviceCa {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  @Handle(createDeviceCa)
  execute(input: Input<typeof createDeviceCa>, by: Principal): Promise<Output<typeof createDeviceCa>> {
    const { organization_id: organizationId, project_id: projectId } = input
    const now = this.clock.now()
    return this.database.transaction(async (transaction) => {
      await requireManager(transaction, by, input, 'device-key:manage')
      await refuseForeignProject(transaction, input)
      const ca = readCa(input.certificate, now)
      requirePossession(ca, input.verification_certificate, projectId, now)
      const where = { organizationId, projectId }
      refuseBeyond(QUOTA, await transaction.deviceCa.count({ where }))
      const row = {
        ...{ id: this.randomness.newId(), ...where, certificate: ca.der },
        ...{ subjectHash: ca.subjectHash, keyHash: ca.keyHash },
        ...{ serialFrom: input.serial_from, serialPattern: input.serial_pattern },
        ...{ justInTime: input.just_in_time, createdAt: now, expiresAt: ca.notAfter },
      }
      // Not by the error of the index, which would end the transaction.
      const { count } = await transaction.deviceCa.createMany({ data: row, skipDuplicates: true })
      if (count === 0)
        throw new OperationError(
          'device_ca_taken',
          'A certificate of this CA key is already registered. Register an intermediate CA for each project.',
        )
      const shown = toDeviceCa(row)
      recordAudit(transaction, by, {
        ...{ action: 'device_ca.created', target: ['device_ca', row.id], organizationId },
        details: {
          ...{ project_id: projectId, subject: shown.subject, fingerprint: shown.fingerprint },
          ...{ serial_from: row.serialFrom, serial_pattern: row.serialPattern, just_in_time: row.justInTime },
        },
      })
      return shown
    })
  }
}

function readCa(pem: string, now: Date): ReadCertificate {
  const ca = readCertificate(pem)
  if (!ca || !isCa(ca, now))
    throw invalidInput(
      '/certificate',
      'must be PEM of one valid CA certificate (basicConstraints CA:TRUE, keyUsage keyCertSign) with RSA of 2048 bits or more, P-256, P-384 or P-521, signed with SHA-256 or better',
    )
  return ca
}

/** The CA has signed a certificate for this project, which takes the key of the CA. */
function requirePossession(ca: ReadCertificate, pem: string, projectId: string, now: Date): void {
  const proof = readCertificate(pem)
  const code = deviceCaCode(projectId)
  const names = proof ? subjectNames(proof) : []
  const isNamed = names.length === 1 && names[0] === code
  if (!proof || !isNamed || proof.notAfter < now || proof.notBefore > now || !isIssuedBy(proof, ca))
    throw invalidInput(
      '/verification_certificate',
      `must be PEM of a valid certificate that the CA has signed, with the common name ${code}`,
    )
}
