import type { PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import { Injectable } from '@nestjs/common'
import { PassportStrategy } from '@nestjs/passport'
import type { Caller } from '../../ground/route-config.js'
import { Authenticator } from '../authenticator.js'
import type { CredentialRequest } from './credential-request.js'
import { HeaderStrategy } from './header-strategy.js'

type Presented = Extract<PresentedCredential, { kind: 'device_certificate' }>

/** The one name here, wherever the certificate came from. */
const HEADER = 'client-certificate'

/** Encodes a client certificate as the header that {@link CertificateStrategy} reads. */
export function certificateHeader(credential: Presented): CredentialRequest['headers'] {
  return { [HEADER]: JSON.stringify(credential) }
}

/** Authenticates devices by client certificates. */
@Injectable()
export class CertificateStrategy extends PassportStrategy(HeaderStrategy, 'device_certificate') {
  constructor(private readonly authenticator: Authenticator) {
    super(({ [HEADER]: certificate }: CredentialRequest['headers']) => certificate)
  }

  validate({ askedFor }: CredentialRequest, text: string): Promise<Caller> {
    const credential = JSON.parse(text) as Presented // written by certificateHeader
    return this.authenticator.introspect(credential, askedFor)
  }
}
